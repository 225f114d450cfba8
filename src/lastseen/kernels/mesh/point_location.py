"""Point location: the face under a point, and the nearest point of the mesh."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import MeshArrays
from ..jit import inner, jit

TOUCH = 3e-6
"""Metres within which points touch: more than half the width of the cracks rounding leaves between linked edges."""


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
        # The squared comparison saves a square root.
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
    """Return the uncut face or child at `(x, y)` whose floor is nearest to `z` within `z - below … z + above`, or -1.

    If several are equally near (on a shared edge), the lowest base face wins.
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
    """Fill, for each point, the base face under it (-1: none) and the z of its floor (NaN: none)."""
    for i in range(len(points)):
        x, y = points[i, 0], points[i, 1]
        face = face_under(mesh, x, y, points[i, 2], below, above)
        if face < 0:
            faces[i], heights[i] = -1, np.nan
        else:
            faces[i] = mesh.face_parent[face]
            heights[i] = mesh.face_plane[face, 0] * x + mesh.face_plane[face, 1] * y + mesh.face_plane[face, 2]


@inner
def closest_on_face(
    mesh: MeshArrays, face: int, x: float, y: float, z: float, best: float
) -> tuple[float, float, float, float]:
    """Return the squared distance to a face's floor and the nearest point `(x, y, z)` on it.

    The distance is infinite for faces that are surely further away than the root of `best`.
    """
    a, b, c = mesh.face_plane[face, 0], mesh.face_plane[face, 1], mesh.face_plane[face, 2]
    # The foot of the perpendicular on the floor's plane, which lies straight below only on level floors.
    tilt = a * a + b * b + 1.0
    lift = (a * x + b * y + c - z) / tilt
    foot_x, foot_y = x - a * lift, y - b * lift
    height = lift * lift * tilt
    room = best * (1.0 + 1e-9) - height
    nearest, near_x, near_y, near_z = np.inf, foot_x, foot_y, a * foot_x + b * foot_y + c
    if room < 0.0:
        return nearest, near_x, near_y, near_z
    first, count = np.uint64(mesh.face_start[face]), np.uint64(mesh.face_count[face])
    corner = np.uint64(mesh.face_vertex[first + count - np.uint64(1)])
    px, py = mesh.vertex_xyz[corner, 0], mesh.vertex_xyz[corner, 1]
    inside = True
    for k in range(first, first + count):
        corner = np.uint64(mesh.face_vertex[k])
        qx, qy = mesh.vertex_xyz[corner, 0], mesh.vertex_xyz[corner, 1]
        ex, ey = qx - px, qy - py
        side = ex * (foot_y - py) - ey * (foot_x - px)
        if side < 0.0:  # Only edges that the foot lies outside of can be nearest.
            square = ex * ex + ey * ey
            if side * side > room * square:
                return np.inf, near_x, near_y, near_z
            inside &= side * side <= TOUCH * TOUCH * square
            pz = a * px + b * py + c
            ez = a * qx + b * qy + c - pz
            along = ((x - px) * ex + (y - py) * ey + (z - pz) * ez) / (square + ez * ez)
            along = min(max(along, 0.0), 1.0)
            rx, ry, rz = px + along * ex, py + along * ey, pz + along * ez
            off_x, off_y, off_z = x - rx, y - ry, z - rz
            away = off_x * off_x + off_y * off_y + off_z * off_z
            if away < nearest:
                nearest, near_x, near_y, near_z = away, rx, ry, rz
        px, py = qx, qy
    if inside:
        return height, foot_x, foot_y, a * foot_x + b * foot_y + c
    return nearest, near_x, near_y, near_z


@jit
def nearest_on_mesh(
    mesh: MeshArrays, points: Array, radius: float, faces: Array, found: Array, distance: Array
) -> None:
    """Fill, for each point, the nearest base face (-1: none within `radius`), its nearest point and the distance.

    Buckets are searched in square rings around the point until no further ring can contain anything nearer.
    """
    size = mesh.grid_size[0]
    columns, rows = np.int64(mesh.grid_shape[0]), np.int64(mesh.grid_shape[1])
    for i in range(len(points)):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        u = (x - mesh.grid_origin[0]) / size
        v = (y - mesh.grid_origin[1]) / size
        # Rings are centred on the grid's bucket nearest to the point; `outside` is the point's distance from the grid.
        near_u, near_v = min(max(u, 0.0), columns * 1.0), min(max(v, 0.0), rows * 1.0)
        outside_u, outside_v = abs(u - near_u) * size, abs(v - near_v) * size
        outside = outside_u * outside_u + outside_v * outside_v
        column, row = min(np.int64(near_u), columns - 1), min(np.int64(near_v), rows - 1)
        # Distance from the point to the nearest border of its bucket.
        slack = min(min(near_u - column, column + 1.0 - near_u), min(near_v - row, row + 1.0 - near_v))
        best, base_found, fx, fy, fz = radius * radius, np.int64(-1), np.nan, np.nan, np.nan
        last = max(max(column, columns - 1 - column), max(row, rows - 1 - row))
        for ring in range(last + 1):
            if ring > 0:
                nearest = (ring - 1 + slack) * size
                if max(nearest * nearest, outside) > best:
                    break
            left, right = max(column - ring, 0), min(column + ring, columns - 1)
            for iy in range(max(row - ring, 0), min(row + ring, rows - 1) + 1):
                # The first and the last row of a ring are complete; of the others, both ends belong to it.
                is_complete = iy == row - ring or iy == row + ring
                for end in range(1 if is_complete else 2):
                    ix = column - ring if end == 0 else column + ring
                    if not is_complete and (ix < 0 or ix >= columns):
                        continue
                    low, high = iy * columns + ix, iy * columns + ix + 1
                    if is_complete:
                        low, high = iy * columns + left, iy * columns + right + 1
                    entries = mesh.bucket_start[np.uint64(low)], mesh.bucket_start[np.uint64(high)]
                    for entry in range(np.uint64(entries[0]), np.uint64(entries[1])):
                        base = np.int64(mesh.bucket_face[entry])
                        if base == base_found:  # the nearest so far, found in another bucket
                            continue
                        part, parts = base, base + 1
                        if mesh.face_cut[np.uint64(base)]:
                            part = np.int64(mesh.child_start[base])
                            parts = part + np.int64(mesh.child_count[base])
                        for face in range(part, parts):
                            away, px, py, pz = closest_on_face(mesh, face, x, y, z, best)
                            if away < best or (away == best and (base_found < 0 or base < base_found)):
                                best, base_found, fx, fy, fz = away, base, px, py, pz
        faces[i], distance[i] = base_found, np.sqrt(best) if base_found >= 0 else np.nan
        found[i, 0], found[i, 1], found[i, 2] = fx, fy, fz
