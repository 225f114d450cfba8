"""Which cells are seen from a cell, and from where nearby does most that was hidden show?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..conventions import Array
from .bits import bit
from .cell_arrays import CellArrays
from .jit import jit

__all__ = ["Sight", "look_from", "look_ends"]


class Sight(NamedTuple):
    """Work arrays for N cells. A cell is marked in a row where its stamp is the row's current number."""

    stamp: Array  # uint32 (3, N)
    number: Array  # uint32 (3,)
    found: Array  # uint32 (2, N)  visible cells; cells of a small circle


@jit
def look_from(cells: CellArrays, sight: Sight, row: int, source: int, distance: float) -> int:
    """Mark in `row` the cells seen from a cell within `distance` metres, beside those marked already; how many new?

    A cell is seen if the cell before it on the straight line is seen and one can step from that to it: sight follows
    links, so it stops at walls however thin, at disabled cells, and goes up and down stairs. `found[0]` lists all
    that are seen from here. Nothing is looked at twice, and nothing that is hidden.
    """
    stamp, number, found = sight.stamp[row], sight.number[row], sight.found[0]
    own, mine = sight.stamp[2], sight.number[2] + np.uint32(1)
    sight.number[2] = mine
    start, one = np.uint64(source), np.uint64(1)
    column, line = np.int64(cells.cell_grid[start, 0]), np.int64(cells.cell_grid[start, 1])
    square = distance * distance
    found[0], seen = start, np.uint64(1)
    own[start] = mine
    fresh = 0
    if stamp[start] != number:
        stamp[start] = number
        fresh = 1
    k = np.uint64(0)
    while k < seen:
        cell = np.uint64(found[k])
        k += one
        px, py = np.int64(cells.cell_grid[cell, 0]) - column, np.int64(cells.cell_grid[cell, 1]) - line
        ring = max(abs(px), abs(py)) + 1
        for link in range(np.uint64(cells.link_start[cell]), np.uint64(cells.link_start[cell + one])):
            other = np.uint64(cells.link_cell[link])
            if own[other] == mine:
                continue
            x, y = np.int64(cells.cell_grid[other, 0]) - column, np.int64(cells.cell_grid[other, 1]) - line
            if max(abs(x), abs(y)) != ring:
                continue
            # Is `cell` the point of the line from the source to `other` one ring before, rounded (either way at half)?
            if 2 * abs(px * ring - x * (ring - 1)) > ring or 2 * abs(py * ring - y * (ring - 1)) > ring:
                continue
            if bit(cells.blocked, link) or bit(cells.disabled, other):
                continue
            dx = np.float64(cells.cell_xyz[other, 0]) - np.float64(cells.cell_xyz[start, 0])
            dy = np.float64(cells.cell_xyz[other, 1]) - np.float64(cells.cell_xyz[start, 1])
            if dx * dx + dy * dy > square:
                continue
            own[other] = mine
            found[seen] = other
            seen += one
            if stamp[other] != number:
                stamp[other] = number
                fresh += 1
    return np.int64(seen)
