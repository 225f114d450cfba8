"""Save rules edited in the page into the open folder, atomically and with their comments."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ....agents.rules.files.read import rule_files
from ....agents.rules.files.revision import Elsewhere, as_written, revise_rules
from ....agents.rules.files.yaml_edit import has_comments
from ....agents.rules.shipped_rules import SHIPPED_RULES, shipped_rules_folder
from ....errors import InputError
from ....files import atomic_write, write_all
from ....textfile import FORMS, TextFileError, digest_of, parse
from ..protocol.news import MenuEntry
from ..protocol.replies import OpenedFile, OpenedRules, RuleFileText, SavedFile, SavedRules, SaveRules
from ..session.folder import MOST_LISTED, UPLOADED, Folder, free_name, head_of, require_name
from .level_files import require_unchanged


def save_rules(folder: Folder, asked: SaveRules) -> SavedRules:
    """Write rules; return their names and current digests.

    Raise `Changed`, and write nothing, if a file differs from the one the page knows; LastSeenError if a name is
    invalid or leads elsewhere, or a text cannot be changed without changing other values.
    """
    if not asked.files:
        raise InputError("there is nothing to save")
    if len({one.name for one in asked.files}) < len(asked.files):
        raise InputError("a file is given twice; give each once")
    texts = {one.name: _revised(one, asked.files) for one in asked.files}
    if sum(map(len, texts.values())) > MOST_RULE_BYTES:
        raise InputError(f"these rules are larger than {MOST_RULE_BYTES >> 20} MiB; split them")
    if asked.target in SHIPPED_RULES:
        raise InputError(f"{asked.target!r} is the name of shipped rules; choose another")
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
        raise InputError(f"{file.name!r} cannot be written: an incomplete character, or nesting too deep") from None
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
    write_all({places[name]: data for name, data in texts.items()})


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
    require_unchanged(name, digest, now, name)


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


MOST_RULE_BYTES = 8 * 1024 * 1024
"""Maximum bytes of all files of a database that can be edited in the page."""
MOST_FILES = 200
NEW = ""
"""The name of rules that do not exist yet."""
_KEYS = re.compile(rb"""(?m)^[\s{\[]*["']?(handlers|variables|lines)["']?[\].:= ]""")
_BEGINNING = "\nhandlers:\n  guard.barks:\n    order: priority\n    policy: shuffle repeat\n    rules: []\n"


@dataclass(frozen=True)
class RuleHome:
    """The location of a database, and its files by name."""

    name: str
    kind: Literal["shipped", "folder", "file"]
    root: Path
    files: dict[str, Path]


def rule_menu(folder: Folder) -> list[MenuEntry]:
    """Return the rules that can be opened, each with a description."""
    shipped = [MenuEntry(name, "comes with lastseen; opened as a copy") for name in SHIPPED_RULES]
    try:
        own = sorted(path for path in folder.root.iterdir() if path.name[0] != "." and not path.is_symlink())
    except OSError:
        own = []
    found = [MenuEntry(path.name, about) for path in own[:MOST_LISTED] if (about := _about(path))]
    return [*shipped, *(one for one in found if one.name not in SHIPPED_RULES)]


def _about(path: Path) -> str:
    """Return a description of a file or folder of rules; empty: it has none."""
    try:
        if path.is_file():
            return "your file" if _holds_rules(path) else ""
        inside = [one for one in sorted(path.iterdir())[:MOST_LISTED] if one.is_file() and _holds_rules(one)]
        return f"your folder, {len(inside)} file{'s' * (len(inside) > 1)}" if inside else ""
    except OSError:
        return ""


def _holds_rules(path: Path) -> bool:
    is_rules = path.suffix.lower() in FORMS and not path.name.endswith(".schema.json")
    return is_rules and _KEYS.search(head_of(path)) is not None


def rule_home(folder: Folder, name: str) -> RuleHome:
    """Return the location of rules.

    Raise LastSeenError if there are none of that name, or if it or one of their files leads out of the folder.
    """
    if name in SHIPPED_RULES:
        root = shipped_rules_folder(name)
        return RuleHome(name, "shipped", root, {_inside(file, root): Path(file) for file in rule_files(root)})
    place = folder.path(name)
    if name.startswith((".", UPLOADED)) or not place.exists():
        raise InputError(f"there are no rules {name!r} in the open folder")
    if place.is_file():
        if place.suffix.lower() not in FORMS:
            raise InputError(f"{name!r} is not a rule file; rules are {', '.join(FORMS)} files")
        return RuleHome(name, "file", place.parent, {place.name: place})
    files = {_inside(file, place): Path(file) for file in rule_files(place)}
    strange = [one for one, file in files.items() if not file.resolve().is_relative_to(folder.root)]
    if strange:
        raise InputError(f"{strange[0]!r} of {name!r} is a link that leads out of the open folder")
    if len(files) > MOST_FILES:
        raise InputError(f"{name!r} has {len(files)} files; at most {MOST_FILES} can be edited here")
    return RuleHome(name, "folder", place, files)


def _inside(file: str, root: Path) -> str:
    return Path(file).relative_to(root).as_posix()


def open_rule_files(folder: Folder, name: str) -> OpenedRules:
    """Return rules as the page edits them: every file with its text, its values and its digest.

    Built-in and new rules are opened as copies: `target` is the name to save them under, and `is_copy` is set.

    Unreadable files are listed with the reason. Raise LastSeenError if there are no such rules, or they are too large.
    """
    if name == NEW:
        variables = (shipped_rules_folder("guards") / "variables.yaml").read_text(encoding="utf-8")
        files = [_opened("rules.yaml", (variables + _BEGINNING).encode(), is_new=True)]
        target = free_name(folder, "rules", ".yaml")
        return OpenedRules(name=NEW, title="new rules", target=target, files=files, is_copy=True, single=True)
    home = rule_home(folder, name)
    if sum(place.stat().st_size for place in home.files.values()) > MOST_RULE_BYTES:
        raise InputError(f"{name!r} is larger than {MOST_RULE_BYTES >> 20} MiB; edit it by hand")
    is_copy = home.kind == "shipped"
    files = [_opened(one, place.read_bytes(), is_new=is_copy) for one, place in home.files.items()]
    target = free_name(folder, f"{name} copy") if is_copy else name
    single = home.kind == "file"
    return OpenedRules(name=name, title=name, target=target, files=files, is_copy=is_copy, single=single)


def _opened(name: str, data: bytes, *, is_new: bool) -> OpenedFile:
    form, error, value, text = FORMS[Path(name).suffix.lower()], "", None, ""
    try:
        text = data.decode("utf-8-sig")
        value = parse(text, form, source=name).value
        if not isinstance(value, dict):
            value, error = None, "has no keys and values"
    except UnicodeDecodeError:
        error = "is not UTF-8; save it as UTF-8"
    except TextFileError as fault:
        error = f"line {fault.line}: {fault.what}" if fault.line else fault.what
    digest = "" if is_new else file_digest(data)
    return OpenedFile(name, form, digest, text, value, error)


def file_digest(data: bytes) -> str:
    """Return the digest that identifies a file's content; empty for none."""
    return digest_of(data) if data else ""
