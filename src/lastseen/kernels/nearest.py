"""Which point of the mesh is nearest to a point in space?"""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .jit import inner, jit
from .locate import contains
from .mesh_arrays import MeshArrays

__all__ = ["closest_on_face", "nearest_on_mesh"]


@inner
def closest_on_face(mesh: MeshArrays, face: int, x: float, y: float, z: float) -> tuple[float, float, float, float]:
    """Return the squared distance to a face's floor and the nearest point `(x, y, z)` on it."""
    a, b, c = mesh.face_plane[face, 0], mesh.face_plane[face, 1], mesh.face_plane[face, 2]
    # The foot of the perpendicular on the floor's plane; only on level floors it lies straight below.
    lift = (a * x + b * y + c - z) / (a * a + b * b + 1.0)
    foot_x, foot_y = x - a * lift, y - b * lift
    if contains(mesh, face, foot_x, foot_y):
        return lift * lift * (a * a + b * b + 1.0), foot_x, foot_y, a * foot_x + b * foot_y + c
    first = np.int64(mesh.face_start[face])
    count = np.int64(mesh.face_count[face])
    corner = mesh.face_vertex[first + count - 1]
    px, py = mesh.vertex_xyz[corner, 0], mesh.vertex_xyz[corner, 1]
    pz = a * px + b * py + c
    best, best_x, best_y, best_z = np.inf, px, py, pz
    for k in range(count):
        corner = mesh.face_vertex[first + k]
        qx, qy = mesh.vertex_xyz[corner, 0], mesh.vertex_xyz[corner, 1]
        qz = a * qx + b * qy + c
        ex, ey, ez = qx - px, qy - py, qz - pz
        length = ex * ex + ey * ey + ez * ez
        along = 0.0
        if length > 0.0:
            along = min(max(((x - px) * ex + (y - py) * ey + (z - pz) * ez) / length, 0.0), 1.0)
        rx, ry, rz = px + along * ex, py + along * ey, pz + along * ez
        away = (x - rx) ** 2 + (y - ry) ** 2 + (z - rz) ** 2
        if away < best:
            best, best_x, best_y, best_z = away, rx, ry, rz
        px, py, pz = qx, qy, qz
    return best, best_x, best_y, best_z


@jit
def nearest_on_mesh(
    mesh: MeshArrays, points: Array, radius: float, faces: Array, found: Array, distance: Array
) -> None:
    """Fill for each point the base face (-1: none within `radius`), the nearest point on it and its distance.

    Buckets are searched in square rings around the point, until no further ring can hold anything nearer.
    """
    size = mesh.grid_size[0]
    columns, rows = np.int64(mesh.grid_shape[0]), np.int64(mesh.grid_shape[1])
    for i in range(len(points)):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        u = (x - mesh.grid_origin[0]) / size
        v = (y - mesh.grid_origin[1]) / size
        # Rings count from the grid's bucket nearest to the point; `outside` is how far the point lies off the grid.
        near_u, near_v = min(max(u, 0.0), columns * 1.0), min(max(v, 0.0), rows * 1.0)
        outside_u, outside_v = abs(u - near_u) * size, abs(v - near_v) * size
        outside = np.sqrt(outside_u * outside_u + outside_v * outside_v)
        column, row = min(np.int64(near_u), columns - 1), min(np.int64(near_v), rows - 1)
        # From the point's own place in its bucket to the bucket's nearest border.
        slack = min(min(near_u - column, column + 1.0 - near_u), min(near_v - row, row + 1.0 - near_v))
        best = radius * radius
        faces[i], distance[i] = -1, np.nan
        found[i, 0], found[i, 1], found[i, 2] = np.nan, np.nan, np.nan
        last = max(max(column, columns - 1 - column), max(row, rows - 1 - row))
        for ring in range(last + 1):
            if ring > 0:
                nearest = max((ring - 1 + slack) * size, outside)
                if nearest * nearest > best:
                    break
            for iy in range(max(row - ring, 0), min(row + ring, rows - 1) + 1):
                rim = iy == row - ring or iy == row + ring
                step = 1 if rim or ring == 0 else 2 * ring
                for ix in range(column - ring, column + ring + 1, step):
                    if ix < 0 or ix >= columns:
                        continue
                    bucket = iy * columns + ix
                    for entry in range(mesh.bucket_start[bucket], mesh.bucket_start[bucket + 1]):
                        base = np.int64(mesh.bucket_face[entry])
                        low, high = base, base + 1
                        if mesh.face_cut[base]:
                            low = np.int64(mesh.child_start[base])
                            high = low + np.int64(mesh.child_count[base])
                        for face in range(low, high):
                            away, fx, fy, fz = closest_on_face(mesh, face, x, y, z)
                            if away < best or (away == best and (faces[i] < 0 or base < faces[i])):
                                best = away
                                faces[i], distance[i] = base, np.sqrt(away)
                                found[i, 0], found[i, 1], found[i, 2] = fx, fy, fz
