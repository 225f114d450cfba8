"""Read small YAML, JSON or TOML files safely and report every fault with its line.

`read` and `parse` return a `Document` of plain values; `convert` turns it, or a part of it, into msgspec structs. All
raise `TextFileError`, whose message begins with `file:line`; `convert_valid` returns all errors of a part at once.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path as FilePath
from typing import Any, TypeVar

import msgspec
import msgspec.inspect

from .checks import file_path, shown, text_of
from .errors import InputError, did_you_mean
from .textforms import Path, TextFault, parse_json, parse_toml, parse_yaml

FORMS = {".yaml": "yaml", ".yml": "yaml", ".json": "json", ".toml": "toml"}
"""Format of a file by the suffix of its name."""
MOST_BYTES = 1 << 20

_PARSERS = {"yaml": parse_yaml, "json": parse_json, "toml": parse_toml}
_UNKNOWN = re.compile(r"Object contains unknown field `([^`]*)`")
_ANY = "..."
_STEP = re.compile(r"\[(\d+|\.\.\.)\]|\.([^.\[\]]+)")
_WORDS = {"int": "a whole number", "float": "a number", "str": "text", "bool": "true or false", "array": "a list",
          "object": "keys and values", "null": "null"}  # fmt: skip

Kind = TypeVar("Kind")


class TextFileError(InputError):
    """A text file cannot be read or has faulty content; `source` and `line` (0: no line) say where.

    `path` is the path of the faulty value in the document, if a single value is at fault.
    """

    def __init__(self, source: str, line: int, what: str, path: Path = ()):
        self.source, self.line, self.what, self.path = source, line, what, path
        super().__init__(f"{source}:{line}: {what}" if line else f"{source}: {what}")


@dataclass(frozen=True)
class Document:
    """Content of a text file: plain values, and the line (from 1) of each value by its path.

    A path is a tuple of keys and list indices: `("terms", 0, "weight")`. `digest` is the digest of the file's bytes,
    or empty if the text did not come from a file.
    """

    source: str
    value: Any
    lines: Mapping[Path, int]
    digest: str = field(default="", compare=False)

    def line(self, path: Path = ()) -> int:
        """Return the line of a value, or of its nearest known parent."""
        return next((self.lines[path[:end]] for end in range(len(path), -1, -1) if path[:end] in self.lines), 1)

    def error(self, path: Path, what: str) -> TextFileError:
        """Return an error about the value at `path`."""
        return TextFileError(self.source, self.line(path), what, path)


def read(path: str | os.PathLike[str], *, form: str | None = None, most_bytes: int = MOST_BYTES) -> Document:
    """Return the content of a .yaml, .yml, .json or .toml file, or of any file of a given form (see `parse`).

    Raises
    ------
    TextFileError
        Missing, too large, not UTF-8, malformed, nested too deeply, with duplicate keys or values that are not plain.
    """
    source = file_path(path)
    form = form or FORMS.get(FilePath(source).suffix.lower())
    if form is None:
        raise TextFileError(source, 0, f"unknown file extension; use {', '.join(FORMS)}")
    try:
        with FilePath(source).open("rb") as file:
            data = file.read(most_bytes + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise TextFileError(source, 0, f"cannot be read: {reason}; give an existing file") from None
    if len(data) > most_bytes:
        raise TextFileError(source, 0, f"larger than {most_bytes} bytes; split it")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TextFileError(source, line, f"byte {error.start} is not UTF-8; save the file as UTF-8") from None
    return replace(parse(text, form, source=source), digest=digest_of(data))


def digest_of(data: bytes) -> str:
    """Return the digest of a file's bytes (BLAKE2b, 32 bytes as hexadecimal digits)."""
    return hashlib.blake2b(data, digest_size=32).hexdigest()


