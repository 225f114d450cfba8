"""Step 6, first half: polygons to triangles whose corners are known by number, not only by place."""

from __future__ import annotations

import numpy as np
import shapely

from ...conventions import Array
from ...kernels.voxel_refine import OPEN, WALL
from .contours import Contours

__all__ = ["edges_of", "neighbours", "paired", "triangulate"]


def triangulate(contours: Contours) -> tuple[Array, Array]:
    """Return counter-clockwise triangles (T, 3) int32 of corner ids and the region of each (T,) int32."""
    parts, owner = shapely.get_parts(contours.pieces, return_index=True)
    points = shapely.get_coordinates(parts).reshape(-1, 4, 2)[:, :3].astype(np.int64)
    a, b, c = points[:, 0], points[:, 1], points[:, 2]
    area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    points = np.where((area < 0)[:, None, None], points[:, [0, 2, 1]], points)[area != 0]
    owner = owner[area != 0]
    return _corner_ids(contours, points, owner), owner.astype(np.int32)


def _corner_ids(contours: Contours, points: Array, owner: Array) -> Array:
    """Return the corner at each point of the triangles, (T, 3) int32."""
    across, rows = (np.int64(size + 1) for size in contours.corner_xy.max(axis=0))
    at = contours.corner_xy[contours.ring_corner].astype(np.int64)
    key = (contours.ring_region * rows + at[:, 1]) * across + at[:, 0]
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    wanted = (owner[:, None] * rows + points[:, :, 1]) * across + points[:, :, 0]
    first = np.searchsorted(ordered, wanted)
    ids = contours.ring_corner[order[first]]
    # A region that touches itself in a place has a corner there for each visit of its outline, maybe on two heights.
    several = np.searchsorted(ordered, wanted, side="right") - first > 1
    before, after = _beside(contours)
    for t, k in np.argwhere(several):
        for entry in order[first[t, k] :]:
            if key[entry] != wanted[t, k]:
                break
            if _within(points[t, k], points[t, (k + 1) % 3], at[after[entry]], at[before[entry]]):
                ids[t, k] = contours.ring_corner[entry]
                break
    return ids.astype(np.int32)


def _beside(contours: Contours) -> tuple[Array, Array]:
    """Return the entries before and after each entry of the outlines."""
    begin, end = contours.ring_start[:-1].astype(np.int64), contours.ring_start[1:].astype(np.int64)
    after = np.arange(1, len(contours.ring_corner) + 1)
    after[end - 1] = begin
    before = np.arange(-1, len(contours.ring_corner) - 1)
    before[begin] = end - 1
    return before, after


def _within(apex: Array, point: Array, right: Array, left: Array) -> bool:
    """Does `point` lie in the wedge at `apex` that opens counter-clockwise from `right`, included, to `left`?"""
    (px, py), (rx, ry), (lx, ly) = (end - apex for end in (point, right, left))
    from_right, to_left = rx * py - ry * px, px * ly - py * lx
    ahead = rx * px + ry * py > 0
    if rx * ly - ry * lx > 0:  # narrower than a straight line
        return bool((from_right > 0 or (from_right == 0 and ahead)) and to_left > 0)
    return bool(from_right > 0 or (from_right == 0 and ahead) or to_left > 0)


def paired(key: Array, back: Array) -> Array:
    """Return for each directed edge the one that runs back, where there is exactly one of each; else -1."""
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    place = np.searchsorted(ordered, back)
    inside = np.minimum(place, len(key) - 1)
    found = ordered[inside] == back
    single = np.searchsorted(ordered, back, side="right") - place == 1
    mate = np.where(found & single, order[inside], -1)
    mutual = (mate >= 0) & (mate[mate] == np.arange(len(mate)))
    return np.where(mutual, mate, -1).astype(np.int32)


def edges_of(triangles: Array) -> tuple[Array, Array]:
    """Return the corners where the edges of all triangles begin and end, (3 T,) int64 each."""
    begin = triangles.astype(np.int64).ravel()
    return begin, np.roll(triangles, -1, axis=1).astype(np.int64).ravel()


def neighbours(contours: Contours, triangles: Array, owner: Array) -> Array:
    """Return the triangle of the same region beyond each edge, (T, 3) int32; at its outline `WALL` or `OPEN`."""
    begin, end = edges_of(triangles)
    count = np.int64(len(contours.corner_xy))
    region = np.repeat(owner.astype(np.int64), 3)
    key = (region * count + begin) * count + end
    mate = paired(key, (region * count + end) * count + begin)
    _, after = _beside(contours)
    corner = contours.ring_corner.astype(np.int64)
    stretch = (contours.ring_region * count + corner) * count + corner[after]
    outline = np.where(np.isin(key, stretch[contours.ring_wall]), WALL, OPEN)
    return np.where(mate >= 0, mate // 3, outline).astype(np.int32).reshape(-1, 3)
