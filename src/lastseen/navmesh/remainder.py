"""Compute what cuts leave of a face, as convex children."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import shapely

from ..conventions import Array, Floats
from ..kernels.arrays.level_arrays import MeshArrays
from ..kernels.mesh.cut_children import convex_children
from ..kernels.mesh.cut_outline import rings_left
from .convex import TIDY, triangles
from .links import EDGE_TOLERANCE, WELD
from .pieces import Plane, strip

CLOSE = 1.2 * EDGE_TOLERANCE
"""Metres: shorter stretches of edge are not portals, and edges closer than this count as one line."""

HEIGHT_TOUCH = 1e-6
"""Metres of height by which a body and a cut may overlap without colliding."""


class Children(NamedTuple):
    """Convex children of some cut faces; `convex_children` describes the arrays."""

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
    """Return which of some faces a footprint removes something from, and the part of it that blocks each of them.

    `z_low … z_high` are the heights of floor on which a body would collide with it.
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
    """Divide what is left of each face (polygons: `shapes`) into convex children."""
    polygons, owner = polygons_left(mesh, faces, shapes, standing)
    triangle_xy, polygon = triangles(shapely.simplify(polygons, TIDY))
    first = np.searchsorted(owner[polygon], np.arange(len(faces) + 1))
    count = len(triangle_xy)
    # An edge of a child may lie on several collinear edges of its face.
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


SPLINTER = 1e-6
"""Square metres: smaller leftovers of a face are dropped."""

TINY = 1e-9
"""Metres: shorter edges have no reliable direction."""


class Part(NamedTuple):
    """The part of a cut that blocks a face.

    Attributes
    ----------
    number : number of the cut.
    shape : one or several polygons.
    ring : (n, 2) corners, counter-clockwise, if it is convex; else None.
    """

    number: int
    shape: shapely.Geometry
    ring: Floats | None


Standing = tuple[Part, ...]
"""The parts of cuts that stand on a face, oldest first."""


class _Rings(NamedTuple):
    """Rings around what is left of a face; see `rings_left`."""

    corner_xy: Floats
    start: Array
    shell: Array


def convex_ring(shape: shapely.Geometry) -> Floats | None:
    """Return the corners of a convex polygon, counter-clockwise, or None for any other shape."""
    if shapely.get_type_id(shape) != shapely.GeometryType.POLYGON or shapely.get_num_interior_rings(shape):
        return None
    corner_xy = shapely.get_coordinates(shape)
    side = corner_xy[1:] - corner_xy[:-1]
    long = np.abs(side).max(axis=1) > TINY
    side, corner_xy = side[long], corner_xy[:-1][long]
    before = side[np.arange(len(side)) - 1]
    turn = before[:, 0] * side[:, 1] - before[:, 1] * side[:, 0]
    least, most = float(turn.min(initial=0.0)), float(turn.max(initial=0.0))
    if len(turn) < 3 or least < 0.0 < most:
        return None
    return corner_xy if most > 0.0 else corner_xy[::-1].copy()


def polygons_left(mesh: MeshArrays, faces: Array, shapes: Array, standing: Sequence[Standing]) -> tuple[Array, Array]:
    """Return the polygons left of faces (polygons: `shapes`), and for each the index of its face, ascending.

    They depend only on the parts that stand on each face and on their order. A kernel traces the edges of several
    convex parts, ten times as fast as overlaying one after another. The geometry library overlays the rest: single
    parts, parts that are not convex, and parts whose edges nearly coincide, so that the traced rings are not closed.
    """
    rings = [_rings(mesh, face, parts) for face, parts in zip(faces.tolist(), standing)]
    polygons, owner = _joined(rings)
    overlaid = np.array([each is None for each in rings])
    overlaid[owner[~shapely.is_valid(polygons)]] = True
    others = np.flatnonzero(overlaid)
    if len(others) == 0:
        return polygons, owner
    taken = [
        standing[k][0].shape if len(standing[k]) == 1 else shapely.union_all([part.shape for part in standing[k]])
        for k in others.tolist()
    ]
    more, index = shapely.get_parts(shapely.difference(shapes[others], taken), return_index=True)
    # Twice, because a part may be a collection of several polygons and stray lines.
    more, inner = shapely.get_parts(more, return_index=True)
    big = shapely.area(more) > SPLINTER
    kept = ~overlaid[owner]
    polygons = np.concatenate([polygons[kept], more[big]])
    owner = np.concatenate([owner[kept], others[index[inner[big]]]])
    order = np.argsort(owner, kind="stable")
    return polygons[order], owner[order]


def _rings(mesh: MeshArrays, face: int, parts: Standing) -> _Rings | None:
    """Return the rings around what convex parts leave of a face, or None if they cannot be traced."""
    given = [part.ring for part in parts if part.ring is not None]
    if len(parts) == 1 or len(given) < len(parts):
        return None
    first = int(mesh.face_start[face])
    own = mesh.vertex_xyz[mesh.face_vertex[first : first + int(mesh.face_count[face])], :2]
    outlines = [own, *given]
    corner_xy = np.concatenate(outlines)
    start = np.cumsum([0, *map(len, outlines)])
    room = 2 * len(corner_xy)
    found = _Rings(np.empty((room, 2)), np.empty(room + 1, np.int64), np.empty(room, np.int64))
    count = rings_left(corner_xy, start, WELD, SPLINTER, *found)
    if count < 0:
        return None
    return _Rings(found.corner_xy[: found.start[count]], found.start[: count + 1], found.shell[:count])


def _joined(rings: Sequence[_Rings | None]) -> tuple[Array, Array]:
    """Return rings as polygons with holes, and for each the index of its face, ascending."""
    known = [(k, each) for k, each in enumerate(rings) if each is not None and len(each.shell)]
    if not known:
        return np.zeros(0, dtype=object), np.zeros(0, np.int64)
    count = np.array([len(each.shell) for _, each in known])
    before = np.cumsum(count) - count
    shell = np.concatenate([each.shell for _, each in known]) + np.repeat(before, count)
    length = np.concatenate([np.diff(each.start) for _, each in known])
    lines = shapely.linearrings(
        np.concatenate([each.corner_xy for _, each in known]), indices=np.repeat(np.arange(len(length)), length)
    )
    # The first ring of a polygon is its shell.
    is_shell = shell == np.arange(len(shell))
    order = np.argsort(2 * shell + ~is_shell, kind="stable")
    polygons = shapely.polygons(lines[order], indices=np.cumsum(is_shell[order]) - 1)
    return polygons, np.repeat([k for k, _ in known], count)[is_shell]
