"""Lines as a CSV table for spreadsheets: one row per line with its settings, one column per language."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ....errors import RuleError, did_you_mean
from ....textfile import Document
from ..language.faults import RuleFault, RuleFileError
from ..language.lines import LANGUAGE, line_faults
from ..language.rule import Database, LineSettings
from .file_format import LineText
from .line_ids import write_values

_CONTEXT = ("line", "rule", "about", "weight", "cooldown")
"""Columns that are no texts; that of the ids is not called id, which is Indonesian."""
_TAG = "tag "
"""What the heading of a column of tags begins with."""
_MARK = "\ufeff"
"""Begins the file, so that spreadsheets read it as UTF-8."""


@dataclass
class LineChange:
    """What a table says about a line: texts by language, and settings as in a rule file."""

    line: int
    texts: dict[str, str] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)


def require_ids(database: Database) -> None:
    """Raise a RuleError if a line has no id, so that a table would lack it."""
    bare = [
        action
        for handler in database.handlers.values()
        for rule in handler.rules
        for action in (rule.actions if rule.says else ())
        if isinstance(action, str) and action not in database.lines
    ]
    if bare:
        what = f"{len(bare)} line{'s have' if len(bare) > 1 else ' has'} no id, such as {bare[0][:40]!r}"
        raise RuleError(f"{what}; give every line one: lastseen rules ids")


def languages_of(database: Database, *more: str) -> list[str]:
    """Return the languages of lines, and those given, each once."""
    for one in more:
        if not LANGUAGE.fullmatch(one):
            raise RuleError(f"{one[:20]!r} is not a language code; write one such as en or pt-BR")
    return list(dict.fromkeys([*(name for texts in database.lines.values() for name in texts), *more]))


def speakers_of(database: Database) -> dict[str, list[str]]:
    """Return the rules that say each line, by id, as `handler: rule`."""
    found: dict[str, list[str]] = {name: [] for name in database.lines}
    for handler in database.handlers.values():
        for rule in handler.rules:
            for action in dict.fromkeys(one for one in rule.actions if isinstance(one, str)):
                if action in found:
                    found[action].append(f"{handler.name}: {rule.name}")
    return found


def lines_csv(database: Database, *languages: str) -> str:
    """Return all lines as CSV, with a column for each of their languages and the given ones.

    Raises
    ------
    RuleError
        A line has no id.
    """
    require_ids(database)
    names, said = languages_of(database, *languages), speakers_of(database)
    tags = list(dict.fromkeys(tag for own in database.line_settings.values() for tag in own.tags))
    out = io.StringIO()
    out.write(_MARK)
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow([*_CONTEXT, *(_TAG + tag for tag in tags), *names])
    for name, texts in database.lines.items():
        own = database.line_settings.get(name, LineSettings())
        weight, cooldown = "" if own.weight == 1 else own.weight, "" if own.cooldown is None else repr(own.cooldown)
        row = [name, "; ".join(said[name]), own.about, weight, cooldown]
        table.writerow([*row, *(own.tags.get(tag, "") for tag in tags), *(texts.get(one, "") for one in names)])
    return out.getvalue()


def read_csv(text: str, database: Database, *, source: str = "lines.csv") -> dict[str, LineChange]:
    """Return what a CSV table says about each line, by id; empty cells say nothing.

    Raises
    ------
    RuleFileError
        A column or an id is unknown, an id is there twice, a number is none, a row is torn: all faults, with lines.
    """
    rows = _rows(text.removeprefix(_MARK), source)
    at, head = next(rows, (1, []))
    head = [name.strip() for name in head]
    faults = [RuleFault(source, at, "", "", what, "table") for what in _head_faults(head)]
    if faults:
        raise RuleFileError(faults)
    found: dict[str, LineChange] = {}
    for at, row in rows:
        if not any(row):
            continue
        change, what = LineChange(at), _row_fault(row, head, database, found)
        if not what:
            cells = {name: cell for name, cell in zip(head, row) if cell}
            change.texts = {name: cell for name, cell in cells.items() if LANGUAGE.fullmatch(name)}
            change.settings, what = _settings(cells)
        if what:
            faults.append(RuleFault(source, at, "", "", what, "table"))
        else:
            found[row[head.index("line")].strip()] = change
    if faults:
        raise RuleFileError(faults)
    return found


def _rows(text: str, source: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows with their first lines; the first line tells what separates the columns."""
    first = text.split("\n", 1)[0]
    sign = next((one for one in ",;\t" if one in first), ",")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True)
    at = 1
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise RuleFileError(
                [RuleFault(source, at, "", "", f"is not CSV: {error}; repair the row", "table")]
            ) from None
        if row is None:
            return
        yield at, row
        at = reader.line_num + 1


