"""Choice among scored candidates: the best, a draw weighted by score, or any of the best."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.bits import bit
from ..arrays.location_arrays import Rows
from ..jit import inner, jit

BEST, WEIGHTED, TOP = 0, 1, 2

_PICKED, _FEWER, _NO_CANDIDATES, _ALL_DROPPED, _NO_SCORE, _TAKEN = 1, 2, 3, 4, 5, 6
"""Reason of an answer: index in `REASONS` of `reasoning/locations/choice.py`."""


@jit
def _strike_out(rows: Rows, first: np.uint64, last: np.uint64, cell: int, metres: float, live: Array) -> None:
    """Set the score of a cell, and of all candidates within `metres` of it, to 0."""
    middle = np.uint64(cell)
    x, y, z = np.float64(rows.xyz[middle, 0]), np.float64(rows.xyz[middle, 1]), np.float64(rows.xyz[middle, 2])
    square = metres * metres
    for row in range(first, last):
        other = np.uint64(rows.cell[row])
        dx, dy, dz = rows.xyz[other, 0] - x, rows.xyz[other, 1] - y, rows.xyz[other, 2] - z
        if other == middle or dx * dx + dy * dy + dz * dz < square:
            live[row] = 0.0


@jit
def _highest(first: np.uint64, last: np.uint64, live: Array) -> int:
    best, highest = np.int64(-1), 0.0
    for row in range(first, last):
        if live[row] > highest:
            highest, best = live[row], np.int64(row)
    return best


@jit
def _drawn(first: np.uint64, last: np.uint64, live: Array, sharpness: float, least: float, number: float) -> int:
    """Return the row drawn by `number` (0 … 1) with probabilities proportional to score to the power `sharpness`."""
    best = _highest(first, last, live)
    if best < 0:
        return best
    highest = live[best]
    total = 0.0
    for row in range(first, last):
        if live[row] > 0.0 and live[row] >= least * highest:
            total += (live[row] / highest) ** sharpness
    target, summed, found = number * total, 0.0, best
    for row in range(first, last):
        if live[row] > 0.0 and live[row] >= least * highest:
            summed += (live[row] / highest) ** sharpness
            found = np.int64(row)
            if summed > target:
                break
    return found


@inner
def choose_rows(
    rows: Rows,
    row_start: Array,
    live: Array,
    rule: int,
    sharpness: float,
    share: float,
    spacing: float,
    apart: float,
    numbers: Array,
    chosen: Array,
    count: Array,
) -> None:
    """Fill `chosen` (n, k) with rows in order of choice, and `count` (n,) with the number of rows each asker got.

    Rows of asker `i` are `row_start[i] … row_start[i + 1] - 1`. `live` (r,) holds scores, 0: not eligible; it is
    overwritten. Cells of one asker lie at least `spacing` metres apart, and `apart` metres from cells of earlier
    askers. `numbers` (n, k) are random, 0 … 1; scores within the share `share` of the best count as top.
    """
    taken = np.empty(chosen.size, np.int64)
    takes = 0
    for asker in range(len(count)):
        first, last = np.uint64(row_start[asker]), np.uint64(row_start[asker + 1])
        if apart > 0.0:
            for other in range(takes):
                _strike_out(rows, first, last, taken[other], apart, live)
        count[asker] = 0
        for place in range(chosen.shape[1]):
            if rule == BEST:
                row = _highest(first, last, live)
            elif rule == WEIGHTED:
                row = _drawn(first, last, live, sharpness, 0.0, numbers[asker, place])
            else:
                row = _drawn(first, last, live, 0.0, 1.0 - share, numbers[asker, place])
            if row < 0:
                break
            chosen[asker, place] = row
            count[asker] += 1
            taken[takes] = rows.cell[row]
            takes += 1
            _strike_out(rows, first, last, rows.cell[row], spacing, live)


@jit
def pick_rows(
    rows: Rows,
    first_askers: Array,
    disabled: Array,
    score: Array,
    least: float,
    rule: int,
    sharpness: float,
    share: float,
    spacing: float,
    apart: float,
    numbers: Array,
    row_start: Array,
    cells: Array,
    xyz: Array,
    scores: Array,
    reasons: Array,
) -> None:
    """Choose k rows by score for each of n askers; fill their `cells` (n, k), positions, scores and reasons.

    Scores below `least` and those of disabled cells do not count. `first_askers` holds the asker of every initial
    candidate. Also fills `row_start` (n + 1,): see `choose_rows`.
    """
    askers, places = cells.shape
    begun, good = np.zeros(askers, np.int64), np.zeros(askers, np.int64)
    for row in range(len(first_askers)):
        begun[first_askers[row]] += 1
    row_start[:] = 0
    live = np.empty(len(score))
    for row in range(len(score)):
        row_start[rows.asker[row] + 1] += 1
        fine = score[row] >= least and not bit(disabled, np.int64(rows.cell[row]))
        live[row] = score[row] if fine else 0.0
        good[rows.asker[row]] += live[row] > 0.0
    for asker in range(askers):
        row_start[asker + 1] += row_start[asker]
    chosen, found = np.full((askers, places), -1, np.int64), np.zeros(askers, np.int64)
    choose_rows(rows, row_start, live, rule, sharpness, share, spacing, apart, numbers, chosen, found)
    for asker in range(askers):
        for place in range(places):
            row = chosen[asker, place]
            cells[asker, place] = rows.cell[row] if row >= 0 else -1
            scores[asker, place] = score[row] if row >= 0 else np.nan
            for axis in range(3):
                xyz[asker, place, axis] = rows.xyz[rows.cell[row], axis] if row >= 0 else np.nan
        if found[asker]:
            reasons[asker] = _PICKED if found[asker] == places else _FEWER
        elif begun[asker] == 0:
            reasons[asker] = _NO_CANDIDATES
        elif row_start[asker + 1] == row_start[asker]:
            reasons[asker] = _ALL_DROPPED
        else:
            reasons[asker] = _TAKEN if good[asker] else _NO_SCORE
