"""Cut polygons with holes into few convex faces, and split faces that are too wide."""

from __future__ import annotations

import math
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


def convex_faces(pieces: Sequence[Piece]) -> tuple[Floats, Array, Array, Array]:
    """Cut pieces into convex faces: constrained Delaunay triangles, merged across the longest diagonals first.

    Returns vertices (V, 3), face starts (F + 1,), corners, and the storey of each face. Faces of different pieces
    share no vertices and are never merged, so every face is flat.
    """
    polygons, piece = shapely.get_parts([shapely.simplify(p.shape, TIDY) for p in pieces], return_index=True)
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
    rows = [vertices]
    count = len(vertices)
    faces: list[Array] = []
    owner: list[int] = []
    for face in range(len(wide)):
        own = corners[start[face] : start[face + 1]]
        if not wide[face]:
            faces.append(own)
            owner.append(face)
            continue
        width = max(widest, math.sqrt(extent[face].prod() / MOST_PARTS), extent[face].max() / MOST_PARTS)
        for strip in _strips(vertices[own], 0, width):
            for part in _strips(strip, 1, width):
                rows.append(part)
                faces.append(np.arange(count, count + len(part)))
                owner.append(face)
                count += len(part)
    sizes = [len(face) for face in faces]
    return np.concatenate(rows), np.r_[0, np.cumsum(sizes)], np.concatenate(faces), storey[owner]


def _strips(ring: Floats, axis: int, widest: float) -> list[Floats]:
    """Cut a convex face (n, 3) across an axis into as few strips of equal width as the limit allows."""
    low, high = float(ring[:, axis].min()), float(ring[:, axis].max())
    parts = math.ceil((high - low) / widest)
    strips = []
    for k in range(1, parts):
        at = low + (high - low) * k / parts
        strips.append(_half(ring, axis, at, -1.0))
        ring = _half(ring, axis, at, 1.0)
    return [*strips, ring]


def _half(ring: Floats, axis: int, at: float, side: float) -> Floats:
    """Return the part of a convex face on one side (-1 below, 1 above) of the line where a coordinate is `at`."""
    beyond = side * (ring[:, axis] - at)
    result: list[Floats] = []
    for k in range(len(ring)):
        following = (k + 1) % len(ring)
        if beyond[k] >= 0.0:
            result.append(ring[k])
        if min(beyond[k], beyond[following]) < 0.0 < max(beyond[k], beyond[following]):
            # Interpolate from the lower corner to the higher one: both halves and the adjacent face get the same point.
            first, last = (k, following) if beyond[k] * side < beyond[following] * side else (following, k)
            share = (at - ring[first, axis]) / (ring[last, axis] - ring[first, axis])
            point = ring[first] + share * (ring[last] - ring[first])
            point[axis] = at
            result.append(point)
    return np.array(result)