def _head_faults(head: Sequence[str]) -> Iterator[str]:
    if "line" not in head:
        yield f"has no column `line`; the first line names the columns: {', '.join(_CONTEXT)} and languages"
    for name in dict.fromkeys(head):
        known = name in _CONTEXT or LANGUAGE.fullmatch(name) or (name.startswith(_TAG) and name[len(_TAG) :])
        if not known:
            hint = did_you_mean(name, _CONTEXT)
            yield f"no column {name[:40]!r}{hint}; there are {', '.join(_CONTEXT)}, `tag voice` and codes of languages"
        if head.count(name) > 1:
            yield f"the column {name!r} is there twice; remove one"


def _row_fault(row: Sequence[str], head: Sequence[str], database: Database, found: Mapping[str, LineChange]) -> str:
    if len(row) != len(head):
        return f"has {len(row)} cells, but there are {len(head)} columns; put cells with separators in quotes"
    name = row[head.index("line")].strip()
    if name not in database.lines:
        return f"no line {name[:60]!r}{did_you_mean(name, database.lines)}; ids are those of the rules"
    return f"line {name!r} is already in line {found[name].line}; keep one" if name in found else ""


def _settings(cells: Mapping[str, str]) -> tuple[dict[str, Any], str]:
    """Return the settings in the cells of a row, and what is wrong with them."""
    given: dict[str, Any] = {"about": cells["about"]} if "about" in cells else {}
    tags = {name[len(_TAG) :]: cell for name, cell in cells.items() if name.startswith(_TAG)}
    given |= {"tags": tags} if tags else {}
    for name, kind in (("weight", int), ("cooldown", float)):
        if name in cells:
            try:
                given[name] = kind(cells[name])
                msgspec.convert({name: given[name]}, LineText)
            except (ValueError, msgspec.ValidationError):
                wanted = "a whole number from 1 to 20" if name == "weight" else "seconds"
                return {}, f"{name} is {cells[name][:20]!r}; write {wanted}, or nothing"
    return given, ""


def import_lines(
    documents: Sequence[Document], database: Database, changes: Mapping[str, LineChange], *, source: str
) -> int:
    """Write changes of lines into their rule files; return how many lines changed.

    Raises
    ------
    RuleFileError
        The placeholders of a translation differ, a text is torn, and so on, with lines; nothing is written then.
    """
    faults: list[RuleFault] = []
    values: dict[str, dict[str, Any]] = {}
    count = 0
    for document in documents:
        lines = dict(document.value.get("lines", {}))
        for name in lines.keys() & changes.keys():
            new = _merged(lines[name], changes[name])
            for _, wrong in line_faults({**database.lines[name], **changes[name].texts}):
                faults.append(RuleFault(source, changes[name].line, "", "", f"line {name!r}: {wrong}", "line"))
            count += new != lines[name]
            lines[name] = new
        if lines != document.value.get("lines", {}):
            values[document.source] = {**document.value, "lines": lines}
    if faults:
        raise RuleFileError(sorted(faults, key=lambda fault: fault.line))
    write_values(documents, values)
    return count


def _merged(old: Any, change: LineChange) -> Any:
    """Return a line as in a rule file, with changes; languages come first."""
    plain: dict[str, Any] = {"en": old} if isinstance(old, str) else dict(old)
    own = {key: plain.pop(key) for key in LineText.__struct_fields__ if key in plain}
    if "tags" in change.settings:
        own["tags"] = {**own.get("tags", {}), **change.settings["tags"]}
    own |= {key: value for key, value in change.settings.items() if key != "tags" and own.get(key) != value}
    new = {**plain, **change.texts, **own}
    return old if isinstance(old, str) and new == {"en": old} else new
