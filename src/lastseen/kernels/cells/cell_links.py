"""Pairs of neighbouring cells on slopes steeper than one level per cell."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import CellArrays, MeshArrays
from ..jit import jit
from .cell_access import slot_cell
from .cell_walk import MOST_FACES, column_box, faces_in_box

# East, north-east, north, north-west, and the column itself: half of all directions, so that each pair occurs once.
_STEP_X = np.array([1, 1, 0, -1, 0], np.int64)
_STEP_Y = np.array([0, 1, 1, 1, 0], np.int64)


@jit
def _levels(cells: CellArrays, low: float, high: float) -> tuple[int, int]:
    """Return the first and last level of floors at heights `low … high`, widened by one level for rounding."""
    bottom = cells.origin_xyz[2]
    size = cells.size_xyz[2]
    first = np.int64(max(np.floor((low - bottom) / size) - 1.0, 0.0))
    last = np.int64(min(np.floor((high - bottom) / size) + 1.0, np.float64(cells.shape[2]) - 1.0))
    return first, last


@jit
def _other(cells: CellArrays, cell: int, way: int, level: int) -> int:
    """Return the cell on a level of a neighbouring column; -1: none, or less than two levels away."""
    column = np.int64(cells.cell_grid[cell, 0]) + _STEP_X[way]
    row = np.int64(cells.cell_grid[cell, 1]) + _STEP_Y[way]
    rise = level - np.int64(cells.cell_grid[cell, 2])
    inside = 0 <= column < cells.shape[0] and 0 <= row < cells.shape[1]
    if not inside or -1 <= rise <= 1 or (way == 4 and rise < 0):
        return np.int64(-1)
    return slot_cell(cells, column, row, level)


@jit
def count_steep_pairs(
    cells: CellArrays, cell_face: Array, face_component: Array, component_z: Array, first: int, last: int
) -> int:
    """Return the number of pairs of cells in adjacent columns, two or more levels apart, on connected floors.

    Only cells `first … last - 1` are considered. `component_z` (components, 2) holds the lowest and highest floor of
    each component of the mesh.
    """
    count = 0
    for cell in range(first, last):
        component = face_component[cell_face[cell]]
        level = np.int64(cells.cell_grid[cell, 2])
        lowest, highest = _levels(cells, component_z[component, 0], component_z[component, 1])
        if lowest + 1 >= level and highest - 1 <= level:
            continue
        for way in range(5):
            for near in range(lowest, highest + 1):
                other = _other(cells, cell, way, near)
                count += other >= 0 and face_component[cell_face[other]] == component
    return count


@jit
def find_steep_pairs(
    mesh: MeshArrays,
    cells: CellArrays,
    cell_face: Array,
    face_component: Array,
    component_z: Array,
    first: int,
    last: int,
    pair_cell: Array,
    pair_other: Array,
    pair_way: Array,
) -> int:
    """List the pairs of `count_steep_pairs` whose faces are connected within the two columns; return how many.

    `pair_way` receives the direction 0 … 3, or 4 for the same column. One flood over faces serves all levels of a
    column, so distinguishing stacked floors from a stair is cheap.
    """
    faces = np.empty(MOST_FACES, np.int64)
    box = np.empty(4)
    written = 0
    for cell in range(first, last):
        component = face_component[cell_face[cell]]
        level = np.int64(cells.cell_grid[cell, 2])
        lowest, highest = _levels(cells, component_z[component, 0], component_z[component, 1])
        if lowest + 1 >= level and highest - 1 <= level:
            continue
        for way in range(5):
            reached = -1
            for near in range(lowest, highest + 1):
                other = _other(cells, cell, way, near)
                if other < 0 or face_component[cell_face[other]] != component:
                    continue
                joined = cell_face[other] == cell_face[cell]
                if not joined:
                    if reached < 0:
                        column_box(cells, cell, other, box)
                        reached = faces_in_box(mesh, np.int64(cell_face[cell]), box, faces)
                    for each in range(reached):
                        joined |= faces[each] == cell_face[other]
                if joined:
                    pair_cell[written] = cell
                    pair_other[written] = other
                    pair_way[written] = way
                    written += 1
    return written
