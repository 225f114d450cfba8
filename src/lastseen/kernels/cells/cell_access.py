"""Look-up of cells by grid slot and by position."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import CellArrays
from ..jit import inner, jit
from ..mesh.point_location import TOUCH

LEVEL_SLACK = 1.0 / 1024.0
"""Share of a level's height by which floors just below a level's bottom still belong to it.

Floors often lie exactly on a boundary between levels (storeys are as high as levels); without slack the rounding
of a face's plane would scatter one flat floor over two levels."""

RIM = 1e-6
"""Share of a cell by which the mesh may extend beyond the grid: a mesh 3 + 1e-12 cells wide has 3 columns."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@jit
def _hash_slot(column: int, row: int, level: int, mask: np.uint64) -> np.uint64:
    key = np.uint64(column) | (np.uint64(row) << np.uint64(16)) | (np.uint64(level) << np.uint64(32))
    return ((key * _GOLDEN) >> np.uint64(32)) & mask


@jit
def fill_hash(cell_grid: Array, hash_cell: Array, free: int) -> None:
    """Insert every cell by linear probing; `free` marks an empty slot."""
    mask = np.uint64(len(hash_cell) - 1)
    for cell in range(np.uint64(len(cell_grid))):
        slot = _hash_slot(cell_grid[cell, 0], cell_grid[cell, 1], cell_grid[cell, 2], mask)
        while hash_cell[slot] != free:
            slot = (slot + np.uint64(1)) & mask
        hash_cell[slot] = cell


@inner
def slot_cell(cells: CellArrays, column: int, row: int, level: int) -> int:
    """Return the cell, enabled or not, with these grid coordinates (within the grid); -1: none."""
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
def cells_of_points(cells: CellArrays, points_xyz: Array, include_disabled: bool, found: Array) -> None:
    """Fill `found` (n,) int32 with the cell of each point's column whose floor is nearest; -1: none.

    The point's own level counts at any distance, the levels below and above within half a level.
    """
    # One flat loop, as calls that pass arrays count references: a look-up took 120 ns instead of 8.
    dense, hash_cell, cell_grid, cell_xyz = cells.dense, cells.hash_cell, cells.cell_grid, cells.cell_xyz
    disabled = cells.disabled
    origin_x, origin_y, origin_z = cells.origin_xyz[0], cells.origin_xyz[1], cells.origin_xyz[2]
    height = cells.size_xyz[2]
    per_x, per_y, per_z = 1.0 / cells.size_xyz[0], 1.0 / cells.size_xyz[1], 1.0 / height
    columns, rows, levels = np.uint64(cells.shape[0]), np.uint64(cells.shape[1]), np.uint64(cells.shape[2])
    right, back, top = np.float64(columns), np.float64(rows), np.float64(levels)
    # Points slightly beyond the outermost columns belong to them: rays and paths end exactly on the rim of the mesh.
    rim_x, rim_y = RIM + TOUCH * per_x, RIM + TOUCH * per_y
    least_x, most_x, least_y, most_y = -rim_x, right + rim_x, -rim_y, back + rim_y
    count = np.uint64(len(cell_grid))
    is_dense = len(dense) > 0
    is_flat = is_dense and levels == 1
    mask = np.uint64(max(len(hash_cell), 1) - 1)
    for number in range(np.uint64(len(points_xyz))):
        z = points_xyz[number, 2]
        x_slots = (points_xyz[number, 0] - origin_x) * per_x
        y_slots = (points_xyz[number, 1] - origin_y) * per_y
        inside_x = (x_slots >= least_x) & (x_slots <= most_x)
        if not (inside_x & (y_slots >= least_y) & (y_slots <= most_y)):
            found[number] = -1
            continue
        # A cast truncates towards zero, so the low rim is already in the first slot.
        column, row = np.uint64(np.int64(x_slots)), np.uint64(np.int64(y_slots))
        column -= np.uint64(column == columns)
        row -= np.uint64(row == rows)
        z_slots = (z - origin_z) * per_z + LEVEL_SLACK
        if is_flat and (z_slots >= 0.0) & (z_slots < 1.0):
            # Most maps have one level and a dense table: nothing to compare, which saves 2 ns.
            cell = np.uint64(dense[row * columns + column])
            shut = cell >= count
            if not shut and not include_disabled:
                shut = (disabled[cell >> np.uint64(3)] >> (cell & np.uint64(7))) & np.uint64(1) != 0
            found[number] = -1 if shut else np.int32(cell)
            continue
        # Clamped to two slots around the grid: casting a far-off float to an integer is undefined. As an unsigned
        # number a level below the first is larger than any, so one comparison tells inside from outside.
        level = np.floor(min(max(z_slots, -2.0), top + 1.0))
        bottom = origin_z + (level - LEVEL_SLACK) * height
        best = np.int32(-1)
        nearest = np.inf
        for step in range(3):
            # Own level, below, above. Another level can win only if its border is nearer than the floor found.
            layer = np.uint64(np.int64(level))
            if step == 1:
                layer -= np.uint64(1)
                if z - bottom > min(nearest, 0.5 * height):
                    continue
            elif step == 2:
                layer += np.uint64(1)
                if bottom + height - z > min(nearest, 0.5 * height):
                    continue
            if layer >= levels:
                continue
            if is_dense:
                cell = np.uint64(dense[(layer * rows + row) * columns + column])
            else:
                key = column | (row << np.uint64(16)) | (layer << np.uint64(32))
                slot = ((key * _GOLDEN) >> np.uint64(32)) & mask
                cell = np.uint64(hash_cell[slot])
                while cell < count and not (
                    (cell_grid[cell, 0] == column) & (cell_grid[cell, 1] == row) & (cell_grid[cell, 2] == layer)
                ):
                    slot = (slot + np.uint64(1)) & mask
                    cell = np.uint64(hash_cell[slot])
            if cell >= count:
                continue
            if not include_disabled and (disabled[cell >> np.uint64(3)] >> (cell & np.uint64(7))) & np.uint64(1):
                continue
            distance = abs(np.float64(cell_xyz[cell, 2]) - z)
            if distance < nearest and (step == 0 or distance <= 0.5 * height):
                nearest = distance
                best = np.int32(cell)
        found[number] = best
