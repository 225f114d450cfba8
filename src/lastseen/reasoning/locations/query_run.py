"""Run a query criterion by criterion, in one go or in pieces per frame, with the same result."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...checks import frozen, read_only, whole_number
from ...conventions import Array, Bools, Floats
from ...kernels.arrays.location_arrays import Rows
from ...kernels.search.location_choice import pick_rows
from ...kernels.search.location_rating import rate_rows
from .choice import Choices
from .criteria import Criterion, Distance, Lead, PathClearance
from .measurement import Measures
from .query import RULES, Query
from .query_places import Situation

_NONE_LOST = (frozen(np.zeros(0, np.int32)), frozen(np.zeros(0, np.uint8)), frozen(np.zeros(0)))


@dataclass(frozen=True, eq=False)
class Candidates:
    """Initial rows, and values already known for them by number of the criterion."""

    rows: Rows
    known: dict[int, Floats] = field(default_factory=dict)


class QueryRun:
    """One query of many askers: call `advance` until it is done, then take the `result`.

    Each measurement reflects the world at that time; cells that a cut disables meanwhile are not picked.
    """

    def __init__(self, plan: Plan, measures: Measures, situation: Situation, candidates: Candidates, numbers: Floats):
        self._plan, self._query = plan, plan.query
        self._measures, self._situation = measures, situation
        self._rows, self._numbers = candidates.rows, numbers
        self._start_asker = candidates.rows.asker
        self._values: dict[int, Floats] = dict(candidates.known)
        self._steps = plan.order
        self._step, self._row = 0, 0
        self._partial: list[Floats] = []
        self._lost: list[tuple[Array, Array, Array, Floats]] = []
        self._result: Choices | None = None

    @property
    def done(self) -> bool:
        """Whether the query has finished."""
        return self._result is not None

    def advance(self, work: int | None = None) -> bool:
        """Continue for about this much work (None: to the end) and return whether the query is done.

        A distance measurement counts 1, a cell walked over 1, a line of sight 10.
        """
        left = None if work is None else whole_number(work, "work", low=1)
        while self._result is None:
            if left is not None and left <= 0:
                return False
            if self._step == len(self._steps):
                self._result = self._choose()
                break
            spent = self._measure(left)
            left = None if left is None else left - spent
        return True

    def result(self) -> Choices:
        """Return the answer; for a running query it has no places and the reason "running"."""
        if self._result is not None:
            return self._result
        return _nothing_yet(self._query, self._situation.count)

    def _measure(self, work: int | None) -> int:
        """Measure the next criterion for as many rows as the work allows; return the work done."""
        number = self._steps[self._step]
        criterion, spent = self._query.criteria[number], 1
        if number not in self._values:
            if work is None and not self._partial:
                self._values[number] = self._measured(criterion, self._rows)
            else:
                spent = self._measure_part(number, criterion, work)
                if number not in self._values:
                    return spent
        if criterion.has_limit:
            self._drop(number, criterion)
        self._step, self._row, self._partial = self._step + 1, 0, []
        return spent

    def _measured(self, criterion: Criterion, rows: Rows) -> Floats:
        return self._measures.measure(criterion, rows, self._situation, self._plan.reach)

    def _measure_part(self, number: int, criterion: Criterion, work: int | None) -> int:
        """Measure some more rows of a criterion; return the work done."""
        count, measures, before = len(self._rows.cell), self._measures, self._measures.walks.work
        end = count if work is None else measures.end(criterion, self._rows, self._row, work, self._situation)
        part = slice(self._row, end)
        rows = Rows(self._rows.cell[part], self._rows.asker[part], self._rows.xyz)
        self._partial.append(self._measured(criterion, rows))
        each = measures.work(criterion, self._situation)
        spent, self._row = max(1, (end - self._row) * each + measures.walks.work - before), end
        if end == count:
            self._values[number] = self._partial[0] if len(self._partial) == 1 else np.concatenate(self._partial)
        return spent

    def _drop(self, number: int, criterion: Criterion) -> None:
        values = self._values[number]
        low, high = criterion.at_least, criterion.at_most
        # NaN is outside every limit.
        kept: Bools = values >= low if low is not None else values <= (np.inf if high is None else high)
        if low is not None and high is not None:
            kept &= values <= high
        lost = len(kept) - np.count_nonzero(kept)
        if not lost:
            return
        out = ~kept
        by = np.full(lost, number, np.uint8)
        self._lost.append((self._rows.cell[out], self._rows.asker[out], by, values[out]))
        self._rows = Rows(self._rows.cell[kept], self._rows.asker[kept], self._rows.xyz)
        self._values = {one: known[kept] for one, known in self._values.items()}

    def _choose(self) -> Choices:
        query, rows, count = self._query, self._rows, self._situation.count
        score, ratings = self._score()
        pick, disabled = query.pick, self._measures.layout.arrays.disabled
        size = (count, pick.count)
        start, cells, xyz = np.empty(count + 1, np.int64), np.empty(size, np.int32), np.empty((*size, 3))
        scores, reasons = np.empty(size), np.empty(count, np.uint8)
        rule = (pick.least, RULES[pick.rule], pick.sharpness, pick.share, pick.spacing, pick.apart, self._numbers)
        pick_rows(rows, self._start_asker, disabled, score, *rule, start, cells, xyz, scores, reasons)
        values = np.empty((len(query.criteria), len(rows.cell)))
        for number, known in self._values.items():
            values[number] = known
        picked: tuple[Array, ...] = (cells, xyz, scores, reasons, start, rows.cell, score, values, ratings)
        return Choices(query, *map(read_only, picked + self._losses()))

    def _score(self) -> tuple[Floats, Floats]:
        """Return the score of each row, and the rating by each criterion."""
        query, count = self._query, len(self._rows.cell)
        ratings = np.full((len(query.criteria), count), np.nan)
        is_product = query.combine == "product"
        curves = self._plan.curves
        score = np.ones(count) if is_product or not curves else np.zeros(count)
        for number, curve in curves.items():
            weight = query.criteria[number].weight
            rate_rows(self._values[number], curve, weight, is_product, ratings[number], score)
        if not is_product and curves:
            score /= sum(query.criteria[number].weight for number in curves)
        return score, ratings

    def _losses(self) -> tuple[Array, Array, Array, Array]:
        """Return what was dropped, by asker."""
        count = self._situation.count
        if not self._lost:
            return read_only(np.zeros(count + 1, np.int64)), *_NONE_LOST
        cell, asker, by, value = (np.concatenate(parts) for parts in zip(*self._lost))
        if count == 1:
            return read_only(np.array([0, len(cell)])), read_only(cell), read_only(by), read_only(value)
        order = np.argsort(asker, kind="stable")
        start = np.zeros(count + 1, np.int64)
        np.cumsum(np.bincount(asker, minlength=count), out=start[1:])
        return read_only(start), read_only(cell[order]), read_only(by[order]), read_only(value[order])


class Plan:
    """The parts of a query that do not depend on the asker, prepared once for many runs.

    Attributes
    ----------
    order : the criteria in order of measurement.
    reach : metres from the asker beyond which no path needs to be searched.
    curves : by number of the criterion.
    named : the points that criteria name, which every run has to be given.
    special : criteria that may need a layer, a zone or sight.
    near, walked : the tightest limit on the straight and on the walking distance to the asker: criterion and limit.
    """

    def __init__(self, query: Query):
        self.query = query
        criteria = query.criteria
        # Those with limits first, cheap ones before expensive ones.
        self.order = sorted(range(len(criteria)), key=lambda n: (not criteria[n].has_limit, _cost(criteria[n]), n))
        self.curves = {number: one.curve.arrays() for number, one in enumerate(criteria) if one.curve is not None}
        self.named = [(one.points, one) for one in criteria if one.points is not None]
        self.named += [("asker", one) for one in criteria if isinstance(one, PathClearance | Lead)]
        self.special = [one for one in criteria if not isinstance(one, Distance)]
        self.near, self.walked = _bounded(query, "straight"), _bounded(query, "walking")
        self.reach = np.inf if self.walked is None else max(0.0, self.walked[1])


def _bounded(query: Query, how: str) -> tuple[int, float] | None:
    """Return the criterion with the tightest limit on the distance to the asker, and that limit."""
    found = [
        (number, one.at_most)
        for number, one in enumerate(query.criteria)
        if isinstance(one, Distance) and one.to == "asker" and one.how == how and one.at_most is not None
    ]
    return min(found, key=lambda one: one[1]) if found else None


def _cost(criterion: Criterion) -> int:
    return 2 if getattr(criterion, "how", "") == "walking" else criterion.cost


def _nothing_yet(query: Query, count: int) -> Choices:
    places, none = query.pick.count, np.zeros(0)
    ids = np.zeros(0, np.int32)
    start = np.zeros(count + 1, np.int64)
    table = np.zeros((len(query.criteria), 0))
    return Choices(
        query,
        np.full((count, places), -1, np.int32),
        np.full((count, places, 3), np.nan),
        np.full((count, places), np.nan),
        np.zeros(count, np.uint8),
        start,
        ids,
        none,
        table,
        table,
        start,
        ids,
        np.zeros(0, np.uint8),
        none,
    )
