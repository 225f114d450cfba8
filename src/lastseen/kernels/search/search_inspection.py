"""Cells that a searcher inspects, and the influence this removes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.bits import bit
from ..arrays.level_arrays import CellArrays, MeshArrays
from ..cells.cell_access import LEVEL_SLACK, slot_cell
from ..jit import inner, jit
from ..mesh.point_location import face_under
from ..walk.raycast import REACHED, cast_rays
from .search_wave import (
    FLAG,
    IS_QUEUED,
    IS_REGROWING,
    IS_SPOT,
    REGROWING,
    TICK,
    VALUE,
    Spreading,
    WaveArrays,
    is_diagonal,
    schedule,
)

LINES = 256
"""Number of lines cast at once."""

_RIM = 1e-6
"""Metres by which rows of the grid are widened, so that rounding loses no cell."""


class Lines(NamedTuple):
    """Buffers for `LINES` ray casts on the mesh."""

    cell: Array  # uint32 (LINES,)
    starts: Array  # float64 (LINES, 3)
    ends: Array  # float64 (LINES, 3)
    face: Array  # int32 (LINES,)
    outcome: Array  # uint8 (LINES,)
    point: Array  # float64 (LINES, 3)
    fraction: Array  # float64 (LINES,)
    normal: Array  # float64 (LINES, 2)
    stopped: Array  # int32 (LINES,)


@inner
def wipe(
    cells: CellArrays, wave: WaveArrays, cell: np.uint64, rule: Spreading, comes_back: bool, metres: float
) -> bool:
    """Remove all influence from a cell; return whether there was any."""
    one = np.uint64(1)
    wave.cleaned[cell] = wave.count[TICK]
    if not wave.byte[cell] & VALUE:
        return False
    if rule.bleed:
        # As if no wave had been here; it returns from the nearest neighbour that holds influence.
        wave.byte[cell] = 0
        wave.wave[cell] = 0
        wave.strength[cell] = 0.0
        if not wave.state[cell] & IS_QUEUED:
            nearest = np.inf
            for link in range(np.uint64(cells.link_start[cell]), np.uint64(cells.link_start[cell + one])):
                other = np.uint64(cells.link_cell[link])
                if not rule.diagonals and is_diagonal(cells, cell, other):
                    continue
                holds = wave.byte[other] & VALUE and not bit(cells.blocked, np.int64(link))
                if holds and cells.link_length[link] < nearest:
                    nearest = np.float64(cells.link_length[link])
                    wave.source[cell] = other
                    wave.wave[cell] = wave.wave[other]
                    wave.strength[cell] = wave.byte[other] & VALUE
            if nearest < np.inf:
                schedule(wave, cell, metres + nearest)
            else:
                wave.due[cell] = np.inf
        return True
    wave.byte[cell] = FLAG
    if comes_back and not wave.state[cell] & IS_REGROWING:
        wave.state[cell] |= IS_REGROWING
        wave.regrowing[np.uint64(wave.count[REGROWING])] = cell
        wave.count[REGROWING] += 1
    return True


@jit
def clean_cells(
    cells: CellArrays, wave: WaveArrays, ids: Array, rule: Spreading, comes_back: bool, metres: float, spots: bool
) -> int:
    """Clean these cells, those of search spots only if `spots`; return how many held influence."""
    cleaned = 0
    for each in range(len(ids)):
        cell = np.uint64(ids[each])
        if (spots or not wave.state[cell] & IS_SPOT) and wipe(cells, wave, cell, rule, comes_back, metres):
            cleaned += 1
    return cleaned


@jit
def _draw(mesh: MeshArrays, lines: Lines, count: int, below: float, above: float) -> None:
    cast_rays(
        mesh,
        lines.starts[:count],
        lines.ends[:count],
        lines.face[:count],
        below,
        above,
        False,
        lines.outcome,
        lines.point,
        lines.fraction,
        lines.normal,
        lines.stopped,
    )


@jit
def _span(shape: Array, low: float, high: float) -> tuple[float, float]:
    """Return the range of x that a convex shape (corners, 2) covers within the band `low … high` of y."""
    left, right = np.inf, -np.inf
    corners = len(shape)
    for k in range(corners):
        ax, ay = shape[k, 0], shape[k, 1]
        bx, by = shape[(k + 1) % corners, 0], shape[(k + 1) % corners, 1]
        if low <= ay <= high:
            left, right = min(left, ax), max(right, ax)
        for edge in (low, high):
            if (ay < edge) != (by < edge):
                x = ax + (bx - ax) * (edge - ay) / (by - ay)
                left, right = min(left, x), max(right, x)
    return left, right


@jit
def _is_inside(shape: Array, x: float, y: float) -> bool:
    """Return whether a point lies in a counter-clockwise convex shape or on its rim."""
    corners = len(shape)
    for k in range(corners):
        ax, ay = shape[k, 0], shape[k, 1]
        bx, by = shape[(k + 1) % corners, 0], shape[(k + 1) % corners, 1]
        if (bx - ax) * (y - ay) - (by - ay) * (x - ax) < -1e-9:
            return False
    return True


@jit
def _slot(value: float, origin: float, size: float, slots: int, slack: float) -> int:
    """Return the slot along one axis that holds a coordinate, clamped to the grid."""
    return np.int64(min(max(np.floor((value - origin) / size + slack), 0.0), np.float64(slots) - 1.0))


@jit
def _collect(
    cells: CellArrays,
    wave: WaveArrays,
    lines: Lines,
    shape: Array,
    bottom: float,
    top: float,
    skip: int,
    room: int,
    hold: bool,
) -> tuple[int, int]:
    """List at most `room` cells with influence in a shape, from slot `skip` on; return how many, and the next slot.

    The next slot is -1 when the whole shape has been scanned. Cells without influence need no line, so watching a clean
    area is nearly free; if a wave is to be held, the cells it reaches next count too.
    """
    columns, rows, levels = np.int64(cells.shape[0]), np.int64(cells.shape[1]), np.int64(cells.shape[2])
    low, high = np.inf, -np.inf
    for k in range(len(shape)):
        low, high = min(low, shape[k, 1]), max(high, shape[k, 1])
    first_level = _slot(bottom, cells.origin_xyz[2], cells.size_xyz[2], levels, LEVEL_SLACK)
    last_level = _slot(top, cells.origin_xyz[2], cells.size_xyz[2], levels, LEVEL_SLACK)
    slots, count = 0, 0
    for row in range(
        _slot(low, cells.origin_xyz[1], cells.size_xyz[1], rows, 0.0),
        _slot(high, cells.origin_xyz[1], cells.size_xyz[1], rows, 0.0) + 1,
    ):
        edge = cells.origin_xyz[1] + row * cells.size_xyz[1]
        # The outermost rows and columns extend slightly beyond the grid, as do the positions of their cells.
        left, right = _span(shape, edge - _RIM, edge + cells.size_xyz[1] + _RIM)
        if left > right:
            continue
        for column in range(
            _slot(left - _RIM, cells.origin_xyz[0], cells.size_xyz[0], columns, 0.0),
            _slot(right + _RIM, cells.origin_xyz[0], cells.size_xyz[0], columns, 0.0) + 1,
        ):
            for level in range(first_level, last_level + 1):
                slots += 1
                if slots <= skip:
                    continue
                found = slot_cell(cells, column, row, level)
                if found < 0:
                    continue
                cell = np.uint64(found)
                state = wave.state[cell]
                if state & IS_SPOT or not (wave.byte[cell] & VALUE or (hold and state & IS_QUEUED)):
                    continue
                x, y = np.float64(cells.cell_xyz[cell, 0]), np.float64(cells.cell_xyz[cell, 1])
                z = np.float64(cells.cell_xyz[cell, 2])
                if z < bottom or z > top or bit(cells.disabled, found) or not _is_inside(shape, x, y):
                    continue
                if count == room:
                    return count, slots - 1
                lines.cell[count] = cell
                lines.ends[count, 0], lines.ends[count, 1], lines.ends[count, 2] = x, y, z
                count += 1
    return count, -1


@jit
def clean_shapes(
    mesh: MeshArrays,
    cells: CellArrays,
    wave: WaveArrays,
    lines: Lines,
    feet: Array,
    shapes: Array,
    reach_z: float,
    needs_line: bool,
    tolerance: Array,
    rule: Spreading,
    comes_back: bool,
    metres: float,
    cursor: Array,
    budget: int,
) -> int:
    """Clean, for each searcher in turn, the cells in a convex shape that a straight line along the floor reaches.

    Parameters
    ----------
    feet : (n, 3) float64, positions of the searchers.
    shapes : (n, c, 2) float64, counter-clockwise corners seen from above.
    reach_z : metres below and above the feet within which floors count.
    tolerance : (2,) metres the floor may lie below and above a position, as in `cast_rays`.
    cursor : (2,) int64: first searcher and its first slot. Left where the budget ended, or at 0, 0.
    budget : maximum number of lines cast.

    Returns
    -------
    Number of cells that lost influence.
    """
    first, skip = cursor[0], cursor[1]
    cleaned = 0
    for searcher in range(first, len(feet)):
        x, y, z = feet[searcher, 0], feet[searcher, 1], feet[searcher, 2]
        face = face_under(mesh, x, y, z, tolerance[0], tolerance[1])
        if face < 0:
            skip = 0
            continue
        face = np.int64(mesh.face_parent[face])
        while skip >= 0:
            room = min(len(lines.cell), budget)
            count, following = _collect(
                cells, wave, lines, shapes[searcher], z - reach_z, z + reach_z, skip, room, rule.hold
            )
            for each in range(count):
                lines.starts[each, 0], lines.starts[each, 1], lines.starts[each, 2] = x, y, z
                lines.face[each] = face
                lines.outcome[each] = REACHED
            if needs_line:
                _draw(mesh, lines, count, tolerance[0], tolerance[1])
            for each in range(count):
                if lines.outcome[each] == REACHED:
                    cleaned += wipe(cells, wave, np.uint64(lines.cell[each]), rule, comes_back, metres)
            budget -= count
            if budget == 0 and following >= 0:
                cursor[0], cursor[1] = searcher, following
                return cleaned
            skip = following
        skip = 0
    cursor[0], cursor[1] = 0, 0
    return cleaned
