"""Floods that know where the guard is: cells it would reach first or saw empty are closed, exits stay open.

Beside the flood run two walks, from where the runner was seen and from the guard, only as far as cells are met.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..conventions import Array
from .bits import bit
from .cell_arrays import CellArrays
from .cell_sight import Sight, is_marked, look_from, mark, unmark
from .heat_flood import (
    BARRIER,
    CLOSED,
    FRONT,
    FRONT_COUNT,
    HOT,
    RUNNING,
    SIDE,
    STEPS,
    TOUCHED,
    TOUCHED_COUNT,
    FloodRules,
    FloodWork,
    advance,
    forget,
    left_of,
    seed,
)
from .heat_result import report
from .jit import jit
from .lazy_walk import Walks, walk_end, walk_from, walk_to
from .mesh_arrays import MeshArrays
from .raycast import REACHED, cast_rays

__all__ = [
    "BARS_TURNS",
    "BELIEF_COLUMNS",
    "BELIEVES",
    "CORNER",
    "FACT_COLUMNS",
    "FEW_STEPS",
    "GUARD_CELL",
    "GUARD_X",
    "GUARD_Z",
    "KEEPS_BARRIER",
    "LEAD",
    "LEAST_STEPS",
    "LOOKS",
    "LOOK_AREA",
    "LOOK_DISTANCE",
    "LOOK_REACH",
    "NO_VIEW",
    "OPENS_EXITS",
    "RUN",
    "VIEW",
    "VIEW_CELLS",
    "VIEW_CONE",
    "VIEW_COSINE",
    "VIEW_DISTANCE",
    "VIEW_X",
    "VIEW_Y",
    "Beliefs",
    "Rays",
    "believe_many",
    "extend",
]

# Columns of Beliefs.numbers
BELIEVES, OPENS_EXITS, GUARD_CELL, LEAST_STEPS, LOOKS, VIEW, BARS_TURNS, KEEPS_BARRIER = 0, 1, 2, 3, 4, 5, 6, 7
BELIEF_COLUMNS = 8
VIEW_CONE, VIEW_CELLS = 1, 2

# Columns of Beliefs.facts
LEAD, RUN, GUARD_X, GUARD_Y, GUARD_Z, VIEW_X, VIEW_Y, VIEW_COSINE, VIEW_DISTANCE = 0, 1, 2, 3, 4, 5, 6, 7, 8
CORNER, LOOK_REACH, LOOK_DISTANCE, LOOK_AREA = 9, 10, 11, 12
FACT_COLUMNS = 13

FEW_STEPS, NO_VIEW = 1, 2

_MODE = 7  # place in FloodWork.count: how this flood runs
_PLAIN, _BELIEF, _EXITS, _GUARDED = 0, 1, 2, 3

_CLEARLY = 1.0  # metres by which a guard is clearly nearer to a place than the runner was

_CORNER_AREA = 3.0  # m² of warm floor that must come into sight before a destination moves round a corner


class Beliefs(NamedTuple):
    """What n guards know and how they use it, one row each."""

    numbers: Array  # int32 (n, BELIEF_COLUMNS)
    facts: Array  # float64 (n, FACT_COLUMNS)
    seen_start: Array  # int64 (n + 1,)  cells known to be visible, where VIEW is VIEW_CELLS
    seen_cell: Array  # int32


class Rays(NamedTuple):
    """Room for one question to the mesh."""

    ends: Array  # float64 (2, 1, 3)  start, end
    face: Array  # int32 (1,)
    outcome: Array  # uint8 (1,)
    point: Array  # float64 (1, 3)
    fraction: Array  # float64 (1,)
    normal: Array  # float64 (1, 2)


@jit
def _saw_empty(
    cells: CellArrays, mesh: MeshArrays, sight: Sight, rays: Rays, beliefs: Beliefs, n: int, cell: np.uint64
) -> bool:
    """Did the guard see this cell at the moment of loss? Sight is a walkable straight line on the mesh."""
    if beliefs.numbers[n, VIEW] == VIEW_CELLS:
        return is_marked(sight, 3, cell)
    facts = beliefs.facts[n]
    dx = np.float64(cells.cell_xyz[cell, 0]) - facts[GUARD_X]
    dy = np.float64(cells.cell_xyz[cell, 1]) - facts[GUARD_Y]
    length = np.sqrt(dx * dx + dy * dy)
    if length > facts[VIEW_DISTANCE]:
        return False
    all_round = facts[VIEW_X] == 0.0 and facts[VIEW_Y] == 0.0
    if not all_round and dx * facts[VIEW_X] + dy * facts[VIEW_Y] < facts[VIEW_COSINE] * length:
        return False
    for axis in range(3):
        rays.ends[0, 0, axis] = facts[GUARD_X + axis]
        rays.ends[1, 0, axis] = cells.cell_xyz[cell, axis]
    rays.face[0] = -1
    reach = cells.size_xyz[2]
    cast_rays(
        mesh,
        rays.ends[0],
        rays.ends[1],
        rays.face,
        reach,
        reach,
        False,
        rays.outcome,
        rays.point,
        rays.fraction,
        rays.normal,
        rays.face,
    )
    return rays.outcome[0] == REACHED


@jit
def _is_closed(
    cells: CellArrays,
    mesh: MeshArrays,
    walks: Walks,
    sight: Sight,
    rays: Rays,
    beliefs: Beliefs,
    n: int,
    cell: np.uint64,
    mode: int,
) -> bool:
    """Would the guard be at a cell first, or did it see it empty?"""
    facts = beliefs.facts[n]
    runner = walk_to(cells, walks, 0, cell, np.inf)
    if mode == _EXITS:
        return walk_to(cells, walks, 1, cell, runner) <= runner
    lead = facts[LEAD] if mode == _BELIEF else -_CLEARLY
    if walk_to(cells, walks, 1, cell, runner + lead) < runner + lead:
        return True
    if mode == _GUARDED:
        return False
    return runner > facts[RUN] and _saw_empty(cells, mesh, sight, rays, beliefs, n, cell)


@jit
def _close_ahead(
    cells: CellArrays,
    mesh: MeshArrays,
    work: FloodWork,
    walks: Walks,
    sight: Sight,
    rays: Rays,
    beliefs: Beliefs,
    n: int,
) -> None:
    """Close those cells the next step would heat that must not be. Uses row 2."""
    mode, one = work.count[_MODE], np.uint64(1)
    state = BARRIER if mode == _EXITS else CLOSED
    row = FRONT + work.count[SIDE]
    unmark(sight, 2)
    for k in range(np.uint64(work.count[FRONT_COUNT])):
        cell = np.uint64(work.lists[row, k])
        for link in range(np.uint64(cells.link_start[cell]), np.uint64(cells.link_start[cell + one])):
            other = np.uint64(cells.link_cell[link])
            # A cell that was warm has been found open before.
            if work.state[other] != 0 or is_marked(sight, 2, other):
                continue
            if bit(cells.blocked, link) or bit(cells.disabled, other):
                continue
            mark(sight, 2, other)
            if _is_closed(cells, mesh, walks, sight, rays, beliefs, n, other, mode):
                work.state[other] = state
                work.lists[TOUCHED, work.count[TOUCHED_COUNT]] = other
                work.count[TOUCHED_COUNT] += 1


@jit
def _begin(
    cells: CellArrays,
    work: FloodWork,
    walks: Walks,
    sight: Sight,
    rules: FloodRules,
    beliefs: Beliefs,
    n: int,
    start: int,
    heading: Array,
    mode: int,
) -> None:
    """Seed a flood that runs in `mode`."""
    guard = beliefs.numbers[n, GUARD_CELL]
    walk_from(walks, 0, start)
    if guard >= 0:
        walk_from(walks, 1, guard)
    if mode == _EXITS or (mode == _BELIEF and beliefs.numbers[n, KEEPS_BARRIER] == 0):
        seed(cells, work, rules, n, start, 0.0, 0.0, 0.0)
    else:
        seed(cells, work, rules, n, start, heading[0], heading[1], heading[2])
    if mode == _BELIEF and beliefs.numbers[n, VIEW] == VIEW_CELLS:
        unmark(sight, 3)
        for k in range(beliefs.seen_start[n], beliefs.seen_start[n + 1]):
            mark(sight, 3, np.uint64(beliefs.seen_cell[k]))
    work.count[_MODE] = mode


@jit
def _advance(
    cells: CellArrays,
    mesh: MeshArrays,
    work: FloodWork,
    walks: Walks,
    sight: Sight,
    rays: Rays,
    rules: FloodRules,
    beliefs: Beliefs,
    n: int,
    budget: int,
) -> int:
    """Make up to `budget` steps; return why the flood ended, or RUNNING."""
    if work.count[_MODE] == _PLAIN:
        return advance(cells, work, rules, n, budget)
    for _ in range(budget):
        _close_ahead(cells, mesh, work, walks, sight, rays, beliefs, n)
        ended = advance(cells, work, rules, n, 1)
        if ended != RUNNING:
            return ended
    return RUNNING


@jit
def _near(cells: CellArrays, work: FloodWork, sight: Sight, source: np.uint64, reach: float) -> int:
    """List in `found[1]` the open cells that hang together within `reach` metres of a cell; how many? Uses row 2."""
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
                away += (np.float64(cells.cell_xyz[other, axis]) - np.float64(cells.cell_xyz[source, axis])) ** 2
            if away <= reach * reach:
                mark(sight, 2, other)
                found[count] = other
                count += one
    return np.int64(count)


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
    bars: bool,
) -> int:
    """Which open cell near `here`, not nearer to where the runner was seen, shows most floor not seen from here?

    Floor of closed cells does not count; `only_warm`: only warm cells do. -1: none shows `area` m². Row 1 collects
    what is seen from all places asked about so far.
    """
    for k in range(look_from(cells, sight, here, distance)):
        mark(sight, 1, np.uint64(sight.found[0, k]))
    least = walk_to(cells, walks, 0, here, np.inf)
    unit = cells.size_xyz[0] * cells.size_xyz[1]
    steps = work.count[STEPS]
    best, most = np.int64(-1), 0
    for k in range(1, _near(cells, work, sight, here, reach)):
        cell = np.uint64(sight.found[1, k])
        away = walk_to(cells, walks, 0, cell, np.inf)
        if away < least or (bars and walk_to(cells, walks, 1, cell, away) < away - _CLEARLY):
            continue
        shown = 0
        for j in range(look_from(cells, sight, cell, distance)):
            other = np.uint64(sight.found[0, j])
            state = work.state[other]
            if is_marked(sight, 1, other) or state == CLOSED:
                continue
            if not only_warm or (state > 0 and left_of(hot, steps, state) > 0):
                shown += 1
        if shown > most or (shown == most and best >= 0 and np.int64(cell) < best):
            best, most = np.int64(cell), shown
    return best if most * unit >= area else -1


@jit
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
    """Move a destination on, round a corner and to where more shows; return its cell and how often it moved."""
    hot, facts = np.int64(rules.numbers[n, HOT]), beliefs.facts[n]
    bars = beliefs.numbers[n, BARS_TURNS] == 1 and beliefs.numbers[n, GUARD_CELL] >= 0
    moved = 0
    unmark(sight, 1)
    if facts[CORNER] > 0.0:
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
            bars,
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
            bars,
        )
        if onward < 0:
            break
        here = onward
        moved += 1
    return here, moved


@jit
def _plain(beliefs: Beliefs, n: int) -> int:
    """How does a flood with the article's barrier run?"""
    return _GUARDED if beliefs.numbers[n, BARS_TURNS] == 1 and beliefs.numbers[n, GUARD_CELL] >= 0 else _PLAIN


