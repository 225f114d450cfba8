"""Parse YAML, JSON and TOML text to plain values, with the line of each value.

All three yield the same values: objects with text keys, lists, text, finite numbers, true/false and null. YAML follows
version 1.2: `no`, `on` and `12:30` are text. Tags are rejected and nothing is constructed by name; depth and number of
values are limited while parsing, counting aliases as often as they are used.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Iterator
from typing import Any

MOST_DEPTH = 60
MOST_VALUES = 200_000

Path = tuple[str | int, ...]
"""Keys and list indices from the top of a document to a value."""
Lines = dict[Path, int]
"""Line, counted from 1, of each value of a document."""

_JSON_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[][{},:]|[^][{},:"\s]+')
_YAML_WHOLE = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_YAML_REAL = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_YAML_UNREAL = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_YAML_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_TOML_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"""+|\'\'\'.*?\'\'\'+|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}=\n]|[^"\'#\[\]{}=\n]+',
    re.DOTALL,
)


class TextFault(Exception):
    """Malformed text and the line of the fault; callers turn it into one of our errors."""

    def __init__(self, line: int, what: str):
        self.line, self.what = line, what
        super().__init__(what)


def _note(lines: Lines, path: Path, line: int) -> None:
    """Record the line of a value; reject documents that are too large or too deep."""
    if len(lines) >= MOST_VALUES:
        raise TextFault(line, f"more than {MOST_VALUES} values (counting aliases); split it")
    if len(path) > MOST_DEPTH:
        raise TextFault(line, f"nesting deeper than {MOST_DEPTH} levels; flatten it")
    lines[path] = line


def _fresh_key(values: dict[str, Any], key: str, line: int) -> str:
    if key in values:
        raise TextFault(line, f"duplicate key {key[:40]!r}; keep one of them")
    return key


def _number(text: str, line: int, base: int = 10, *, whole: bool) -> int | float:
    try:
        value = int(text, base) if whole else float(text)
    except ValueError:  # thousands of digits
        raise TextFault(line, f"the number {text[:20]}… has too many digits; write a shorter one") from None
    if isinstance(value, float) and not math.isfinite(value):
        raise TextFault(line, f"the number {text[:20]} is too large for a float; write a smaller one")
    return value


def parse_yaml(text: str) -> tuple[Any, Lines]:
    """Return the single document of a YAML text; aliases are resolved, tags and merge keys are rejected."""
    import yaml  # imported here to keep `import lastseen` fast

    lines: Lines = {}
    builder = _Yaml(yaml, text, lines)
    try:
        return builder.document(), lines
    except yaml.YAMLError as error:
        line, what = _yaml_fault(error, builder.long_text)
        raise TextFault(line, f"invalid YAML: {what}") from None


def _yaml_fault(error: Any, long_text: tuple[int, int] | None) -> tuple[int, str]:
    """Return the line of a fault and what is wrong; a lost quote shows only at the next quote or at the end."""
    mark = getattr(error, "problem_mark", None)
    line = mark.line + 1 if mark else 1
    if "quoted scalar" in str(getattr(error, "context", None)):
        return error.context_mark.line + 1, "a quote opens here and is never closed; add its end"
    if long_text and long_text[1] == line:
        return long_text[0], f"a quote opens here and closes in line {line}; one was lost between them"
    what = getattr(error, "problem", None) or str(error).splitlines()[0]
    return line, f"{what}; check its indentation"


