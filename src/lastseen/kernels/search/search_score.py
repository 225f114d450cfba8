"""Scores of cells as the next place to search."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.bits import bit
from ..arrays.level_arrays import CellArrays
from ..jit import inner, jit
from .search_wave import TOUCHED, VALUE, WaveArrays

TERMS = ("influence", "distance", "spread")
"""Factors of a score, in the order of the columns of the terms."""


class ScoreRules(NamedTuple):
    """Curves of the terms, in metres, and the minimum of a term."""

    too_near: float
    near: float
    far: float
    too_far: float
    spread: float
    least: float


@jit
def _nearness(metres: float, rules: ScoreRules) -> float:
    """Return a factor that rises from `least` at `too_near` to 1 at `near` and falls from `far` to `too_far`."""
    if metres < rules.near:
        share = (metres - rules.too_near) / (rules.near - rules.too_near)
    elif metres > rules.far:
        share = (rules.too_far - metres) / (rules.too_far - rules.far)
    else:
        return 1.0
    return rules.least + (1.0 - rules.least) * min(max(share, 0.0), 1.0)


@inner
def insert_best(
    cell: np.uint64, score: float, filled: int, chosen: Array, scores: Array, terms: Array, metres: Array
) -> int:
    """Make room for a cell among the best ones (see `score_cells`), its terms left to fill in; return its row or -1."""
    room = len(chosen)
    if filled == room and (score < scores[room - 1] or (score == scores[room - 1] and cell > chosen[room - 1])):
        return -1
    at = filled if filled < room else room - 1
    while at > 0 and (score > scores[at - 1] or (score == scores[at - 1] and cell < chosen[at - 1])):
        if at < room:
            chosen[at], scores[at] = chosen[at - 1], scores[at - 1]
            terms[at], metres[at] = terms[at - 1], metres[at - 1]
        at -= 1
    chosen[at], scores[at] = cell, score
    return at


@jit
def score_cells(
    cells: CellArrays,
    wave: WaveArrays,
    place: Array,
    walked: Array,
    others: Array,
    rules: ScoreRules,
    chosen: Array,
    scores: Array,
    terms: Array,
    metres: Array,
) -> tuple[int, int]:
    """Find the best cells that hold influence; return how many were scored and how many were filled in.

    Parameters
    ----------
    place : (3,) position of the searcher.
    walked : (N,) float64 walking distance to each cell in metres, infinite: unreachable; empty: use straight distances.
    others : (m, 3) positions or goals of other searchers.
    chosen, scores, terms, metres : (k,) uint32, (k,) float64, (k, 3) float64, (k, 2) float64: filled best first; the
        lowest id wins a tie. `metres` are the distances to the cell and from there to the nearest other searcher.
    """
    seen, filled = 0, 0
    room = len(chosen)
    for position in range(np.uint64(wave.count[TOUCHED])):
        cell = np.uint64(wave.touched[position])
        value = wave.byte[cell] & VALUE
        if not value or bit(cells.disabled, np.int64(cell)):
            continue
        x, y = np.float64(cells.cell_xyz[cell, 0]), np.float64(cells.cell_xyz[cell, 1])
        z = np.float64(cells.cell_xyz[cell, 2])
        if len(walked):
            away = walked[cell]
            if away == np.inf:
                continue
        else:
            away = math.sqrt((x - place[0]) ** 2 + (y - place[1]) ** 2 + (z - place[2]) ** 2)
        seen += 1
        influence = value / 127.0
        near = _nearness(away, rules)
        worst = scores[filled - 1] if filled == room else -1.0
        if influence * near < worst:
            continue  # the last term can only lower the score
        closest = np.inf
        for other in range(len(others)):
            dx, dy, dz = x - others[other, 0], y - others[other, 1], z - others[other, 2]
            closest = min(closest, dx * dx + dy * dy + dz * dz)
        closest = math.sqrt(closest)
        apart = 1.0
        if closest < rules.spread:
            apart = rules.least + (1.0 - rules.least) * closest / rules.spread
        score = influence * near * apart
        row = insert_best(cell, score, filled, chosen, scores, terms, metres)
        if row >= 0:
            terms[row, 0], terms[row, 1], terms[row, 2] = influence, near, apart
            metres[row, 0], metres[row, 1] = away, closest
            filled = min(filled + 1, room)
    return seen, filled
