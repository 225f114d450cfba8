"""Facts of speakers: those that rules made them remember, and those that fill placeholders of lines."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from typing import Any

from ....checks import real_number
from ....errors import RuleError, did_you_mean
from ..language.faults import RuleFault, RuleFileError
from ..language.lines import line_of, placeholders
from ..language.resolution import complaint
from ..language.rule import Database, RuleCondition, Value, checked_condition

SHARED = "shared."
"""Prefix of facts shared by all speakers; all others belong to one speaker."""

OWN = ("memory.", SHARED)
"""Prefixes of facts that only memory holds; the game is not queried for them."""

_ALL_SPEAKERS: Hashable = object()


class RuleMemory:
    """Facts that rules made speakers remember, until they expire.

    Parameters
    ----------
    database : defines the variables that can be remembered.

    Notes
    -----
    A fact that no rule has written, or that has expired, is unknown. `flags` are the booleans that some rule remembers;
    these default to false, so that `not memory.warned` holds before anyone was warned.
    """

    def __init__(self, database: Database):
        self._variables = database.variables
        self._kept: dict[Hashable, dict[str, tuple[Value, float]]] = {}
        rules = [rule for handler in database.handlers.values() for rule in handler.rules]
        self.flags = {
            one.variable
            for rule in rules
            for one in rule.remember
            if one.variable in database.variables and database.variables[one.variable].type == "bool"
        }

    def write(self, speaker: Hashable, path: str, value: Value, *, now: float, seconds: float = 0.0) -> None:
        """Remember a fact for the given number of seconds; 0 means permanently.

        Raises
        ------
        RuleError
            There is no such variable, or the value has the wrong type.
        """
        if not isinstance(path, str) or path not in self._variables:
            raise RuleError(f"no variable {path!r}{did_you_mean(path, self._variables)}; declare it under `variables`")
        checked_condition(RuleCondition(path, "==", value), self._variables)
        until = now + real_number(seconds, "seconds") if seconds else math.inf
        self._kept.setdefault(self._owner(speaker, path), {})[path] = (value, until)

    def read(self, speaker: Hashable, path: str, now: float) -> Value | None:
        """Return a fact, or None if it is not remembered or has expired."""
        mine = self._kept.get(self._owner(speaker, path))
        if mine is not None and path in mine:
            value, until = mine[path]
            if now < until:
                return value
            del mine[path]
        return None

    def with_facts(
        self,
        speaker: Hashable,
        given: Mapping[str, Any],
        known: Callable[[str], Any],
        now: float,
        complaints: dict[str, str],
    ) -> Callable[[str], Any]:
        """Return a look-up function for variables: facts of the occasion first, then memory, then the game.

        Exceptions of the game are recorded in `complaints` by path, once, and leave the fact unknown.
        """

        def look_up(path: str) -> Any:
            if path in given:
                return given[path]
            kept = self.read(speaker, path, now)
            if kept is not None:
                return kept
            try:
                value = None if path.startswith(OWN) else known(path)
            except Exception as error:
                complaints.setdefault(path, complaint(error))
                value = None
            return False if value is None and path in self.flags else value

        return look_up

    def holds(self, speaker: Hashable, now: float) -> dict[str, Any]:
        """Return everything a speaker remembers now, by path, including shared facts."""
        found: dict[str, Any] = {}
        for owner in (_ALL_SPEAKERS, speaker):
            mine = self._kept.get(owner, {})
            found |= {path: value for path, (value, until) in mine.items() if now < until}
        return found

    def forget(self, speaker: Hashable) -> None:
        """Drop everything a speaker remembers; shared facts stay."""
        self._kept.pop(speaker, None)

    def _owner(self, speaker: Hashable, path: str) -> Hashable:
        return _ALL_SPEAKERS if path.startswith(SHARED) else speaker


FILLS = {"name": "ask.name", "place": "place.name", "me": "npc.name"}
"""Variables that fill placeholders: the subject, the place and the speaker."""


class Placeholders:
    """The placeholders of every line of a database; raises a RuleFileError if no variable fills one of them."""

    def __init__(self, database: Database, fills: Mapping[str, str]):
        if not isinstance(fills, Mapping) or not all(isinstance(path, str) for path in fills.values()):
            raise RuleError("fills is not a table of variables; give them by placeholder, {'place': 'place.name'}")
        self._fills = {name: path for name, path in fills.items() if path in database.variables}
        self._undeclared = {name: path for name, path in fills.items() if path not in database.variables}
        self._places: dict[str, tuple[str, ...]] = {}
        faults: list[RuleFault] = []
        for handler in database.handlers.values():
            for rule in handler.rules:
                for action in rule.actions if rule.says else ():
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
        try:
            found = placeholders(next(iter(texts.values())) if texts else action)
        except RuleError:
            return ()  # a fault of the text itself, reported where it is read
        if found:
            self._places[action] = found
        return found

    def _fault(self, name: str) -> str:
        if name in self._undeclared:
            return f"no variable fills {{{name}}}; declare {self._undeclared[name]} under `variables`, which does"
        known = ", ".join(f"{{{each}}}" for each in self._fills)
        known = f"filled are {known}" if known else "no placeholder can be filled here"
        more = ", ".join(f"{{{each}}} with {path}" for each, path in self._undeclared.items())
        declare = f"; under `variables` you may declare {more}" if more else ""
        meant = did_you_mean(name, [*self._fills, *self._undeclared])
        return f"no variable fills {{{name}}}{meant}; {known}{declare}"

    def missing(self, action: Any, look_up: Callable[[str], Any]) -> str:
        """Return the first placeholder of a line whose value is unknown; empty if all can be filled."""
        if not isinstance(action, str) or action not in self._places:
            return ""
        return next((name for name in self._places[action] if look_up(self._fills[name]) in (None, "")), "")

    def values(self, action: str, look_up: Callable[[str], Any]) -> dict[str, object]:
        """Return the values for the placeholders of a line."""
        return {name: look_up(self._fills[name]) for name in self._places.get(action, ())}
