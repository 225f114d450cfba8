"""A look at one flood, ended or not: its cells by kind, and where on the floor its destination lies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..conventions import Array
from .cell_arrays import CellArrays
from .heat_flood import BARRIER, HOT, STEPS, TOUCHED, TOUCHED_COUNT, FloodRules, FloodWork, forget, left_of
from .heat_result import destination
from .jit import jit
from .mesh_arrays import MeshArrays
from .standing import places_on_floor

__all__ = ["LookRoom", "look_at_flood"]

_WARM, _COLD, _BARRIER, _CLOSED = 0, 1, 2, 3


class LookRoom(NamedTuple):
    """Room for what a flood on N cells leaves: warm cells first, then cold, barrier and closed ones."""

    cell: Array  # int32 (N,)
    value: Array  # int8 (N,)  what is left of the heat of warm cells
    step: Array  # int16 (N,)  the step in which warm and cold cells were heated last
    count: Array  # int64 (4,)  how many there are of each kind


@jit
def _kind(state: int, hot: int, steps: int) -> int:
    """Return the kind of a touched cell; -1: it was put back."""
    if state > 0:
        return _WARM if left_of(hot, steps, state) > 0 else _COLD
    if state == 0:
        return -1
    return _BARRIER if state == BARRIER else _CLOSED


@jit
def _collect(work: FloodWork, rules: FloodRules, room: LookRoom) -> None:
    """List every cell that was touched by kind, in the order in which they were touched."""
    hot, steps = np.int64(rules.numbers[0, HOT]), work.count[STEPS]
    for kind in range(4):
        room.count[kind] = 0
    for k in range(np.uint64(work.count[TOUCHED_COUNT])):
        kind = _kind(np.int64(work.state[np.uint64(work.lists[TOUCHED, k])]), hot, steps)
        if kind >= 0:
            room.count[kind] += 1
    at = np.zeros(4, np.int64)
    for kind in range(1, 4):
        at[kind] = at[kind - 1] + room.count[kind - 1]
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
def look_at_flood(
    cells: CellArrays,
    mesh: MeshArrays,
    work: FloodWork,
    rules: FloodRules,
    worth: Array,
    is_done: bool,
    mean: Array,
    numbers: Array,
    room: LookRoom,
    found: Array,
    placed: Array,
) -> None:
    """Fill `room`, and the place (1, 3) and cell (1,) of the destination; put work arrays back after the end.

    `mean` and `numbers` are those of `report`; of a flood that still runs they are filled here.
    """
    if not is_done:
        numbers[0, 0] = destination(cells, work, rules, 0, worth, mean, numbers[0, 4:8])
        numbers[0, 7] = 0
        numbers[0, 8] = -1
    _collect(work, rules, room)
    coded, onward = numbers[0, 0], numbers[0, 8]
    found[0] = coded if coded >= 0 else -2 - coded
    inside = np.full(1, coded >= 0 and onward < 0)
    if onward >= 0:
        found[0] = onward
    places_on_floor(cells, mesh, mean, inside, found, placed)
    if is_done:
        forget(work)
