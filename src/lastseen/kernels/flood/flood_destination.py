"""Extension of a destination: around a corner, and to where more floor comes into view."""

from __future__ import annotations

import numpy as np

from ..arrays.belief_arrays import (
    BARS_TURNS,
    CLEARLY,
    CORNER,
    GUARD_CELL,
    LOOK_AREA,
    LOOK_DISTANCE,
    LOOK_REACH,
    LOOKS,
    Beliefs,
)
from ..arrays.bits import bit
from ..arrays.level_arrays import CellArrays
from ..jit import inner, jit
from .cell_sight import Sight, is_marked, look_from, mark, unmark
from .heat_flood import CLOSED, HOT, STEPS, FloodRules, FloodWork, left_of
from .lazy_walk import Walks, at_least, walk_to_all
from .look_window import look_in_window, open_window

_CORNER_AREA = 3.0  # m² of warm floor that must come into view before a destination moves around a corner


@jit
def _near(cells: CellArrays, work: FloodWork, sight: Sight, source: np.uint64, reach: float) -> int:
    """List in `found[1]` the open cells connected to a cell within `reach` metres; return how many. Uses row 2."""
    unmark(sight, 2)
    mark(sight, 2, source)
    found, one = sight.found[1], np.uint64(1)
    found[0], count, k = source, np.uint64(1), np.uint64(0)
    while k < count:
        cell = np.uint64(found[k])
        k += one
        for link in range(np.uint64(cells.link_start[cell]), np.uint64(cells.link_start[cell + one])):
            other = np.uint64(cells.link_cell[link])
            if is_marked(sight, 2, other) or work.state[other] < 0:
                continue
            if bit(cells.blocked, link) or bit(cells.disabled, other):
                continue
            away = 0.0
            for axis in range(3):
                off = np.float64(cells.cell_xyz[other, axis]) - np.float64(cells.cell_xyz[source, axis])
                away += off * off
            if away <= reach * reach:
                mark(sight, 2, other)
                found[count] = other
                count += one
    return np.int64(count)


@jit
def _look(cells: CellArrays, sight: Sight, here: np.uint64, distance: float) -> None:
    """Mark in row 1 the cells seen from a cell."""
    for k in range(look_from(cells, sight, here, distance)):
        mark(sight, 1, np.uint64(sight.found[0, k]))


@jit
def _is_warm(work: FloodWork, hot: int, cell: np.uint64) -> bool:
    state = work.state[cell]
    return state > 0 and left_of(hot, work.count[STEPS], state) > 0


@jit
def _stops_short(
    cells: CellArrays,
    work: FloodWork,
    walks: Walks,
    sight: Sight,
    hot: int,
    here: np.uint64,
    reach: float,
    distance: float,
) -> bool:
    """Return whether `here` is just before a corner: most warm floor ahead is hidden, some within `reach` metres.

    Cells ahead are farther than `here` to walk to from where the runner was seen, and within `distance` metres
    straight.
    """
    count = 1
    for k in range(1, _near(cells, work, sight, here, distance)):
        cell = np.uint64(sight.found[1, k])
        if _is_warm(work, hot, cell):
            sight.found[1, count] = cell
            count += 1
    walk_to_all(cells, walks, 0, sight.found, 1, count, walks.reach, np.inf)
    seen, hidden, close = 0, 0, False
    for k in range(1, count):
        cell = np.uint64(sight.found[1, k])
        if walks.metres[0, cell] <= walks.metres[0, here]:
            continue
        if is_marked(sight, 1, cell):
            seen += 1
            continue
        hidden += 1
        if not close:
            away = 0.0
            for axis in range(3):
                off = np.float64(cells.cell_xyz[cell, axis]) - np.float64(cells.cell_xyz[here, axis])
                away += off * off
            close = away <= reach * reach
    return close and hidden > seen


