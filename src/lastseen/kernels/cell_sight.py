"""Which cells are seen from a cell?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..conventions import Array
from .bits import bit
from .cell_arrays import CellArrays
from .jit import jit

__all__ = ["Sight", "is_marked", "look_from", "mark", "unmark"]


class Sight(NamedTuple):
    """Work arrays for N cells. A cell is marked in a row where its stamp is the row's number: nothing is cleared."""

    stamp: Array  # uint32 (4, N)
    number: Array  # uint32 (4,)
    found: Array  # uint32 (2, N)  cells seen from a cell; cells near it


@jit
def unmark(sight: Sight, row: int) -> None:
    """Begin a row anew: no cell is marked."""
    if sight.number[row] == np.uint32(0xFFFFFFFF):
        sight.stamp[row, :] = 0
        sight.number[row] = 0
    sight.number[row] += np.uint32(1)


@jit
def mark(sight: Sight, row: int, cell: np.uint64) -> None:
    """Mark a cell in a row."""
    sight.stamp[row, cell] = sight.number[row]


@jit
def is_marked(sight: Sight, row: int, cell: np.uint64) -> bool:
    """Is a cell marked in a row?"""
    return sight.stamp[row, cell] == sight.number[row]


@jit
def look_from(cells: CellArrays, sight: Sight, source: int, distance: float) -> int:
    """List in `found[0]` the cells seen from a cell within `distance` metres, itself first; how many?

    A cell is seen if the cell before it on the straight line is seen and one can step from that one to it: sight
    follows links, so it ends at walls however thin and at disabled cells, and goes up and down stairs. The cost is
    what is seen. Uses row 0.
    """
    unmark(sight, 0)
    stamp, number, found = sight.stamp[0], sight.number[0], sight.found[0]
    start, one = np.uint64(source), np.uint64(1)
    column, line = np.int64(cells.cell_grid[start, 0]), np.int64(cells.cell_grid[start, 1])
    square = distance * distance
    found[0], seen = start, np.uint64(1)
    stamp[start] = number
    k = np.uint64(0)
    while k < seen:
        cell = np.uint64(found[k])
        k += one
        px, py = np.int64(cells.cell_grid[cell, 0]) - column, np.int64(cells.cell_grid[cell, 1]) - line
        ring = max(abs(px), abs(py)) + 1
        for link in range(np.uint64(cells.link_start[cell]), np.uint64(cells.link_start[cell + one])):
            other = np.uint64(cells.link_cell[link])
            if stamp[other] == number:
                continue
            x, y = np.int64(cells.cell_grid[other, 0]) - column, np.int64(cells.cell_grid[other, 1]) - line
            if max(abs(x), abs(y)) != ring:
                continue
            # Is `cell` the point of the line from the source to `other` one ring before, rounded (both ways at half)?
            if 2 * abs(px * ring - x * (ring - 1)) > ring or 2 * abs(py * ring - y * (ring - 1)) > ring:
                continue
            if bit(cells.blocked, link) or bit(cells.disabled, other):
                continue
            dx = np.float64(cells.cell_xyz[other, 0]) - np.float64(cells.cell_xyz[start, 0])
            dy = np.float64(cells.cell_xyz[other, 1]) - np.float64(cells.cell_xyz[start, 1])
            if dx * dx + dy * dy > square:
                continue
            stamp[other] = number
            found[seen] = other
            seen += one
    return np.int64(seen)
