"""Floods that know where the guard is: cells it would reach first or saw empty are closed, exits stay open.

Beside the flood run two walks, from where the runner was seen and from the guard, only as far as cells are met.
"""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .belief_arrays import (
    BARS_TURNS,
    BELIEVES,
    CLEARLY,
    FEW_STEPS,
    GUARD_CELL,
    GUARD_X,
    GUARD_Y,
    KEEPS_BARRIER,
    LEAD,
    LEAST_STEPS,
    NO_VIEW,
    OPENS_EXITS,
    RUN,
    VIEW,
    VIEW_CELLS,
    VIEW_COSINE,
    VIEW_DISTANCE,
    VIEW_X,
    VIEW_Y,
    Beliefs,
    Rays,
)
from .bits import bit
from .cell_arrays import CellArrays
from .cell_sight import Sight, is_marked, mark, unmark
from .heat_flood import (
    BARRIER,
    CLOSED,
    FRONT,
    FRONT_COUNT,
    RUNNING,
    SIDE,
    STEPS,
    TOUCHED,
    TOUCHED_COUNT,
    FloodRules,
    FloodWork,
    advance,
    forget,
    seed,
)
from .heat_result import report
from .jit import jit
from .lazy_walk import Walks, walk_end, walk_from, walk_to
from .look_further import extend
from .mesh_arrays import MeshArrays
from .raycast import REACHED, cast_rays

__all__ = ["believe_many"]

_MODE = 7  # place in FloodWork.count: how this flood runs
_PLAIN, _BELIEF, _EXITS, _GUARDED = 0, 1, 2, 3


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
    lead = facts[LEAD] if mode == _BELIEF else -CLEARLY
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
        numbers[n, 8] = here if moved else -1
        if keep:
            return last
        forget(work)
        walk_end(walks, 0)
        walk_end(walks, 1)
    return last
