"""What is left of faces when something stands on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import shapely

from ..conventions import Array, Floats
from ..kernels.cut_children import convex_children
from ..kernels.mesh_arrays import MeshArrays
from .convex import TIDY, triangles
from .links import EDGE_TOLERANCE, WELD
from .pieces import Plane, strip

__all__ = ["CLOSE", "Children", "Left", "Step", "blocked_parts", "boxed", "next_step", "remainders", "without"]

CLOSE = 1.2 * EDGE_TOLERANCE
"""Metres: shorter stretches of edge are no portals, and edges nearer than this are one line."""

SPLINTER = 1e-6
"""Square metres: smaller leftovers of a face are dropped."""

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


Box = tuple[float, float, float, float]
Left = tuple[shapely.Polygon, Box]
"""A polygon that is left of a face, and the box around it: left, bottom, right, top."""


class Step(NamedTuple):
    """One of the cuts on a face, and what it and all before it leave.

    Attributes
    ----------
    number : of the cut.
    part : the part of its footprint that is in the way here, and the box around it.
    rest : what is left.
    taken : by `id` of what was left before, what this cut made of it, as far as it was reached.
    """

    number: int
    part: Left
    rest: tuple[Left, ...]
    taken: dict[int, tuple[Left, ...]]


def boxed(shape: shapely.Geometry) -> Left:
    """Return a shape with the box around it."""
    return shape, shape.bounds


def next_step(rest: tuple[Left, ...], number: int, part: Left, known: Mapping[int, tuple[Left, ...]]) -> Step:
    """Take a part from what is left of a face; `known` says what it makes of some of that.

    What is out of its reach stays the same object. The result depends on the cuts and their order only.
    """
    shape, (left, bottom, right, top) = part
    kept: list[Left] = []
    taken: dict[int, tuple[Left, ...]] = {}
    for one in rest:
        x0, y0, x1, y1 = one[1]
        if x0 > right or x1 < left or y0 > top or y1 < bottom:
            kept.append(one)
            continue
        pieces = known.get(id(one))
        if pieces is None:
            pieces = _areas(shapely.difference(one[0], shape))
        taken[id(one)] = pieces
        kept += pieces
    return Step(number, part, tuple(kept) if taken else rest, taken)


def _areas(shape: shapely.Geometry) -> tuple[Left, ...]:
    """Return the polygons of a geometry that are no splinters."""
    if shapely.get_type_id(shape) == shapely.GeometryType.POLYGON:
        return (boxed(shape),) if shapely.area(shape) > SPLINTER else ()
    # Twice: it may be a collection of several polygons and stray lines.
    parts = shapely.get_parts(shapely.get_parts(shape))
    return tuple(boxed(part) for part in parts[shapely.area(parts) > SPLINTER])


def without(steps: tuple[Step, ...], number: int, whole: Left) -> tuple[Step, ...]:
    """Return the steps of a face as they are without one cut; `whole` is the face.

    Steps before it are kept, and later ones look only at what is not as it was.
    """
    at = next(k for k, step in enumerate(steps) if step.number == number)
    kept = list(steps[:at])
    for step in steps[at + 1 :]:
        kept.append(next_step(kept[-1].rest if kept else (whole,), step.number, step.part, step.taken))
    return tuple(kept)


def remainders(mesh: MeshArrays, faces: Array, rests: Sequence[tuple[Left, ...]]) -> Children:
    """Cut what is left of each face into convex children."""
    owner = np.repeat(np.arange(len(faces)), [len(rest) for rest in rests])
    polygons = np.array([polygon for rest in rests for polygon, _ in rest], dtype=object)
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
