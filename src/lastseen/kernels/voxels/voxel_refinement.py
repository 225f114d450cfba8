"""Refine triangles so that they follow the floor: add corners where a plane deviates too far from the voxels."""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Array
from ..jit import jit

NONE = np.int32(-1)
WALL, OPEN = -1, -2
"""Values in place of a triangle beyond an outline edge: nothing to walk on, or another region."""

FULL = 1

# Corners are in half voxels: corners of voxels are even, their centres odd, so every side test is exact.


@jit
def _side(xy: Array, a: int, b: int, c: int) -> float:
    """Return twice the signed area of a, b, c: positive if c is to the left of a -> b."""
    ax, ay = xy[a, 0], xy[a, 1]
    return (xy[b, 0] - ax) * (xy[c, 1] - ay) - (xy[b, 1] - ay) * (xy[c, 0] - ax)


@jit
def _floor_at(start: Array, region: Array, floor: Array, column: int, own: int, plane: float, reach: float) -> float:
    """Return the floor under a plane: that of region `own`, else the nearest within `reach`, else nan."""
    nearest, least = np.nan, reach
    for s in range(start[np.uint32(column)], start[np.uint32(column + 1)]):
        ground = float(floor[np.uint32(s)])
        if region[np.uint32(s)] == own:
            return ground
        if abs(ground - plane) <= least:
            nearest, least = ground, abs(ground - plane)
    return nearest


@jit
def _worst(
    xy: Array, z: Array, corner: Array, own: int, start: Array, region: Array, floor: Array, width: int, depth: int,
    reach: float,
) -> tuple[float, int, int, float]:  # fmt: skip
    """Return a triangle's largest deviation from the floor at voxel centres, its column and row, and the floor."""
    a, b, c = corner[0], corner[1], corner[2]
    area = _side(xy, a, b, c)
    ux, uy, uz = xy[b, 0] - xy[a, 0], xy[b, 1] - xy[a, 1], z[b] - z[a]
    vx, vy, vz = xy[c, 0] - xy[a, 0], xy[c, 1] - xy[a, 1], z[c] - z[a]
    slope_x, slope_y = (uz * vy - uy * vz) / area, (ux * vz - uz * vx) / area
    low = min(xy[a, 1], xy[b, 1], xy[c, 1])
    high = max(xy[a, 1], xy[b, 1], xy[c, 1])
    most, at_x, at_y, at_z = 0.0, -1, -1, 0.0
    for row in range(max(math.floor(low / 2.0), 0), min(math.ceil(high / 2.0), depth)):
        y = 2.0 * row + 1.0
        left, right = np.inf, -np.inf
        for k in range(3):
            p, q = corner[k], corner[(k + 1) % 3]
            yp, yq = xy[p, 1], xy[q, 1]
            if min(yp, yq) <= y <= max(yp, yq):
                if yp == yq:
                    left, right = min(left, xy[p, 0], xy[q, 0]), max(right, xy[p, 0], xy[q, 0])
                else:
                    x = xy[p, 0] + (y - yp) / (yq - yp) * (xy[q, 0] - xy[p, 0])
                    left, right = min(left, x), max(right, x)
        if left > right:
            continue
        first = max(math.ceil((left - 1.0) / 2.0 - 1e-9), 0)
        last = min(math.floor((right - 1.0) / 2.0 + 1e-9), width - 1)
        for column in range(first, last + 1):
            plane = z[a] + (2.0 * column + 1.0 - xy[a, 0]) * slope_x + (y - xy[a, 1]) * slope_y
            ground = _floor_at(start, region, floor, row * width + column, own, plane, reach)
            if abs(plane - ground) > most:
                most, at_x, at_y, at_z = abs(plane - ground), column, row, ground
    return most, at_x, at_y, at_z


@jit
def _relink(neighbour: Array, t: int, old: int, new: int) -> None:
    """Renumber a neighbour of triangle `t` from `old` to `new`."""
    if t >= 0:
        for k in range(3):
            if neighbour[t, k] == old:
                neighbour[t, k] = new
                return


@jit
def _in_circle(xy: Array, a: int, b: int, c: int, d: int) -> bool:
    """Return whether d is inside the circle through a, b, c (counter-clockwise)."""
    ax, ay = xy[a, 0] - xy[d, 0], xy[a, 1] - xy[d, 1]
    bx, by = xy[b, 0] - xy[d, 0], xy[b, 1] - xy[d, 1]
    cx, cy = xy[c, 0] - xy[d, 0], xy[c, 1] - xy[d, 1]
    a2, b2, c2 = ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy
    return a2 * (bx * cy - by * cx) - b2 * (ax * cy - ay * cx) + c2 * (ax * by - ay * bx) > 0.0


@jit
def _set(triangles: Array, neighbour: Array, t: int, a: int, b: int, c: int, ab: int, bc: int, ca: int) -> None:
    triangles[t, 0], triangles[t, 1], triangles[t, 2] = a, b, c
    neighbour[t, 0], neighbour[t, 1], neighbour[t, 2] = ab, bc, ca


