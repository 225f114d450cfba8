"""Production rules: units that turn resources into others, each rule at its own rate (chapter 8).

Checks use the same conditions as other rules. The engine, which finds the first of many rules, does not apply here:
every rule that is due runs by itself, and its conditions read amounts that the previous rule has just changed.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ....checks import finite_number, instance_of, shown, table_of, text_of, whole_number
from ....conventions import Floats, Ids
from ....errors import RuleError, did_you_mean
from ..language.rule import VariableSpec, holds
from .syntax import Call, Change, Check, ProductionRule, class_name

Outcome = Literal["success", "failed inputs", "failed checks"]
_AMOUNT = VariableSpec("amount", "float")
_ENOUGH = 1e-9
"""Relative tolerance for missing input, to absorb rounding errors."""


_MOST_TILES = 10_000_000


class Unit:
    """A unit that runs rules, with its own amounts and the tiles it stands on."""

    def __init__(self, name: str, kind: str, amounts: Floats, tiles: Ids):
        self.name, self.kind, self.amounts, self.tiles = name, kind, amounts, tiles


class Bins:
    """All amounts: one row of floats per bin, one column per resource.

    Parameters
    ----------
    resources : their names.
    tiles : number of tiles of the map.
    spread : where a unit on several tiles puts its output on the map: all on the "first", or "evenly" on all of them.

    Attributes
    ----------
    reads : number of tiles read so far.

    Notes
    -----
    Chapter 8 of Game AI Pro 2 (Zubek). A rule takes resources from the map tile by tile, in the order of the unit's
    tiles, until it has enough; the chapter leaves this open.
    """

    def __init__(self, resources: Iterable[str], *, tiles: int = 0, spread: Literal["first", "evenly"] = "first"):
        names = [text_of(name, "a resource") for name in _listed(resources, "resources")]
        if len(set(names)) < len(names) or not all(names):
            raise RuleError("a resource has no name or is listed twice; give each a unique name")
        if whole_number(tiles, "tiles") > _MOST_TILES:
            raise RuleError(f"tiles is {tiles}; give at most {_MOST_TILES}")
        if not isinstance(spread, str) or spread not in ("first", "evenly"):
            raise RuleError(f"spread is {shown(spread)}; give 'first' or 'evenly'")
        self.number_of = {name: number for number, name in enumerate(names)}
        self.player = np.zeros(len(names))
        self.map = np.zeros((tiles, len(names)))
        self.spread, self.reads = spread, 0

    def resource(self, name: Any) -> int:
        """Return the number of a resource."""
        if not isinstance(name, str) or name not in self.number_of:
            hint = did_you_mean(name, self.number_of)
            raise RuleError(f"no resource {shown(name)}{hint}; there are {', '.join(self.number_of)}")
        return self.number_of[name]

    def unit(self, name: str, kind: str, tiles: Sequence[int] = (), amounts: Mapping[str, float] | None = None) -> Unit:
        """Return a unit that stands on the given tiles and holds the given amounts."""
        held = np.zeros(len(self.number_of))
        for resource, amount in table_of(amounts, "amounts").items():
            held[self.resource(resource)] = finite_number(amount, resource)
        places = [whole_number(tile, "a tile") for tile in _listed(tiles, "tiles")]
        if any(tile >= len(self.map) for tile in places):
            raise RuleError(f"tiles of {name!r} are {places}; there are {len(self.map)}, from 0")
        return Unit(text_of(name, "name"), text_of(kind, "kind"), held, np.array(places, np.int32))

    def amount(self, unit: Unit, where: str, resource: int, *, most: bool = False) -> float:
        """Return the amount in a bin; on the map, the sum over the unit's tiles or the largest single tile (`most`)."""
        if where == "unit":
            return float(unit.amounts[resource])
        if where == "player":
            return float(self.player[resource])
        self.reads += len(unit.tiles)
        there = self.map[unit.tiles, resource]
        return float((there.max() if most else there.sum()) if len(there) else 0.0)

    def add(self, unit: Unit, where: str, resource: int, amount: float) -> None:
        """Add an amount to a bin; a negative amount is taken out of the map's tiles as far as they hold it."""
        if where != "map":
            (unit.amounts if where == "unit" else self.player)[resource] += amount
        elif amount < 0.0:
            for tile in unit.tiles.tolist():
                taken = min(-amount, float(self.map[tile, resource]))
                self.map[tile, resource] -= taken
                amount += taken
        elif len(unit.tiles):
            onto = unit.tiles[:1] if self.spread == "first" else unit.tiles
            self.map[onto, resource] += amount / len(onto)