def parse(text: str, form: str, *, source: str = "text") -> Document:
    """Return the content of a text; `form` is "yaml", "json" or "toml". See `read`."""
    text, source = text_of(text, "text"), str(source)
    if not isinstance(form, str) or form not in _PARSERS:
        raise InputError(f"form is {shown(form)}{did_you_mean(form, _PARSERS)}; give one of {', '.join(_PARSERS)}")
    try:
        text.encode()
        value, lines = _PARSERS[form](text)
    except UnicodeEncodeError as error:
        raise TextFileError(source, text.count("\n", 0, error.start) + 1, "lone surrogate; save as UTF-8") from None
    except TextFault as fault:
        # Parsers report something missing at the end on the line after the last one.
        raise TextFileError(source, min(fault.line, max(1, len(text.splitlines()))), fault.what) from None
    return Document(source, value, lines)


def convert(document: Document, kind: type[Kind], path: Path = ()) -> Kind:
    """Return the value at `path` as a msgspec struct (or any type msgspec supports), validated.

    Raises
    ------
    TextFileError
        A key is unknown (close ones are suggested) or missing, or a value has the wrong type or is out of range.
    """
    value = _value(document, path)
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `")
        inner = _with_members(_steps(place), value, kind)
        unknown = _UNKNOWN.match(what)
        known = _known(msgspec.inspect.type_info(kind), value, inner, of_keys=unknown is not None)
        if unknown:
            inner = (*inner, unknown[1])
            close = did_you_mean(unknown[1], known)
            what = f"unknown key {unknown[1][:40]!r}{close}; allowed: {', '.join(known)}"
        else:
            what = in_words(what, known)
            what = f"{named(inner)}: {what}" if inner else what
        raise document.error((*path, *inner), what) from None


def convert_valid(document: Document, kind: Any, path: Path = ()) -> tuple[Any, list[TextFileError]]:
    """Return the value at `path` as `convert` does, without its invalid values, and an error for each of these.

    A list with an invalid item is invalid as a whole. The value is None if a required one is missing or invalid.
    """
    errors: list[TextFileError] = []
    copy, ill = document, set[Path]()
    while True:
        try:
            return convert(copy, kind, path), errors
        except TextFileError as error:
            if not errors:
                copy = Document(document.source, _only(document.value, path), document.lines)
            depth = _table_depth(_value(copy, path), error.path[len(path) :])
            missing = re.search(r"the key '(.*)' is missing; add it$", error.what)
            is_left_out = missing is not None and (*error.path, missing[1]) in ill
            if not is_left_out and (depth or not _is_left_out(kind, path, ill)):
                errors.append(error)
            if not depth:
                return None, errors
            ill.add(error.path[: len(path) + depth])
            del _value(copy, error.path[: len(path) + depth - 1])[error.path[len(path) + depth - 1]]


def _only(value: Any, path: Path) -> Any:
    """Return a copy of the value at a path, in tables with nothing else."""
    if not path:
        return deepcopy(value)
    return {path[0]: _only(value[path[0]], path[1:])}


def _is_left_out(kind: Any, path: Path, ill: set[Path]) -> bool:
    """Return whether a required value is missing only because it was invalid."""
    fields = msgspec.structs.fields(kind) if isinstance(kind, type) and issubclass(kind, msgspec.Struct) else ()
    return any((*path, field.encode_name) in ill for field in fields if field.required)


def _table_depth(value: Any, path: Path) -> int:
    """Return how many steps of a path inside a value lead to its last key of a table; 0 if there is none."""
    depth = 0
    for number, step in enumerate(path):
        if isinstance(value, dict) and step in value:
            depth, value = number + 1, value[step]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            break
    return depth


def _value(document: Document, path: Path) -> Any:
    value = document.value
    for step in path:
        value = value[step]
    return value


def _steps(place: str) -> Path:
    """Return the path in a msgspec message such as `$.terms[0].weight`; `[...]`, any member of an object, is kept."""
    found = _STEP.findall(place.split("`")[0])
    return tuple(key or (number if number == _ANY else int(number)) for number, key in found)


def _with_members(path: Path, value: Any, kind: Any) -> Path:
    """Return a path with the first invalid member of an object in place of `[...]`; it ends there if none is."""
    while _ANY in path:
        at = path.index(_ANY)
        table = value
        for step in path[:at]:
            table = table[step]
        path = (*path[:at], *next(((key, *path[at + 1 :]) for key in table if _fails(value, path[:at], key, kind)), ()))
    return path


