"""What is left of a face when something stands on it?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import shapely

from ..conventions import Array, Floats
from .convex import convex_faces
from .links import EDGE_TOLERANCE
from .navmesh import NavMesh
from .pieces import Piece, Plane, areas_only, strip

__all__ = ["CLOSE", "Remainder", "Stretch", "blocked_part", "face_shapes", "remainders"]

CLOSE = 1.2 * EDGE_TOLERANCE
"""Metres: shorter stretches of edge are no portals, and edges nearer than this are one line."""

SPLINTER = 1e-6
"""Square metres: smaller leftovers of a face are dropped."""

HEIGHT_TOUCH = 1e-6
"""Metres of height by which a body and a cut may meet without being in one another's way."""

Stretch = tuple[int, int, float, float]
"""Child, edge of the child, and where on an edge of the base face it lies, in metres from the edge's first corner."""


@dataclass(frozen=True, eq=False)
class Remainder:
    """Convex children of a cut face.

    Attributes
    ----------
    corner_xyz : (C, 3) float64, corners of child `i` are `corner_xyz[start[i]:start[i + 1]]`.
    start : (n + 1,) int64.
    inner : (child, edge, other child) of every edge two children share.
    outer : by edge of the base face, which stretches of it the children hold.
    """

    corner_xyz: Floats
    start: Array
    inner: tuple[tuple[int, int, int], ...]
    outer: Mapping[int, tuple[Stretch, ...]]


def face_shapes(mesh: NavMesh, faces: Array) -> Array:
    """Return faces as polygons seen from above."""
    return np.array([shapely.Polygon(mesh.face_xyz(int(face))[:, :2]) for face in faces], dtype=object)


def blocked_part(
    mesh: NavMesh, face: int, face_shape: shapely.Geometry, shape: shapely.Geometry, z_low: float, z_high: float
) -> shapely.Geometry | None:
    """Return the part of a cut's footprint in which a body on this face would stand in it; None where none would."""
    plane = Plane(*mesh.arrays.face_plane[face].tolist())
    where = strip(plane, z_low - mesh.agent.height + HEIGHT_TOUCH, z_high - HEIGHT_TOUCH, face_shape.bounds)
    part = shape if where is None else shapely.intersection(shape, where)
    return part if shapely.intersection(part, face_shape).area > SPLINTER else None


def remainders(mesh: NavMesh, blocked: Mapping[int, shapely.Geometry]) -> dict[int, Remainder]:
    """Cut faces open: by base face, what is left of it outside its blocked part."""
    faces = np.array(list(blocked), dtype=np.int64)
    left = []
    for face, shape in zip(faces, face_shapes(mesh, faces)):
        rest = shapely.get_parts(areas_only(shapely.difference(shape, blocked[int(face)])))
        solid = shapely.MultiPolygon([part for part in rest if part.area > SPLINTER])
        left.append(Piece(solid, Plane(*mesh.arrays.face_plane[face].tolist()), int(face)))
    vertices, start, corners, owner = convex_faces(left)
    result = {}
    for face in faces.tolist():
        children = np.flatnonzero(owner == face)
        sizes = (start[children + 1] - start[children]) if len(children) else np.zeros(0, dtype=np.int64)
        own = [corners[start[child] : start[child + 1]] for child in children]
        vertex = np.concatenate([np.zeros(0, dtype=np.int64), *own])
        result[face] = _remainder(mesh.face_xyz(face), vertices[vertex], vertex, np.r_[0, np.cumsum(sizes)])
    return result


def _remainder(base_xyz: Floats, corner_xyz: Floats, vertex: Array, start: Array) -> Remainder:
    edges = [
        (child, edge, int(start[child]) + edge, int(start[child]) + (edge + 1) % int(start[child + 1] - start[child]))
        for child in range(len(start) - 1)
        for edge in range(int(start[child + 1] - start[child]))
    ]
    by_ends = {(int(vertex[a]), int(vertex[b])): (child, edge) for child, edge, a, b in edges}
    inner = [
        (child, edge, by_ends[int(vertex[b]), int(vertex[a])][0])
        for child, edge, a, b in edges
        if (int(vertex[b]), int(vertex[a])) in by_ends
    ]
    free = [row for row in edges if (int(vertex[row[3]]), int(vertex[row[2]])) not in by_ends]
    return Remainder(corner_xyz, start, tuple(inner), _outer(base_xyz[:, :2], corner_xyz[:, :2], free))


def _outer(
    base_xy: Floats, corner_xy: Floats, edges: list[tuple[int, int, int, int]]
) -> dict[int, tuple[Stretch, ...]]:
    """Find which edges of children lie on which edges of the base face."""
    outer: dict[int, list[Stretch]] = {}
    if not edges:
        return {}
    table = np.array(edges)
    begin, end = corner_xy[table[:, 2]], corner_xy[table[:, 3]]
    for k in range(len(base_xy)):
        origin = base_xy[k]
        along = base_xy[(k + 1) % len(base_xy)] - origin
        length = float(np.hypot(*along))
        along = along / length
        off = [np.abs(along[0] * (p - origin)[:, 1] - along[1] * (p - origin)[:, 0]) for p in (begin, end)]
        low, high = np.maximum((begin - origin) @ along, 0.0), np.minimum((end - origin) @ along, length)
        for row in np.flatnonzero((off[0] < CLOSE) & (off[1] < CLOSE) & (high - low > CLOSE)):
            child, edge = int(table[row, 0]), int(table[row, 1])
            outer.setdefault(k, []).append((child, edge, float(low[row]), float(high[row])))
    return {k: tuple(stretches) for k, stretches in outer.items()}
