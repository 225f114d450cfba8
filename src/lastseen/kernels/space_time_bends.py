"""Where does the floor bend below a way, and between which places can one walk straight?"""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .jit import jit
from .mesh_arrays import MeshArrays
from .space_time_floor import AskArrays, Point, bend_share, cast, floor_at, metres_straight, ray_room

__all__ = ["floor_bends", "straight_pairs"]

_PART = 0.25  # metres between two looks at the floor
_SLOPE = 0.05  # metres a metre by which it rises otherwise where it bends


@jit
def floor_bends(mesh: MeshArrays, ask: AskArrays, points: Array, out: Array) -> int:
    """Write to `out` (k, 3) where the floor bends below a way (n, 3): feet and tops of stairs; return how often.

    Between two looks one bend is found at most.
    """
    ray, count = ray_room(), 0
    for leg in range(len(points) - 1):
        x, y, z = points[leg, 0], points[leg, 1], points[leg, 2]
        dx, dy = points[leg + 1, 0] - x, points[leg + 1, 1] - y
        far = np.sqrt(dx * dx + dy * dy)
        parts, on = np.int64(np.ceil(far / _PART)), np.int64(-1)
        for part in range(1, parts + 1):
            here: Point = (x + dx * (part - 1) / parts, y + dy * (part - 1) / parts, z)
            there: Point = (x + dx * part / parts, y + dy * part / parts, z)
            cast(mesh, ask, ray, here, on, there)
            before, on, z = on, np.int64(ray.stop[0]), ray.point[0, 2]
            if before < 0 or on < 0 or before == on:
                continue
            rise = mesh.face_plane[on] - mesh.face_plane[before]
            share = bend_share(mesh, before, on, here, there)
            if abs(rise[0] * dx + rise[1] * dy) <= _SLOPE * far or share < 0.0 or count == len(out):
                continue
            out[count, 0] = here[0] + share * (there[0] - here[0])
            out[count, 1] = here[1] + share * (there[1] - here[1])
            out[count, 2] = floor_at(mesh, on, out[count, 0], out[count, 1])
            count += 1
    return count


@jit
def straight_pairs(mesh: MeshArrays, ask: AskArrays, points: Array, out: Array) -> None:
    """Write to `out` (n, n) uint8 between which of the points (n, 3) one can walk straight: `metres_straight`."""
    ray = ray_room()
    for i in range(len(points)):
        out[i, i] = 0
        here = (points[i, 0], points[i, 1], points[i, 2])
        for j in range(i):
            there = (points[j, 0], points[j, 1], points[j, 2])
            out[i, j] = 1 if metres_straight(mesh, ask, ray, here, -1, there) >= 0.0 else 0
            out[j, i] = out[i, j]
