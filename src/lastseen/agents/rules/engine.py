"""The engine: which rule fires for these facts, and which of its actions is executed?"""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np

from ...conventions import Array, Floats, Ids
from ...errors import RuleError
from ...kernels.rule_match import RuleArrays, first_rules
from ...rng import generator
from .bags import Bag
from .compile import CompiledHandler, encode
from .rule import Rule

__all__ = ["Cooldowns", "Engine", "Fired"]

Resolver = Callable[[str], Any]
"""Returns the value of a variable by its path; None: not known."""


@dataclass(frozen=True)
class Fired:
    """A rule that fired.

    Attributes
    ----------
    rule, number : the rule, and its place in the order rules are tried in.
    action : what is to be executed; None: the rule has no actions.
    facts : the variables that were looked at, with their values.
    """

    rule: Rule
    number: int
    action: Any
    facts: Mapping[str, Any]


class Cooldowns:
    """Actions executed lately by anybody: others may not execute them until their time has run out."""

    def __init__(self) -> None:
        self._until: dict[bytes, float] = {}

    def blocks(self, action: Any, now: float) -> bool:
        """May nobody execute this action now?"""
        return self._until.get(_key(action), -math.inf) > now

    def start(self, action: Any, until: float) -> None:
        """Nobody may execute this action until then."""
        self._until[_key(action)] = until

    def forget(self, now: float) -> None:
        """Drop what has run out."""
        self._until = {key: until for key, until in self._until.items() if until > now}


def _key(action: Any) -> bytes:
    return msgspec.json.encode(action)


class Engine:
    """Evaluates one compiled handler for any number of speakers.

    Parameters
    ----------
    handler : from `compile_handler`.
    seed : of shuffles and of `random.*` variables.
    cooldowns : shared by the engines of a game; its own where not given.

    Notes
    -----
    Variables are resolved on demand, only while some rule that could still fire needs them, and once per evaluation.
    """

    def __init__(self, handler: CompiledHandler, *, seed: int = 0, cooldowns: Cooldowns | None = None):
        self.handler = handler
        self.cooldowns = cooldowns or Cooldowns()
        self.complaints: dict[str, str] = {}
        self._random = generator(seed, f"rules {handler.name}")
        self._bags = [Bag(one, self._draw) for one in handler.lists]
        self._masks = _Masks(handler)
        self._alive = self._masks.everybody
        self._arrays = RuleArrays(handler.cut_start, handler.cuts, handler.row_start, handler.rows)

    def _draw(self, count: int) -> int:
        return int(self._random.integers(count))

    def evaluate(self, facts: Mapping[str, Any] | Resolver, *, now: float = 0.0) -> Fired | None:
        """Return the first rule whose conditions all hold and the action whose turn it is; None: no rule fires.

        Parameters
        ----------
        facts : values by path, or a function that returns the value of a path; asked for each variable once at most.
        now : seconds, for cooldowns.
        """
        resolve: Resolver = facts.get if isinstance(facts, Mapping) else facts
        known: dict[str, Any] = {}
        number, possible = self._first(resolve, known, self._alive)
        while number >= 0:
            action = self._take(number, now)
            if action is not _BLOCKED:
                rule = self.handler.rules[number]
                return Fired(rule, number, action, known)
            number, possible = self._first(resolve, known, possible & ~(1 << number))
        return None

    def _first(self, resolve: Resolver, known: dict[str, Any], possible: int) -> tuple[int, int]:
        """Return the first rule that holds, -1: none, and the rules that may still hold."""
        asks, variables, left = self.handler.asks, self.handler.variables, self._masks.left_of
        while possible:
            lowest = possible & -possible
            number = lowest.bit_length() - 1
            for variable in asks[number]:
                name = variables[variable]
                if name not in known:
                    value = known[name] = self._resolve(resolve, name)
                    mask = left(variable, value)
                    possible &= self._masks.left(variable, self._number(variable, value)) if mask is None else mask
                    if not possible & lowest:
                        break
            else:
                return number, possible
        return -1, 0

    def _resolve(self, resolve: Resolver, name: str) -> Any:
        if name.startswith("random."):
            return self._chance(name)
        try:
            return resolve(name)
        except Exception as error:  # a resolver is the game's: whatever it raises, the rule does not match
            self.complaints.setdefault(name, f"{type(error).__name__}: {error}")
            return None

    def _chance(self, name: str) -> float:
        """`random.d6` is 1 … 6, `random.unit` 0 … 1."""
        kind = name.partition(".")[2]
        if kind.startswith("d") and kind[1:].isdigit() and int(kind[1:]) > 0:
            return 1 + self._draw(int(kind[1:]))
        return float(self._random.random())

    def _number(self, variable: int, value: Any) -> float:
        try:
            return encode(value, self.handler.specs[variable], self.handler.texts)
        except RuleError as error:
            self.complaints.setdefault(self.handler.variables[variable], str(error))
            return math.nan

    def _take(self, number: int, now: float) -> Any:
        """Execute the next action of a rule that nobody executed lately; what is blocked keeps its turn."""
        bag = self._bags[self.handler.list_of[number]]
        if not bag.list.actions:
            return None
        rule = self.handler.rules[number]
        for place in bag.upcoming():
            action = bag.list.actions[place]
            if not self.cooldowns.blocks(action, now):
                bag.take(place)
                if rule.cooldown:
                    self.cooldowns.start(action, now + rule.cooldown)
                if bag.depleted:
                    self._deplete(bag)
                return action
        return _BLOCKED

    def _deplete(self, bag: Bag) -> None:
        """Rules of a list that is used up are never selected again."""
        for number, place in enumerate(self.handler.list_of.tolist()):
            if self._bags[place] is bag:
                self._alive &= ~(1 << number)

    def blocked(self, now: float) -> dict[int, str]:
        """Return the rules that may not fire now although they hold, and why."""
        found: dict[int, str] = {}
        for number, place in enumerate(self.handler.list_of.tolist()):
            bag = self._bags[place]
            left = [bag.list.actions[one] for one in bag.upcoming()]
            if not self._alive >> number & 1:
                found[number] = "its actions are used up"
            elif left and all(self.cooldowns.blocks(action, now) for action in left):
                found[number] = "all its actions were executed lately"
        return found

    def match_many(self, facts: Floats) -> Ids:
        """Return the first rule each row of encoded facts (n, V) satisfies, (n,) int32, -1: none; executes nothing."""
        found = np.empty(len(facts), np.int32)
        first_rules(self._arrays, facts, self._words(), found)
        return found

    def _words(self) -> Array:
        count = self.handler.rows.shape[1]
        return np.frombuffer(self._alive.to_bytes(8 * count, "little"), np.uint64)

    def encode_many(self, facts: Sequence[Mapping[str, Any]]) -> Floats:
        """Return facts of many speakers as rows for `match_many`: (n, V) float64, NaN where not known."""
        table = np.full((len(facts), len(self.handler.variables)), np.nan)
        for row, one in enumerate(facts):
            for column, name in enumerate(self.handler.variables):
                table[row, column] = self._number(column, one.get(name))
        return table