@jit
def believe_many(
    cells: CellArrays,
    mesh: MeshArrays,
    work: FloodWork,
    walks: Walks,
    sight: Sight,
    rays: Rays,
    rules: FloodRules,
    beliefs: Beliefs,
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
    fell_back: Array,
) -> int:
    """Run floods `first … last - 1` one after another, spending at most `budget` steps; which one is not done yet?

    A flood that was left goes on, as in `flood_many`. `keep`: leave the work arrays of the last flood as they are.
    """
    for n in range(first, last):
        if work.count[TOUCHED_COUNT] == 0:
            mode = _plain(beliefs, n)
            fell_back[n] = 0
            if beliefs.numbers[n, BELIEVES]:
                mode = _BELIEF
                if beliefs.numbers[n, VIEW] == 0:
                    mode, fell_back[n] = _plain(beliefs, n), NO_VIEW
            elif beliefs.numbers[n, OPENS_EXITS]:
                guard = beliefs.numbers[n, GUARD_CELL]
                # With nobody behind (a wall at the runner's back) the half-plane holds.
                mode = _EXITS if guard >= 0 and guard != starts[n] else _plain(beliefs, n)
            _begin(cells, work, walks, sight, rules, beliefs, n, starts[n], headings[n], mode)
        while True:
            before = work.count[STEPS]
            reason[n] = _advance(cells, mesh, work, walks, sight, rays, rules, beliefs, n, budget)
            budget -= work.count[STEPS] - before
            if reason[n] == RUNNING:
                return n
            if work.count[_MODE] != _BELIEF or work.count[STEPS] >= beliefs.numbers[n, LEAST_STEPS]:
                break
            fell_back[n] = FEW_STEPS
            forget(work)
            walk_end(walks, 0)
            walk_end(walks, 1)
            _begin(cells, work, walks, sight, rules, beliefs, n, starts[n], headings[n], _plain(beliefs, n))
        report(cells, work, rules, n, worth, mean, numbers)
        code = numbers[n, 0]
        here, moved = extend(cells, work, walks, sight, rules, beliefs, n, code if code >= 0 else -2 - code)
        numbers[n, 7] = moved
        if moved:
            numbers[n, 0] = -2 - here
        if keep:
            return last
        forget(work)
        walk_end(walks, 0)
        walk_end(walks, 1)
    return last
