"""Floods that know where the guard is: cells it would reach first or saw empty are closed, exits stay open.

Each flood also measures two walking distances, from where the runner was last seen and from the guard, and extends them
only to the cells that the flood reaches.
"""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.belief_arrays import (
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
from ..arrays.bits import bit
from ..arrays.level_arrays import CellArrays, MeshArrays
from ..jit import jit
from ..walk.raycast import REACHED, cast_rays
from .cell_sight import Sight, is_marked, mark, unmark
from .flood_destination import extend
from .heat_flood import (
    BARRIER,
    CLOSED,
    FRONT,
    FRONT_COUNT,
    RUNNING,
    SIDE,
    START,
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
from .lazy_walk import Walks, at_least, walk_end, walk_from, walk_to_all

_MODE = 7  # index in FloodWork.count: how this flood runs
_PLAIN, _BELIEF, _EXITS, _GUARDED = 0, 1, 2, 3


@jit
def _in_view(cells: CellArrays, beliefs: Beliefs, n: int, cell: np.uint64) -> bool:
    """Return whether a cell lies in the guard's view angle and distance at the moment of loss, ignoring walls."""
    dx = np.float64(cells.cell_xyz[cell, 0]) - beliefs.facts[n, GUARD_X]
    dy = np.float64(cells.cell_xyz[cell, 1]) - beliefs.facts[n, GUARD_Y]
    length = np.sqrt(dx * dx + dy * dy)
    view_x, view_y = beliefs.facts[n, VIEW_X], beliefs.facts[n, VIEW_Y]
    all_round = view_x == 0.0 and view_y == 0.0
    ahead = all_round or dx * view_x + dy * view_y >= beliefs.facts[n, VIEW_COSINE] * length
    return ahead and length <= beliefs.facts[n, VIEW_DISTANCE]


@jit
def _close_seen(
    mesh: MeshArrays,
    rays: Rays,
    facts: Array,
    n: int,
    reach: float,
    cell_xyz: Array,
    seen: Array,
    count: int,
    state: Array,
) -> None:
    """Close each of the first `count` cells of `seen[0]` that the guard saw, that is, could walk to straight."""
    room = len(rays.face)
    for first in range(0, count, room):
        many = min(room, count - first)
        for k in range(many):
            for axis in range(3):
                rays.ends[0, k, axis] = facts[n, GUARD_X + axis]
                rays.ends[1, k, axis] = cell_xyz[seen[0, first + k], axis]
            rays.face[k] = -1
        cast_rays(
            mesh,
            rays.ends[0, :many],
            rays.ends[1, :many],
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
        for k in range(many):
            if rays.outcome[k] == REACHED:
                state[seen[0, first + k]] = CLOSED


@jit
def _begin(
    cells: CellArrays,
    work: FloodWork,
    sight: Sight,
    rules: FloodRules,
    beliefs: Beliefs,
    n: int,
    start: int,
    heading: Array,
    mode: int,
) -> None:
    """Seed a flood that runs in `mode`."""
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
    """Make up to `budget` steps; return why the flood ended, or RUNNING.

    Before each step, close the cells about to be heated that the guard would reach first or saw empty; all cells of a
    step are tested together. Walking distances are computed only for cells that bounds on the distance leave undecided:
    first the guard's, then the runner's, for which the flood knows an upper bound. Uses row 2 and all lists of `found`.
    """
    mode, none, one, two = work.count[_MODE], np.uint64(0), np.uint64(1), np.uint64(2)
    if mode == _PLAIN:
        return advance(cells, work, rules, n, budget)
    state, lead, run = CLOSED, -CLEARLY, np.inf
    if mode == _EXITS:
        state, lead = BARRIER, 0.0
    elif mode == _BELIEF:
        lead, run = beliefs.facts[n, LEAD], beliefs.facts[n, RUN]
    start, guard = np.uint64(work.count[START]), np.int64(beliefs.numbers[n, GUARD_CELL])
    by_cells = beliefs.numbers[n, VIEW] == VIEW_CELLS
    walks.reach[start] = 0.0
    for _ in range(budget):
        row, asked = np.uint64(FRONT + work.count[SIDE]), none
        unmark(sight, 2)
        for k in range(np.uint64(work.count[FRONT_COUNT])):
            cell = np.uint64(work.lists[row, k])
            for link in range(np.uint64(cells.link_start[cell]), np.uint64(cells.link_start[cell + one])):
                other = np.uint64(cells.link_cell[link])
                # A cell that was warm has already been found open.
                if work.state[other] != 0 or bit(cells.blocked, link) or bit(cells.disabled, other):
                    continue
                further = walks.reach[cell] + np.float64(cells.link_length[link])
                if not is_marked(sight, 2, other):
                    mark(sight, 2, other)
                    sight.found[one, asked] = other
                    asked += one
                    walks.reach[other] = further
                elif further < walks.reach[other]:
                    walks.reach[other] = further
        looks, many = none, asked
        for walked in range(3):
            in_doubt = none
            if walked > 0 and many > 0:
                walk, most = (1, lead) if walked == 1 else (0, np.inf)
                walk_to_all(cells, walks, walk, sight.found, 2, np.int64(many), walks.reach, most)
            for k in range(many):
                cell = np.uint64(sight.found[one if walked == 0 else two, k])
                # In the first pass `later` is a lower bound for the guard; until the last, `runner` is an upper bound.
                runner, later, is_sure = min(walks.reach[cell], walks.metres[0, cell]), np.inf, walked == 2
                if walked > 0:
                    later = walks.metres[1, cell]
                elif guard >= 0:
                    later = at_least(cells, walks, np.uint64(guard), cell)
                if later > runner + lead and walked < 2:
                    is_sure = runner <= run or at_least(cells, walks, start, cell) > run
                elif walked == 1:
                    is_sure = later < at_least(cells, walks, start, cell) + lead
                if not is_sure:
                    walks.reach[cell] = runner
                    sight.found[two, in_doubt] = cell
                    in_doubt += one
                    continue
                if later < runner + lead or (mode == _EXITS and later == runner):
                    work.state[cell] = state
                elif runner <= run:
                    continue
                elif by_cells:
                    if is_marked(sight, 3, cell):
                        work.state[cell] = state
                elif _in_view(cells, beliefs, n, cell):
                    sight.found[none, looks] = cell
                    looks += one
            many = in_doubt
        if looks > 0:
            height = cells.size_xyz[2]
            _close_seen(mesh, rays, beliefs.facts, n, height, cells.cell_xyz, sight.found, np.int64(looks), work.state)
        touched = np.uint64(work.count[TOUCHED_COUNT])
        for k in range(asked):
            cell = np.uint64(sight.found[one, k])
            if work.state[cell] != 0:
                work.lists[np.uint64(TOUCHED), touched] = cell
                touched += one
        work.count[TOUCHED_COUNT] = touched
        ended = advance(cells, work, rules, n, 1)
        if ended != RUNNING:
            return ended
    return RUNNING


@jit
def _plain(beliefs: Beliefs, n: int) -> int:
    """Return the mode of a flood with the article's barrier."""
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
    """Run floods `first … last - 1` in turn for at most `budget` steps; return the first unfinished one, or `last`.

    An interrupted flood continues, as in `flood_many`. `keep`: leave the work arrays of the last flood as they are.
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
                # With no guard behind (a wall at the runner's back) the half-plane applies.
                mode = _EXITS if guard >= 0 and guard != starts[n] else _plain(beliefs, n)
            walk_from(walks, 0, starts[n])
            if beliefs.numbers[n, GUARD_CELL] >= 0:
                walk_from(walks, 1, beliefs.numbers[n, GUARD_CELL])
            _begin(cells, work, sight, rules, beliefs, n, starts[n], headings[n], mode)
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
            _begin(cells, work, sight, rules, beliefs, n, starts[n], headings[n], _plain(beliefs, n))
        report(cells, work, rules, n, worth, mean, numbers)
        code = numbers[n, 0]
        here, moved = extend(cells, work, walks, sight, rules, beliefs, n, code if code >= 0 else -2 - code)
        numbers[n, 7] = moved
        numbers[n, 8] = here if moved else -1
        walk_end(walks, 0)
        walk_end(walks, 1)
        if keep:
            return last
        forget(work)
    return last
