"""Further partitions of a plan: cells of evenly spaced points, and the skeleton halfway between walls."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import shapely

from ...conventions import Floats

__all__ = ["skeleton", "voronoi"]

_ROUNDS = 6
_FILLED = 0.7
"""Approximate share of a cell that its circle fills; sets the number of cells for circles of medium radius."""
_MOST_SAMPLES = 40_000


def voronoi(shape: Any, smallest: float, largest: float, random: np.random.Generator) -> Floats:
    """Partition a plan into cells of evenly spaced points, and put the largest circle into each, (n, 3).

    Notes
    -----
    Lloyd's algorithm: each point moves to the middle of its cell. Cells without room for the smallest circle get none.
    """
    middling = 0.5 * (smallest + min(largest, math.sqrt(shape.area / math.pi)))
    count = max(1, round(_FILLED * shape.area / (math.pi * middling * middling)))
    sites = _scattered(shape, count, random)
    cells = _cells(sites, shape)
    for _ in range(_ROUNDS):
        sites = _middles(cells)
        cells = _cells(sites, shape)
    lines = shapely.maximum_inscribed_circle(cells, tolerance=0.01 * smallest)
    ends = shapely.get_coordinates(lines).reshape(-1, 2, 2)
    # The circle is found to a tolerance; its radius is the room its centre really has.
    room = shapely.distance(shapely.boundary(cells), shapely.points(ends[:, 0]))
    circles = np.column_stack([ends[:, 0], np.minimum(room, largest)])
    return circles[room >= smallest]


def skeleton(shape: Any, smallest: float, largest: float, random: np.random.Generator) -> Floats:  # noqa: ARG001
    """Put circles along the lines halfway between walls, the largest first, (n, 3); nothing is random.

    Notes
    -----
    The corners of Voronoi cells of many points along the walls lie on the medial axis, to half their spacing.
    """
    spacing = max(smallest / 2.0, shapely.length(shapely.boundary(shape)) / _MOST_SAMPLES)
    walls = shapely.boundary(shape)
    around = shapely.MultiPoint(shapely.get_coordinates(shapely.segmentize(walls, spacing)))
    corners = np.unique(np.round(shapely.get_coordinates(shapely.voronoi_polygons(around)), 9), axis=0)
    corners = corners[shapely.contains_xy(shape, corners)]
    shapely.prepare(walls)
    room = shapely.distance(walls, shapely.points(corners))
    kept = room >= smallest
    corners, room = corners[kept], np.minimum(room[kept], largest)
    order = np.lexsort((corners[:, 1], corners[:, 0], -np.round(room, 9)))
    circles = np.empty((len(order), 3))
    count = 0
    for x, y, radius in np.column_stack([corners, room])[order].tolist():
        placed = circles[:count]
        if not count or (np.hypot(placed[:, 0] - x, placed[:, 1] - y) >= placed[:, 2] + radius).all():
            circles[count] = x, y, radius
            count += 1
    return circles[:count]


def _scattered(shape: Any, count: int, random: np.random.Generator) -> Floats:
    """Return random places on a plan, uniform over its area."""
    triangles = shapely.get_parts(shapely.constrained_delaunay_triangles(shape))
    corners = shapely.get_coordinates(triangles).reshape(-1, 4, 2)[:, :3]
    share = np.cumsum(shapely.area(triangles))
    which = np.minimum(np.searchsorted(share, random.random(count) * share[-1]), len(share) - 1)
    u, v = random.random((2, count))
    over = u + v > 1.0
    u[over], v[over] = 1.0 - u[over], 1.0 - v[over]
    a, b, c = corners[which].transpose(1, 0, 2)
    return np.asarray(a + u[:, None] * (b - a) + v[:, None] * (c - a))


def _cells(sites: Floats, shape: Any) -> Any:
    """Return the Voronoi cells of places within the plan: the largest part of each."""
    if len(sites) == 1:
        return np.array([max(shapely.get_parts(shape), key=shapely.area)], dtype=object)
    whole = shapely.get_parts(shapely.voronoi_polygons(shapely.MultiPoint(sites), extend_to=shape))
    parts, owner = shapely.get_parts(shapely.intersection(whole, shape), return_index=True)
    solid = (shapely.get_type_id(parts) == 3) & (shapely.area(parts) > 0.0)
    parts, owner = parts[solid], owner[solid]
    order = np.lexsort((-shapely.area(parts), owner))
    parts, owner = parts[order], owner[order]
    return parts[np.r_[True, owner[1:] != owner[:-1]]]


def _middles(cells: Any) -> Floats:
    """Return a place inside each cell: its centroid, or a point on its surface."""
    middle = shapely.get_coordinates(shapely.centroid(cells))
    outside = ~shapely.contains_xy(cells, middle[:, 0], middle[:, 1])
    if outside.any():
        middle[outside] = shapely.get_coordinates(shapely.point_on_surface(cells[outside]))
    return middle
