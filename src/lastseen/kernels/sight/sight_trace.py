"""Find how far lines of sight go before they are blocked."""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import SightArrays
from ..jit import inner, jit
from .sight_line import LEFT, RIGHT, clip, hits_triangle, wall_sides


@jit
def _column_hits(
    sight: SightArrays,
    place: int,
    start: tuple[float, float, float],
    step: tuple[float, float, float],
    left: float,
    right: float,
) -> tuple[float, float]:
    """Return the nearest hits so far, including one column, for the left and the right neighbour of a line."""
    ax, ay, az = start
    dx, dy, dz = step
    middle = np.uint64(sight.column[place + np.uint64(1)])
    for k in range(np.uint64(sight.column[place]), middle):
        sides, share = wall_sides(sight.wall, np.uint64(sight.column[np.uint64(k)]), ax, ay, az, dx, dy, dz)
        if sides & LEFT:
            left = min(left, share)
        if sides & RIGHT:
            right = min(right, share)
    low, high = min(az, az + dz), max(az, az + dz)
    for k in range(middle, np.uint64(sight.column[place + np.uint64(2)])):
        t = np.uint64(sight.column[np.uint64(k)])
        if sight.triangle[t, 0] > high or sight.triangle[t, 1] < low:
            continue
        share = hits_triangle(sight.triangle, t, ax, ay, az, dx, dy, dz)
        left, right = min(left, share), min(right, share)
    return left, right


@inner
def trace(
    sight: SightArrays, start: tuple[float, float, float], step: tuple[float, float, float]
) -> tuple[float, float]:
    """Return the shares of `step` at which the left and right neighbours of a line first hit something.

    A share is 2.0 if there is no hit. The line itself is blocked where both neighbours are: at the larger share.
    """
    grid = sight.grid
    x, y = (start[0] - grid[0]) * grid[2], (start[1] - grid[1]) * grid[2]
    step_x, step_y = step[0] * grid[2], step[1] * grid[2]
    first, last = clip(grid, x, y, step_x, step_y)
    left, right = 2.0, 2.0
    if first > last:
        return left, right
    columns, rows = np.int64(grid[3]), np.int64(grid[4])
    column = min(max(np.int64(x + first * step_x), 0), columns - 1)
    row = min(max(np.int64(y + first * step_y), 0), rows - 1)
    across = np.int64(1) if step_x > 0.0 else np.int64(-1)
    up = np.int64(1) if step_y > 0.0 else np.int64(-1)
    per_x = 1.0 / abs(step_x) if step_x != 0.0 else math.inf
    per_y = 1.0 / abs(step_y) if step_y != 0.0 else math.inf
    next_x = abs(np.float64(column + (1 if across > 0 else 0)) - x) * per_x if step_x != 0.0 else math.inf
    next_y = abs(np.float64(row + (1 if up > 0 else 0)) - y) * per_y if step_y != 0.0 else math.inf
    while True:
        left, right = _column_hits(sight, np.uint64(2 * (row * columns + column)), start, step, left, right)
        if min(next_x, next_y) > min(last, max(left, right)):
            return left, right
        if next_x < next_y:
            column += across
            next_x += per_x
            if column < 0 or column >= columns:
                return left, right
        else:
            row += up
            next_y += per_y
            if row < 0 or row >= rows:
                return left, right


@jit
def first_hits(sight: SightArrays, eyes: Array, points: Array, out: Array) -> None:
    """Write to `out` (n,) float64 the unblocked share of the line from `eyes` to `points` (n, 3), at most 1."""
    for i in range(len(eyes)):
        start = (eyes[i, 0], eyes[i, 1], eyes[i, 2])
        step = (points[i, 0] - eyes[i, 0], points[i, 1] - eyes[i, 1], points[i, 2] - eyes[i, 2])
        left, right = trace(sight, start, step)
        out[i] = min(max(left, right), 1.0)
