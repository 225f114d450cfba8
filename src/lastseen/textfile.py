"""Read a small YAML, JSON or TOML file safely, and say of every fault in which line it stands.

`read` and `parse` give a `Document` of plain values; `convert` turns it, or a part of it, into msgspec structs. Both
raise `TextFileError`, whose message begins with `file:line`.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path as FilePath
from typing import Any, TypeVar

import msgspec
import msgspec.inspect

from .checks import file_path, shown, text_of
from .errors import InputError, did_you_mean
from .textforms import Path, TextFault, parse_json, parse_toml, parse_yaml

__all__ = ["Document", "TextFileError", "convert", "digest_of", "named", "parse", "read"]

FORMS = {".yaml": "yaml", ".yml": "yaml", ".json": "json", ".toml": "toml"}
"""Form of a file by the ending of its name."""
MOST_BYTES = 1 << 20

_PARSERS = {"yaml": parse_yaml, "json": parse_json, "toml": parse_toml}
_UNKNOWN = re.compile(r"Object contains unknown field `([^`]*)`")
_STEP = re.compile(r"\[(\d+|\.\.\.)\]|\.([^.\[\]]+)")
_WORDS = {"int": "a whole number", "float": "a number", "str": "text", "bool": "true or false", "array": "a list",
          "object": "keys and values", "null": "nothing"}  # fmt: skip

Kind = TypeVar("Kind")


class TextFileError(InputError):
    """A text file cannot be read or does not say what it should; `source` and `line` (0: no line) tell where.

    `path` is that of the value in the document, where it is one that is wrong.
    """

    def __init__(self, source: str, line: int, what: str, path: Path = ()):
        self.source, self.line, self.what, self.path = source, line, what, path
        super().__init__(f"{source}:{line}: {what}" if line else f"{source}: {what}")


@dataclass(frozen=True)
class Document:
    """What a text file says: plain values, and the line (from 1) of each of them by its path.

    A path is a tuple of keys and places in lists: `("terms", 0, "weight")`. `digest` is that of the bytes of the file;
    empty where it is none.
    """

    source: str
    value: Any
    lines: Mapping[Path, int]
    digest: str = field(default="", compare=False)

    def line(self, path: Path = ()) -> int:
        """Return the line of a value, or of the nearest thing around it."""
        return next((self.lines[path[:end]] for end in range(len(path), -1, -1) if path[:end] in self.lines), 1)

    def error(self, path: Path, what: str) -> TextFileError:
        """Return the error that says of the value at `path` what is wrong with it."""
        return TextFileError(self.source, self.line(path), what, path)


def read(path: str | os.PathLike[str], *, most_bytes: int = MOST_BYTES) -> Document:
    """Return what a .yaml, .yml, .json or .toml file says.

    Raises
    ------
    TextFileError
        Missing, too large, not UTF-8, not sound, too deep, with keys twice or with values that are not plain.
    """
    source = file_path(path)
    form = FORMS.get(FilePath(source).suffix.lower())
    if form is None:
        raise TextFileError(source, 0, f"the ending of its name tells no form; name it {', '.join(FORMS)}")
    try:
        with FilePath(source).open("rb") as file:
            data = file.read(most_bytes + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise TextFileError(source, 0, f"cannot be read: {reason}; name an existing file") from None
    if len(data) > most_bytes:
        raise TextFileError(source, 0, f"is larger than {most_bytes} bytes; split it")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TextFileError(source, line, f"byte {error.start} is not UTF-8; save the file as UTF-8") from None
    return replace(parse(text, form, source=source), digest=digest_of(data))


def digest_of(data: bytes) -> str:
    """Return the digest of the bytes of a file (BLAKE2b, 32 bytes as hexadecimal digits)."""
    return hashlib.blake2b(data, digest_size=32).hexdigest()


def parse(text: str, form: str, *, source: str = "text") -> Document:
    """Return what a text says; `form` is "yaml", "json" or "toml". See `read`."""
    text, source = text_of(text, "text"), str(source)
    if not isinstance(form, str) or form not in _PARSERS:
        raise InputError(f"form is {shown(form)}{did_you_mean(form, _PARSERS)}; give one of {', '.join(_PARSERS)}")
    try:
        text.encode()
        value, lines = _PARSERS[form](text)
    except UnicodeEncodeError as error:
        raise TextFileError(source, text.count("\n", 0, error.start) + 1, "half a character; save as UTF-8") from None
    except TextFault as fault:
        # What is missing at the end is missed on the line after it.
        raise TextFileError(source, min(fault.line, max(1, len(text.splitlines()))), fault.what) from None
    return Document(source, value, lines)


def convert(document: Document, kind: type[Kind], path: Path = ()) -> Kind:
    """Return the value at `path` as a msgspec struct (or any type msgspec knows), checked.

    Raises
    ------
    TextFileError
        A key is unknown (close ones are suggested) or missing, a value has another type or is out of range.
    """
    value = document.value
    for step in path:
        value = value[step]
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `")
        inner = _steps(place)
        unknown = _UNKNOWN.match(what)
        known = _known(msgspec.inspect.type_info(kind), value, inner, of_keys=unknown is not None)
        if unknown:
            inner = (*inner, unknown[1])
            close = did_you_mean(unknown[1], known)
            what = f"the key {unknown[1][:40]!r} is not known here{close}; allowed: {', '.join(known)}"
        else:
            what = _in_words(what, known)
            what = f"{named(inner)}: {what}" if inner else what
        raise document.error((*path, *inner), what) from None


def _steps(place: str) -> Path:
    """Return the path msgspec names, as `$.terms[0].weight`, up to `[...]`: some member of an object."""
    steps: list[str | int] = []
    for number, key in _STEP.findall(place.split("`")[0]):
        if number == "...":
            break
        steps.append(int(number) if number else key)
    return tuple(steps)


def named(path: Path) -> str:
    """Return a path as people read it, `terms[1].weight`: things in lists are counted from 1."""
    return "".join(f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def _in_words(what: str, known: list[str]) -> str:
    """Return what msgspec says in our words, with the names that are allowed where there are such."""
    missing = re.match(r"Object missing required field `(.*)`", what)
    if missing:
        return f"the key {missing[1]!r} is missing; add it"
    invalid = re.match(r"Invalid (?:enum )?value '?(.*?)'?$", what)
    if invalid and known:
        return f"{invalid[1][:40]!r} is not known{did_you_mean(invalid[1], known)}; allowed: {', '.join(known)}"
    what = re.sub(r"`([a-z]+(?: \| [a-z]+)*)`", _kinds_in_words, what)
    return what[:1].lower() + what[1:].replace(" >= ", ", at least ").replace(" <= ", ", at most ").replace(
        " > ", ", more than "
    ).replace(" < ", ", less than ")


def _kinds_in_words(found: re.Match[str]) -> str:
    """Return `float | null` as "a number or nothing"."""
    return " or ".join(_WORDS.get(word, word) for word in found[1].split(" | "))


def _known(info: Any, value: Any, path: tuple[Any, ...], *, of_keys: bool) -> list[str]:
    """Return the keys (`of_keys`) or the words that are allowed at a place inside a value of this type."""
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
    """Return the alternatives a value can be meant as: by its tag, where types have one."""
    if not isinstance(value, dict):
        return kinds
    return [kind for kind in kinds if getattr(kind, "tag_field", None) is None or value.get(kind.tag_field) == kind.tag]


def _inside(kind: Any, step: str | int) -> list[Any]:
    """Return the types one step further in."""
    if isinstance(kind, msgspec.inspect.StructType):
        return [inner for field in kind.fields if field.encode_name == step for inner in _alternatives(field.type)]
    if isinstance(kind, msgspec.inspect.TupleType):
        return _alternatives(kind.item_types[step]) if isinstance(step, int) and step < len(kind.item_types) else []
    return _alternatives(kind.item_type) if hasattr(kind, "item_type") else []
