"""What a look from a cell would show of a search map, and the cells from which most is gained per second of walking."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.bits import bit
from ..arrays.level_arrays import CellArrays
from ..flood.cell_sight import Sight, is_marked, look_from, mark, unmark
from ..jit import jit
from .search_score import insert_best
from .search_wave import IS_SPOT, VALUE, WaveArrays

BEARINGS = 24
"""Number of directions into which what can be seen is sorted."""
_STALE, _TAKEN, _LOOKED = 1, 2, 3
"""Rows of marks: cells in view of the searcher itself, of the destinations of others, and next to weighed cells."""


class GainRules(NamedTuple):
    """How a look is weighed."""

    far: float  # metres that a look reaches
    look: float  # metres of walking that a look at a destination costs
    spot: float  # square metres that a hiding place counts as
    stale: float  # share of what is already in view of the searcher that counts
    taken: float  # share of what others will see that counts
    spread: float  # metres to the nearest other at which the spread term reaches 1
    least: float  # minimum of the spread term
    area: float  # square metres of a cell


@jit
def _mark_view(cells: CellArrays, sight: Sight, row: int, cell: int, view: float) -> None:
    """Mark the cells seen from a cell in a row."""
    for k in range(look_from(cells, sight, np.uint64(cell), view)):
        mark(sight, row, np.uint64(sight.found[0, np.uint64(k)]))


@jit
def _gain(cells: CellArrays, wave: WaveArrays, sight: Sight, source: int, rules: GainRules, weighs: bool) -> float:
    """Return the squared influence that a look from a cell removes, in m²; search spots count only where they are.

    With `weighs`, cells marked as stale or taken count less.
    """
    total, spots = 0.0, 0.0
    for k in range(look_from(cells, sight, np.uint64(source), rules.far)):
        cell = np.uint64(sight.found[0, np.uint64(k)])
        value = wave.byte[cell] & VALUE
        if not value:
            continue
        # Squared, so that much where little has come back does not outweigh some that was never seen.
        worth = (value / 127.0) ** 2
        if wave.state[cell] & IS_SPOT:
            # It has to be opened: looking from elsewhere or having looked shows nothing.
            spots += worth * rules.spot if np.int64(cell) == source else 0.0
        elif weighs and is_marked(sight, _TAKEN, cell):
            total += worth * rules.taken
        elif weighs and is_marked(sight, _STALE, cell):
            total += worth * rules.stale
        else:
            total += worth
    return total * rules.area + spots


@jit
def list_view(cells: CellArrays, sight: Sight, source: int, metres: float) -> int:
    """List in `sight.found[0]` the cells seen from a cell within some metres, itself first; return how many."""
    return look_from(cells, sight, np.uint64(source), metres)


@jit
def gain_at(cells: CellArrays, wave: WaveArrays, sight: Sight, source: int, rules: GainRules) -> float:
    """Return the squared influence that a look from a cell removes, in m²."""
    return _gain(cells, wave, sight, source, rules, False)


@jit
def unseen_bearings(
    cells: CellArrays, wave: WaveArrays, sight: Sight, source: int, place: Array, view: float, weights: Array
) -> float:
    """Add up the influence of the cells in view of a place by direction, in `weights` (BEARINGS,); return the sum.

    Search spots are left out: looking at them shows nothing.
    """
    weights[:] = 0.0
    total = 0.0
    for k in range(look_from(cells, sight, np.uint64(source), view)):
        cell = np.uint64(sight.found[0, np.uint64(k)])
        value = wave.byte[cell] & VALUE
        if not value or wave.state[cell] & IS_SPOT:
            continue
        dx, dy = np.float64(cells.cell_xyz[cell, 0]) - place[0], np.float64(cells.cell_xyz[cell, 1]) - place[1]
        share = math.atan2(dy, dx) / (2.0 * math.pi) * BEARINGS
        weights[np.uint64(np.int64(np.floor(share + 0.5)) % BEARINGS)] += value / 127.0
        total += value / 127.0
    return total


@jit
def score_gains(
    cells: CellArrays,
    wave: WaveArrays,
    sight: Sight,
    source: int,
    reached: Array,
    walked: Array,
    goals: Array,
    others: Array,
    rules: GainRules,
    looks: int,
    chosen: Array,
    scores: Array,
    terms: Array,
    metres: Array,
) -> tuple[int, int]:
    """Find the cells with influence from which a look gains most per metre of walking; return how many hold influence.

    Cells next to one that was weighed are passed over, and where more than `looks` would remain, cells are weighed at
    equal intervals of the list; cells of search spots are always weighed.

    Parameters
    ----------
    source : cell of the searcher, which has just looked around there.
    reached, walked : (n,) cells in order of walking distance, and the distance in metres.
    goals, others : (m,) cells and (m, 3) positions of the destinations of other searchers.
    chosen, scores, terms, metres : as in `score_cells`; the terms are the gain, one per metre, and the spread.

    Returns
    -------
    Number of reachable cells with influence, and how many rows were filled in.
    """
    one = np.uint64(1)
    unmark(sight, _TAKEN)
    unmark(sight, _STALE)
    unmark(sight, _LOOKED)
    if source >= 0:
        _mark_view(cells, sight, _STALE, source, rules.far)
    for other in range(len(goals)):
        if goals[other] >= 0:
            _mark_view(cells, sight, _TAKEN, goals[other], rules.far)
    holding = 0
    for k in range(len(reached)):
        cell = np.uint64(reached[k])
        if wave.byte[cell] & VALUE and not bit(cells.disabled, np.int64(cell)):
            holding += 1
    # About four of five cells are next to one that was weighed.
    every = max(1, holding // (4 * looks))
    room, filled, number = len(chosen), 0, 0
    for k in range(len(reached)):
        cell = np.uint64(reached[k])
        if not wave.byte[cell] & VALUE or bit(cells.disabled, np.int64(cell)):
            continue
        number += 1
        if not wave.state[cell] & IS_SPOT and (number % every or is_marked(sight, _LOOKED, cell)):
            continue
        for link in range(np.uint64(cells.link_start[cell]), np.uint64(cells.link_start[cell + one])):
            mark(sight, _LOOKED, np.uint64(cells.link_cell[link]))
        gain = _gain(cells, wave, sight, np.int64(cell), rules, True)
        per_metre = 1.0 / (walked[k] + rules.look)
        x, y = np.float64(cells.cell_xyz[cell, 0]), np.float64(cells.cell_xyz[cell, 1])
        z = np.float64(cells.cell_xyz[cell, 2])
        closest = np.inf
        for other in range(len(others)):
            dx, dy, dz = x - others[other, 0], y - others[other, 1], z - others[other, 2]
            closest = min(closest, dx * dx + dy * dy + dz * dz)
        closest = math.sqrt(closest)
        apart = 1.0
        if closest < rules.spread:
            apart = rules.least + (1.0 - rules.least) * closest / rules.spread
        row = insert_best(cell, gain * per_metre * apart, filled, chosen, scores, terms, metres)
        if row >= 0:
            terms[row, 0], terms[row, 1], terms[row, 2] = gain, per_metre, apart
            metres[row, 0], metres[row, 1] = walked[k], closest
            filled = min(filled + 1, room)
    return holding, filled
