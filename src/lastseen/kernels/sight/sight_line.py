"""Test whether the straight line between two points is free of walls, doors, cover and floors."""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import SightArrays
from ..jit import inner, jit

LEFT, RIGHT, BOTH = np.uint8(1), np.uint8(2), np.uint8(3)
"""Bits for the blocked neighbours of a line, infinitesimally to its left and right; with both, the line is blocked.

So a line may graze a corner or run along a wall, but not pass between two corners that touch.
"""

TOUCH = 1e-6
"""Depth in metres up to which a point inside a wall counts as in front of it."""


@inner
def wall_sides(
    wall: Array, w: int, ax: float, ay: float, az: float, dx: float, dy: float, dz: float
) -> tuple[int, float]:
    """Return which neighbours of a line from `a` along `d` a wall blocks, and at which share of its length."""
    x0, y0, x1, y1 = wall[w, 0], wall[w, 1], wall[w, 2], wall[w, 3]
    side0 = dx * (y0 - ay) - dy * (x0 - ax)
    side1 = dx * (y1 - ay) - dy * (x1 - ax)
    sides = np.uint8(0)
    if (side0 > 0.0) != (side1 > 0.0):
        sides |= LEFT
    if (side0 >= 0.0) != (side1 >= 0.0):
        sides |= RIGHT
    if sides == 0:
        if side0 == 0.0 and side1 == 0.0:
            return _along(wall, w, ax, ay, az, dx, dy, dz)
        return sides, 2.0
    ex, ey = x1 - x0, y1 - y0
    before = ex * (ay - y0) - ey * (ax - x0)
    behind = ex * (ay + dy - y0) - ey * (ax + dx - x0)
    slack = TOUCH * (abs(ex) + abs(ey))
    # A point that touches a wall counts as in front of it.
    if (before < -slack) == (behind < -slack):
        return np.uint8(0), 2.0
    share = min(max(before / (before - behind), 0.0), 1.0)
    along = side0 / (side0 - side1)
    z = az + share * dz
    bottom = wall[w, 4] + along * (wall[w, 6] - wall[w, 4])
    top = wall[w, 5] + along * (wall[w, 7] - wall[w, 5])
    if bottom <= z < top:
        return sides, share
    return np.uint8(0), 2.0


@jit
def _along(wall: Array, w: int, ax: float, ay: float, az: float, dx: float, dy: float, dz: float) -> tuple[int, float]:
    """Return the same as `wall_sides` for a wall that the line runs along: only one side of it is solid."""
    length2 = dx * dx + dy * dy
    if length2 == 0.0:
        return np.uint8(0), 2.0
    share0 = ((wall[w, 0] - ax) * dx + (wall[w, 1] - ay) * dy) / length2
    share1 = ((wall[w, 2] - ax) * dx + (wall[w, 3] - ay) * dy) / length2
    first, last = max(min(share0, share1), 0.0), min(max(share0, share1), 1.0)
    z0, z1 = az + first * dz, az + last * dz
    bottom, top = min(wall[w, 4], wall[w, 6]), max(wall[w, 5], wall[w, 7])
    if first >= last or min(z0, z1) >= top or max(z0, z1) < bottom:
        return np.uint8(0), 2.0
    return (RIGHT if share1 > share0 else LEFT), first


@jit
def _turn(ax: float, ay: float, az: float, bx: float, by: float, bz: float, dx: float, dy: float, dz: float) -> float:
    """Return `d · (a × b)`; swapping a and b changes only the sign, to the bit, so shared edges have no gaps."""
    return dx * (ay * bz - az * by) + dy * (az * bx - ax * bz) + dz * (ax * by - ay * bx)


@inner
def hits_triangle(triangle: Array, t: int, ax: float, ay: float, az: float, dx: float, dy: float, dz: float) -> float:
    """Return the share of its length at which a line from `a` along `d` passes through a triangle, or 2.0."""
    before = triangle[t, 3] * ax + triangle[t, 4] * ay + triangle[t, 5] * az - triangle[t, 6]
    behind = before + triangle[t, 3] * dx + triangle[t, 4] * dy + triangle[t, 5] * dz
    slack = triangle[t, 2]
    if not ((before > slack and behind < -slack) or (before < -slack and behind > slack)):
        return 2.0
    px, py, pz = triangle[t, 7] - ax, triangle[t, 8] - ay, triangle[t, 9] - az
    qx, qy, qz = triangle[t, 10] - ax, triangle[t, 11] - ay, triangle[t, 12] - az
    rx, ry, rz = triangle[t, 13] - ax, triangle[t, 14] - ay, triangle[t, 15] - az
    u = _turn(px, py, pz, qx, qy, qz, dx, dy, dz)
    v = _turn(qx, qy, qz, rx, ry, rz, dx, dy, dz)
    w = _turn(rx, ry, rz, px, py, pz, dx, dy, dz)
    if (u >= 0.0 and v >= 0.0 and w >= 0.0) or (u <= 0.0 and v <= 0.0 and w <= 0.0):
        return before / (before - behind)
    return 2.0