def _fails(value: Any, path: Path, key: str, kind: Any) -> bool:
    """Return whether a value is still invalid with this one member of the object at a path."""
    part: Any = value
    for step in path:
        part = part[step]
    part = {key: part[key]}
    for depth in range(len(path) - 1, -1, -1):
        outer: Any = value
        for step in path[:depth]:
            outer = outer[step]
        outer = outer.copy()
        outer[path[depth]] = part
        part = outer
    try:
        msgspec.convert(part, kind)
    except msgspec.ValidationError:
        return True
    return False


def named(path: Path) -> str:
    """Return a path in readable form, `terms[1].weight`; list indices count from 1."""
    return "".join(f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def in_words(what: str, known: Sequence[str] = ()) -> str:
    """Rephrase a msgspec message, adding the allowed names if there are any."""
    missing = re.match(r"Object missing required field `(.*)`", what)
    if missing:
        return f"the key {missing[1]!r} is missing; add it"
    invalid = re.match(r"Invalid (?:enum )?value '?(.*?)'?$", what)
    if invalid and known:
        return f"unknown value {invalid[1][:40]!r}{did_you_mean(invalid[1], known)}; allowed: {', '.join(known)}"
    what = re.sub(r"`([a-z]+(?: \| [a-z]+)*)`", _kinds_in_words, what)
    what = re.sub(r"(\d)\.0\b", r"\1", what)
    what = re.sub(r"length >= (\d+)", r"length \1 or more", re.sub(r"length <= (\d+)", r"length \1 or less", what))
    return what[:1].lower() + what[1:].replace(" >= ", ", at least ").replace(" <= ", ", at most ").replace(
        " > ", ", more than "
    ).replace(" < ", ", less than ")


def _kinds_in_words(found: re.Match[str]) -> str:
    """Return `float | null` as "a number or null"."""
    return " or ".join(_WORDS.get(word, word) for word in found[1].split(" | "))


def _known(info: Any, value: Any, path: tuple[Any, ...], *, of_keys: bool) -> list[str]:
    """Return the keys (`of_keys`) or the words allowed at a path inside a value of this type."""
    kinds = _alternatives(info)
    for depth, step in enumerate(path):
        if not of_keys and depth == len(path) - 1 and step in {getattr(kind, "tag_field", None) for kind in kinds}:
            return [str(kind.tag) for kind in kinds]
        kinds = [inner for kind in _fitting(kinds, value) for inner in _inside(kind, step)]
        value = value.get(step) if isinstance(value, dict) else value[step] if isinstance(value, list) else None
    if not of_keys:
        return [str(word) for kind in kinds for word in getattr(kind, "values", ())]
    structs = _fitting(kinds, value)
    tags = [kind.tag_field for kind in structs[:1] if getattr(kind, "tag_field", None)]
    return tags + [field.encode_name for kind in structs for field in getattr(kind, "fields", ())]


def _alternatives(info: Any) -> list[Any]:
    return list(getattr(info, "types", [info]))


def _fitting(kinds: list[Any], value: Any) -> list[Any]:
    """Return the alternatives a value may stand for: by its tag, if the types have one."""
    if not isinstance(value, dict):
        return kinds
    return [kind for kind in kinds if getattr(kind, "tag_field", None) is None or value.get(kind.tag_field) == kind.tag]


def _inside(kind: Any, step: str | int) -> list[Any]:
    """Return the types one step further down the path."""
    if isinstance(kind, msgspec.inspect.StructType):
        return [inner for field in kind.fields if field.encode_name == step for inner in _alternatives(field.type)]
    if isinstance(kind, msgspec.inspect.TupleType):
        return _alternatives(kind.item_types[step]) if isinstance(step, int) and step < len(kind.item_types) else []
    inner = getattr(kind, "item_type", getattr(kind, "value_type", None))
    return [] if inner is None else _alternatives(inner)
