"""The answer to a query: the picked places, and the measurements and ratings of every candidate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import whole_number
from ...conventions import Array, Floats, Ids
from .query import Query

REASONS = ("running", "picked", "fewer", "no_candidates", "all_dropped", "no_score", "taken")
"""Reasons for an answer. "running": not finished; "picked": as many places as requested; otherwise fewer:
no cell was a candidate, limits dropped all, none scored above 0 and `least`, or those that did were too close to the
places of other askers."""


@dataclass(frozen=True, eq=False)
class Choice:
    """Places for one asker, best or first drawn first.

    Attributes
    ----------
    query : the query.
    reason : one of `REASONS`.
    cells, xyz, scores : (k,) int32, (k, 3) float64 metres on the floor, (k,) float64: the picked places.
    candidates : (c,) int32, cells within every limit, ascending; `candidate_scores` (c,), their scores.
    values : (criteria, c) float64, the measurements; `ratings` (criteria, c), the values of their curves, NaN where a
        criterion has none.
    dropped : (d,) int32, cells outside a limit; `dropped_by` (d,) uint8, number of the criterion, and `dropped_value`
        (d,), its measurement.
    """

    query: Query
    reason: str
    cells: Ids
    xyz: Floats
    scores: Floats
    candidates: Ids
    candidate_scores: Floats
    values: Floats
    ratings: Floats
    dropped: Ids
    dropped_by: Array
    dropped_value: Floats

    @property
    def cell(self) -> int:
        """The first picked cell; -1: none."""
        return int(self.cells[0]) if len(self.cells) else -1

    def why(self, cell: int | None = None) -> str:
        """Return a few lines that explain why this cell (by default the first picked) was picked or not."""
        if cell is None:
            cell = self.cell
            if cell < 0:
                return f"nothing was picked: {self.reason.replace('_', ' ')}\n{self._losses()}".rstrip()
        cell = whole_number(cell, "cell")
        if cell in self.dropped:
            at = int(np.flatnonzero(self.dropped == cell)[0])
            by = self.query.criteria[int(self.dropped_by[at])]
            value = _number(float(self.dropped_value[at]), by.unit)
            return f"cell {cell} was dropped: {by.title} is {value}, allowed is {by.limits()}"
        if cell not in self.candidates:
            return f"cell {cell} was no candidate: too far, disabled, or not there"
        return self._account(cell, int(np.flatnonzero(self.candidates == cell)[0]))

    def _account(self, cell: int, at: int) -> str:
        score = float(self.candidate_scores[at])
        rank = 1 + int((self.candidate_scores > score).sum())
        lines = [f"cell {cell} scores {score:.3f}, number {rank} of {len(self.candidates)}"]
        width = max(map(len, self.query.titles), default=0)
        for number, one in enumerate(self.query.criteria):
            words = f"  {one.title:{width}}  {_number(float(self.values[number, at]), one.unit)}"
            if one.curve is not None:
                weight = "" if one.weight == 1.0 else f" (weight {one.weight:g})"
                words += f" -> {self.ratings[number, at]:.3f}{weight}"
            lines.append(words)
        return "\n".join(lines)

    def _losses(self) -> str:
        """Return how many candidates each limit dropped, as text."""
        counts = np.bincount(self.dropped_by, minlength=len(self.query.criteria))
        lines = [
            f"  {one.title}: {count} dropped, allowed is {one.limits()}"
            for one, count in zip(self.query.criteria, counts.tolist())
            if count
        ]
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class Choices:
    """`Choice` for n askers: `choices[i]`.

    Attributes
    ----------
    cells : (n, k) int32, picked places, -1 where there are fewer; `xyz` (n, k, 3), `scores` (n, k), NaN there.
    reason : (n,) uint8, indices into `REASONS`.
    start, candidates, candidate_scores, values, ratings : rows of all askers; asker i's start at `start[i]`.
    drop_start, dropped, dropped_by, dropped_value : the same for dropped cells.
    """

    query: Query
    cells: Ids
    xyz: Floats
    scores: Floats
    reason: Array
    start: Array
    candidates: Ids
    candidate_scores: Floats
    values: Floats
    ratings: Floats
    drop_start: Array
    dropped: Ids
    dropped_by: Array
    dropped_value: Floats

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def cell(self) -> Ids:
        """(n,) the first cell picked by each asker; -1: none."""
        return self.cells[:, 0]

    def __getitem__(self, number: Any) -> Choice:
        number = whole_number(number, "the number of a choice", low=-len(self))
        if number >= len(self):
            raise IndexError(f"there is no choice {number}; {len(self)} asked, numbered from 0")
        number %= len(self)
        rows = slice(*self.start[number : number + 2].tolist())
        lost = slice(*self.drop_start[number : number + 2].tolist())
        found = np.count_nonzero(self.cells[number] >= 0)
        return Choice(
            self.query,
            REASONS[int(self.reason[number])],
            self.cells[number, :found],
            self.xyz[number, :found],
            self.scores[number, :found],
            self.candidates[rows],
            self.candidate_scores[rows],
            self.values[:, rows],
            self.ratings[:, rows],
            self.dropped[lost],
            self.dropped_by[lost],
            self.dropped_value[lost],
        )


def _number(value: float, unit: str) -> str:
    return (f"{value:.2f}".rstrip("0").rstrip(".") if np.isfinite(value) else str(value)) + (f" {unit}" if unit else "")