@inner
def clip(grid: Array, x: float, y: float, dx: float, dy: float) -> tuple[float, float]:
    """Return the shares of its length at which a line, in columns, enters and leaves the grid; first > last: never."""
    first, last = 0.0, 1.0
    for axis in range(2):
        start, step, size = (x, dx, grid[3]) if axis == 0 else (y, dy, grid[4])
        if step == 0.0:
            if start < 0.0 or start > size:
                return 1.0, 0.0
            continue
        one, other = -start / step, (size - start) / step
        first, last = max(first, min(one, other)), min(last, max(one, other))
    return first, last


@jit
def is_clear(sight: SightArrays, ax: float, ay: float, az: float, bx: float, by: float, bz: float) -> bool:
    """Return whether nothing is between two points; the result is the same in both directions."""
    # Use one order for both directions, so that rounding is the same.
    if ax > bx or (ax == bx and (ay > by or (ay == by and az > bz))):
        ax, ay, az, bx, by, bz = bx, by, bz, ax, ay, az
    dx, dy, dz = bx - ax, by - ay, bz - az
    origin_x, origin_y, per_metre = sight.grid[0], sight.grid[1], sight.grid[2]
    wide, deep = sight.grid[3], sight.grid[4]
    x, y = (ax - origin_x) * per_metre, (ay - origin_y) * per_metre
    step_x, step_y = dx * per_metre, dy * per_metre
    columns, rows = np.int64(wide), np.int64(deep)
    first, last = 0.0, 1.0
    inside = x >= 0.0 and x + step_x <= wide and min(y, y + step_y) >= 0.0 and max(y, y + step_y) <= deep
    if not inside:
        first, last = clip(sight.grid, x, y, step_x, step_y)
        if first > last:
            return True
    column = min(max(np.int64(x + first * step_x), 0), columns - 1)
    row = min(max(np.int64(y + first * step_y), 0), rows - 1)
    # The order above ensures dx >= 0.
    per_x = 1.0 / step_x if step_x > 0.0 else math.inf
    per_y = 1.0 / abs(step_y) if step_y != 0.0 else math.inf
    up = np.int64(1) if step_y > 0.0 else np.int64(-1)
    next_x = (np.float64(column + 1) - x) * per_x if step_x > 0.0 else math.inf
    next_y = abs(np.float64(row + (1 if up > 0 else 0)) - y) * per_y if step_y != 0.0 else math.inf
    low, high = min(az, bz), max(az, bz)
    sides = np.uint8(0)
    while True:
        place = np.uint64(2 * (row * columns + column))
        begin, middle = np.uint64(sight.column[place]), np.uint64(sight.column[place + np.uint64(1)])
        for k in range(begin, middle):
            w = np.uint64(sight.column[np.uint64(k)])
            sides |= wall_sides(sight.wall, w, ax, ay, az, dx, dy, dz)[0]
            if sides == BOTH:
                return False
        for k in range(middle, np.uint64(sight.column[place + np.uint64(2)])):
            t = np.uint64(sight.column[np.uint64(k)])
            # Most triangles are floors and tops above or below the line: two comparisons exclude them.
            if sight.triangle[t, 0] > high or sight.triangle[t, 1] < low:
                continue
            if hits_triangle(sight.triangle, t, ax, ay, az, dx, dy, dz) <= 1.0:
                return False
        if min(next_x, next_y) > last:
            return True
        if next_x < next_y:
            column += 1
            next_x += per_x
            if column >= columns:
                return True
        else:
            row += up
            next_y += per_y
            if row < 0 or row >= rows:
                return True


@jit
def clear_lines(sight: SightArrays, eyes: Array, points: Array, out: Array) -> None:
    """Write to `out` (n,) bool whether `eyes[i]` (n, 3) sees `points[i]` (n, 3)."""
    for i in range(len(eyes)):
        out[i] = is_clear(sight, eyes[i, 0], eyes[i, 1], eyes[i, 2], points[i, 0], points[i, 1], points[i, 2])


@jit
def clear_pairs(sight: SightArrays, eyes: Array, points: Array, out: Array) -> None:
    """Write to `out` (n, m) bool whether `eyes[i]` (n, 3) sees `points[k]` (m, 3)."""
    for i in range(len(eyes)):
        x, y, z = eyes[i, 0], eyes[i, 1], eyes[i, 2]
        for k in range(len(points)):
            out[i, k] = is_clear(sight, x, y, z, points[k, 0], points[k, 1], points[k, 2])


@jit
def clear_any(sight: SightArrays, eyes: Array, points: Array, out: Array) -> None:
    """Write to `out` (m,) bool whether any of `eyes` (n, 3) sees `points[k]` (m, 3)."""
    for k in range(len(points)):
        x, y, z = points[k, 0], points[k, 1], points[k, 2]
        out[k] = False
        for i in range(len(eyes)):
            if is_clear(sight, eyes[i, 0], eyes[i, 1], eyes[i, 2], x, y, z):
                out[k] = True
                break
