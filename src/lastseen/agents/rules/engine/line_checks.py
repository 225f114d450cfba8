"""Checks of spoken lines: texts that YAML took for something else, unused and untranslated lines, and coverage."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec

from ..language.faults import RuleFault
from ..language.lines import line_faults
from ..language.rule import Database, Rule

_MOST_NAMED = 20
"""Lines missing in a language that are reported one by one."""
_ENDED = re.compile(r"""[.!?…:;,"'”’)\]}–—-]$""")


@dataclass(frozen=True)
class Coverage:
    """How many lines a database has, and how many of them have an id and a text in each language.

    Texts written directly in rules have no id, and count as texts in the first language.
    """

    lines: int
    ids: int
    languages: dict[str, int]

    def __str__(self) -> str:
        languages = [f"{name} {count} ({_share(count, self.lines)})" for name, count in self.languages.items()]
        plural = "" if self.lines == 1 else "s"
        return f"{self.lines} line{plural}: {', '.join([f'{self.ids} with an id', *languages])}"


def _share(count: int, total: int) -> str:
    return f"{int(100 * count / total)} %"


def coverage(database: Database) -> Coverage:
    """Return how many lines a database has with an id, and in each language."""
    bare = {action for _, _, action in said(database) if isinstance(action, str) and action not in database.lines}
    languages: dict[str, int] = {}
    for texts in database.lines.values():
        for language in texts:
            languages[language] = languages.get(language, 0) + 1
    if bare:
        first = next(iter(languages), "en")
        languages[first] = languages.get(first, 0) + len(bare)
    return Coverage(len(database.lines) + len(bare), len(database.lines), languages)


def said(database: Database) -> Iterator[tuple[str, Rule, Any]]:
    """Yield what rules say: handler, rule, action."""
    for handler in database.handlers.values():
        for rule in handler.rules:
            if rule.says:
                for action in rule.actions:
                    yield handler.name, rule, action


def line_errors(database: Database) -> list[RuleFault]:
    """Return the faults of lines that make a database unusable."""
    return [
        _line_fault(database, name, f"line {name!r}: {wrong}", "line")
        for name, texts in database.lines.items()
        for _, wrong in line_faults(texts)
    ]


def line_warnings(database: Database) -> Iterator[RuleFault]:
    """Yield warnings about texts that are probably not as written, and about unused and untranslated lines."""
    for handler, rule, action in said(database):
        what = _misread(action)
        if what:
            yield RuleFault(rule.source, rule.line, handler, rule.name, what, "misread line", "warning")
    yield from _split_lines(database)
    used = {
        action
        for handler in database.handlers.values()
        for rule in handler.rules
        for action in rule.actions
        if isinstance(action, str)
    }
    languages = dict.fromkeys(language for texts in database.lines.values() for language in texts)
    lacking = {one: [name for name, texts in database.lines.items() if one not in texts] for one in languages}
    for name, texts in database.lines.items():
        if name not in used:
            what = f"line {name!r} is never said; use it in a rule or remove it"
            yield _line_fault(database, name, what, "unused line", "warning")
        for what in _untranslated(name, lacking):
            yield _line_fault(database, name, what, "missing language", "warning")
        for language, text in texts.items():
            if text.strip() and (what := _misread(text)):  # an empty one is an error
                yield _line_fault(
                    database, name, f"line {name!r} in {language}: {what}", "misread line", severity="warning"
                )


def _untranslated(name: str, lacking: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the languages a line is missing in; of a language that many lines lack, only at the first of them."""
    few = [language for language, names in lacking.items() if name in names and len(names) <= _MOST_NAMED]
    if few:
        yield f"line {name!r} is missing in {', '.join(few)}; translate it"
    for language, names in lacking.items():
        if len(names) > _MOST_NAMED and names[0] == name:
            yield f"{len(names)} lines are missing in {language}, the first is {name!r}; translate them"


def _misread(action: Any) -> str:
    """Return what YAML probably took a line for; empty if it is a sound text, or data."""
    if isinstance(action, str) and not action.strip():
        return "says an empty text; write a line, or remove it"
    if isinstance(action, str):
        lone = action.count('"') % 2
        return f"{action[:60]!r} has a lone quotation mark; a quote was lost, or one is missing" if lone else ""
    if isinstance(action, dict) and len(action) == 1 and isinstance(next(iter(action.values())), str | None):
        key, value = next(iter(action.items()))
        words = f"{key}: {value}" if value else f"{key}:"
        return f"{words[:60]!r} is read as a key and a value; put the line in quotes, or write `do` for data"
    if action is None or isinstance(action, bool | int | float):
        word = msgspec.json.encode(action).decode()
        return f"says {word}, which is no text; put it in quotes, or write `do` for data"
    return ""


def _split_lines(database: Database) -> Iterator[RuleFault]:
    """Find lines that continue in lower case after one without an end: a comma without quotes splits a line."""
    for handler in database.handlers.values():
        for rule in handler.rules:
            texts = rule.actions if rule.says else ()
            for one, other in pairwise(texts):
                bare = isinstance(one, str) and isinstance(other, str) and not {one, other} & database.lines.keys()
                if bare and one[:1].isupper() and other[:1].islower() and not _ENDED.search(one):
                    what = f"{one[:40]!r} and {other[:40]!r} may be one line, split at a comma; put it in quotes"
                    yield RuleFault(rule.source, rule.line, handler.name, rule.name, what, "misread line", "warning")


def _line_fault(database: Database, name: str, what: str, kind: str, severity: str = "error") -> RuleFault:
    """Return a fault of a spoken line, at its position in the files if known."""
    source, line = database.line_places.get(name, (database.source, 0))
    return RuleFault(source, line, "", "", what, kind, severity)
