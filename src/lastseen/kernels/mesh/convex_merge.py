"""Merging of triangles into convex faces, and of passable tiles into rectangles."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...conventions import Array
from ..jit import jit

DENT = 1e-9
"""Metres by which rounding may dent a corner that still counts as straight."""


@jit
def merge_triangles(
    vertex_xy: Array, corner: Array, twin: Array, order: Array, start: Array, corners: Array, triangle: Array
) -> int:
    """Remove diagonals in `order` wherever both corners stay convex (Hertel and Mehlhorn).

    Half-edge `3 t + k` runs from `corner[3 t + k]` to the next corner of triangle `t`; `twin` is the half-edge the
    opposite direction, -1 on the outline. Returns the number F of faces; writes their CSR starts to `start` (F + 1 of
    T + 1), corners to `corners` (of 3 T), and one triangle of each to `triangle` (F of T).
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


@jit
def merge_tiles(free: Array, widest: int, result: Array) -> int:
    """Cover the tiles marked in `free` with disjoint rectangles, clearing the marks; return how many there are.

    `free` (rows, columns) uint8; `result` (n, 4) int32 with n >= number of marked tiles receives column, row, width,
    height. No rectangle is longer than `widest` tiles. Greedy from the first free tile in reading order, taking the
    larger result of growing right first or down first.
    """
    rows, columns = free.shape
    count = 0
    for row in range(rows):
        for column in range(columns):
            if free[row, column] == 0:
                continue
            width, depth = _grow(free, widest, row, column, 0, 1)
            height, breadth = _grow(free, widest, row, column, 1, 0)
            if width * depth >= height * breadth:
                height = depth
            else:
                width = breadth
            for r in range(row, row + height):
                for c in range(column, column + width):
                    free[r, c] = 0
            result[count, 0] = column
            result[count, 1] = row
            result[count, 2] = width
            result[count, 3] = height
            count += 1
    return count


@jit
def _grow(free: Array, widest: int, row: int, column: int, down: int, right: int) -> tuple[int, int]:
    """Return (length, depth) of the free rectangle grown along one direction first, then across."""
    rows, columns = free.shape
    length = 1
    while length < widest and row + length * down < rows and column + length * right < columns:
        if free[row + length * down, column + length * right] == 0:
            break
        length += 1
    depth = 1
    while depth < widest and row + depth * right < rows and column + depth * down < columns:
        for k in range(length):
            if free[row + k * down + depth * right, column + k * right + depth * down] == 0:
                return length, depth
        depth += 1
    return length, depth