_BLOCKED = object()
"""All actions of a rule were executed lately by somebody."""


class _Masks:
    """Rows of a compiled handler as whole numbers: an "and" of a thousand rules is one operation of Python."""

    def __init__(self, handler: CompiledHandler):
        data = [int.from_bytes(row.tobytes(), "little") for row in handler.rows]
        starts, cuts = handler.row_start.tolist(), handler.cut_start.tolist()
        self._rows = [data[low:high] for low, high in pairwise(starts)]
        self._cuts = [handler.cuts[low:high].tolist() for low, high in pairwise(cuts)]
        self.everybody = (1 << len(handler)) - 1
        self._is_text = [spec.type == "str" for spec in handler.specs]
        self._known = [self._by_value(number, handler) for number in range(len(handler.variables))]

    def _by_value(self, variable: int, handler: CompiledHandler) -> dict[Any, int] | None:
        """Return the rules each value leaves where there are few values: no search is needed for these."""
        spec = handler.specs[variable]
        if spec.type == "enum":
            return {name: self.left(variable, float(place)) for place, name in enumerate(spec.names)}
        return {each: self.left(variable, float(each)) for each in (False, True)} if spec.type == "bool" else None

    def left_of(self, variable: int, value: Any) -> int | None:
        """Return the rules that a value leaves, if it is of the plain kind; None: it is not, look closer."""
        kind = type(value)
        known = self._known[variable]
        if known is not None:
            return known.get(value) if kind is str or kind is bool else None
        if (kind is not float and kind is not int) or value != value or self._is_text[variable]:
            return None
        cuts = self._cuts[variable]
        place = bisect.bisect_left(cuts, value)
        return self._rows[variable][2 * place + (place < len(cuts) and cuts[place] == value)]

    def left(self, variable: int, value: float) -> int:
        """Return the rules that a value of a variable leaves; NaN: not known."""
        rows = self._rows[variable]
        if value != value:
            return rows[-1]
        cuts = self._cuts[variable]
        place = bisect.bisect_left(cuts, value)
        on_it = place < len(cuts) and cuts[place] == value
        return rows[2 * place + on_it]
