"""Results of a flood: warm cells and their heat, the barrier, and one representative destination."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import CellArrays
from ..cells.cell_access import cells_of_points
from ..jit import inner, jit
from .heat_flood import (
    BARRIER,
    BY_FRONT,
    CLOSED,
    EVENLY,
    HOT,
    RUNNING,
    START,
    STEPS,
    TOTAL,
    TOUCHED,
    TOUCHED_COUNT,
    WEIGH,
    FloodRules,
    FloodWork,
    advance,
    forget,
    left_of,
    seed,
)


@jit
def _is_warm(work: FloodWork, hot: int, cell: int) -> bool:
    state = work.state[np.uint64(cell)]
    return state > 0 and left_of(hot, work.count[STEPS], state) > 0


@inner
def destination(
    cells: CellArrays, work: FloodWork, rules: FloodRules, n: int, worth: Array, mean: Array, counts: Array
) -> int:
    """Fill `mean` (1, 3) with the weighted mean of the warm cells; return the warm cell it lies in or nearest to.

    Returns the cell itself if the mean lies in it, `-2 - cell` if it is only the nearest. `worth` (N,) float multiplies
    the weight of each cell; empty: no effect. If all warm cells have a worth of 0, they are weighted by heat alone.
    `counts` (4,) receives the numbers of warm, barrier and closed cells; its last entry is scratch.
    """
    hot, steps = np.int64(rules.numbers[n, HOT]), work.count[STEPS]
    weigh = rules.numbers[n, WEIGH]
    total, x, y, z = 0.0, 0.0, 0.0, 0.0
    touched = work.lists[TOUCHED]
    for attempt in range(2):
        warm, barrier, closed = 0, 0, 0
        for k in range(np.uint64(work.count[TOUCHED_COUNT])):
            cell = np.uint64(touched[k])
            state = np.int64(work.state[cell])
            if state <= 0:
                barrier += state == BARRIER
                closed += state == CLOSED
                continue
            left = left_of(hot, steps, state)
            if left <= 0:
                continue
            warm += 1
            weight = np.float64(left)
            if weigh == EVENLY:
                weight = 1.0
            elif weigh == BY_FRONT:
                weight /= np.float64(work.per_step[state - 1])
            if len(worth) and attempt == 0:
                weight *= np.float64(worth[cell])
            total += weight
            x += weight * np.float64(cells.cell_xyz[cell, 0])
            y += weight * np.float64(cells.cell_xyz[cell, 1])
            z += weight * np.float64(cells.cell_xyz[cell, 2])
        counts[0], counts[1], counts[2] = warm, barrier, closed
        if total > 0.0:
            break
    if total == 0.0:  # the barrier has claimed all warm cells
        for axis in range(3):
            mean[0, axis] = cells.cell_xyz[work.count[START], axis]
        return -2 - work.count[START]
    x, y, z = x / total, y / total, z / total
    mean[0, 0], mean[0, 1], mean[0, 2] = x, y, z
    cells_of_points(cells, mean, False, counts[3:])
    inside = np.int64(counts[3])
    if inside >= 0 and _is_warm(work, hot, inside):
        return inside
    nearest, least = np.int64(-1), np.inf
    for k in range(np.uint64(work.count[TOUCHED_COUNT])):
        cell = np.uint64(touched[k])
        state = np.int64(work.state[cell])
        if state <= 0 or left_of(hot, steps, state) <= 0:
            continue
        dx = np.float64(cells.cell_xyz[cell, 0]) - x
        dy = np.float64(cells.cell_xyz[cell, 1]) - y
        dz = np.float64(cells.cell_xyz[cell, 2]) - z
        away = dx * dx + dy * dy + dz * dz
        if away < least or (away == least and np.int64(cell) < nearest):
            nearest, least = np.int64(cell), away
    return -2 - nearest


@inner
def report(
    cells: CellArrays,
    work: FloodWork,
    rules: FloodRules,
    n: int,
    worth: Array,
    mean: Array,
    numbers: Array,
) -> None:
    """Fill the results of flood `n`: its row of `mean` (n, 3) and of `numbers` (n, 9) int32.

    The numbers are the cell of the mean (coded as by `destination`), steps, cells heated in total and in the last step,
    warm, barrier and closed cells, how often the destination moved on from the mean, and the cell it moved to. The last
    two are set by the caller; here they are 0 and -1.
    """
    steps = work.count[STEPS]
    numbers[n, 0] = destination(cells, work, rules, n, worth, mean[n : n + 1], numbers[n, 4:8])
    numbers[n, 7] = 0
    numbers[n, 8] = -1
    numbers[n, 1] = steps
    numbers[n, 2] = work.count[TOTAL]
    numbers[n, 3] = work.per_step[steps]


@jit
def flood_many(
    cells: tuple[Array, ...],
    work: tuple[Array, ...],
    rules: tuple[Array, ...],
    first: int,
    last: int,
    budget: int,
    keep: bool,
    starts: Array,
    headings: Array,
    worth: Array,
    reason: Array,
    mean: Array,
    numbers: Array,
) -> int:
    """Run floods `first … last - 1` in turn for at most `budget` steps; return the first unfinished one, or `last`.

    Flood `first` continues where it stopped if `reason[first]` is RUNNING and `work` has touched cells. `keep`: leave
    the work arrays of the first flood that ends as they are, for inspection.

    `cells`, `work` and `rules` are plain tuples: numba takes twice as long to start a call with named ones, and a queue
    makes one call per frame.
    """
    return _flood_many(
        CellArrays(*cells),
        FloodWork(*work),
        FloodRules(*rules),
        first,
        last,
        budget,
        keep,
        starts,
        headings,
        worth,
        reason,
        mean,
        numbers,
    )


@jit
def _flood_many(
    cells: CellArrays,
    work: FloodWork,
    rules: FloodRules,
    first: int,
    last: int,
    budget: int,
    keep: bool,
    starts: Array,
    headings: Array,
    worth: Array,
    reason: Array,
    mean: Array,
    numbers: Array,
) -> int:
    for n in range(first, last):
        if work.count[TOUCHED_COUNT] == 0:
            seed(cells, work, rules, n, starts[n], headings[n, 0], headings[n, 1], headings[n, 2])
        before = work.count[STEPS]
        reason[n] = advance(cells, work, rules, n, budget)
        if reason[n] == RUNNING:
            return n
        budget -= work.count[STEPS] - before
        report(cells, work, rules, n, worth, mean, numbers)
        if keep:
            return last
        forget(work)
    return last
