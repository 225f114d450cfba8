"""Recorded rules: the state in which somebody did something becomes the condition for doing it (chapter 9, variant B).

A rule whose every variable must lie within its tolerance is a plain rule and fits the engine: `as_rule`. One that may
miss a little here if it fits well there is a score, no set of conditions, and does not.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...checks import finite_number, shown, table_of, text_of
from ...errors import InputError, RuleError
from .rule import Condition, Rule

__all__ = ["RecordedRule", "Recorder", "matching"]


@dataclass(frozen=True)
class RecordedRule:
    """A state that was recorded, and what was done in it.

    Attributes
    ----------
    state : values by path.
    tolerance : how far each may be off and still count in full, by path; 0 where left out.
    weight : how much each matters, by path; 1 where left out.
    fade : beyond its tolerance a value counts less and less, and not at all so many tolerances further on.
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
                raise RuleError(f"{name} of {self.name!r} is {shown(table)}; give numbers by path of its state")
            for path, value in table.items():
                finite_number(value, f"{name} of {path}", low=low, high=1e18)
        finite_number(self.fade, "fade", low=0.0, high=1e6)
        if not self.state or not math.fsum(self.weight.get(path, 1.0) for path in self.state) > 0.0:
            raise RuleError(f"{self.name!r} has nothing to compare; record a variable of some weight")

    def closeness(self, facts: Mapping[str, Any] | Callable[[str], Any]) -> dict[str, float]:
        """Return by path how well each variable fits: 1 within its tolerance, 0 far off or not known."""
        look_up = _resolver(facts)
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
        """How well does a state fit, 0 … 1: the mean closeness of its variables by their weights?"""
        close = self.closeness(facts)
        weights = {path: self.weight.get(path, 1.0) for path in self.state}
        return math.fsum(weights[path] * close[path] for path in close) / math.fsum(weights.values())

    def as_rule(self) -> Rule:
        """Return the plain rule that holds exactly where every variable is within its tolerance."""
        conditions: list[Condition] = []
        for path, value in self.state.items():
            off = self.tolerance.get(path, 0.0)
            conditions += [Condition(path, ">=", value - off), Condition(path, "<=", value + off)]
        return Rule(self.name, tuple(conditions), () if self.action is None else (self.action,))


def _resolver(facts: Mapping[str, Any] | Callable[[str], Any]) -> Callable[[str], Any]:
    if not isinstance(facts, Mapping) and not callable(facts):
        raise InputError(f"facts are {shown(facts)}; give values by path, or a function of a path")
    return facts.get if isinstance(facts, Mapping) else facts


def matching(
    rules: Sequence[RecordedRule], facts: Mapping[str, Any] | Callable[[str], Any], *, above: float = 0.8
) -> list[tuple[float, RecordedRule]]:
    """Return the rules whose score is above a threshold, with it, the best first; exactly at it is no match."""
    above = finite_number(above, "above", low=0.0, high=1.0)
    scored = [(rule.score(facts), number, rule) for number, rule in enumerate(rules)]
    found = sorted((one for one in scored if one[0] > above), key=lambda one: (-one[0], one[1]))
    return [(score, rule) for score, _, rule in found]


class Recorder:
    """Watches chosen variables while somebody plays, and makes rules of what is done.

    Parameters
    ----------
    tolerance, weight : of the rules, by path; its paths are the variables watched.
    seconds : how much is kept for rules over a range of time.
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
        """Take in the state at a moment."""
        look_up = _resolver(facts)
        state = {path: finite_number(look_up(path), path) for path in self.tolerance}
        self._seen.append((finite_number(now, "now", unit="s"), state))
        while self._seen[0][0] < now - self.seconds:
            self._seen.popleft()

    def did(self, action: Any, name: str, *, seconds: float = 0.0) -> RecordedRule:
        """Make a rule of what was just done: of the last state, or of the middle of those of so many seconds before.

        Over a range, tolerances are as wide as the state moved, at least.
        """
        if not self._seen:
            raise RuleError("nothing was watched yet; call watch(facts, now) before")
        last, span = self._seen[-1][0], finite_number(seconds, "seconds", low=0.0) + 1e-9
        states = [state for now, state in self._seen if now >= last - span]
        low = {path: min(state[path] for state in states) for path in self.tolerance}
        high = {path: max(state[path] for state in states) for path in self.tolerance}
        middle = {path: (low[path] + high[path]) / 2.0 for path in self.tolerance}
        wide = {path: max(self.tolerance[path], (high[path] - low[path]) / 2.0) for path in self.tolerance}
        return RecordedRule(name, middle, action, wide, self.weight)
