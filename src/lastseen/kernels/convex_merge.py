"""Merging triangles to convex faces."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..conventions import Array
from .jit import jit

__all__ = ["merge_triangles"]

DENT = 1e-9
"""Metres a corner may lie inside the line of its neighbours through rounding and still count as straight."""


@jit
def merge_triangles(
    vertex_xy: Array, corner: Array, twin: Array, order: Array, start: Array, corners: Array, triangle: Array
) -> int:
    """Remove diagonals in `order` wherever both corners stay convex (Hertel and Mehlhorn).

    Half-edge `3 t + k` runs from `corner[3 t + k]` to the next corner of triangle `t`; `twin` is the half-edge the
    other way, -1 on the outline. Returns the number F of faces; writes their CSR starts to `start` (F + 1 of T + 1),
    corners to `corners` (of 3 T), and one triangle of each to `triangle` (F of T).
    """
    count = len(corner)
    following = np.empty(count, np.int64)
    preceding = np.empty(count, np.int64)
    for h in range(0, count, 3):
        for k in range(3):
            following[h + k] = h + (k + 1) % 3
            preceding[h + k] = h + (k + 2) % 3
    alive = np.empty(count, np.bool_)
    for h in range(count):
        alive[h] = True
    for diagonal in range(len(order)):
        h = order[diagonal]
        t = twin[h]
        if t < 0 or not alive[h]:
            continue
        before, after = preceding[h], following[t]
        other_before, other_after = preceding[t], following[h]
        if not _turns_left(vertex_xy, corner[before], corner[h], corner[following[after]]):
            continue
        if not _turns_left(vertex_xy, corner[other_before], corner[t], corner[following[other_after]]):
            continue
        following[before] = after
        preceding[after] = before
        following[other_before] = other_after
        preceding[other_after] = other_before
        alive[h] = False
        alive[t] = False
    faces = 0
    size = 0
    start[0] = 0
    for first in range(count):
        if not alive[first]:
            continue
        triangle[faces] = first // 3
        h = first
        while alive[h]:
            alive[h] = False
            corners[size] = corner[h]
            size += 1
            h = following[h]
        faces += 1
        start[faces] = size
    return faces


@jit
def _turns_left(vertex_xy: Array, a: Any, b: Any, c: Any) -> bool:
    ux, uy = vertex_xy[b, 0] - vertex_xy[a, 0], vertex_xy[b, 1] - vertex_xy[a, 1]
    vx, vy = vertex_xy[c, 0] - vertex_xy[b, 0], vertex_xy[c, 1] - vertex_xy[b, 1]
    reach = np.sqrt(max(ux * ux + uy * uy, vx * vx + vy * vy))
    return ux * vy - uy * vx >= -DENT * reach
