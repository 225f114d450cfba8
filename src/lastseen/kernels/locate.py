"""Which face lies under a point?"""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .jit import inner, jit
from .mesh_arrays import MeshArrays

__all__ = ["TOUCH", "child_under", "contains", "face_under", "faces_under"]

TOUCH = 3e-6
"""Metres: nearer than this is touching. More than half the width of the cracks rounding leaves between linked edges."""


@inner
def contains(mesh: MeshArrays, face: int, x: float, y: float) -> bool:
    """Return whether `(x, y)` lies in a face or touches its rim."""
    first = np.uint64(mesh.face_start[face])
    count = np.uint64(mesh.face_count[face])
    last = mesh.face_vertex[first + count - np.uint64(1)]
    ax, ay = mesh.vertex_xyz[last, 0], mesh.vertex_xyz[last, 1]
    for k in range(count):
        corner = mesh.face_vertex[first + np.uint64(k)]
        bx, by = mesh.vertex_xyz[corner, 0], mesh.vertex_xyz[corner, 1]
        ex, ey = bx - ax, by - ay
        side = ex * (y - ay) - ey * (x - ax)
        # The squared comparison spares a square root, and most points are not on the rim anyway.
        if side < 0.0 and side * side > TOUCH * TOUCH * (ex * ex + ey * ey):
            return False
        ax, ay = bx, by
    return True


@inner
def child_under(mesh: MeshArrays, face: int, x: float, y: float) -> int:
    """Return the first child of a cut face at `(x, y)`, or -1."""
    start = np.int64(mesh.child_start[face])
    for child in range(start, start + np.int64(mesh.child_count[face])):
        if contains(mesh, child, x, y):
            return child
    return -1


@inner
def face_under(mesh: MeshArrays, x: float, y: float, z: float, below: float, above: float) -> int:
    """Return the whole face at `(x, y)` whose floor is nearest to `z` within `z - below … z + above`, or -1.

    Where several are equally near (on a shared edge), the first base face of the bucket wins.
    """
    size = mesh.grid_size[0]
    columns, rows = np.int64(mesh.grid_shape[0]), np.int64(mesh.grid_shape[1])
    u, v = x - mesh.grid_origin[0], y - mesh.grid_origin[1]
    if not (-TOUCH <= u <= size * columns + TOUCH and -TOUCH <= v <= size * rows + TOUCH):
        return -1
    column_low = max(np.int64((u - TOUCH) / size), 0)
    column_high = min(np.int64((u + TOUCH) / size), columns - 1)
    row_low = max(np.int64((v - TOUCH) / size), 0)
    row_high = min(np.int64((v + TOUCH) / size), rows - 1)
    best, found, parent = np.inf, -1, -1
    for row in range(row_low, row_high + 1):
        for column in range(column_low, column_high + 1):
            bucket = np.uint64(row * columns + column)
            for entry in range(mesh.bucket_start[bucket], mesh.bucket_start[bucket + np.uint64(1)]):
                base = np.int64(mesh.bucket_face[np.uint64(entry)])
                if not contains(mesh, base, x, y):
                    continue
                face = base
                if mesh.face_cut[base]:
                    face = child_under(mesh, base, x, y)
                    if face < 0:
                        continue
                floor = mesh.face_plane[base, 0] * x + mesh.face_plane[base, 1] * y + mesh.face_plane[base, 2]
                away = abs(floor - z)
                if floor < z - below - TOUCH or floor > z + above + TOUCH:
                    continue
                if away < best - TOUCH or (away <= best + TOUCH and base < parent):
                    best, found, parent = away, face, base
    return found


@jit
def faces_under(mesh: MeshArrays, points: Array, below: float, above: float, faces: Array, heights: Array) -> None:
    """Fill for each point the base face under it (-1: none) and the z of its floor (NaN: none)."""
    for i in range(len(points)):
        x, y = points[i, 0], points[i, 1]
        face = face_under(mesh, x, y, points[i, 2], below, above)
        if face < 0:
            faces[i], heights[i] = -1, np.nan
        else:
            faces[i] = mesh.face_parent[face]
            heights[i] = mesh.face_plane[face, 0] * x + mesh.face_plane[face, 1] * y + mesh.face_plane[face, 2]
