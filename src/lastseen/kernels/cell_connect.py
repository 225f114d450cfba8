"""Connectivity of cells: which neighbours to try, and the links that hold, in one compact table.

Directions are numbered `3 k + rise + 1` for compass points `k` = E, NE, N, NW, W, SW, S, SE and a rise of -1, 0 or 1
level; 24 is straight down, 25 straight up. Bit `d` of a cell's mask says that it is linked in direction `d`.
Links that rise further come after those, see `add_steep_links`.
"""

from __future__ import annotations

import math

import numpy as np

from ..conventions import Array
from .cell_access import slot_cell
from .cell_arrays import CellArrays
from .jit import jit

__all__ = [
    "DIRECTIONS",
    "add_steep_links",
    "cell_components",
    "count_links",
    "fill_links",
    "find_pairs",
    "mark_links",
    "set_lengths",
]

DIRECTIONS = 26
DOWN, UP = 24, 25

_STEP_X = np.array([1, 1, 0, -1, -1, -1, 0, 1], np.int64)
_STEP_Y = np.array([0, 1, 1, 1, 0, -1, -1, -1], np.int64)


@jit
def _neighbour(cells: CellArrays, cell: int, direction: int) -> int:
    """Which cell lies in the slot next to this one in a direction? -1: none."""
    column = np.int64(cells.cell_grid[cell, 0])
    row = np.int64(cells.cell_grid[cell, 1])
    level = np.int64(cells.cell_grid[cell, 2])
    if direction >= DOWN:
        level += 2 * direction - 49
    else:
        column += _STEP_X[direction // 3]
        row += _STEP_Y[direction // 3]
        level += direction % 3 - 1
    inside = 0 <= column < cells.shape[0] and 0 <= row < cells.shape[1] and 0 <= level < cells.shape[2]
    return slot_cell(cells, column, row, level) if inside else np.int64(-1)


@jit
def _opposite(direction: int) -> int:
    if direction >= DOWN:
        return 49 - direction
    return 3 * ((direction // 3 + 4) % 8) + 2 - direction % 3


@jit
def find_pairs(
    cells: CellArrays,
    cell_face: Array,
    face_component: Array,
    first: int,
    last: int,
    mask: Array,
    pair_cell: Array,
    pair_other: Array,
    pair_direction: Array,
) -> int:
    """List neighbours of cells `first … last - 1` that may be linked, each pair once; return their number.

    Two cells on one face are linked at once: a face is convex. Faces that do not reach one another are left out.
    """
    written = 0
    for cell in range(first, last):
        face = cell_face[cell]
        for forward in range(13):
            direction = forward if forward < 12 else UP
            other = _neighbour(cells, cell, direction)
            if other < 0:
                continue
            if cell_face[other] == face:
                mask[cell] |= np.uint32(1) << np.uint32(direction)
                mask[other] |= np.uint32(1) << np.uint32(_opposite(direction))
            elif face_component[cell_face[other]] == face_component[face]:
                pair_cell[written] = cell
                pair_other[written] = other
                pair_direction[written] = direction
                written += 1
    return written


@jit
def mark_links(pair_cell: Array, pair_other: Array, pair_direction: Array, holds: Array, mask: Array) -> None:
    """Set the bits of the pairs that hold, both ways."""
    for pair in range(len(pair_cell)):
        if holds[pair]:
            direction = np.int64(pair_direction[pair])
            mask[pair_cell[pair]] |= np.uint32(1) << np.uint32(direction)
            mask[pair_other[pair]] |= np.uint32(1) << np.uint32(_opposite(direction))


@jit
def _bits(mask: int) -> int:
    """How many bits are set?"""
    count = 0
    while mask:
        mask &= mask - np.uint32(1)
        count += 1
    return count


@jit
def count_links(mask: Array, steep_cell: Array, link_start: Array) -> None:
    """Fill `link_start` (N + 1,) from the masks and the cells, ascending, that the steep links leave."""
    link_start[0] = 0
    steep = 0
    for cell in range(len(mask)):
        link_start[cell + 1] = link_start[cell] + _bits(mask[cell])
        while steep < len(steep_cell) and steep_cell[steep] == cell:
            link_start[cell + 1] += 1
            steep += 1


@jit
def add_steep_links(
    mask: Array,
    link_start: Array,
    steep_cell: Array,
    steep_other: Array,
    steep_length: Array,
    link_cell: Array,
    link_length: Array,
) -> None:
    """Write links of more than one level's rise, sorted by the cell they leave, behind the others of that cell."""
    before = 0
    for steep in range(len(steep_cell)):
        cell = steep_cell[steep]
        before = before + 1 if steep and steep_cell[steep - 1] == cell else 0
        link = np.int64(link_start[cell]) + _bits(mask[cell]) + before
        link_cell[link] = steep_other[steep]
        link_length[link] = steep_length[steep]


@jit
def fill_links(cells: CellArrays, mask: Array, link_start: Array, link_cell: Array, link_length: Array) -> None:
    """Write the links of every cell, by direction; the length is the straight distance between the positions."""
    for cell in range(len(mask)):
        link = np.int64(link_start[cell])
        for direction in range(DIRECTIONS):
            if mask[cell] >> np.uint32(direction) & np.uint32(1):
                other = _neighbour(cells, cell, direction)
                dx = np.float64(cells.cell_xyz[cell, 0]) - np.float64(cells.cell_xyz[other, 0])
                dy = np.float64(cells.cell_xyz[cell, 1]) - np.float64(cells.cell_xyz[other, 1])
                dz = np.float64(cells.cell_xyz[cell, 2]) - np.float64(cells.cell_xyz[other, 2])
                link_cell[link] = other
                link_length[link] = math.sqrt(dx * dx + dy * dy + dz * dz)
                link += 1


@jit
def set_lengths(
    mask: Array,
    link_start: Array,
    pair_cell: Array,
    pair_other: Array,
    pair_direction: Array,
    length: Array,
    link_length: Array,
) -> None:
    """Give the links of some pairs another length, both ways."""
    for pair in range(len(pair_cell)):
        direction = np.int64(pair_direction[pair])
        for cell, way in ((pair_cell[pair], direction), (pair_other[pair], _opposite(direction))):
            below = mask[cell] & ((np.uint32(1) << np.uint32(way)) - np.uint32(1))
            link_length[np.int64(link_start[cell]) + _bits(below)] = length[pair]


@jit
def _root(parent: Array, cell: int) -> int:
    while parent[cell] != cell:
        parent[cell] = parent[parent[cell]]
        cell = np.int64(parent[cell])
    return cell


@jit
def cell_components(link_start: Array, link_cell: Array, parent: Array) -> None:
    """Put into `parent` (N,) uint32 the lowest cell that each cell reaches by links."""
    count = len(parent)
    for cell in range(count):
        parent[cell] = cell
    for cell in range(count):
        for link in range(np.int64(link_start[cell]), np.int64(link_start[cell + 1])):
            one = _root(parent, cell)
            other = _root(parent, np.int64(link_cell[link]))
            parent[max(one, other)] = min(one, other)
    for cell in range(count):
        parent[cell] = _root(parent, cell)
