"""Effect of a cut on cells: those near it and those it covers."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.bits import clear_bit, set_bit
from ..arrays.level_arrays import CellArrays, MeshArrays
from ..jit import jit
from ..mesh.point_location import child_under
from .cell_access import slot_cell


@jit
def cells_in_slots(cells: CellArrays, first: Array, last: Array, found: Array) -> int:
    """List the cells in slots `first … last` (column, row, level; int64 (3,), within the grid); return how many."""
    count = 0
    slots = (last[0] - first[0] + 1) * (last[1] - first[1] + 1) * (last[2] - first[2] + 1)
    if slots > len(cells.cell_grid):
        for each in range(len(cells.cell_grid)):
            inside = True
            for axis in range(3):
                inside &= first[axis] <= cells.cell_grid[each, axis] <= last[axis]
            if inside:
                found[count] = each
                count += 1
        return count
    for level in range(first[2], last[2] + 1):
        for row in range(first[1], last[1] + 1):
            for column in range(first[0], last[0] + 1):
                cell = slot_cell(cells, column, row, level)
                if cell >= 0:
                    found[count] = cell
                    count += 1
    return count


@jit
def mark_covered(mesh: MeshArrays, cells: CellArrays, cell_face: Array, ids: Array, disabled: Array) -> None:
    """Set the bit of each of these cells whose position is no longer on the mesh; clear it for the others."""
    for each in range(len(ids)):
        cell = ids[each]
        face = np.int64(cell_face[cell])
        x = np.float64(cells.cell_xyz[cell, 0])
        y = np.float64(cells.cell_xyz[cell, 1])
        if mesh.face_cut[face] and child_under(mesh, face, x, y) < 0:
            set_bit(disabled, np.int64(cell))
        else:
            clear_bit(disabled, np.int64(cell))


@jit
def write_bits(field: Array, indices: Array, values: Array) -> None:
    """Set or clear the bits at `indices` according to `values`."""
    for each in range(len(indices)):
        if values[each]:
            set_bit(field, indices[each])
        else:
            clear_bit(field, indices[each])
