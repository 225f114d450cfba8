"""Placeholders of lines, such as {name} and {place}, and the variables that fill them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ....errors import RuleError, did_you_mean
from ..language.faults import RuleFault, RuleFileError
from ..language.lines import line_of, placeholders
from ..language.rule import Database

FILLS = {"name": "ask.name", "place": "place.name", "me": "npc.name"}
"""Variables that fill placeholders: the subject, the place and the speaker."""


class Placeholders:
    """The placeholders of every line of a database.

    Raises
    ------
    RuleFileError
        A line has a placeholder that no variable fills.
    """

    def __init__(self, database: Database, fills: Mapping[str, str]):
        if not isinstance(fills, Mapping) or not all(isinstance(path, str) for path in fills.values()):
            raise RuleError("fills is not a table of variables; give them by placeholder, {'place': 'place.name'}")
        self._fills = {name: path for name, path in fills.items() if path in database.variables}
        self._places: dict[str, tuple[str, ...]] = {}
        faults: list[RuleFault] = []
        for handler in database.handlers.values():
            for rule in handler.rules:
                for action in rule.actions:
                    lacking = [name for name in self._of(action, database) if name not in self._fills]
                    faults += [
                        RuleFault(rule.source, rule.line, handler.name, rule.name, self._fault(name), "line")
                        for name in lacking
                    ]
        if faults:
            raise RuleFileError(list(dict.fromkeys(faults)))

    def _of(self, action: Any, database: Database) -> tuple[str, ...]:
        if not isinstance(action, str):
            return ()
        texts = line_of(database.lines, action)
        found = placeholders(next(iter(texts.values())) if texts else action)
        if found:
            self._places[action] = found
        return found

    def _fault(self, name: str) -> str:
        known = ", ".join(f"{{{each}}}" for each in self._fills) or "none"
        return f"no variable fills {{{name}}}{did_you_mean(name, self._fills)}; there are {known}"

    def missing(self, action: Any, look_up: Callable[[str], Any]) -> str:
        """Return the first placeholder of a line whose value is unknown; empty if all can be filled."""
        if not isinstance(action, str) or action not in self._places:
            return ""
        return next((name for name in self._places[action] if look_up(self._fills[name]) in (None, "")), "")

    def values(self, action: str, look_up: Callable[[str], Any]) -> dict[str, object]:
        """Return the values for the placeholders of a line."""
        return {name: look_up(self._fills[name]) for name in self._places.get(action, ())}
