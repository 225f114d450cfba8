"""Flooding cells with heat, kept from running back by a barrier.

Work arrays are as long as the cells, but only touched entries are written and put back: the cost of a flood follows
the cells it touches and never the size of the map. A cell keeps the step it was heated in; what is left of its heat
follows from that, so nothing is visited only to cool it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..conventions import Array
from .bits import bit
from .cell_arrays import CellArrays
from .jit import jit

__all__ = [
    "BARRIER",
    "BY_FRONT",
    "CLAIMS_WARM",
    "CLOSED",
    "CONE",
    "COOLED_IS_UNTOUCHED",
    "EDGE_COUNT",
    "EVENLY",
    "FRONT_COUNT",
    "HOT",
    "INCLUSIVE",
    "MAX_STEPS",
    "MOST_HEATED",
    "MOST_STEPS",
    "MOST_TOTAL",
    "NO_CELLS",
    "RULE_COLUMNS",
    "RUNNING",
    "SIDE",
    "START",
    "STEPS",
    "STRICT",
    "TOO_MANY",
    "TOTAL",
    "TOUCHED",
    "TOUCHED_COUNT",
    "UNDOES_EXCESS",
    "WAY_BEHIND",
    "WEIGH",
    "FloodRules",
    "FloodWork",
    "advance",
    "forget",
    "heat",
    "left_of",
    "seed",
    "settle",
]

RUNNING, NO_CELLS, TOO_MANY, MAX_STEPS = 0, 1, 2, 3

# Columns of FloodRules.numbers
HOT, MOST_HEATED, MOST_STEPS, MOST_TOTAL, WAY_BEHIND = 0, 1, 2, 3, 4
CLAIMS_WARM, COOLED_IS_UNTOUCHED, UNDOES_EXCESS, WEIGH = 5, 6, 7, 8
RULE_COLUMNS = 9

STRICT, INCLUSIVE, CONE = 0, 1, 2
EVENLY, BY_FRONT = 1, 2

# States below zero; zero is untouched, above zero the step a cell was heated in, plus one.
BARRIER, CLOSED = -1, -2

# Rows of FloodWork.lists: fronts and edges take turns, the row of the last step is the first plus `SIDE`.
TOUCHED, _FRONT, _EDGE = 0, 1, 3

# Places in FloodWork.count
STEPS, TOUCHED_COUNT, FRONT_COUNT, EDGE_COUNT, SIDE, TOTAL, START = 0, 1, 2, 3, 4, 5, 6

_ABEAM = 1e-4
"""Positions are float32: what is abeam to within this share of the distance is abeam."""


class FloodRules(NamedTuple):
    """What floods obey, one row each, so that thousands may run with rules of their own."""

    numbers: Array  # int32 (n, RULE_COLUMNS)
    cone: Array  # float64 (n,)  cosine of half the opening of CONE


class FloodWork(NamedTuple):
    """Work arrays for N cells; `state` rests at zero between floods, and `count[TOUCHED_COUNT]` too."""

    state: Array  # int16 (N,)
    lists: Array  # uint32 (5, N)  every touched cell once; front, next front; edge, next edge of the barrier
    count: Array  # int64 (8,)
    heading: Array  # float64 (3,)  unit vector, zero: no barrier
    per_step: Array  # int32 (most steps + 1,)  cells heated in each step, the seed first


@jit
def left_of(hot: int, steps: int, state: int) -> int:
    """How much heat is left, after `steps` steps, of a cell in this (warm) state?"""
    return hot - steps + np.int64(state) - 1


@jit
def _behind(cells: CellArrays, one: np.uint64, other: np.uint64, heading: Array, way: int, cone: float) -> bool:
    """Does `other` lie behind `one`, against the heading?"""
    dx = np.float64(cells.cell_xyz[other, 0]) - np.float64(cells.cell_xyz[one, 0])
    dy = np.float64(cells.cell_xyz[other, 1]) - np.float64(cells.cell_xyz[one, 1])
    dz = np.float64(cells.cell_xyz[other, 2]) - np.float64(cells.cell_xyz[one, 2])
    ahead = dx * heading[0] + dy * heading[1] + dz * heading[2]
    length = np.sqrt(dx * dx + dy * dy + dz * dz)
    if length == 0.0:
        return False
    if way == STRICT:
        return ahead < -_ABEAM * length
    if way == INCLUSIVE:
        return ahead <= _ABEAM * length
    return ahead <= (_ABEAM - cone) * length


@jit
def _grow_barrier(
    cells: CellArrays, work: FloodWork, rules: FloodRules, n: int, cell: np.uint64, side: int, gained: int
) -> int:
    """Let the barrier claim what lies behind `cell`; return how long the next edge is now."""
    hot, way = np.int64(rules.numbers[n, HOT]), rules.numbers[n, WAY_BEHIND]
    claims_warm, cooled = rules.numbers[n, CLAIMS_WARM], rules.numbers[n, COOLED_IS_UNTOUCHED]
    steps = work.count[STEPS]
    # A cone opens from the start cell; a half-plane lies behind each barrier cell anew.
    one = np.uint64(work.count[START]) if way == CONE else cell
    for link in range(np.uint64(cells.link_start[cell]), np.uint64(cells.link_start[cell + np.uint64(1)])):
        other = np.uint64(cells.link_cell[link])
        state = work.state[other]
        if state < 0:
            continue
        if state > 0 and not claims_warm and not (cooled and left_of(hot, steps, state) <= 0):
            continue
        if bit(cells.blocked, link) or bit(cells.disabled, other):
            continue
        if _behind(cells, one, other, work.heading, way, rules.cone[n]):
            if state == 0:
                work.lists[TOUCHED, work.count[TOUCHED_COUNT]] = other
                work.count[TOUCHED_COUNT] += 1
            work.state[other] = BARRIER
            work.lists[_EDGE + side, gained] = other
            gained += 1
    return gained


@jit
def seed(
    cells: CellArrays, work: FloodWork, rules: FloodRules, n: int, start: int, dx: float, dy: float, dz: float
) -> None:
    """Heat the start cell and put the barrier on its neighbours behind; a zero heading seeds no barrier."""
    work.heading[0], work.heading[1], work.heading[2] = dx, dy, dz
    for k in range(len(work.count)):
        work.count[k] = 0
    cell = np.uint64(start)
    work.count[START] = start
    work.state[cell] = 1
    work.lists[TOUCHED, 0] = cell
    work.lists[_FRONT, 0] = cell
    work.count[TOUCHED_COUNT] = 1
    work.count[FRONT_COUNT] = 1
    work.count[TOTAL] = 1
    work.per_step[0] = 1
    if dx != 0.0 or dy != 0.0 or dz != 0.0:
        work.count[EDGE_COUNT] = _grow_barrier(cells, work, rules, n, cell, 0, 0)


@jit
def heat(cells: CellArrays, work: FloodWork, rules: FloodRules, n: int) -> int:
    """Heat every untouched neighbour of the front, into the next front; return how many."""
    hot, cooled = np.int64(rules.numbers[n, HOT]), rules.numbers[n, COOLED_IS_UNTOUCHED]
    steps = work.count[STEPS]
    fresh = np.int16(steps + 2)
    side = work.count[SIDE]
    front, onward, touched = work.lists[_FRONT + side], work.lists[_FRONT + 1 - side], work.lists[TOUCHED]
    touched_count = np.uint64(work.count[TOUCHED_COUNT])
    gained, one = np.uint64(0), np.uint64(1)
    for k in range(np.uint64(work.count[FRONT_COUNT])):
        cell = np.uint64(front[k])
        if work.state[cell] < 0:  # the barrier has claimed it since
            continue
        for link in range(np.uint64(cells.link_start[cell]), np.uint64(cells.link_start[cell + one])):
            other = np.uint64(cells.link_cell[link])
            state = work.state[other]
            # Cells heated in this very step have not cooled: their rest is positive for any hot value.
            if state != 0 and (state < 0 or not cooled or left_of(hot, steps, state) > 0):
                continue
            if bit(cells.blocked, link) or bit(cells.disabled, other):
                continue
            if state == 0:
                touched[touched_count] = other
                touched_count += one
            work.state[other] = fresh
            onward[gained] = other
            gained += one
    work.count[TOUCHED_COUNT] = touched_count
    return np.int64(gained)


@jit
def settle(cells: CellArrays, work: FloodWork, rules: FloodRules, n: int, gained: int) -> int:
    """Complete a step that heats `gained` cells: the rest cools, the barrier grows; return why it ends, or RUNNING."""
    if gained == 0:
        return NO_CELLS
    side = work.count[SIDE]
    numbers = rules.numbers[n]
    too_many = gained > numbers[MOST_HEATED] or work.count[TOTAL] + gained > numbers[MOST_TOTAL]
    if too_many and numbers[UNDOES_EXCESS]:
        for k in range(np.uint64(gained)):
            work.state[np.uint64(work.lists[_FRONT + 1 - side, k])] = 0
        return TOO_MANY
    work.count[STEPS] += 1
    work.per_step[work.count[STEPS]] = gained
    work.count[TOTAL] += gained
    edge = 0
    for k in range(np.uint64(work.count[EDGE_COUNT])):
        cell = np.uint64(work.lists[_EDGE + side, k])
        edge = _grow_barrier(cells, work, rules, n, cell, 1 - side, edge)
    work.count[EDGE_COUNT] = edge
    work.count[FRONT_COUNT] = gained
    work.count[SIDE] = 1 - side
    if too_many:
        return TOO_MANY
    return MAX_STEPS if work.count[STEPS] >= numbers[MOST_STEPS] else RUNNING


@jit
def advance(cells: CellArrays, work: FloodWork, rules: FloodRules, n: int, budget: int) -> int:
    """Make up to `budget` steps; return why the flood ended, or RUNNING."""
    for _ in range(budget):
        if work.count[STEPS] >= rules.numbers[n, MOST_STEPS]:
            return MAX_STEPS
        ended = settle(cells, work, rules, n, heat(cells, work, rules, n))
        if ended != RUNNING:
            return ended
    return RUNNING


@jit
def forget(work: FloodWork) -> None:
    """Put back the resting state of every touched cell."""
    for k in range(np.uint64(work.count[TOUCHED_COUNT])):
        work.state[np.uint64(work.lists[TOUCHED, k])] = 0
    work.count[TOUCHED_COUNT] = 0
