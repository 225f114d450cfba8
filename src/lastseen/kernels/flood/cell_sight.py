"""Cells seen from a cell."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.bits import bit
from ..arrays.level_arrays import CellArrays
from ..jit import inner

_FURTHEST = 40
_ROW, _COLUMN = np.mgrid[-_FURTHEST : _FURTHEST + 1, -_FURTHEST : _FURTHEST + 1]
_RING = np.maximum(abs(_ROW), abs(_COLUMN)) + 1
_COMPASS = np.array([[5, 6, 7], [4, 0, 0], [3, 2, 1]])
"""Number of the link (E, NE, N … of eight) from a cell to the one at relative row y, column x, each -1 … 1."""
# From ring to ring, the minor axis keeps its coordinate below half the ring and steps above half; at half, both occur.
_LEAST, _MOST = (
    _COMPASS[1 + (2 * abs(_ROW) > past) * np.sign(_ROW), 1 + (2 * abs(_COLUMN) > past) * np.sign(_COLUMN)]
    for past in (_RING, _RING - 3)
)
_ANY = 255
_ONWARD = np.where(_RING > 2, _LEAST + 16 * _MOST, _ANY).astype(np.uint8)
"""The two onward links (often the same) of a cell by its row and column offset from the source; 255 nearby: any."""


class Sight(NamedTuple):
    """Work arrays for N cells. A cell is marked in a row if its stamp is the row's number, so nothing is cleared."""

    stamp: Array  # uint32 (4, N)
    number: Array  # uint32 (4,)
    found: Array  # uint32 (3, N)  cells seen from a cell; cells near it; undecided cells
    missing: Array  # uint16 (N,)  directions without a link, a bit each, filled on the first visit; 0: not yet
    window: Array  # uint32 (64, 64)  cells around a cell, by row and column, if they fit (see `open_window`)
    planes: Array  # uint64 (2, 10, 64)  what is known of them, a bit each, by row and by column
    place: Array  # int64 (3,)  column and row of the window's corner, cells seen ahead
    span: Array  # int64 (2, 24)  by ring around a cell: places surely within the distance, and those that may be


@inner
def unmark(sight: Sight, row: int) -> None:
    """Unmark all cells of a row."""
    if sight.number[row] == np.uint32(0xFFFFFFFF):
        sight.stamp[row, :] = 0
        sight.number[row] = 0
    sight.number[row] += np.uint32(1)


@inner
def mark(sight: Sight, row: int, cell: np.uint64) -> None:
    """Mark a cell in a row."""
    sight.stamp[row, cell] = sight.number[row]


@inner
def is_marked(sight: Sight, row: int, cell: np.uint64) -> bool:
    """Return whether a cell is marked in a row."""
    return sight.stamp[row, cell] == sight.number[row]


@inner
def look_from(cells: CellArrays, sight: Sight, source: int, distance: float) -> int:
    """List in `found[0]` the cells seen from a cell within `distance` metres, itself first; return how many.

    A cell is seen if the previous cell on the straight line is seen and has an open link to it. As sight follows links,
    it stops at walls, however thin, and at disabled cells, and extends up and down stairs. The cost is proportional to
    the cells seen. Uses row 0.
    """
    unmark(sight, 0)
    stamp, number, found = sight.stamp[0], sight.number[0], sight.found[0]
    start, one, eight, middle = np.uint64(source), np.uint64(1), np.uint64(8), np.int64(_FURTHEST)
    column, line = np.int64(cells.cell_grid[start, 0]), np.int64(cells.cell_grid[start, 1])
    start_x, start_y = np.float64(cells.cell_xyz[start, 0]), np.float64(cells.cell_xyz[start, 1])
    square, one_level = distance * distance, cells.shape[2] == 1
    found[0], seen = start, one
    stamp[start] = number
    k = np.uint64(0)
    while k < seen:
        cell = np.uint64(found[k])
        k += one
        px, py = np.int64(cells.cell_grid[cell, 0]) - column, np.int64(cells.cell_grid[cell, 1]) - line
        first = np.uint64(cells.link_start[cell])
        ways, code = np.uint64(cells.link_start[cell + one]) - first, np.uint64(_ANY)
        # On one level the order of a cell's eight links gives their directions, and only one or two lead onward.
        if one_level and ways == eight and abs(px) <= middle and abs(py) <= middle:
            code = np.uint64(_ONWARD[np.uint64(py + middle), np.uint64(px + middle)])
            if code != np.uint64(_ANY):
                ways = one if code >> np.uint64(4) == code & np.uint64(15) else np.uint64(2)
        for way in range(ways):
            if code != np.uint64(_ANY):
                link = first + (code >> (np.uint64(4) * way) & np.uint64(15))
                other = np.uint64(cells.link_cell[link])
                if stamp[other] == number:
                    continue
            else:
                link = first + way
                other = np.uint64(cells.link_cell[link])
                if stamp[other] == number:
                    continue
                ring = max(abs(px), abs(py)) + 1
                x, y = np.int64(cells.cell_grid[other, 0]) - column, np.int64(cells.cell_grid[other, 1]) - line
                if max(abs(x), abs(y)) != ring:
                    continue
                # Skip unless `cell` is the point one ring before `other` on the line from the source, rounded (either
                # way at half).
                if 2 * abs(px * ring - x * (ring - 1)) > ring or 2 * abs(py * ring - y * (ring - 1)) > ring:
                    continue
            if bit(cells.blocked, link) or bit(cells.disabled, other):
                continue
            dx, dy = np.float64(cells.cell_xyz[other, 0]) - start_x, np.float64(cells.cell_xyz[other, 1]) - start_y
            if dx * dx + dy * dy > square:
                continue
            stamp[other] = number
            found[seen] = other
            seen += one
    return np.int64(seen)
