"""One flood: run at once, and looked at, ended or not; its cells by kind, its destination on the floor."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..conventions import Array
from .bits import bit
from .cell_arrays import CellArrays
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
from .jit import jit
from .mesh_arrays import MeshArrays
from .standing import places_on_floor, stood_in

__all__ = [
    "SAID_CELL",
    "SAID_COLUMNS",
    "SAID_ENDS",
    "SAID_INSIDE",
    "SAID_REASON",
    "SAID_START",
    "SAID_STEPS",
    "LookRoom",
    "flood_once",
    "look_at_flood",
]

# Places in what is said of a flood: from SAID_ENDS on, where in LookRoom the cells of each kind end
SAID_REASON, SAID_STEPS, SAID_START, SAID_CELL, SAID_INSIDE, SAID_ENDS = 0, 1, 2, 3, 4, 5
SAID_COLUMNS = 9

_WARM, _COLD, _BARRIER, _CLOSED = 0, 1, 2, 3


class LookRoom(NamedTuple):
    """Room for what a flood on N cells leaves: warm cells first, then cold, barrier and closed ones."""

    cell: Array  # int32 (N,)
    value: Array  # int8 (N,)  what is left of the heat of warm cells
    step: Array  # int16 (N,)  the step in which warm and cold cells were heated last


@jit
def _kind(state: int, hot: int, steps: int) -> int:
    """Return the kind of a touched cell; -1: it was put back."""
    if state > 0:
        return _WARM if left_of(hot, steps, state) > 0 else _COLD
    if state == 0:
        return -1
    return _BARRIER if state == BARRIER else _CLOSED


@jit
def _collect(work: FloodWork, rules: FloodRules, room: LookRoom, said: Array) -> None:
    """List every cell that was touched by kind, in the order in which they were touched."""
    hot, steps = np.int64(rules.numbers[0, HOT]), work.count[STEPS]
    at = np.zeros(5, np.int64)
    for k in range(np.uint64(work.count[TOUCHED_COUNT])):
        at[_kind(np.int64(work.state[np.uint64(work.lists[TOUCHED, k])]), hot, steps) + 1] += 1
    at[0] = 0
    for kind in range(4):
        at[kind + 1] += at[kind]
        said[SAID_ENDS + kind] = at[kind + 1]
    for k in range(np.uint64(work.count[TOUCHED_COUNT])):
        cell = np.uint64(work.lists[TOUCHED, k])
        state = np.int64(work.state[cell])
        kind = _kind(state, hot, steps)
        if kind < 0:
            continue
        room.cell[at[kind]] = cell
        room.value[at[kind]] = left_of(hot, steps, state) if kind == _WARM else 0
        room.step[at[kind]] = state - 1
        at[kind] += 1


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
    said: Array,
) -> None:
    """Fill `room`, where the destination lies, and the numbers: all of `said` but its reason."""
    _collect(work, rules, room, said)
    found = np.full(1, coded if coded >= 0 else -2 - coded, np.int32)
    inside = np.full(1, coded >= 0 and onward < 0)
    if onward >= 0:
        found[0] = onward
    places_on_floor(cells, mesh, spots[1:], inside, found, spots[:1])
    said[SAID_CELL], said[SAID_INSIDE] = found[0], coded >= 0
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
    """Say what a flood has left so far; put work arrays back after the end.

    `spots` (2, 3) holds the mean of `report` after the end and gets destination and mean, `said` (SAID_COLUMNS,)
    numbers. Arrays come as plain tuples: see `flood_many`.
    """
    cells, mesh = CellArrays(*cell_arrays), MeshArrays(*mesh_arrays)
    work, rules, room = FloodWork(*work_arrays), FloodRules(*rule_arrays), LookRoom(*room_arrays)
    coded, onward = np.int64(numbers[0, 0]), np.int64(numbers[0, 8])
    if not is_done:
        coded, onward = destination(cells, work, rules, 0, worth, spots[1:], np.zeros(4, np.int32)), np.int64(-1)
    _look(cells, mesh, work, rules, room, coded, onward, spots, said)
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
    radius: Array,
    spots: Array,
    said: Array,
) -> None:
    """Run one plain flood from a place (1, 3) to its end and say what it leaves, as `look_at_flood` does.

    One call in place of six: to begin a call with these arrays takes as long as a flood. The reason said is negative
    where there is no cell to start in within `radius` (1,), or a disabled one.
    """
    cells, mesh = CellArrays(*cell_arrays), MeshArrays(*mesh_arrays)
    work, rules, room = FloodWork(*work_arrays), FloodRules(*rule_arrays), LookRoom(*room_arrays)
    found = np.empty(1, np.int32)
    stood_in(cells, mesh, place, radius, True, found)
    start = np.int64(found[0])
    said[SAID_REASON] = -1
    if start < 0 or bit(cells.disabled, start):
        return
    seed(cells, work, rules, 0, start, heading[0, 0], heading[0, 1], heading[0, 2])
    said[SAID_REASON] = advance(cells, work, rules, 0, np.int64(rules.numbers[0, MOST_STEPS]))
    coded = destination(cells, work, rules, 0, worth, spots[1:], np.zeros(4, np.int32))
    _look(cells, mesh, work, rules, room, coded, np.int64(-1), spots, said)
    forget(work)
