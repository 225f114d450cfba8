"""Conversion of rule files between YAML, TOML and JSON, without comments."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ....checks import file_path
from ....errors import RuleError
from ....files import atomic_write
from ....textfile import FORMS, Document, TextFileError, parse
from .read import MOST_BYTES, read_documents
from .yaml_text import WIDTH, groups_text

_BARE = re.compile(r"[A-Za-z0-9_-]+")

Plain = Mapping[str, Any]


def toml_text(plain: Plain) -> str:
    """Return the contents of a rule file as TOML; raise a RuleError if a list contains null."""
    return "\n".join("\n".join(table) + "\n" for table in _tables(plain))


def without_nothing(plain: Plain) -> dict[str, Any]:
    """Return the contents of a rule file without null keys of variables and rules, which have no effect.

    Actions are data of the game and stay unchanged.
    """
    found = dict(plain)
    if "variables" in plain:
        found["variables"] = {path: _dropped(spec) for path, spec in plain["variables"].items()}
    if "handlers" in plain:
        found["handlers"] = {
            name: handler | ({"rules": [_dropped(rule) for rule in handler["rules"]]} if "rules" in handler else {})
            for name, handler in plain["handlers"].items()
        }
    return found


def _dropped(value: Any) -> Any:
    return {key: item for key, item in value.items() if item is not None} if isinstance(value, dict) else value


def _tables(plain: Plain) -> Iterator[list[str]]:
    """Yield the lines of each table."""
    for group, held in plain.items():
        if group != "handlers":
            yield [f"[{group}]", *_pairs(held, (group,))]
            continue
        if not held:
            yield ["[handlers]"]
        for name, handler in held.items():
            home = f"handlers.{_key(name)}"
            rules = handler.get("rules", [])
            # Plain keys come before tables: a key after a rule would belong to that rule.
            head = {key: value for key, value in handler.items() if key != "rules" or not rules}
            yield [f"[{home}]", *_pairs(head, (group, name))]
            for rule in rules:
                yield [f"[[{home}.rules]]", *_pairs(rule, (group, name, str(rule.get("name", ""))))]


def _pairs(values: Plain, path: tuple[str, ...]) -> list[str]:
    return [_pair(key, value, (*path, key)) for key, value in values.items()]


def _pair(key: str, value: Any, path: tuple[str, ...]) -> str:
    """Return `key = value`; a list too long for one line gets one line per item."""
    whole = f"{_key(key)} = {_inline(value, path)}"
    if len(whole) <= WIDTH or not isinstance(value, list):
        return whole
    return f"{_key(key)} = [\n" + "".join(f"  {_inline(item, path)},\n" for item in value) + "]"


def _inline(value: Any, path: tuple[str, ...]) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {_inline(item, path)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(item, path) for item in value) + "]"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return repr(value)
    if value is None:
        raise RuleError(f"{' / '.join(path)} contains null, which TOML cannot represent; write .yaml or .json")
    raise RuleError(f"{' / '.join(path)} contains {value!r}, which cannot be written; give plain values")


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _quoted(key)


def _quoted(text: str) -> str:
    """Return quoted text; JSON escapes are valid in TOML, which requires one more."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


GROUPS = ("variables", "handlers", "lines")


def convert_rules(paths: Iterable[str | os.PathLike[str]], output: str | os.PathLike[str]) -> None:
    """Write the contents of rule files and folders to one .yaml, .toml or .json file, atomically.

    Raise a RuleFileError if the rules have faults, and a RuleError if the file extension is unknown, the format cannot
    represent these rules, or the output would lie in an input folder, which would then hold every rule twice.
    """
    name = file_path(output)
    form = FORMS.get(Path(name).suffix.lower())
    if form is None:
        raise RuleError(f"{name} has an unknown file extension; use .yaml, .toml or .json")
    paths = list(paths)
    for folder in (Path(file_path(path)) for path in paths):
        if folder.is_dir() and Path(name).resolve().is_relative_to(folder.resolve()):
            what = f"{name} lies in the input folder {folder}, which would then hold all rules twice"
            raise RuleError(f"{what}; write it to another folder")
    documents = read_documents(*paths)[1]
    atomic_write(name, rules_text(together(documents), form).encode())


def together(documents: Iterable[Document]) -> dict[str, Any]:
    """Merge the contents of valid rule files into one document; no name may occur twice."""
    found: dict[str, Any] = {}
    for document in documents:
        for group in GROUPS:
            if group in document.value:
                found.setdefault(group, {}).update(document.value[group])
    return {group: found[group] for group in GROUPS if group in found}


def rules_text(plain: Mapping[str, Any], form: str) -> str:
    """Return a rule file's contents as text in the given format, verified by parsing it back.

    In TOML, null keys of rules and variables are left out. Raise a RuleError if the format cannot represent the rules,
    or they are too large for one file.
    """
    if form == "toml":
        plain = without_nothing(plain)
    text = _WRITERS[form](plain)
    if len(text.encode()) > MOST_BYTES:
        raise RuleError(f"these rules are more than {MOST_BYTES} bytes as {form.upper()}; convert fewer files at once")
    try:
        same = parse(text, form).value == plain
    except TextFileError as error:
        raise RuleError(f"these rules cannot be written as {form.upper()}: {error.what}") from None
    if not same:
        raise RuleError(f"these rules cannot be written as {form.upper()} without loss; choose another format")
    return text


_WRITERS: dict[str, Callable[[Plain], str]] = {
    "yaml": groups_text,
    "toml": toml_text,
    "json": lambda plain: json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False) + "\n",
}
