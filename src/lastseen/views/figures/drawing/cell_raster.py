"""Assign each pixel of a storey to a cell."""

from __future__ import annotations

import numpy as np

from ....cells.layout import CellLayout
from ....conventions import Array, Bools
from ....kernels.cells.cell_access import LEVEL_SLACK
from ....navmesh.navmesh import NavMesh
from .canvas import Canvas

_LARGEST_TABLE = 60_000_000


def cell_numbers(canvas: Canvas, layout: CellLayout, faces: Array) -> Array:
    """Return the cell of each walkable pixel, (rows, columns) int32, -1 for none.

    Slivers of floor too small for a cell of their own are assigned to the nearest adjacent cell.

    Parameters
    ----------
    faces : (rows, columns) int32, the face at each pixel, -1 for none.
    """
    slots = _Slots(canvas, layout, faces)
    cells = np.where(faces >= 0, slots.table[slots.level, slots.row[:, None], slots.column[None, :]], -1)
    cells[_on_other_floor(layout, faces, cells)] = -1
    _give_slivers(canvas, layout, faces, cells, slots)
    return cells


class _Slots:
    """The grid slot of every pixel, and the cell in each slot: `table` (levels, rows, columns) int32, -1 for none."""

    def __init__(self, canvas: Canvas, layout: CellLayout, faces: Array):
        arrays = layout.arrays
        x, y = canvas.columns_rows()
        columns, rows, levels = (int(n) for n in arrays.shape)
        self.column = np.clip(np.floor((x - arrays.origin_xyz[0]) / arrays.size_xyz[0]), 0, columns - 1).astype(np.intp)
        self.row = np.clip(np.floor((y - arrays.origin_xyz[1]) / arrays.size_xyz[1]), 0, rows - 1).astype(np.intp)
        grid = arrays.cell_grid.astype(np.intp)
        number = np.arange(len(layout), dtype=np.int32)
        if levels == 1 or rows * columns * levels > _LARGEST_TABLE:
            # Too tall for a table: only the cells of this storey, seen from above.
            mine = np.isin(layout.cell_face, np.unique(faces[faces >= 0]))
            self.table = np.full((1, rows, columns), -1, dtype=np.int32)
            self.table[0, grid[mine, 1], grid[mine, 0]] = number[mine]
            self.level: Array = np.zeros((1, 1), dtype=np.intp)
            return
        self.table = np.full((levels, rows, columns), -1, dtype=np.int32)
        self.table[grid[:, 2], grid[:, 1], grid[:, 0]] = number
        plane = layout.mesh.arrays.face_plane[faces]
        z = plane[..., 0] * x[None, :] + plane[..., 1] * y[:, None] + plane[..., 2]
        level = np.floor((z - arrays.origin_xyz[2]) / arrays.size_xyz[2] + LEVEL_SLACK)
        self.level = np.clip(level, 0, levels - 1).astype(np.intp)


def _give_slivers(canvas: Canvas, layout: CellLayout, faces: Array, cells: Array, slots: _Slots) -> None:
    """Assign pixels without a cell to the nearest cell of the same storey, at most one slot away."""
    down, across = np.nonzero((faces >= 0) & (cells < 0))
    if not len(down):
        return
    x, y = canvas.columns_rows()
    storey = layout.mesh.face_storey[layout.cell_face.astype(np.intp)]
    here = layout.mesh.face_storey[faces[down, across]]
    level = np.broadcast_to(slots.level, faces.shape)[down, across]
    nearest = np.full(len(down), float(layout.arrays.size_xyz[0]))
    _, rows, columns = slots.table.shape
    for dy, dx in ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)):
        row, column = slots.row[down] + dy, slots.column[across] + dx
        inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
        found = np.where(inside, slots.table[level, row.clip(0, rows - 1), column.clip(0, columns - 1)], -1)
        place = layout.arrays.cell_xyz[found]
        away = np.hypot(place[:, 0] - x[across], place[:, 1] - y[down])
        better = (found >= 0) & (storey[found] == here) & (away < nearest)
        nearest[better] = away[better]
        cells[down[better], across[better]] = found[better]


def _on_other_floor(layout: CellLayout, faces: Array, cells: Array) -> Bools:
    """Return the pixels whose grid slot holds a cell of another storey that is not connected to them.

    A flight of stairs and the gallery next to it may share a slot, whose one cell belongs to only one of them.
    """
    mesh = layout.mesh
    cell_face = layout.cell_face.astype(np.int64)
    other: Bools = (cells >= 0) & (mesh.face_storey[faces] != mesh.face_storey[cell_face[cells]])
    if other.any():
        key = faces[other].astype(np.int64) * mesh.face_count + cell_face[cells[other]]
        pairs, which = np.unique(key, return_inverse=True)
        apart = np.array([not _linked(mesh, *divmod(pair, mesh.face_count)) for pair in pairs.tolist()])
        other[other] = apart[which]
    return other


def _linked(mesh: NavMesh, face: int, other: int) -> bool:
    first = int(mesh.arrays.link_start[face])
    return other in mesh.arrays.link_face[first : first + int(mesh.arrays.link_count[face])]
