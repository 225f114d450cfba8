"""Position to cell: the access table, and every cell near a place."""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .bits import bit
from .cell_arrays import CellArrays
from .jit import jit

__all__ = [
    "LEVEL_SLACK",
    "cell_of_point",
    "cells_of_points",
    "fill_dense",
    "fill_hash",
    "level_of_height",
    "slot_cell",
]

LEVEL_SLACK = 1.0 / 1024.0
"""Share of a level's height by which floors just below a level's bottom still count to it.

Floors often lie exactly on a boundary between levels (storeys are as high as levels); without slack the rounding
of a face's plane would scatter one flat floor over two levels."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@jit
def level_of_height(origin: float, height: float, z: float) -> float:
    """Which level does a height belong to? As a float, so that far-off heights stay harmless."""
    return np.floor((z - origin) / height + LEVEL_SLACK)


@jit
def _hash_slot(column: int, row: int, level: int, mask: np.uint64) -> np.uint64:
    key = np.uint64(column) | (np.uint64(row) << np.uint64(16)) | (np.uint64(level) << np.uint64(32))
    return ((key * _GOLDEN) >> np.uint64(32)) & mask


@jit
def fill_dense(shape: Array, cell_grid: Array, dense: Array) -> None:
    """Write the id of every cell into its slot; free slots hold the top value already."""
    columns = np.uint64(shape[0])
    rows = np.uint64(shape[1])
    for cell in range(np.uint64(len(cell_grid))):
        slot = (np.uint64(cell_grid[cell, 2]) * rows + np.uint64(cell_grid[cell, 1])) * columns
        dense[slot + np.uint64(cell_grid[cell, 0])] = cell


@jit
def fill_hash(cell_grid: Array, hash_cell: Array, free: int) -> None:
    """Insert every cell by linear probing; `free` marks an empty slot."""
    mask = np.uint64(len(hash_cell) - 1)
    for cell in range(np.uint64(len(cell_grid))):
        slot = _hash_slot(cell_grid[cell, 0], cell_grid[cell, 1], cell_grid[cell, 2], mask)
        while hash_cell[slot] != free:
            slot = (slot + np.uint64(1)) & mask
        hash_cell[slot] = cell


@jit
def slot_cell(cells: CellArrays, column: int, row: int, level: int) -> int:
    """Which cell has these grid coordinates (within the grid)? -1: none. Disabled cells count."""
    count = np.uint64(len(cells.cell_grid))
    if len(cells.dense):
        slot = (np.uint64(level) * np.uint64(cells.shape[1]) + np.uint64(row)) * np.uint64(cells.shape[0])
        cell = np.uint64(cells.dense[slot + np.uint64(column)])
        return np.int64(cell) if cell < count else np.int64(-1)
    mask = np.uint64(len(cells.hash_cell) - 1)
    slot = _hash_slot(column, row, level, mask)
    while True:
        cell = np.uint64(cells.hash_cell[slot])
        if cell >= count:
            return np.int64(-1)
        if cells.cell_grid[cell, 0] == column and cells.cell_grid[cell, 1] == row and cells.cell_grid[cell, 2] == level:
            return np.int64(cell)
        slot = (slot + np.uint64(1)) & mask


@jit
def cell_of_point(cells: CellArrays, x: float, y: float, z: float, include_disabled: bool) -> int:
    """Which cell of the point's column has the nearest floor? -1: none.

    The point's own level counts at any distance, the levels below and above within half a level.
    """
    column = np.floor((x - cells.origin_xyz[0]) / cells.size_xyz[0])
    row = np.floor((y - cells.origin_xyz[1]) / cells.size_xyz[1])
    height = cells.size_xyz[2]
    level = level_of_height(cells.origin_xyz[2], height, z)
    # Compared as floats first: casting a far-off float to an integer is undefined.
    if not (0.0 <= column < cells.shape[0] and 0.0 <= row < cells.shape[1]):
        return np.int64(-1)
    if not (-1.0 <= level <= cells.shape[2]):
        return np.int64(-1)
    best = np.int64(-1)
    best_distance = np.inf
    if 0.0 <= level < cells.shape[2]:
        cell = slot_cell(cells, np.int64(column), np.int64(row), np.int64(level))
        if cell >= 0 and (include_disabled or bit(cells.disabled, cell) == 0):
            best = cell
            best_distance = abs(np.float64(cells.cell_xyz[cell, 2]) - z)
    bottom = cells.origin_xyz[2] + level * height
    reach = min(best_distance, (0.5 + LEVEL_SLACK) * height)
    # A floor of the level below lies under this level's bottom, so it can only win if the bottom is within reach.
    if level >= 1.0 and z - bottom <= reach:
        cell = slot_cell(cells, np.int64(column), np.int64(row), np.int64(level) - 1)
        if cell >= 0 and (include_disabled or bit(cells.disabled, cell) == 0):
            distance = abs(np.float64(cells.cell_xyz[cell, 2]) - z)
            if distance < best_distance and distance <= 0.5 * height:
                best = cell
                best_distance = distance
    top = bottom + (1.0 - LEVEL_SLACK) * height
    if level + 1.0 < cells.shape[2] and top - z <= reach:
        cell = slot_cell(cells, np.int64(column), np.int64(row), np.int64(level) + 1)
        if cell >= 0 and (include_disabled or bit(cells.disabled, cell) == 0):
            distance = abs(np.float64(cells.cell_xyz[cell, 2]) - z)
            if distance < best_distance and distance <= 0.5 * height:
                best = cell
    return best


@jit
def cells_of_points(cells: CellArrays, points_xyz: Array, include_disabled: bool, found: Array) -> None:
    """Answer `cell_of_point` for every row of `points_xyz` (n, 3) into `found` (n,) int32."""
    for number in range(np.uint64(len(points_xyz))):
        found[number] = cell_of_point(
            cells, points_xyz[number, 0], points_xyz[number, 1], points_xyz[number, 2], include_disabled
        )
