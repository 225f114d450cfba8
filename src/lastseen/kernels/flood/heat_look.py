"""Run and inspection of a single flood, ended or not: its cells by kind, its destination on the floor."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.bits import bit
from ..arrays.level_arrays import CellArrays, MeshArrays
from ..cells.cell_access import cells_of_points
from ..jit import jit
from ..mesh.point_location import contains, face_under
from .heat_flood import (
    BARRIER,
    HOT,
    MOST_STEPS,
    START,
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
from .heat_result import destination

# Indices of the numbers reported for a flood; from SAID_ENDS on, where the cells of each kind end in LookRoom
SAID_REASON, SAID_STEPS, SAID_START, SAID_CELL, SAID_INSIDE, SAID_ENDS = 0, 1, 2, 3, 4, 5
SAID_COLUMNS = 9

_WARM, _COLD, _BARRIER, _CLOSED = 0, 1, 2, 3


class LookRoom(NamedTuple):
    """Buffers for the cells touched by a flood on N cells: warm first, then cold, barrier and closed ones."""

    cell: Array  # int32 (N,)
    value: Array  # int8 (N,)  remaining heat of warm cells
    step: Array  # int16 (N,)  the step in which warm and cold cells were heated last


@jit
def _kind(state: int, hot: int, steps: int) -> int:
    """Return the kind of a touched cell; -1: it was reset."""
    if state > 0:
        return _WARM if left_of(hot, steps, state) > 0 else _COLD
    if state == 0:
        return -1
    return _BARRIER if state == BARRIER else _CLOSED


@jit
def _collect(work: FloodWork, rules: FloodRules, room: LookRoom, said: Array) -> None:
    """List every touched cell by kind, in the order in which cells were touched."""
    hot, steps = np.int64(rules.numbers[0, HOT]), work.count[STEPS]
    at = np.uint64(0)
    for kind in range(4):  # four passes over the list cost less than an array of write positions
        for k in range(np.uint64(work.count[TOUCHED_COUNT])):
            cell = np.uint64(work.lists[TOUCHED, k])
            state = np.int64(work.state[cell])
            if _kind(state, hot, steps) != kind:
                continue
            room.cell[at] = cell
            room.value[at] = left_of(hot, steps, state) if kind == _WARM else 0
            room.step[at] = state - 1
            at += np.uint64(1)
        said[SAID_ENDS + kind] = at


@jit
def _plainly_stood_in(cells: CellArrays, mesh: MeshArrays, place: Array, found: Array) -> int:
    """Return the cell at a place (1, 3) if one face contains the line to it; -1: `stood_in` has to find it."""
    cells_of_points(cells, place, True, found)
    cell, reach = np.int64(found[0]), cells.size_xyz[2]
    if cell < 0:
        return -1
    face = face_under(mesh, place[0, 0], place[0, 1], place[0, 2], reach, reach)
    if face < 0 or not contains(mesh, face, np.float64(cells.cell_xyz[cell, 0]), np.float64(cells.cell_xyz[cell, 1])):
        return -1
    return cell


@jit
def _put_on_floor(cells: CellArrays, mesh: MeshArrays, cell: int, spots: Array, found: Array) -> int:
    """Project the mean in `spots[1]` onto the floor of its cell, into `spots[0]`, as `places_on_floor` does.

    Returns the cell of the place; `-2 - cell` if no single face contains the line from the cell to the place, so that
    `places_on_floor` has to find it.
    """
    x, y, reach = spots[1, 0], spots[1, 1], cells.size_xyz[2]
    own_x, own_y, own_z = spots[0, 0], spots[0, 1], spots[0, 2]
    face = face_under(mesh, x, y, own_z, reach, reach)
    if face < 0:
        return -2 - cell
    spots[0, 0], spots[0, 1] = x, y
    spots[0, 2] = mesh.face_plane[face, 0] * x + mesh.face_plane[face, 1] * y + mesh.face_plane[face, 2]
    cells_of_points(cells, spots, False, found)
    own = face_under(mesh, own_x, own_y, own_z, reach, reach)
    if found[0] >= 0 and own >= 0:
        return np.int64(found[0]) if contains(mesh, own, x, y) else -2 - cell
    spots[0, 0], spots[0, 1], spots[0, 2] = own_x, own_y, own_z
    return cell


@jit
def _look(
    cells: CellArrays,
    mesh: MeshArrays,
    work: FloodWork,
    rules: FloodRules,
    room: LookRoom,
    coded: int,
    onward: int,
    spots: Array,
    found: Array,
    said: Array,
) -> None:
    """Fill `room`, the position of the destination, and all of `said` except its reason."""
    _collect(work, rules, room, said)
    cell = coded if coded >= 0 else -2 - coded
    if onward >= 0:
        cell = onward
    for axis in range(3):
        spots[0, axis] = cells.cell_xyz[cell, axis]
    if coded >= 0 and onward < 0:
        cell = _put_on_floor(cells, mesh, cell, spots, found)
    said[SAID_CELL], said[SAID_INSIDE] = cell, coded >= 0
    said[SAID_STEPS], said[SAID_START] = work.count[STEPS], work.count[START]


@jit
def look_at_flood(
    cell_arrays: tuple[Array, ...],
    mesh_arrays: tuple[Array, ...],
    work_arrays: tuple[Array, ...],
    rule_arrays: tuple[Array, ...],
    room_arrays: tuple[Array, ...],
    worth: Array,
    is_done: bool,
    numbers: Array,
    spots: Array,
    said: Array,
) -> None:
    """Report the current state of a flood; reset the work arrays if it has ended.

    After the end, `spots` (2, 3) holds the mean of `report`; it receives destination and mean, and `said`
    (SAID_COLUMNS,) the numbers. The reported cell is `-2 - cell` if `places_on_floor` has to place the mean, which is
    rare. Arrays are passed as plain tuples: see `flood_many`.
    """
    cells, mesh = CellArrays(*cell_arrays), MeshArrays(*mesh_arrays)
    work, rules, room = FloodWork(*work_arrays), FloodRules(*rule_arrays), LookRoom(*room_arrays)
    coded, onward, found = np.int64(numbers[0, 0]), np.int64(numbers[0, 8]), np.empty(4, np.int32)
    if not is_done:
        coded, onward = destination(cells, work, rules, 0, worth, spots[1:], found), np.int64(-1)
    _look(cells, mesh, work, rules, room, coded, onward, spots, found, said)
    if is_done:
        forget(work)


@jit
def flood_once(
    cell_arrays: tuple[Array, ...],
    mesh_arrays: tuple[Array, ...],
    work_arrays: tuple[Array, ...],
    rule_arrays: tuple[Array, ...],
    room_arrays: tuple[Array, ...],
    worth: Array,
    place: Array,
    heading: Array,
    start: int,
    spots: Array,
    said: Array,
) -> None:
    """Run one plain flood from a place (1, 3) to its end and report the result as `look_at_flood` does.

    One call replaces six, as starting a call with these arrays takes as long as a flood. The flood starts in cell
    `start`, or in the place's own cell if that is negative. The reported reason is negative if `stood_in` has to find
    that cell or the cell is disabled.
    """
    cells, mesh = CellArrays(*cell_arrays), MeshArrays(*mesh_arrays)
    work, rules, room = FloodWork(*work_arrays), FloodRules(*rule_arrays), LookRoom(*room_arrays)
    found = np.empty(4, np.int32)
    if start < 0:
        start = _plainly_stood_in(cells, mesh, place, found)
    said[SAID_REASON] = -1
    if start < 0 or bit(cells.disabled, start):
        return
    seed(cells, work, rules, 0, start, heading[0, 0], heading[0, 1], heading[0, 2])
    said[SAID_REASON] = advance(cells, work, rules, 0, np.int64(rules.numbers[0, MOST_STEPS]))
    coded = destination(cells, work, rules, 0, worth, spots[1:], found)
    _look(cells, mesh, work, rules, room, coded, np.int64(-1), spots, found, said)
    forget(work)
