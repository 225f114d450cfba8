"""What is left of faces when something stands on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import shapely

from ..conventions import Array, Floats
from ..kernels.cut_children import convex_children
from ..kernels.mesh_arrays import MeshArrays
from .convex import TIDY, triangles
from .links import EDGE_TOLERANCE, WELD
from .overlay import SPLINTER, Standing, polygons_left
from .pieces import Plane, strip

__all__ = ["CLOSE", "Children", "blocked_parts", "remainders"]

CLOSE = 1.2 * EDGE_TOLERANCE
"""Metres: shorter stretches of edge are no portals, and edges nearer than this are one line."""

HEIGHT_TOUCH = 1e-6
"""Metres of height by which a body and a cut may meet without being in one another's way."""


class Children(NamedTuple):
    """Convex children of some cut faces; what the arrays hold is said in `convex_children`."""

    kids: Array
    start: Array
    corner_xyz: Floats
    across: Array
    wall: Array
    held: Array
    stretch: Array
    span: Floats


def blocked_parts(
    mesh: MeshArrays, faces: Array, shapes: Array, footprint: shapely.Geometry, z_low: float, z_high: float
) -> tuple[Array, Array]:
    """Return which of some faces a footprint takes something from, and the part of it that is in the way on each.

    `z_low … z_high`: heights of the floor at which a body would touch it.
    """
    low, high = z_low + HEIGHT_TOUCH, z_high - HEIGHT_TOUCH
    bounds = shapely.bounds(shapes)
    a, b, c = mesh.face_plane[faces].T[:, :, None]
    height = a * bounds[:, [0, 2, 2, 0]] + b * bounds[:, [1, 1, 3, 3]] + c
    lowest, highest = height.min(axis=1), height.max(axis=1)
    inside = (highest > low) & (lowest < high)
    faces, shapes = faces[inside], shapes[inside]
    parts = np.full(len(faces), footprint, dtype=object)
    for each in np.flatnonzero(((lowest <= low) | (highest >= high))[inside]).tolist():
        where = strip(Plane(*mesh.face_plane[faces[each]].tolist()), low, high, shapes[each].bounds)
        if where is not None:
            parts[each] = shapely.intersection(footprint, where)
    taken = shapely.area(shapely.intersection(parts, shapes)) > SPLINTER
    return faces[taken], parts[taken]


def remainders(mesh: MeshArrays, faces: Array, shapes: Array, standing: Sequence[Standing]) -> Children:
    """Cut what is left of each face, whose `shapes` are given, into convex children."""
    polygons, owner = polygons_left(mesh, faces, shapes, standing)
    triangle_xy, polygon = triangles(shapely.simplify(polygons, TIDY))
    first = np.searchsorted(owner[polygon], np.arange(len(faces) + 1))
    count = len(triangle_xy)
    # An edge of a child may lie on several edges of its face, which are in one line then.
    most = int((3 * np.diff(first) * mesh.face_count[faces]).sum())
    children = Children(
        kids=np.empty(len(faces) + 1, np.int64),
        start=np.empty(count + 1, np.int64),
        corner_xyz=np.empty((3 * count, 3)),
        across=np.empty(3 * count, np.int32),
        wall=np.empty(3 * count, np.uint8),
        held=np.empty(len(faces) + 1, np.int64),
        stretch=np.empty((most, 3), np.int32),
        span=np.empty((most, 2)),
    )
    convex_children(mesh, faces, triangle_xy.reshape(-1, 2), first, WELD, CLOSE, *children)
    made = int(children.kids[-1])
    corners, rows = int(children.start[made]), int(children.held[-1])
    return children._replace(
        start=children.start[: made + 1],
        corner_xyz=children.corner_xyz[:corners],
        across=children.across[:corners],
        wall=children.wall[:corners],
        stretch=children.stretch[:rows],
        span=children.span[:rows],
    )