@jit
def _insert(
    xy: Array, triangles: Array, neighbour: Array, owner: Array, t: int, p: int, count: int, stack: Array
) -> tuple[int, int]:
    """Split triangle `t` at point `p`, inside it or on an edge; return the new numbers of triangles and of suspects.

    Suspects are the triangles to test for a flip; edge 0 of each is opposite `p`.
    """
    a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
    on_edge = NONE
    for k in range(3):
        if _side(xy, triangles[t, k], triangles[t, (k + 1) % 3], p) == 0.0:
            on_edge = np.int32(k)
    if on_edge < 0:
        ab, bc, ca = neighbour[t, 0], neighbour[t, 1], neighbour[t, 2]
        second, third = np.int32(count), np.int32(count + 1)
        _set(triangles, neighbour, t, a, b, p, ab, second, third)
        _set(triangles, neighbour, second, b, c, p, bc, third, t)
        _set(triangles, neighbour, third, c, a, p, ca, t, second)
        _relink(neighbour, bc, t, second)
        _relink(neighbour, ca, t, third)
        owner[second] = owner[third] = owner[t]
        stack[0], stack[1], stack[2] = t, second, third
        return count + 2, 3
    # Rotate the triangle so that p is on its edge a -> b; the triangle beyond, if any, is b -> a -> d.
    a, b, c = triangles[t, on_edge], triangles[t, (on_edge + 1) % 3], triangles[t, (on_edge + 2) % 3]
    beyond, bc, ca = neighbour[t, on_edge], neighbour[t, (on_edge + 1) % 3], neighbour[t, (on_edge + 2) % 3]
    second = np.int32(count)
    count += 1
    owner[second] = owner[t]
    _set(triangles, neighbour, t, c, a, p, ca, beyond, second)
    _set(triangles, neighbour, second, b, c, p, bc, t, beyond)
    _relink(neighbour, bc, t, second)
    stack[0], stack[1] = t, second
    if beyond < 0:
        return count, 2
    k = 0
    while triangles[beyond, k] != b:
        k += 1
    d = triangles[beyond, (k + 2) % 3]
    ad, db = neighbour[beyond, (k + 1) % 3], neighbour[beyond, (k + 2) % 3]
    fourth = np.int32(count)
    count += 1
    owner[fourth] = owner[beyond]
    _set(triangles, neighbour, beyond, a, d, p, ad, fourth, t)
    _set(triangles, neighbour, fourth, d, b, p, db, second, beyond)
    _relink(neighbour, db, beyond, fourth)
    neighbour[t, 1], neighbour[second, 2] = beyond, fourth
    stack[2], stack[3] = beyond, fourth
    return count, 4


@jit
def refine(
    xy: Array, z: Array, triangles: Array, neighbour: Array, owner: Array, deviation: Array, vertices: int, count: int,
    start: Array, region: Array, floor: Array, width: int, depth: int, reach: float, error: float,
) -> tuple[int, int, int]:  # fmt: skip
    """Add voxel centres as corners until no triangle deviates more than `error` metres from the floor.

    Parameters
    ----------
    xy : (V, 2) float64, half voxels; z : (V,) float64, metres; the first `vertices` rows are in use.
    triangles : (T, 3) int32, counter-clockwise, the first `count` rows are in use; owner : (T,) int32, region of each.
    neighbour : (T, 3) int32, triangle beyond the edge from corner k to k + 1; at outlines `WALL` or `OPEN`.
    deviation : (T,) float64, metres, inf where not yet known.
    start, region, floor : the open spans. reach : metres of height within which floors of other regions count.

    Returns
    -------
    vertices, count : rows in use now. status : 0, or `FULL` if the rows ran out; continue with larger arrays.

    Notes
    -----
    Incremental Delaunay insertion with flips (Lawson) inside fixed outlines. All arrays except the spans are modified.
    """
    stack = np.empty(len(triangles) + 8, np.int64)
    fresh = 0
    while fresh < count:
        t = np.int32(fresh)
        if deviation[t] <= error:
            fresh += 1
            continue
        off, column, row, ground = _worst(xy, z, triangles[t], owner[t], start, region, floor, width, depth, reach)
        deviation[t] = off
        if off <= error:
            continue
        if vertices + 1 > len(xy) or count + 2 > len(triangles):
            return vertices, count, FULL
        p = np.int32(vertices)
        vertices += 1
        xy[p, 0], xy[p, 1], z[p] = 2 * column + 1, 2 * row + 1, ground
        count, suspects = _insert(xy, triangles, neighbour, owner, t, p, count, stack)
        for k in range(suspects):
            deviation[stack[k]] = np.inf
            fresh = min(fresh, stack[k])
        while suspects:
            suspects -= 1
            one = np.int32(stack[suspects])
            k = 0
            while triangles[one, (k + 2) % 3] != p:
                k += 1
            other = neighbour[one, k]
            if other < 0:
                continue
            a, b = triangles[one, k], triangles[one, (k + 1) % 3]
            j = 0
            while triangles[other, j] != b:
                j += 1
            d = triangles[other, (j + 2) % 3]
            if not _in_circle(xy, a, b, p, d):
                continue
            bp, pa = neighbour[one, (k + 1) % 3], neighbour[one, (k + 2) % 3]
            ad, db = neighbour[other, (j + 1) % 3], neighbour[other, (j + 2) % 3]
            _set(triangles, neighbour, one, a, d, p, ad, other, pa)
            _set(triangles, neighbour, other, d, b, p, db, bp, one)
            _relink(neighbour, ad, other, one)
            _relink(neighbour, bp, one, other)
            deviation[one] = deviation[other] = np.inf
            fresh = min(fresh, one, other)
            stack[suspects], stack[suspects + 1] = one, other
            suspects += 2
    return vertices, count, 0
