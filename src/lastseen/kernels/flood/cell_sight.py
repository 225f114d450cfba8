"""Which cells are seen from a cell?"""

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
"""Which of its eight links (E, NE, N …) leads from a cell to the one at row y, column x, each -1 … 1."""
# What is less than half as far along one axis as along the other stays so far there, more goes on, half does both.
_LEAST, _MOST = (
    _COMPASS[1 + (2 * abs(_ROW) > past) * np.sign(_ROW), 1 + (2 * abs(_COLUMN) > past) * np.sign(_COLUMN)]
    for past in (_RING, _RING - 3)
)
_ANY = 255
_ONWARD = np.where(_RING > 2, _LEAST + 16 * _MOST, _ANY).astype(np.uint8)
"""Which two links (often the same) lead on from a cell so many rows and columns from the source; 255: any, near it."""


class Sight(NamedTuple):
    """Work arrays for N cells. A cell is marked in a row where its stamp is the row's number: nothing is cleared."""

    stamp: Array  # uint32 (4, N)
    number: Array  # uint32 (4,)
    found: Array  # uint32 (3, N)  cells seen from a cell; cells near it; cells in doubt


@inner
def unmark(sight: Sight, row: int) -> None:
    """Begin a row anew: no cell is marked."""
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
    """Is a cell marked in a row?"""
    return sight.stamp[row, cell] == sight.number[row]


@inner
def look_from(cells: CellArrays, sight: Sight, source: int, distance: float) -> int:
    """List in `found[0]` the cells seen from a cell within `distance` metres, itself first; how many?

    A cell is seen if the cell before it on the straight line is seen and one can step from that one to it: sight
    follows links, so it ends at walls however thin and at disabled cells, and goes up and down stairs. The cost is
    what is seen. Uses row 0.
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
        # On one level the links of a cell that has all eight are known by their order, and one or two of them lead on.
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
                # Is `cell` the point of the line from the source to `other` one ring before, rounded (both ways at
                # half)?
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
