"""Save rules edited in the page into the open folder, atomically and with their comments."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from pathlib import Path

from ....agents.rules.files.revision import Elsewhere, as_written, revise_rules
from ....agents.rules.files.yaml_edit import has_comments
from ....agents.rules.shipped_rules import READY_RULES
from ....errors import InputError
from ....files import atomic_write
from ....textfile import FORMS, parse
from ..protocol.replies import SavedFile, SavedRules
from ..protocol.requests import RuleFileText, SaveRules
from ..session.folder import Folder, require_name
from .level_files import Changed
from .rule_homes import MOST_RULE_BYTES, file_digest, rule_home


class RulesChanged(Changed):
    """A rule file, `file`, differs from the one the page knows."""

    def __init__(self, message: str, file: str, digest: str):
        self.file = file
        super().__init__(message, digest)


def save_rules(folder: Folder, asked: SaveRules) -> SavedRules:
    """Write rules; return their names and current digests.

    Raises
    ------
    RulesChanged
        A file differs from the one the page knows: nothing is written.
    LastSeenError
        A name is not valid or leads elsewhere, or a text cannot be changed without changing other values.
    """
    if not asked.files:
        raise InputError("there is nothing to save")
    if len({one.name for one in asked.files}) < len(asked.files):
        raise InputError("a file is given twice; give each once")
    texts = {one.name: _revised(one, asked.files) for one in asked.files}
    if sum(map(len, texts.values())) > MOST_RULE_BYTES:
        raise InputError(f"these rules are larger than {MOST_RULE_BYTES >> 20} MiB; split them")
    if asked.target in READY_RULES:
        raise InputError(f"{asked.target!r} is the name of built-in rules; choose another")
    if not asked.is_new:
        _write_over(folder, asked, texts)
    elif asked.single:
        _write_file(folder, asked, texts)
    else:
        _write_folder(folder, asked.target, texts)
    written = [SavedFile(name, data.decode(), file_digest(data)) for name, data in texts.items()]
    return SavedRules(name=asked.target, files=written, bare=_without_comments(asked.files))


def _without_comments(files: list[RuleFileText]) -> list[str]:
    """Return the names of rules that had comments and moved to a JSON file, which cannot hold any."""
    texts = {one.name: one.text for one in files if _form(one.name) == "yaml"}
    found: list[str] = []
    for name, handler, number in (place for one in files if _form(one.name) == "json" for place in _moved(one)):
        if name in texts and has_comments(texts[name], ("handlers", handler, "rules"), number):
            rule = parse(texts[name], "yaml", source=name).value["handlers"][handler]["rules"][number]
            found.append(str(rule.get("name", "")))
    return found


def _revised(file: RuleFileText, files: list[RuleFileText]) -> bytes:
    """Return the new content of a file; rules may move between the files."""
    form = _form(file.name)
    try:
        if file.value is None:
            return file.text.encode()
        if form == "yaml":
            others = {one.name: one.text for one in files if one is not file and _form(one.name) == "yaml"}
            gone = [place[1:] for one in files if one is not file for place in _moved(one) if place[0] == file.name]
            return revise_rules(
                file.text, file.value, file.origins, source=file.name, others=others, left=gone
            ).encode()
        if form == "json":
            old = parse(file.text, form, source=file.name).value
            new = {key: value for key, value in file.value.items() if value or key in old}
            return (json.dumps(as_written(old, new), indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()
    except (UnicodeEncodeError, RecursionError):
        raise InputError(f"{file.name!r} cannot be written: half a character, or nesting too deep") from None
    raise InputError(
        f"{file.name!r} cannot be edited here: only YAML and JSON can; convert it with lastseen rules convert"
    )


def _form(name: str) -> str | None:
    return FORMS.get(Path(name).suffix.lower())


def _moved(file: RuleFileText) -> list[Elsewhere]:
    return [place for places in file.origins.values() for place in places if isinstance(place, tuple)]


def _write_over(folder: Folder, asked: SaveRules, texts: dict[str, bytes]) -> None:
    """Replace existing rule files, if each is the one the page knows."""
    home = rule_home(folder, asked.target)
    if home.kind == "file" and set(texts) != set(home.files):
        raise InputError(f"{asked.target!r} is one file; save it as one")
    places = {file.name: home.files.get(file.name) or _place(folder, home.root, file.name) for file in asked.files}
    for file in asked.files:
        _require_known(places[file.name], file.name, file.digest)
    _write_all({places[name]: data for name, data in texts.items()})


def _write_all(files: dict[Path, bytes]) -> None:
    """Write all files or none: if one cannot be written, those before it are restored."""
    before = {place: place.read_bytes() if place.exists() else None for place in files}
    try:
        for place, data in files.items():
            place.parent.mkdir(parents=True, exist_ok=True)
            atomic_write(place, data)
    except (OSError, InputError) as error:
        for place, data_or_none in before.items():
            _put_back(place, data_or_none)
        why = str(error) if isinstance(error, InputError) else f"{place.name!r} cannot be written: {error.strerror}"
        raise InputError(f"{why}; nothing was saved") from None


def _put_back(place: Path, data: bytes | None) -> None:
    with contextlib.suppress(OSError, InputError):
        if data is None:
            place.unlink(missing_ok=True)
        elif place.read_bytes() != data:
            atomic_write(place, data)


def _place(folder: Folder, root: Path, name: str) -> Path:
    """Return the path of a new file in a folder of rules."""
    for part in Path(name).parts:
        require_name(part)
    if Path(name).suffix.lower() not in FORMS:
        raise InputError(f"{name!r} is not a rule file name; it must end in {', '.join(FORMS)}")
    return folder.path((root / name).relative_to(folder.root).as_posix())


def _require_known(place: Path, name: str, digest: str) -> None:
    """Raise rather than replace a file that differs from the one the page knows."""
    if place.is_symlink():
        raise InputError(f"{name!r} is a link to another file; choose another name")
    try:
        now = file_digest(place.read_bytes()) if place.exists() else ""
    except OSError as error:
        raise InputError(f"{name!r} cannot be read: {error.strerror}") from None
    if now != digest:
        what = "has changed since you opened it" if digest and now else "is gone" if digest else "already exists"
        raise RulesChanged(f"{name!r} {what}", name, now)


def _write_file(folder: Folder, asked: SaveRules, texts: dict[str, bytes]) -> None:
    require_name(asked.target)
    (file,), (data,) = asked.files, texts.values()
    if Path(asked.target).suffix.lower() != Path(file.name).suffix.lower():
        raise InputError(f"{asked.target!r} must end in {Path(file.name).suffix}, like the file")
    folder.path(asked.target)
    place = folder.root / asked.target
    _require_known(place, asked.target, file.digest)
    atomic_write(place, data)


def _write_folder(folder: Folder, target: str, texts: dict[str, bytes]) -> None:
    """Create a folder of rules atomically, with all its files."""
    require_name(target)
    place = folder.path(target)
    if (folder.root / target).exists() or (folder.root / target).is_symlink():
        raise InputError(f"{target!r} already exists; choose another name")
    draft = Path(tempfile.mkdtemp(prefix=".lastseen-", dir=folder.root))
    try:
        for name, data in texts.items():
            inside = _place(folder, draft, name)
            inside.parent.mkdir(parents=True, exist_ok=True)
            atomic_write(inside, data)
        draft.chmod(0o755)
        draft.rename(place)
    except OSError as error:
        raise InputError(f"{target!r} cannot be written: {error.strerror}; choose another name") from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)
