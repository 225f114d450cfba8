"""Reachability analysis: rules of a compiled handler that can never fire or are always pre-empted.

Both questions are answered on the cells of a handler, where a rule is a set of cells for each variable it uses. It can
never fire if one of these sets is empty, and it is never reached if earlier rules fire in all of its cells. Variables
are treated as independent, so every report is certain, but some unreachable rules may go unreported. Rules that do not
fire each time they hold cover nothing: those whose actions are used up or on cooldown (perhaps through another rule
with the same action), those that need an answer from a speaker that may be absent, and those whose lines have
placeholders that may be unknown. Lines recently said nearby are ignored: a game that suppresses their repetition may
let a covered rule speak in the meantime.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from ..language.lines import line_of, placeholders
from ..language.resolution import sides_of
from ..language.rule import LineSettings, Rule, VariableSpec
from .action_lists import action_key
from .compile import CompiledHandler

MOST_STEPS = 300
"""Pieces into which a rule's cells are cut before the search for covering rules gives up."""

Box = dict[int, int]
"""Cells by variable, as bits."""


def possible_cells(spec: VariableSpec, cuts: Sequence[float]) -> int:
    """Return the cells a variable can be in, as bits; cell 2k + 1 is the k-th constant, 2k the interval below it."""
    low, high, whole = _range(spec)
    edges = [-math.inf, *cuts, math.inf]
    found = 0
    for number in range(len(cuts) + 1):
        start, end = edges[number], edges[number + 1]
        if spec.type == "str":
            is_there = number == 0  # All texts that no condition names are equivalent.
        elif whole:
            first = low if start < low or math.isinf(start) else math.floor(start) + 1
            is_there = first < end and first <= high
        else:
            is_there = start < high and end > low
        found |= is_there << 2 * number
        if number < len(cuts):
            at = cuts[number]
            found |= (spec.type == "str" or (low <= at <= high and not (whole and at % 1.0))) << 2 * number + 1
    return found


def _range(spec: VariableSpec) -> tuple[float, float, bool]:
    """Return the smallest and the largest value of a variable, and whether it is an integer."""
    sides = sides_of(spec.path)
    if sides is not None:
        return (1.0, float(sides), True) if sides else (0.0, math.nextafter(1.0, 0.0), False)
    if spec.type == "enum":
        return 0.0, len(spec.names) - 1.0, True
    if spec.type == "bool":
        return 0.0, 1.0, True
    return -math.inf, math.inf, spec.type == "int"


def resting_actions(rules: Iterable[Rule], settings: Mapping[str, LineSettings] | None = None) -> frozenset[bytes]:
    """Return the keys of all actions that a cooldown may block, that of their rule or their own."""
    lines = [action_key(name) for name, own in (settings or {}).items() if own.cooldown]
    return frozenset([*lines, *(action_key(action) for rule in rules if rule.cooldown for action in rule.actions)])


@dataclass(frozen=True)
class _Variable:
    """Rows of a variable as integers, and the cells it can be in."""

    rows: list[int]
    cells: list[int]
    unknown: int


class Reach:
    """Analyse all rules of a compiled handler; `lines` and `resting` come from its database.

    Attributes
    ----------
    contradicting : rule → the variable whose conditions cannot all hold.
    covered : rule → the earlier rules that together always fire first.
    """

    def __init__(
        self,
        handler: CompiledHandler,
        lines: Mapping[str, Mapping[str, str]] | None = None,
        resting: Set[bytes] | None = None,
    ):
        self.handler, self._lines = handler, lines or {}
        self._resting = resting_actions(handler.rules) if resting is None else resting
        self._variables = [self._variable(number) for number in range(len(handler.variables))]
        self.contradicting = self._contradicting()
        self.covered = self._covered()

    def _variable(self, number: int) -> _Variable:
        handler = self.handler
        low, high = int(handler.row_start[number]), int(handler.row_start[number + 1])
        rows = [int.from_bytes(row.tobytes(), "little") for row in handler.rows[low:high]]
        cuts = handler.cuts[handler.cut_start[number] : handler.cut_start[number + 1]].tolist()
        possible = possible_cells(handler.specs[number], cuts)
        return _Variable(rows, [cell for cell in range(len(rows) - 1) if possible >> cell & 1], rows[-1])

    def _contradicting(self) -> dict[int, int]:
        found: dict[int, int] = {}
        all_rules = (1 << len(self.handler)) - 1
        for number, variable in enumerate(self._variables):
            alive = reduce(or_, (variable.rows[cell] for cell in variable.cells), variable.unknown)
            for rule in _bits(all_rules & ~alive):
                found.setdefault(rule, number)
        return found

    def _steady(self, rule: int) -> bool:
        """Return whether a rule fires every time it holds."""
        actions, given = self.handler.lists[self.handler.list_of[rule]], self.handler.rules[rule]
        if given.then is not None or not actions.actions:
            return given.then is None
        rests = actions.policy.endswith("once") or not self._resting.isdisjoint(map(action_key, actions.actions))
        return not rests and not all(map(self._has_places, actions.actions))

    def _has_places(self, action: Any) -> bool:
        texts = [*(line_of(self._lines, action) or {"": action}).values()] if isinstance(action, str) else []
        return any(map(placeholders, texts))

    def _covered(self) -> dict[int, tuple[int, ...]]:
        found: dict[int, tuple[int, ...]] = {}
        before = 0
        for rule in range(len(self.handler)):
            if rule in self.contradicting:
                continue
            by = self._covering(rule, before)
            if by:
                found[rule] = by
            elif self._steady(rule):
                before |= 1 << rule
        return found

    def _covering(self, rule: int, before: int) -> tuple[int, ...]:
        """Return the rules among `before` that cover a rule completely; empty if there are none."""
        asks = set(self.handler.asks[rule])
        for number, variable in enumerate(self._variables):
            if number not in asks:
                before &= variable.unknown  # Rules that need this variable do not fire while it is unknown.
            if not before:
                return ()
        box = self._box(rule)
        for number, cells in box.items():
            before &= reduce(or_, (self._variables[number].rows[cell] for cell in _bits(cells)), 0)
        others = [(other, self._box(other)) for other in _bits(before)]
        whole = next(
            (other for other, cells in others if not any(box[number] & ~mine for number, mine in cells.items())), None
        )
        if whole is not None:
            return (whole,)
        used: set[int] = set()
        return tuple(sorted(used)) if len(others) > 1 and _Cover(others, used).covers(box, 0) else ()

    def _box(self, rule: int) -> Box:
        return {
            number: sum(1 << cell for cell in self._variables[number].cells
                        if self._variables[number].rows[cell] >> rule & 1)
            for number in self.handler.asks[rule]
        }  # fmt: skip


class _Cover:
    """Cut a box by other boxes until nothing is left or the step limit is reached."""

    def __init__(self, others: list[tuple[int, Box]], used: set[int]):
        self.others, self.used, self.steps = others, used, 0

    def covers(self, box: Box, start: int) -> bool:
        for place in range(start, len(self.others)):
            other, cells = self.others[place]
            if any(not box[number] & cells[number] for number in cells):
                continue
            self.steps += 1
            if self.steps > MOST_STEPS:
                return False
            self.used.add(other)
            inside = dict(box)
            for number, mine in cells.items():
                outside = inside[number] & ~mine
                if outside and not self.covers({**inside, number: outside}, place + 1):
                    return False
                inside[number] &= mine
            return True
        return False


def _bits(number: int) -> list[int]:
    """Return the positions of the set bits, ascending."""
    places = []
    while number:
        places.append((number & -number).bit_length() - 1)
        number &= number - 1
    return places
