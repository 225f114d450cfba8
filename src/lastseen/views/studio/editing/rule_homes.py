"""Locate rules: built-in ones, or a folder or file in the open folder; nothing else, whatever a name contains."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ....agents.rules.files.read import rule_files
from ....agents.rules.shipped_rules import READY_RULES, ready_rules_folder
from ....errors import InputError
from ....textfile import FORMS, TextFileError, digest_of, parse
from ..protocol.news import MenuEntry
from ..protocol.replies import OpenedFile, OpenedRules
from ..session.folder import MOST_LISTED, UPLOADED, Folder

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
    kind: Literal["ready", "folder", "file"]
    root: Path
    files: dict[str, Path]


def rule_menu(folder: Folder) -> list[MenuEntry]:
    """Return the rules that can be opened, each with a description."""
    ready = [MenuEntry(name, "comes with lastseen; opened as a copy") for name in READY_RULES]
    try:
        own = sorted(path for path in folder.root.iterdir() if path.name[0] != "." and not path.is_symlink())
    except OSError:
        own = []
    found = [MenuEntry(path.name, about) for path in own[:MOST_LISTED] if (about := _about(path))]
    return [*ready, *(one for one in found if one.name not in READY_RULES)]


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
    if path.suffix.lower() not in FORMS or path.name.endswith(".schema.json"):
        return False
    try:
        with path.open("rb") as file:
            return _KEYS.search(file.read(20_000)) is not None
    except OSError:
        return False


def rule_home(folder: Folder, name: str) -> RuleHome:
    """Return the location of rules.

    Raises
    ------
    LastSeenError
        There are none of that name, or it or one of their files leads out of the folder.
    """
    if name in READY_RULES:
        root = ready_rules_folder(name)
        return RuleHome(name, "ready", root, {_inside(file, root): Path(file) for file in rule_files(root)})
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

    Raises
    ------
    LastSeenError
        There are no such rules, or they are too large. Unreadable files are listed with the reason.
    """
    if name == NEW:
        variables = (ready_rules_folder("guards") / "variables.yaml").read_text(encoding="utf-8")
        files = [_opened("rules.yaml", (variables + _BEGINNING).encode(), is_new=True)]
        target = _free_name(folder, "rules", ".yaml")
        return OpenedRules(name=NEW, title="new rules", target=target, files=files, is_copy=True, single=True)
    home = rule_home(folder, name)
    if sum(place.stat().st_size for place in home.files.values()) > MOST_RULE_BYTES:
        raise InputError(f"{name!r} is larger than {MOST_RULE_BYTES >> 20} MiB; edit it by hand")
    is_copy = home.kind == "ready"
    files = [_opened(one, place.read_bytes(), is_new=is_copy) for one, place in home.files.items()]
    target = _free_name(folder, f"{name} copy", "") if is_copy else name
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


def _free_name(folder: Folder, stem: str, ending: str) -> str:
    """Return a name that nothing in the folder has."""
    names = (f"{stem}{number}{ending}" for number in ("", *(f" {number}" for number in range(2, 1_000))))
    return next((name for name in names if not (folder.root / name).exists()), f"{stem}{ending}")