def _listed(values: Any, name: str) -> list[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise RuleError(f"{name} are {shown(values)}; give a list")
    return list(values)


@dataclass(frozen=True)
class Made:
    """One run of a rule: the day, the unit, the rule and the outcome."""

    day: float
    unit: str
    rule: str
    outcome: Outcome


class Production:
    """Run the rules of all units, each when it is due.

    Parameters
    ----------
    bins : the amounts held by units, map and player.
    rules : by kind of unit.
    functions : the game's functions for `_ type key value`, by type or by class name. Each takes the bins, the unit and
        the values by keyword; in checks it returns a boolean.

    Attributes
    ----------
    units : by name.
    evaluated : number of rules run so far; rules that are not due do not count.
    counts : how often each rule of each unit had each outcome.
    """

    def __init__(
        self,
        bins: Bins,
        rules: Mapping[str, tuple[ProductionRule, ...]],
        functions: Mapping[str, Callable[..., Any]] | None = None,
    ):
        self.bins = instance_of(bins, Bins, "bins", "give Bins(…)")
        self._rules, self._functions = table_of(rules, "rules"), table_of(functions, "functions")
        for some in self._rules.values():
            if not isinstance(some, tuple) or not all(isinstance(rule, ProductionRule) for rule in some):
                raise RuleError(f"rules are {shown(rules)}; give those of parse_production")
        self.units: dict[str, Unit] = {}
        self.evaluated, self.day = 0, 0.0
        self.counts: Counter[tuple[str, str, Outcome]] = Counter()
        self._due: list[tuple[float, int, Unit, ProductionRule]] = []
        self._added = 0
        for kind, some in self._rules.items():
            for rule in some:
                for part in (*rule.checks, *rule.success, *rule.failed_inputs, *rule.failed_checks):
                    if isinstance(part, Call):
                        self._function(part, f"rule {rule.name!r} of {kind}: ")

    def _function(self, call: Call, where: str = "") -> Callable[..., Any]:
        found = self._functions.get(call.type) or self._functions.get(class_name(call.type))
        if found is None:
            known = ", ".join(self._functions) or "none"
            hint = did_you_mean(call.type, self._functions)
            raise RuleError(f"{where}no function {call.type!r}{hint}; there are {known}")
        return found

    def add(self, unit: Unit) -> None:
        """Add a unit, which runs the rules of its kind; each rule is first due after its interval has passed once."""
        if not isinstance(unit, Unit):
            raise RuleError(f"unit is {shown(unit)}; give the result of Bins.unit")
        if unit.name in self.units:
            raise RuleError(f"there already is a unit {unit.name!r}; give each a unique name")
        if unit.kind not in self._rules:
            known = ", ".join(self._rules) or "none"
            raise RuleError(f"no rules for {unit.kind!r}{did_you_mean(unit.kind, self._rules)}; there are {known}")
        self.units[unit.name] = unit
        for rule in self._rules[unit.kind]:
            self._wait(self.day + rule.every, unit, rule)

    def remove(self, name: str) -> None:
        """Remove a unit; its rules no longer run."""
        if not isinstance(name, str) or name not in self.units:
            raise RuleError(f"no unit {shown(name)}{did_you_mean(name, self.units)}; there are {', '.join(self.units)}")
        gone = self.units.pop(name)
        self._due = [each for each in self._due if each[2] is not gone]
        heapq.heapify(self._due)

    def _wait(self, day: float, unit: Unit, rule: ProductionRule) -> None:
        self._added += 1
        heapq.heappush(self._due, (day, self._added, unit, rule))

    def advance(self, days: float) -> list[Made]:
        """Advance the time by a number of days; return the rules that ran, in the order they were due."""
        until = self.day + finite_number(days, "days", low=0.0, high=1e6)
        made: list[Made] = []
        while self._due and self._due[0][0] <= until:
            self.day, _, unit, rule = heapq.heappop(self._due)
            made.append(Made(self.day, unit.name, rule.name, self.run(unit, rule)))
            self._wait(self.day + rule.every, unit, rule)
        self.day = until
        return made

    def run(self, unit: Unit, rule: ProductionRule) -> Outcome:
        """Run a rule of a unit now, whether it is due or not."""
        unit = instance_of(unit, Unit, "unit", "give the result of Bins.unit")
        rule = instance_of(rule, ProductionRule, "rule", "give one of parse_production")
        self.evaluated += 1
        outcome: Outcome = "success"
        if not all(self._holds(unit, check) for check in rule.checks):
            outcome = "failed checks"
        elif not self._has(unit, rule.inputs):
            outcome = "failed inputs"
        if outcome == "success":
            for change in rule.inputs:
                self._change(unit, change, -1.0)
            for change in rule.outputs:
                self._change(unit, change, 1.0)
        actions = {"success": rule.success, "failed inputs": rule.failed_inputs, "failed checks": rule.failed_checks}
        for action in actions[outcome]:
            if isinstance(action, Change):
                self._change(unit, action, 1.0)
            else:
                self._function(action)(self.bins, unit, **action.values)
        self.counts[unit.name, rule.name, outcome] += 1
        return outcome

    def _holds(self, unit: Unit, check: Check | Call) -> bool:
        if isinstance(check, Call):
            return bool(self._function(check)(self.bins, unit, **check.values))
        resource = self.bins.resource(check.condition.variable)
        return holds(check.condition, self.bins.amount(unit, check.bin, resource, most=check.most), _AMOUNT)

    def _has(self, unit: Unit, inputs: tuple[Change, ...]) -> bool:
        """Return whether all inputs are available, adding up those of the same resource and bin."""
        wanted: Counter[tuple[str, int]] = Counter()
        for change in inputs:
            wanted[change.bin, self.bins.resource(change.resource)] += change.amount  # type: ignore[assignment]
        return all(
            self.bins.amount(unit, where, resource) >= amount * (1.0 - _ENOUGH)
            for (where, resource), amount in wanted.items()
        )

    def _change(self, unit: Unit, change: Change, sign: float) -> None:
        self.bins.add(unit, change.bin, self.bins.resource(change.resource), sign * change.amount)
