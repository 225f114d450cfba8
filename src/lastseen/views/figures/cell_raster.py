"""Which cell each pixel of a storey belongs to."""

from __future__ import annotations

import numpy as np

from ...cells.layout import CellLayout
from ...conventions import Array, Bools
from ...kernels.cell_access import LEVEL_SLACK
from ...navmesh.navmesh import NavMesh
from .canvas import Canvas

__all__ = ["cell_numbers"]

_LARGEST_TABLE = 60_000_000


def cell_numbers(canvas: Canvas, layout: CellLayout, faces: Array) -> Array:
    """Return (rows, columns) int32: the cell each walkable pixel belongs to, -1 where there is none.

    Parameters
    ----------
    faces : (rows, columns) int32, the face at each pixel, -1 for none.
    """
    arrays = layout.arrays
    x, y = canvas.columns_rows()
    columns, rows, levels = (int(n) for n in arrays.shape)
    column = np.clip(np.floor((x - arrays.origin_xyz[0]) / arrays.size_xyz[0]).astype(np.int64), 0, columns - 1)
    row = np.clip(np.floor((y - arrays.origin_xyz[1]) / arrays.size_xyz[1]).astype(np.int64), 0, rows - 1)
    grid = arrays.cell_grid.astype(np.int64)
    number = np.arange(len(layout), dtype=np.int32)
    inside = faces >= 0
    if levels == 1 or rows * columns * levels > _LARGEST_TABLE:
        # Too tall to tabulate: the cells of this storey alone, seen from above.
        mine = np.isin(layout.cell_face, np.unique(faces[inside]))
        flat = np.full((rows, columns), -1, dtype=np.int32)
        flat[grid[mine, 1], grid[mine, 0]] = number[mine]
        return np.where(inside, flat[row[:, None], column[None, :]], -1)
    table = np.full((levels, rows, columns), -1, dtype=np.int32)
    table[grid[:, 2], grid[:, 1], grid[:, 0]] = number
    plane = layout.mesh.arrays.face_plane[faces]
    z = plane[..., 0] * x[None, :] + plane[..., 1] * y[:, None] + plane[..., 2]
    floor = np.floor((z - arrays.origin_xyz[2]) / arrays.size_xyz[2] + LEVEL_SLACK)
    floor = np.clip(floor, 0, levels - 1).astype(np.int64)
    cells = np.where(inside, table[floor, row[:, None], column[None, :]], -1)
    cells[_on_other_floor(layout, faces, cells)] = -1
    return cells


def _on_other_floor(layout: CellLayout, faces: Array, cells: Array) -> Bools:
    """Return the pixels whose grid slot holds a cell of another storey that one cannot step onto from there.

    A flight of stairs and the gallery beside it may share a slot; its one cell stands on one of them only.
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
