"""Wide faces are parted, so that whatever later changes a face changes a bounded piece of floor."""

from __future__ import annotations

import math

import numpy as np

from ..conventions import Array, Bools, Floats

__all__ = ["WIDEST", "part_wide_faces"]

WIDEST = 16.0
"""Metres a face may reach along x or y."""

MOST_PARTS = 16384
"""Parts a face is cut into, about, at most: a floor of 1000 km gets wider ones, and eats neither memory nor time."""


def part_wide_faces(
    vertices: Floats, start: Array, corners: Array, storey: Array, widest: float = WIDEST
) -> tuple[Floats, Array, Array, Array]:
    """Cut convex faces wider than `widest` metres into equal strips along x, these along y.

    Takes and returns vertices (V, 3), face starts (F + 1,), corners (C,), storeys (F,). The floor covered is the same;
    new corners lie on edges of the old faces. Faces that are not wide keep their corners and their order.
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
    """Cut a convex face (n, 3) across an axis into strips of equal width, the narrowest that are not too wide."""
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
            # From the lower corner to the higher one, so that both halves and the face next door get the same point.
            first, last = (k, following) if beyond[k] * side < beyond[following] * side else (following, k)
            share = (at - ring[first, axis]) / (ring[last, axis] - ring[first, axis])
            point = ring[first] + share * (ring[last] - ring[first])
            point[axis] = at
            result.append(point)
    return np.array(result)
