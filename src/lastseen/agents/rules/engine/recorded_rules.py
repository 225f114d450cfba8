"""Recorded rules: the state in which a player acted becomes the condition for the action (chapter 9, variant B).

A rule whose variables must all lie within their tolerances is a plain rule for the engine; see `as_rule`. A rule that
trades a poor fit in one variable for a good fit in another is a score, not a set of conditions, and is not.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ....checks import finite_number, shown, table_of, text_of
from ....errors import RuleError
from ..language.resolution import resolver_of
from ..language.rule import Rule, RuleCondition


@dataclass(frozen=True)
class RecordedRule:
    """A recorded state and the action taken in it.

    Attributes
    ----------
    state : values by path.
    tolerance : by path, how far a value may deviate and still count in full; 0 by default.
    weight : by path, how much a variable matters; 1 by default.
    fade : beyond its tolerance a value counts less and less, reaching 0 this many tolerances further out.
    """

    name: str
    state: Mapping[str, float]
    action: Any = None
    tolerance: Mapping[str, float] = field(default_factory=dict)
    weight: Mapping[str, float] = field(default_factory=dict)
    fade: float = 1.0

    def __post_init__(self) -> None:
        text_of(self.name, "name")
        table_of(self.state, "state")
        tables = (("state", -1e18), ("tolerance", 0.0), ("weight", 0.0))
        for name, low in tables:
            table = getattr(self, name)
            if not isinstance(table, Mapping) or not set(table) <= set(self.state):
                raise RuleError(f"{name} of {self.name!r} is {shown(table)}; give numbers for paths of its state")
            for path, value in table.items():
                finite_number(value, f"{name} of {path}", low=low, high=1e18)
        finite_number(self.fade, "fade", low=0.0, high=1e6)
        if not self.state or not math.fsum(self.weight.get(path, 1.0) for path in self.state) > 0.0:
            raise RuleError(f"{self.name!r} has nothing to compare; record a variable with a positive weight")

    def closeness(self, facts: Mapping[str, Any] | Callable[[str], Any]) -> dict[str, float]:
        """Return by path how well each variable fits: 1 within its tolerance, 0 if far off or unknown."""
        look_up = resolver_of(facts)
        return {path: self._close(path, look_up(path)) for path in self.state}

    def _close(self, path: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            return float(value is not None and value == self.state[path])
        tolerance = self.tolerance.get(path, 0.0)
        beyond = abs(value - self.state[path]) - tolerance
        if beyond <= 1e-12 * max(1.0, abs(value)):
            return 1.0
        reach = self.fade * tolerance
        return max(0.0, 1.0 - beyond / reach) if reach > 0.0 else 0.0

    def score(self, facts: Mapping[str, Any] | Callable[[str], Any]) -> float:
        """Return how well a state fits, 0 … 1: the weighted mean closeness of its variables."""
        close = self.closeness(facts)
        weights = {path: self.weight.get(path, 1.0) for path in self.state}
        return math.fsum(weights[path] * close[path] for path in close) / math.fsum(weights.values())

    def as_rule(self) -> Rule:
        """Return the plain rule that holds exactly if every variable is within its tolerance."""
        conditions: list[RuleCondition] = []
        for path, value in self.state.items():
            off = self.tolerance.get(path, 0.0)
            conditions += [RuleCondition(path, ">=", value - off), RuleCondition(path, "<=", value + off)]
        return Rule(self.name, tuple(conditions), () if self.action is None else (self.action,))


def matching(
    rules: Sequence[RecordedRule], facts: Mapping[str, Any] | Callable[[str], Any], *, above: float = 0.8
) -> list[tuple[float, RecordedRule]]:
    """Return the rules with a score strictly above a threshold, with their scores, best first."""
    above = finite_number(above, "above", low=0.0, high=1.0)
    scored = [(rule.score(facts), number, rule) for number, rule in enumerate(rules)]
    found = sorted((one for one in scored if one[0] > above), key=lambda one: (-one[0], one[1]))
    return [(score, rule) for score, _, rule in found]


class Recorder:
    """Watch chosen variables during play, and make rules of the player's actions.

    Parameters
    ----------
    tolerance, weight : of the rules, by path; the paths of `tolerance` are the variables to watch.
    seconds : length of the history kept for rules over a time range.
    """

    def __init__(
        self, tolerance: Mapping[str, float], *, weight: Mapping[str, float] | None = None, seconds: float = 5.0
    ):
        if not isinstance(tolerance, Mapping) or not tolerance:
            raise RuleError(f"tolerance is {shown(tolerance)}; give a number for each variable to watch")
        self.tolerance, self.weight = dict(tolerance), table_of(weight, "weight")
        self.seconds = finite_number(seconds, "seconds", unit="s", low=0.0, high=3600.0)
        self._seen: deque[tuple[float, dict[str, float]]] = deque()

    def watch(self, facts: Mapping[str, float] | Callable[[str], float], now: float) -> None:
        """Record the state at a moment."""
        look_up = resolver_of(facts)
        state = {path: finite_number(look_up(path), path) for path in self.tolerance}
        self._seen.append((finite_number(now, "now", unit="s"), state))
        while self._seen[0][0] < now - self.seconds:
            self._seen.popleft()

    def did(self, action: Any, name: str, *, seconds: float = 0.0) -> RecordedRule:
        """Make a rule of the action just taken, from the last state or from the range over the given seconds before it.

        Over a range, the state is its midpoint and the tolerances cover it at least.
        """
        if not self._seen:
            raise RuleError("nothing was recorded yet; call watch(facts, now) first")
        last, span = self._seen[-1][0], finite_number(seconds, "seconds", low=0.0) + 1e-9
        states = [state for now, state in self._seen if now >= last - span]
        low = {path: min(state[path] for state in states) for path in self.tolerance}
        high = {path: max(state[path] for state in states) for path in self.tolerance}
        middle = {path: (low[path] + high[path]) / 2.0 for path in self.tolerance}
        wide = {path: max(self.tolerance[path], (high[path] - low[path]) / 2.0) for path in self.tolerance}
        return RecordedRule(name, middle, action, wide, self.weight)