class _Yaml:
    """Build values from the events of PyYAML's parser (the C one if available)."""

    def __init__(self, yaml: Any, text: str, lines: Lines):
        self.yaml, self.lines = yaml, lines
        self.events = self._watched(yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
        self.anchored: dict[str, Any] = {}
        self.long_text: tuple[int, int] | None = None
        """First and last line of the last text in quotes that has several."""

    def _watched(self, events: Iterator[Any]) -> Iterator[Any]:
        for event in events:
            if isinstance(event, self.yaml.ScalarEvent) and event.style in ("'", '"'):
                first, last = event.start_mark.line + 1, event.end_mark.line + 1
                self.long_text = (first, last) if last > first else self.long_text
            yield event

    def document(self) -> Any:
        """Return the single document of the stream."""
        next(self.events)
        if isinstance(next(self.events), self.yaml.StreamEndEvent):
            raise TextFault(1, "the text is empty; write at least one key")
        value = self.value(next(self.events), ())
        next(self.events)
        event = next(self.events)
        if not isinstance(event, self.yaml.StreamEndEvent):
            raise TextFault(event.start_mark.line + 1, "a second document begins here; keep one per file")
        return value

    def value(self, event: Any, path: Path) -> Any:
        """Return the value that starts with this event."""
        line, anchor = event.start_mark.line + 1, event.anchor
        if isinstance(event, self.yaml.AliasEvent):
            if anchor not in self.anchored:
                raise TextFault(line, f"*{anchor[:40]} is used before &{anchor[:40]} ends; define it above")
            return self.copied(self.anchored[anchor], path, line)
        if event.tag is not None and event.tag != "!":
            raise TextFault(line, f"the tag {str(event.tag)[:40]!r} is not supported; write plain values")
        _note(self.lines, path, line)
        self.anchored.pop(anchor, None)
        if isinstance(event, self.yaml.ScalarEvent):
            found = event.value if event.style or event.tag else _yaml_scalar(event.value, line)
        elif isinstance(event, self.yaml.SequenceStartEvent):
            found = []
            while not isinstance(item := next(self.events), self.yaml.SequenceEndEvent):
                found.append(self.value(item, (*path, len(found))))
        else:
            found = self.mapping(path)
        if anchor is not None:
            self.anchored[anchor] = found
        return found

    def mapping(self, path: Path) -> dict[str, Any]:
        """Return the object whose first key comes next."""
        found: dict[str, Any] = {}
        while not isinstance(event := next(self.events), self.yaml.MappingEndEvent):
            line = event.start_mark.line + 1
            if not isinstance(event, self.yaml.ScalarEvent) or event.tag not in (None, "!"):
                raise TextFault(line, "a key must be plain text; write `key: value`")
            if event.value == "<<" and not event.style:
                raise TextFault(line, "merge keys (<<) are not supported; write the keys out")
            key = _fresh_key(found, event.value, line)
            found[key] = self.value(next(self.events), (*path, key))
        return found

    def copied(self, value: Any, path: Path, line: int) -> Any:
        """Return a copy of an aliased value, recorded at the line of the alias."""
        _note(self.lines, path, line)
        if isinstance(value, dict):
            return {key: self.copied(item, (*path, key), line) for key, item in value.items()}
        if isinstance(value, list):
            return [self.copied(item, (*path, place), line) for place, item in enumerate(value)]
        return value


def _yaml_scalar(text: str, line: int) -> Any:
    if text in _YAML_WORDS:
        return _YAML_WORDS[text]
    if _YAML_WHOLE.fullmatch(text):
        return _number(text, line, {"0o": 8, "0x": 16}.get(text[:2], 10), whole=True)
    if _YAML_REAL.fullmatch(text):
        return _number(text, line, whole=False)
    if _YAML_UNREAL.fullmatch(text):
        raise TextFault(line, f"the number {text} is not finite; write a finite one")
    return text


def parse_json(text: str) -> tuple[Any, Lines]:
    """Return the value of a JSON text."""
    try:
        # An integer too long for Python becomes infinite, and is then rejected with its line.
        value = json.loads(text, parse_int=lambda digits: int(digits) if len(digits) < 4000 else math.inf)
    except json.JSONDecodeError as error:
        raise TextFault(error.lineno, f"invalid JSON: {error.msg}; check it with a JSON tool") from None
    except RecursionError:
        raise TextFault(1, f"nesting deeper than {MOST_DEPTH} levels; flatten it") from None
    known: Lines = {}
    for path, line in _json_values(text):
        if path in known:
            raise TextFault(line, f"duplicate key {str(path[-1])[:40]!r}; keep one of them")
        _note(known, path, line)
    lines: Lines = {}
    _note_plain(value, (), known, 1, lines)
    return value, lines


def _json_values(text: str) -> Iterator[tuple[Path, int]]:
    """Yield path and line of each value of a valid JSON text, which the standard parser does not report."""
    home: list[str | int] = []  # the current key or index of each open object or list
    line, counted, is_key = 1, 0, False
    for token in _JSON_TOKEN.finditer(text):
        line += text.count("\n", counted, token.start())
        counted, word = token.start(), token[0]
        if word in "]}":
            home.pop()
            is_key = False
        elif word == ",":
            last = home[-1]
            home[-1] = last + 1 if isinstance(last, int) else last
            is_key = isinstance(last, str)
        elif is_key:
            home[-1] = json.loads(word)
            is_key = False
        elif word != ":":
            yield tuple(home), line
            if word in "[{":
                home.append(0 if word == "[" else "")
                is_key = word == "{"


def parse_toml(text: str) -> tuple[dict[str, Any], Lines]:
    """Return the table of a TOML text; a value inside an array or inline table gets the line of its statement."""
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r" \(at line (\d+)", str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        raise TextFault(line, f"invalid TOML: {str(error).split(' (at ')[0]}") from None
    except (RecursionError, ValueError) as error:
        raise TextFault(1, f"this TOML cannot be read: {str(error)[:80]}; flatten it") from None
    lines: Lines = {}
    _note_plain(value, (), dict(_toml_statements(text.replace("\r\n", "\n"))), 1, lines)
    return value, lines


def _toml_statements(text: str) -> Iterator[tuple[Path, int]]:
    """Yield path and line of each header and key of a valid TOML text."""
    tables: dict[Path, int] = {}
    home: Path = ()
    head, depth, line, began, is_key = "", 0, 1, 1, True
    for token in _TOML_TOKEN.findall(text + "\n"):
        if token == "\n" and depth == 0:
            if is_key and head.strip():
                home = _toml_home(head.strip(), tables)
                yield home, began
            head, is_key = "", True
        elif token == "=" and is_key and depth == 0:
            yield (*home, *_toml_path(head)), began
            is_key = False
        elif is_key and not token.startswith("#"):
            began = began if head.strip() else line
            head += token
        elif token in "[{":
            depth += 1
        elif token in "]}":
            depth -= 1
        line += token.count("\n")


def _toml_path(key: str) -> Path:
    """Return the parts of a key such as `a.b."c"`."""
    parts: list[str] = []
    table: Any = tomllib.loads(f"{key} = 0")
    while isinstance(table, dict):
        name, table = next(iter(table.items()))
        parts.append(name)
    return tuple(parts)


def _toml_home(head: str, tables: dict[Path, int]) -> Path:
    """Return the path that keys under `[a.b]` or `[[a.b]]` belong to, with indices into lists of tables."""
    listed = head.startswith("[[")
    home: Path = ()
    parts = _toml_path(head.strip("[] \t"))
    for place, part in enumerate(parts):
        home = (*home, part)
        if listed and place == len(parts) - 1:
            tables[home] = tables.get(home, -1) + 1
        if home in tables:
            home = (*home, tables[home])
    return home


def _note_plain(value: Any, path: Path, known: Lines, line: int, lines: Lines) -> None:
    """Record the line of every value of a table, and reject values that are not plain: dates, infinite numbers."""
    line = known.get(path, line)
    _note(lines, path, line)
    if isinstance(value, dict):
        for key, item in value.items():
            _require_utf8(key, line)
            _note_plain(item, (*path, key), known, line, lines)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            _note_plain(item, (*path, place), known, line, lines)
    elif isinstance(value, float) and not math.isfinite(value):
        raise TextFault(line, f"the number {value} is not finite; write a finite one")
    elif isinstance(value, str):
        _require_utf8(value, line)
    elif value is not None and not isinstance(value, int | float):
        raise TextFault(line, f"{value} is a date or time; write it as text in quotes")


def _require_utf8(text: str, line: int) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise TextFault(line, "lone surrogates are not valid UTF-8; write the whole character") from None
