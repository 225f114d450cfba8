"""Cut polygons with holes into few convex faces, and split faces that are too wide."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely

from ..conventions import Array, Bools, Floats
from ..kernels.mesh.adjacency import weld_points
from ..kernels.mesh.convex_merge import merge_triangles
from .links import WELD
from .pieces import Piece, areas_only

TIDY = 1.5e-6
"""Metres: narrower slivers, and corners closer to the line between their neighbours, are dropped as rounding errors."""

MANY = 1000
"""Most corners of a polygon that is not halved: one of 100,000 takes 6.8 s to triangulate, its parts 0.7 s."""


def convex_faces(pieces: Sequence[Piece], is_tidy: bool = False) -> tuple[Floats, Array, Array, Array]:
    """Cut pieces into convex faces: constrained Delaunay triangles, merged across the longest diagonals first.

    Pieces that are `is_tidy` have neither splinters nor superfluous corners. Returns vertices (V, 3), face starts
    (F + 1,), corners, and the storey of each face. Faces of different pieces share no vertices and are never merged,
    so every face is flat.
    """
    shapes = [p.shape if is_tidy else shapely.simplify(p.shape, TIDY) for p in pieces]
    polygons, piece = shapely.get_parts(shapes, return_index=True)
    triangle_xy, polygon = triangles(polygons)
    triangle_xy, owner = _welded(triangle_xy, piece[polygon])
    if not len(triangle_xy):
        return np.zeros((0, 3)), np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    corner_xy = triangle_xy.reshape(-1, 2)
    vertex, corner = _shared_vertices(corner_xy, np.repeat(owner, 3))
    length = np.hypot(*(np.roll(triangle_xy, -1, axis=1) - triangle_xy).reshape(-1, 2).T)
    twin = _twins(corner)
    inner = np.flatnonzero(twin > np.arange(len(twin)))
    order = inner[np.argsort(-length[inner], kind="stable")]
    start, corners, triangle = (np.empty(n, dtype=np.int64) for n in (len(owner) + 1, len(corner), len(owner)))
    faces = merge_triangles(corner_xy[vertex], corner, twin, order, start, corners, triangle)
    start, corners, triangle = start[: faces + 1], corners[: start[faces]], triangle[:faces]
    plane = np.array([(p.plane.a, p.plane.b, p.plane.c) for p in pieces])[owner[vertex // 3]]
    xy = corner_xy[vertex]
    z = plane[:, 0] * xy[:, 0] + plane[:, 1] * xy[:, 1] + plane[:, 2]
    storey = np.array([p.storey for p in pieces])[owner[triangle]]
    return np.column_stack([xy, z]), start, corners, storey


def triangles(polygons: Array) -> tuple[Floats, Array]:
    """Return counter-clockwise triangles (T, 3, 2) of polygons (n,), and the polygon of each; slivers get none."""
    solid = np.flatnonzero(shapely.area(polygons) > TIDY * shapely.length(polygons))
    polygons = polygons[solid]
    if (shapely.get_num_coordinates(polygons) > MANY).any():
        blocks = [_blocks(polygon) for polygon in polygons]
        solid = np.repeat(solid, [len(block) for block in blocks])
        polygons = np.array([polygon for block in blocks for polygon in block], dtype=object)
    # Fetch the coordinates of all triangles at once, without an object for each.
    made = shapely.constrained_delaunay_triangles(polygons)
    corners, polygon = shapely.get_coordinates(made, return_index=True)
    corners = corners.reshape(-1, 4, 2)[:, :3].copy()
    one, other = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    clockwise = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0] < 0.0
    corners[clockwise] = corners[clockwise][:, ::-1]
    return corners, solid[polygon[::4]]


def _blocks(polygon: shapely.Polygon) -> list[shapely.Polygon]:
    """Halve a polygon until its parts have few corners; the time of triangulation grows with their number squared.

    The cuts are diagonals like any other: merging removes them where possible.
    """
    if shapely.get_num_coordinates(polygon) <= MANY:
        return [polygon]
    left, low, right, high = polygon.bounds
    x, y = (left + right) / 2.0, (low + high) / 2.0
    halves = (
        (shapely.box(left, low, x, high), shapely.box(x, low, right, high))
        if right - left >= high - low
        else (shapely.box(left, low, right, y), shapely.box(left, y, right, high))
    )
    parts = [part for half in halves for part in shapely.get_parts(areas_only(shapely.intersection(polygon, half)))]
    return [block for part in parts for block in _blocks(part)]


def _welded(triangle_xy: Floats, owner: Array) -> tuple[Floats, Array]:
    """Weld corners as assembly will and drop triangles that lose their area, so that merging sees the final corners."""
    if not len(triangle_xy):
        return triangle_xy, owner
    corner_xy = triangle_xy.reshape(-1, 2)
    welded = corner_xy[weld_points(corner_xy, WELD)].reshape(-1, 3, 2)
    side = np.roll(welded, -1, axis=1) - welded
    twice = side[:, 0, 0] * side[:, 1, 1] - side[:, 0, 1] * side[:, 1, 0]
    solid = twice > WELD * np.hypot(side[:, :, 0], side[:, :, 1]).sum(axis=1)
    return welded[solid], owner[solid]


def _shared_vertices(corner_xy: Floats, owner: Array) -> tuple[Array, Array]:
    """Return one corner for each distinct position in a piece, and the index of the position of each corner."""
    order = np.lexsort((corner_xy[:, 1], corner_xy[:, 0], owner))
    apart = (np.diff(corner_xy[order], axis=0) != 0.0).any(axis=1) | (np.diff(owner[order]) != 0)
    label = np.empty(len(order), dtype=np.int64)
    label[order] = np.r_[0, np.cumsum(apart)]
    return order[np.r_[True, apart]], label


def _twins(corner: Array) -> Array:
    """Return for each half-edge the opposite one between the same corners, or -1."""
    following = np.arange(len(corner)) + np.where(np.arange(len(corner)) % 3 == 2, -2, 1)
    begin, end = corner, corner[following]
    key = np.minimum(begin, end) * (corner.max() + 1) + np.maximum(begin, end)
    order = np.argsort(key, kind="stable")
    first = np.flatnonzero(np.r_[True, np.diff(key[order]) != 0])
    pair = first[np.diff(np.r_[first, len(order)]) == 2]
    one, other = order[pair], order[pair + 1]
    opposite = begin[one] == end[other]
    twin = np.full(len(corner), -1, dtype=np.int64)
    twin[one[opposite]], twin[other[opposite]] = other[opposite], one[opposite]
    return twin


WIDEST = 16.0
"""Largest extent of a face along x or y, metres."""

MOST_PARTS = 16384
"""Approximate limit on the parts of one face: a floor of 1000 km gets wider parts instead of exhausting memory."""


def part_wide_faces(
    vertices: Floats, start: Array, corners: Array, storey: Array, widest: float = WIDEST
) -> tuple[Floats, Array, Array, Array]:
    """Cut convex faces wider than `widest` metres into equal strips along x, and those into parts along y.

    Takes and returns vertices (V, 3), face starts (F + 1,), corners (C,), storeys (F,). The covered floor is the same;
    new corners lie on edges of the old faces. Faces within the limit keep their corners and their order.
    """
    if not len(corners):
        return vertices, start, corners, storey
    corner_xy = vertices[corners, :2]
    extent = np.maximum.reduceat(corner_xy, start[:-1]) - np.minimum.reduceat(corner_xy, start[:-1])
    wide: Bools = np.asarray((extent > widest).any(axis=1))
    if not wide.any():
        return vertices, start, corners, storey
    face = np.flatnonzero(wide)
    size = np.diff(start)
    ring = _padded(vertices[corners], start[face], size[face])
    length = extent[face]
    width = np.maximum(np.sqrt(length.prod(axis=1) / MOST_PARTS), length.max(axis=1) / MOST_PARTS).clip(widest)
    ring, count, face, width = _strips(ring, size[face], face, width, 0)
    ring, count, face, width = _strips(ring, count, face, width, 1)
    # Parts follow in the place of their faces.
    narrow = np.flatnonzero(~wide)
    order = np.argsort(np.r_[narrow, face], kind="stable")
    owner = np.r_[narrow, face][order]
    sizes = np.r_[size[narrow], count][order]
    first = np.r_[start[narrow], len(corners) + np.cumsum(count) - count][order]
    named = np.r_[corners, len(vertices) + np.arange(count.sum())]
    ends = np.cumsum(sizes)
    taken = np.arange(ends[-1]) + np.repeat(first - ends + sizes, sizes)
    added = ring[np.arange(ring.shape[1]) < count[:, None]]
    return np.concatenate([vertices, added]), np.r_[0, ends], named[taken], storey[owner]


def _padded(corner_xyz: Floats, start: Array, count: Array) -> Floats:
    """Return rings of corners as rows of one array (n, most corners, 3); the rest of a row repeats its last corner."""
    place = np.minimum(np.arange(int(count.max())), count[:, None] - 1)
    return corner_xyz[start[:, None] + place]


def _strips(ring: Floats, count: Array, face: Array, width: Floats, axis: int) -> tuple[Floats, Array, Array, Floats]:
    """Cut convex faces across an axis into strips of equal width, as few as are not wider than `width`.

    Takes and returns rings (n, corners, 3), their numbers of corners, the face each is part of, and widths; the strips
    of a face follow one another.
    """
    low, high = ring[:, :, axis].min(axis=1), ring[:, :, axis].max(axis=1)
    parts = np.ceil((high - low) / width).astype(np.int64)
    rings, counts, rows = list[Floats](), list[Array](), list[Array]()
    row = np.arange(len(ring))
    for k in range(1, int(parts.max()) + 1):
        last = parts[row] <= k
        rings.append(ring[last])
        counts.append(count[last])
        rows.append(row[last])
        row, ring, count = row[~last], ring[~last], count[~last]
        at = low[row] + (high[row] - low[row]) * k / parts[row]
        strip, corners = _halves(ring, count, axis, at, -1.0)
        rings.append(strip)
        counts.append(corners)
        rows.append(row)
        ring, count = _halves(ring, count, axis, at, 1.0)
    most = max(one.shape[1] for one in rings)
    everything = np.concatenate([np.pad(one, ((0, 0), (0, most - one.shape[1]), (0, 0)), mode="edge") for one in rings])
    row = np.concatenate(rows)
    order = np.argsort(row, kind="stable")
    row = row[order]
    return everything[order], np.concatenate(counts)[order], face[row], width[row]


def _halves(ring: Floats, count: Array, axis: int, at: Floats, side: float) -> tuple[Floats, Array]:
    """Return the parts of convex rings on one side (-1 below, 1 above) of the line where a coordinate is `at`."""
    if not len(ring):
        return ring, count
    place = np.arange(ring.shape[1])
    onward = np.take_along_axis(ring, np.where(place + 1 < count[:, None], place + 1, 0)[:, :, None], axis=1)
    here, there = side * (ring[:, :, axis] - at[:, None]), side * (onward[:, :, axis] - at[:, None])
    # Interpolate from the lower corner to the higher one: both halves and the adjacent face get the same point.
    rises = (here * side < there * side)[:, :, None]
    low, high = np.where(rises, ring, onward), np.where(rises, onward, ring)
    crosses = (np.minimum(here, there) < 0.0) & (np.maximum(here, there) > 0.0)
    span = np.where(crosses, high[:, :, axis] - low[:, :, axis], 1.0)
    point = low + ((at[:, None] - low[:, :, axis]) / span)[:, :, None] * (high - low)
    point[:, :, axis] = at[:, None]
    is_corner = place < count[:, None]
    kept = np.stack([is_corner & (here >= 0.0), is_corner & crosses], axis=2).reshape(len(ring), -1)
    corners = kept.sum(axis=1)
    both = np.stack([ring, point], axis=2).reshape(-1, 3)[kept.ravel()]
    return _padded(both, np.cumsum(corners) - corners, corners), corners
