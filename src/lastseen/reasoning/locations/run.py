"""A query at work: measured criterion by criterion, in one go or a piece per frame, with the same end."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...checks import read_only, whole_number
from ...conventions import Array, Bools, Floats
from ...kernels.location_arrays import Rows
from ...kernels.location_choose import choose_rows
from ...kernels.location_rate import rate_rows
from ...layers.layer import is_enabled
from .choice import REASONS, Choices
from .criteria import Criterion
from .measure import Measures
from .places import Situation
from .query import RULES, Query

__all__ = ["Candidates", "QueryRun"]


@dataclass(frozen=True, eq=False)
class Candidates:
    """Rows to begin with, and what is known of them already: values by number of the criterion."""

    rows: Rows
    known: dict[int, Floats] = field(default_factory=dict)


class QueryRun:
    """One query of many askers; `advance` until it is done, then take the `result`.

    Measures are taken of the world as it is when they are made; what a cut disables meanwhile is not picked.
    """

    def __init__(self, query: Query, measures: Measures, situation: Situation, candidates: Candidates, numbers: Floats):
        self._query, self._measures, self._situation = query, measures, situation
        self._rows, self._numbers = candidates.rows, numbers
        self._start_asker = candidates.rows.asker
        self._values: dict[int, Floats] = dict(candidates.known)
        self._steps = _order(query)
        self._step, self._row = 0, 0
        self._partial: list[Floats] = []
        self._lost: list[tuple[Array, Array, Array, Floats]] = []
        self._result: Choices | None = None

    @property
    def done(self) -> bool:
        """Has it ended?"""
        return self._result is not None

    def advance(self, work: int | None = None) -> bool:
        """Go on for about `work` distances measured (a line of sight counts ten, a cell walked over one);
        None: to the end. Is it done?"""
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
        """Return the answer; of a query that still runs one without places, whose reason is "running"."""
        if self._result is not None:
            return self._result
        return _nothing_yet(self._query, self._situation.count)

    def _measure(self, work: int | None) -> int:
        """Measure the next criterion of as many rows as the work allows; return the work done."""
        number = self._steps[self._step]
        criterion, count = self._query.criteria[number], len(self._rows.cell)
        spent = 1
        if number not in self._values:
            measures, before = self._measures, self._measures.walks.work
            end = count if work is None else measures.end(criterion, self._rows, self._row, work, self._situation)
            part = slice(self._row, end)
            rows = Rows(self._rows.cell[part], self._rows.asker[part], self._rows.xyz)
            self._partial.append(measures.measure(criterion, rows, self._situation))
            each = measures.work(criterion, self._situation)
            spent, self._row = max(1, (end - self._row) * each + measures.walks.work - before), end
            if end < count:
                return spent
            self._values[number] = self._partial[0] if len(self._partial) == 1 else np.concatenate(self._partial)
        if criterion.has_limit:
            self._drop(number, criterion)
        self._step, self._row, self._partial = self._step + 1, 0, []
        return spent

    def _drop(self, number: int, criterion: Criterion) -> None:
        values = self._values[number]
        kept: Bools = ~np.isnan(values)
        if criterion.at_least is not None:
            kept &= values >= criterion.at_least
        if criterion.at_most is not None:
            kept &= values <= criterion.at_most
        if kept.all():
            return
        out = ~kept
        by = np.full(int(out.sum()), number, np.uint8)
        self._lost.append((self._rows.cell[out], self._rows.asker[out], by, values[out]))
        self._rows = Rows(self._rows.cell[kept], self._rows.asker[kept], self._rows.xyz)
        self._values = {one: known[kept] for one, known in self._values.items()}

    def _choose(self) -> Choices:
        query, rows, count = self._query, self._rows, self._situation.count
        score, ratings = self._score()
        pick = query.pick
        live = np.where(score >= pick.least, score, 0.0)
        live[~is_enabled(self._measures.layout, rows.cell)] = 0.0
        start = _starts(rows.asker, count)
        good = np.bincount(rows.asker, weights=live > 0.0, minlength=count)
        chosen = np.full((count, pick.count), -1, np.int64)
        found = np.zeros(count, np.int64)
        rule = RULES[pick.rule]
        choose_rows(
            rows, start, live, rule, pick.sharpness, pick.share, pick.spacing, pick.apart, self._numbers, chosen, found
        )
        none = chosen < 0
        row = np.maximum(chosen, 0)
        cells = np.where(none, -1, rows.cell[row] if len(rows.cell) else -1).astype(np.int32)
        xyz = np.where(none[..., None], np.nan, rows.xyz[cells].astype(np.float64))
        scores = np.where(none, np.nan, score[row] if len(score) else np.nan)
        values = np.array([self._values[number] for number in range(len(query.criteria))])
        reasons = self._reasons(found, good, np.diff(start))
        return Choices(
            query,
            read_only(cells),
            read_only(xyz),
            read_only(scores),
            read_only(reasons),
            read_only(start),
            read_only(rows.cell),
            read_only(score),
            read_only(values.reshape(len(query.criteria), len(rows.cell))),
            read_only(ratings),
            *self._losses(),
        )

    def _score(self) -> tuple[Floats, Floats]:
        """Return the score of each row, and what each criterion's curve gave."""
        query, count = self._query, len(self._rows.cell)
        ratings = np.full((len(query.criteria), count), np.nan)
        is_product = query.combine == "product"
        scored = [number for number, one in enumerate(query.criteria) if one.curve is not None]
        score = np.ones(count) if is_product or not scored else np.zeros(count)
        for number in scored:
            one = query.criteria[number]
            assert one.curve is not None
            rate_rows(self._values[number], one.curve.arrays(), one.weight, is_product, ratings[number], score)
        if not is_product and scored:
            score /= sum(query.criteria[number].weight for number in scored)
        return score, ratings

    def _reasons(self, found: Array, good: Array, kept: Array) -> Array:
        begun = np.bincount(self._start_asker, minlength=self._situation.count)
        words = np.select(
            [found == self._query.pick.count, found > 0, begun == 0, kept == 0, good == 0],
            [REASONS.index(word) for word in ("picked", "fewer", "no_candidates", "all_dropped", "no_score")],
            REASONS.index("taken"),
        )
        return words.astype(np.uint8)

    def _losses(self) -> tuple[Array, Array, Array, Array]:
        """Return what was dropped, by asker."""
        if self._lost:
            cell, asker, by, value = (np.concatenate(parts) for parts in zip(*self._lost))
        else:
            cell, asker, by, value = np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.uint8), np.zeros(0)
        order = np.argsort(asker, kind="stable")
        start = _starts(asker[order], self._situation.count)
        return read_only(start), read_only(cell[order]), read_only(by[order]), read_only(value[order])


def _order(query: Query) -> list[int]:
    """Return the criteria as they are measured: those with limits first, the cheap ones before the dear."""
    return sorted(
        range(len(query.criteria)),
        key=lambda number: (not query.criteria[number].has_limit, _cost(query.criteria[number]), number),
    )


def _cost(criterion: Criterion) -> int:
    return 2 if getattr(criterion, "how", "") == "walking" else criterion.cost


def _starts(asker: Array, count: int) -> Array:
    start = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(asker, minlength=count), out=start[1:])
    return start


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
