"""Floods of heat over cells, kept from flowing back by a barrier.

Work arrays have an entry per cell, but only touched entries are written and reset: the cost of a flood depends on the
cells it touches, never on the size of the map. A cell stores the step in which it was heated, from which its remaining
heat follows, so no cell is visited just to cool it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.bits import bit
from ..arrays.level_arrays import CellArrays
from ..jit import inner, jit

RUNNING, NO_CELLS, TOO_MANY, MAX_STEPS = 0, 1, 2, 3

# Columns of FloodRules.numbers
HOT, MOST_HEATED, MOST_STEPS, MOST_TOTAL, WAY_BEHIND = 0, 1, 2, 3, 4
CLAIMS_WARM, COOLED_IS_UNTOUCHED, UNDOES_EXCESS, WEIGH, BOUNDS, REACH = 5, 6, 7, 8, 9, 10
RULE_COLUMNS = 11

STRICT, INCLUSIVE, CONE = 0, 1, 2
EVENLY, BY_FRONT = 1, 2
CIRCLE, SQUARE, STRIP = 0, 1, 2

# States below zero; zero is untouched, above zero is the step in which a cell was heated, plus one.
BARRIER, CLOSED = -1, -2

# Rows of FloodWork.lists: fronts and edges alternate between two rows, the last step's being the first plus `SIDE`.
TOUCHED, FRONT, _EDGE = 0, 1, 3

# Indices in FloodWork.count
STEPS, TOUCHED_COUNT, FRONT_COUNT, EDGE_COUNT, SIDE, TOTAL, START = 0, 1, 2, 3, 4, 5, 6

_ABEAM = 1e-4
"""Share of the distance within which a cell counts as abeam, as positions are float32."""


class FloodRules(NamedTuple):
    """Rules of floods, one row each, so that thousands can run with individual rules."""

    numbers: Array  # int32 (n, RULE_COLUMNS)
    cone: Array  # float64 (n,)  cosine of half the opening of CONE


class FloodWork(NamedTuple):
    """Work arrays for N cells; `state` and `count[TOUCHED_COUNT]` are zero between floods."""

    state: Array  # int16 (N,)
    lists: Array  # uint32 (5, N)  every touched cell once; front, next front; edge, next edge of the barrier
    count: Array  # int64 (8,)
    heading: Array  # float64 (3,)  unit vector, zero: no barrier
    per_step: Array  # int32 (most steps + 1,)  cells heated in each step, the seed first


@inner
def left_of(hot: int, steps: int, state: int) -> int:
    """Return the heat left after `steps` steps in a cell with this (warm) state."""
    return hot - steps + np.int64(state) - 1


@inner
def cooled(work: FloodWork, rules: FloodRules, n: int) -> np.int16:
    """Return the highest state that counts as untouched; warm states up to it have cooled completely."""
    if rules.numbers[n, COOLED_IS_UNTOUCHED] == 0:
        return np.int16(0)
    return np.int16(max(work.count[STEPS] + 1 - rules.numbers[n, HOT], 0))


@jit
def _grow_barrier(
    cells: CellArrays, work: FloodWork, rules: FloodRules, n: int, source: int, sources: int, target: int
) -> int:
    """Claim the cells behind the `sources` cells of list `source`, list them in `target` and return how many."""
    way, cone, shape = rules.numbers[n, WAY_BEHIND], rules.cone[n], rules.numbers[n, BOUNDS]
    reach = rules.numbers[n, REACH] / 1000.0  # -1: no limit
    free = cooled(work, rules, n)
    if rules.numbers[n, CLAIMS_WARM]:
        free = np.int16(0x7FFF)
    start, one = np.uint64(work.count[START]), np.uint64(1)
    hx, hy, hz = work.heading[0], work.heading[1], work.heading[2]
    # Lists are indexed by row: a view of a row counts references, which costs as much as a short front.
    edge, grown, touched = np.uint64(source), np.uint64(target), np.uint64(TOUCHED)
    touched_count = np.uint64(work.count[TOUCHED_COUNT])
    gained = np.uint64(0)
    for k in range(np.uint64(sources)):
        cell = np.uint64(work.lists[edge, k])
        # A cone opens from the start cell; a half-plane lies behind each barrier cell.
        base = start if way == CONE else cell
        x, y, z = cells.cell_xyz[base, 0], cells.cell_xyz[base, 1], cells.cell_xyz[base, 2]
        for link in range(np.uint64(cells.link_start[cell]), np.uint64(cells.link_start[cell + one])):
            other = np.uint64(cells.link_cell[link])
            state = work.state[other]
            if state < 0 or state > free:
                continue
            dx = np.float64(cells.cell_xyz[other, 0]) - np.float64(x)
            dy = np.float64(cells.cell_xyz[other, 1]) - np.float64(y)
            dz = np.float64(cells.cell_xyz[other, 2]) - np.float64(z)
            if not _is_behind(dx * hx + dy * hy + dz * hz, dx * dx + dy * dy + dz * dz, way, cone):
                continue
            if bit(cells.blocked, link) or bit(cells.disabled, other):
                continue
            if reach >= 0.0:
                ax = np.float64(cells.cell_xyz[other, 0]) - np.float64(cells.cell_xyz[start, 0])
                ay = np.float64(cells.cell_xyz[other, 1]) - np.float64(cells.cell_xyz[start, 1])
                metres = abs(ax * hy - ay * hx)
                if shape != STRIP:
                    metres = np.sqrt(ax * ax + ay * ay) if shape == CIRCLE else max(abs(ax), abs(ay))
                if metres > reach + _ABEAM:
                    continue
            if state == 0:
                work.lists[touched, touched_count] = other
                touched_count += one
            work.state[other] = BARRIER
            work.lists[grown, gained] = other
            gained += one
    work.count[TOUCHED_COUNT] = touched_count
    return np.int64(gained)


@jit
def _is_behind(ahead: float, square: float, way: int, cone: float) -> bool:
    """Return whether a point is behind, given metres `ahead` along the heading and the squared distance `square`."""
    if way == STRICT:  # no square root: this runs for every link of the barrier
        return ahead < 0.0 and ahead * ahead > _ABEAM * _ABEAM * square
    if square == 0.0:
        return False
    if way == INCLUSIVE:
        return ahead <= _ABEAM * np.sqrt(square)
    return ahead <= (_ABEAM - cone) * np.sqrt(square)


@inner
def seed(
    cells: CellArrays, work: FloodWork, rules: FloodRules, n: int, start: int, dx: float, dy: float, dz: float
) -> None:
    """Heat the start cell and seed the barrier on the neighbours behind it; a zero heading seeds no barrier."""
    work.heading[0], work.heading[1], work.heading[2] = dx, dy, dz
    for k in range(len(work.count)):
        work.count[k] = 0
    cell = np.uint64(start)
    work.count[START] = start
    work.state[cell] = 1
    work.lists[TOUCHED, 0] = cell
    work.lists[FRONT, 0] = cell
    work.count[TOUCHED_COUNT] = 1
    work.count[FRONT_COUNT] = 1
    work.count[TOTAL] = 1
    work.per_step[0] = 1
    if dx != 0.0 or dy != 0.0 or dz != 0.0:
        work.lists[_EDGE + 1, 0] = cell
        work.count[EDGE_COUNT] = _grow_barrier(cells, work, rules, n, _EDGE + 1, 1, _EDGE)


@inner
def advance(cells: CellArrays, work: FloodWork, rules: FloodRules, n: int, budget: int) -> int:
    """Run up to `budget` steps; return why the flood ended, or RUNNING."""
    # One function for steps and cells: calls that pass arrays count references, which took an eighth of the time.
    most_heated, most_steps = np.int64(rules.numbers[n, MOST_HEATED]), np.int64(rules.numbers[n, MOST_STEPS])
    touched, one = np.uint64(TOUCHED), np.uint64(1)
    for _ in range(budget):
        if work.count[STEPS] >= most_steps:
            return MAX_STEPS
        # Heat every untouched neighbour of the front.
        fresh, free = np.int16(work.count[STEPS] + 2), cooled(work, rules, n)
        side = work.count[SIDE]
        front, onward = np.uint64(FRONT + side), np.uint64(FRONT + 1 - side)
        touched_count = np.uint64(work.count[TOUCHED_COUNT])
        gained = np.uint64(0)
        for k in range(np.uint64(work.count[FRONT_COUNT])):
            cell = np.uint64(work.lists[front, k])
            if work.state[cell] < 0:  # the barrier has claimed it since
                continue
            for link in range(np.uint64(cells.link_start[cell]), np.uint64(cells.link_start[cell + one])):
                other = np.uint64(cells.link_cell[link])
                state = work.state[other]
                if state < 0 or state > free:
                    continue
                if bit(cells.blocked, link) or bit(cells.disabled, other):
                    continue
                if state == 0:
                    work.lists[touched, touched_count] = other
                    touched_count += one
                work.state[other] = fresh
                work.lists[onward, gained] = other
                gained += one
        work.count[TOUCHED_COUNT] = touched_count
        if gained == 0:
            return NO_CELLS
        total = work.count[TOTAL] + np.int64(gained)
        too_many = np.int64(gained) > most_heated or total > rules.numbers[n, MOST_TOTAL]
        if too_many and rules.numbers[n, UNDOES_EXCESS]:
            for k in range(gained):
                work.state[np.uint64(work.lists[onward, k])] = 0
            return TOO_MANY
        # The step is complete: cells that were not heated have cooled. Now the barrier grows.
        work.count[STEPS] += 1
        work.count[TOTAL] = total
        work.count[FRONT_COUNT] = np.int64(gained)
        work.per_step[work.count[STEPS]] = gained
        if work.count[EDGE_COUNT]:
            edge = _grow_barrier(cells, work, rules, n, _EDGE + side, work.count[EDGE_COUNT], _EDGE + 1 - side)
            work.count[EDGE_COUNT] = edge
        work.count[SIDE] = 1 - side
        if too_many:
            return TOO_MANY
    return MAX_STEPS if work.count[STEPS] >= most_steps else RUNNING


@inner
def forget(work: FloodWork) -> None:
    """Reset every touched cell."""
    for k in range(np.uint64(work.count[TOUCHED_COUNT])):
        work.state[np.uint64(work.lists[TOUCHED, k])] = 0
    work.count[TOUCHED_COUNT] = 0
