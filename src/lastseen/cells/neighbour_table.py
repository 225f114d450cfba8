"""Neighbouring cells by direction, and the links between them.

Directions are numbered `3 k + rise + 1` for compass points `k` = E, NE, N, NW, W, SW, S, SE and a rise of -1, 0 or 1
level; 24 is straight down, 25 straight up. Bit `d` of a cell's mask says that it is linked in direction `d`.
"""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from ..kernels.arrays.level_arrays import CellArrays

_DOWN, _UP = 24, 25
OPPOSITE = np.array([3 * ((d // 3 + 4) % 8) + 2 - d % 3 for d in range(_DOWN)] + [_UP, _DOWN], np.uint8)
"""Direction back from each direction."""

_COMPASS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
_STEPS = [(x, y, rise) for x, y in _COMPASS for rise in (-1, 0, 1)] + [(0, 0, -1), (0, 0, 1)]
_FORWARD = (*range(12), _UP)
"""Half of all directions, so that each pair of neighbours comes up once."""


class Neighbours:
    """Looks up the neighbours of many cells at once."""

    def __init__(self, cells: CellArrays):
        self._cells = cells
        self._columns, self._rows, self._levels = cells.shape.tolist()
        column, row, level = cells.cell_grid.astype(np.int64).T
        # One empty slot after each row keeps steps east and west from wrapping around.
        self._row, self._level = self._columns + 1, (self._columns + 1) * (self._rows + 1)
        self._slot = level * self._level + row * self._row + column
        self._table = self._order = self._sorted = np.empty(0, np.int64)
        if len(cells.dense):
            # As many empty slots around the grid as the longest step is wide.
            self._rim = self._level + self._row + 1
            self._table = np.full(self._levels * self._level + 2 * self._rim, -1, np.int32)
            self._table[self._slot + self._rim] = np.arange(len(self._slot), dtype=np.int32)
        else:
            self._order = np.argsort(self._slot)
            self._sorted = self._slot[self._order]

    def _of(self, slot: Array, direction: int) -> Array:
        """Return the cell next to each slot in a direction, -1 for none."""
        x, y, rise = _STEPS[direction]
        step = rise * self._level + y * self._row + x
        if len(self._table):
            return self._table[slot + (step + self._rim)]
        place = np.minimum(np.searchsorted(self._sorted, slot + step), len(self._order) - 1)
        return np.where(self._sorted[place] == slot + step, self._order[place], -1)

    def _exists(self, direction: int) -> bool:
        return self._levels > 1 or _STEPS[direction][2] == 0

    def pairs(
        self, cell_face: Array, face_component: Array, first: int, last: int, mask: Array
    ) -> tuple[Array, Array, Array]:
        """Return the neighbours of cells `first … last - 1` that may be linked: cell, other (both uint32), direction.

        Each pair comes once, ordered by cell and direction. Two cells on one face are linked at once in `mask`: a face
        is convex. Pairs on faces that do not reach one another are left out.
        """
        slot, face = self._slot[first:last], cell_face[first:last]
        component = face_component[face]
        directions = [direction for direction in _FORWARD if self._exists(direction)]
        others = np.empty((last - first, len(directions)), np.int32)
        for number, direction in enumerate(directions):
            other = self._of(slot, direction)
            there = cell_face[other]
            same = (other >= 0) & (there == face)
            mask[first:last][same] |= np.uint32(1 << direction)
            mask[other[same]] |= np.uint32(1 << int(OPPOSITE[direction]))
            others[:, number] = np.where(same | (face_component[there] != component), -1, other)
        cell, place = np.nonzero(others >= 0)
        direction_of = np.array(directions, np.uint8)[place]
        return (cell + first).astype(np.uint32), others[cell, place].astype(np.uint32), direction_of

    def are_joined_by_one(self, mask: Array, cell: Array, direction: Array) -> Array:
        """Return whether each cell is linked with its diagonal neighbour through one that lies next to both."""
        joined = np.zeros(len(cell), np.bool_)
        for compass in (1, 3, 5, 7):
            pair = np.flatnonzero(direction == 3 * compass + 1)
            for there, onward in ((compass - 1, compass + 1), (compass + 1, compass - 1)):
                one, other = 3 * (there % 8) + 1, 3 * (onward % 8) + 1
                between = mask[self._of(self._slot[cell[pair]], one)]
                joined[pair] |= (mask[cell[pair]] >> np.uint32(one) & between >> np.uint32(other) & np.uint32(1)) > 0
        return joined

    def fill_links(self, mask: Array, link_start: Array, link_cell: Array, link_length: Array) -> None:
        """Write the links of every cell, by direction; the length is the straight distance between the positions."""
        axes = [axis for axis in self._cells.cell_xyz.T.astype(np.float64) if np.ptp(axis) > 0.0]
        start = link_start[:-1].astype(np.intp)
        for direction in _FORWARD:
            cell = np.flatnonzero(mask & np.uint32(1 << direction)) if self._exists(direction) else ()
            if not len(cell):
                continue
            other = self._of(self._slot[cell], direction).astype(np.intp)
            square = np.zeros(len(cell))
            for axis in axes:
                way = axis[cell] - axis[other]
                square += way * way
            length = np.sqrt(square)
            for one, leads_to, bit in ((cell, other, direction), (other, cell, int(OPPOSITE[direction]))):
                link = (start + np.bitwise_count(mask & np.uint32((1 << bit) - 1)))[one]
                link_cell[link], link_length[link] = leads_to, length