@jit
def _see_more(
    cells: CellArrays,
    work: FloodWork,
    walks: Walks,
    sight: Sight,
    hot: int,
    here: np.uint64,
    reach: float,
    distance: float,
    area: float,
    only_warm: bool,
    guard: int,
) -> int:
    """Return the open cell near `here` that reveals most unseen floor, no nearer to where the runner was seen.

    Closed cells do not count as floor; with `only_warm`, only warm cells do. Returns -1 if none reveals `area` m². Row
    1 marks what is seen from earlier destinations; what is seen from here is added.
    """
    unit = cells.size_xyz[0] * cells.size_xyz[1]
    best, most = np.int64(-1), 0
    count = _near(cells, work, sight, here, reach)
    walk_to_all(cells, walks, 0, sight.found, 1, count, walks.reach, np.inf)
    if guard >= 0:
        near = 0
        for k in range(1, count):
            cell = np.uint64(sight.found[1, k])
            if at_least(cells, walks, np.uint64(guard), cell) < walks.metres[0, cell] - CLEARLY:
                sight.found[2, near] = cell
                near += 1
        if near > 0:
            walk_to_all(cells, walks, 1, sight.found, 2, near, walks.metres[0], -CLEARLY)
    least = max(work.count[STEPS] - hot + 2, 0) if only_warm else -1
    # Only cells at the centres of squares have this number.
    fits = walks.numbers[1] > 0.0 and open_window(cells, work, sight, here, reach, distance, least)
    if fits:
        look_in_window(cells, sight, here, distance, True)
    else:
        _look(cells, sight, here, distance)
    for k in range(1, count):
        cell = np.uint64(sight.found[1, k])
        away = walks.metres[0, cell]
        if away < walks.metres[0, here] or (guard >= 0 and walks.metres[1, cell] < away - CLEARLY):
            continue
        shown = 0
        if fits:
            shown = look_in_window(cells, sight, cell, distance, False)
        for j in range(0 if fits else look_from(cells, sight, cell, distance)):
            other = np.uint64(sight.found[0, j])
            if is_marked(sight, 1, other) or work.state[other] == CLOSED:
                continue
            if not only_warm or _is_warm(work, hot, other):
                shown += 1
        if shown > most or (shown == most and best >= 0 and np.int64(cell) < best):
            best, most = np.int64(cell), shown
    return best if most * unit >= area else -1


@inner
def extend(
    cells: CellArrays,
    work: FloodWork,
    walks: Walks,
    sight: Sight,
    rules: FloodRules,
    beliefs: Beliefs,
    n: int,
    here: int,
) -> tuple[int, int]:
    """Move a destination around a corner and to wider views; return its cell and the number of moves."""
    hot, facts = np.int64(rules.numbers[n, HOT]), beliefs.facts[n]
    guard = np.int64(beliefs.numbers[n, GUARD_CELL]) if beliefs.numbers[n, BARS_TURNS] == 1 else -1
    moved = 0
    unmark(sight, 1)
    if facts[CORNER] > 0.0:
        _look(cells, sight, np.uint64(here), facts[LOOK_DISTANCE])
    if facts[CORNER] > 0.0 and _stops_short(
        cells, work, walks, sight, hot, np.uint64(here), facts[CORNER], facts[LOOK_DISTANCE]
    ):
        onward = _see_more(
            cells,
            work,
            walks,
            sight,
            hot,
            np.uint64(here),
            facts[CORNER],
            facts[LOOK_DISTANCE],
            _CORNER_AREA,
            True,
            guard,
        )
        if onward >= 0:
            here = onward
            moved += 1
    for _ in range(beliefs.numbers[n, LOOKS]):
        onward = _see_more(
            cells,
            work,
            walks,
            sight,
            hot,
            np.uint64(here),
            facts[LOOK_REACH],
            facts[LOOK_DISTANCE],
            facts[LOOK_AREA],
            False,
            guard,
        )
        if onward < 0:
            break
        here = onward
        moved += 1
    return here, moved
