"""Sort walls and triangles into a grid of columns, and find where walls cross."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import SightArrays
from ..jit import jit

MARGIN = 1e-3
"""Share of a column by which shapes are enlarged: more than the rounding error of a walk along a line."""


@jit
def _apart(shape: Array, x: float, y: float, reach: float) -> bool:
    """Return whether an edge of a shape (k, 2) separates it from the square of half width `reach` around (x, y)."""
    count = len(shape)
    for k in range(count):
        ax, ay = shape[k, 0], shape[k, 1]
        bx, by = shape[(k + 1) % count, 0], shape[(k + 1) % count, 1]
        nx, ny = by - ay, ax - bx
        far = reach * (abs(nx) + abs(ny))
        middle = nx * (x - ax) + ny * (y - ay)
        low, high = 0.0, 0.0
        for m in range(count):
            side = nx * (shape[m, 0] - ax) + ny * (shape[m, 1] - ay)
            low, high = min(low, side), max(high, side)
        if middle - far > high or middle + far < low:
            return True
    return False


@jit
def fill_columns(shapes: Array, columns: int, rows: int, count: Array, item: Array) -> None:
    """Count the shapes that intersect each column, or write their numbers.

    `shapes` (n, k, 2) float64 are segments or triangles seen from above, in columns. If `item` is empty, `count`
    (columns * rows,) counts the shapes; otherwise it holds the position in `item` of each column's next number.
    """
    for n in range(len(shapes)):
        shape = shapes[n]
        low_x, high_x, low_y, high_y = shape[0, 0], shape[0, 0], shape[0, 1], shape[0, 1]
        for k in range(1, len(shape)):
            low_x, high_x = min(low_x, shape[k, 0]), max(high_x, shape[k, 0])
            low_y, high_y = min(low_y, shape[k, 1]), max(high_y, shape[k, 1])
        for row in range(max(np.int64(low_y - MARGIN), 0), min(np.int64(high_y + MARGIN), rows - 1) + 1):
            for column in range(max(np.int64(low_x - MARGIN), 0), min(np.int64(high_x + MARGIN), columns - 1) + 1):
                if _apart(shape, column + 0.5, row + 0.5, 0.5 + MARGIN):
                    continue
                place = row * columns + column
                if len(item):
                    item[count[place]] = n
                count[place] += 1


@jit
def wall_crossings(sight: SightArrays, found: Array) -> int:
    """Write x, y, bottom, top of wall crossings to `found` (n, 4) until it is full; return the number of crossings.

    A crossing is repeated if both walls are in the same two columns.
    """
    count = 0
    columns = np.int64(sight.grid[3]) * np.int64(sight.grid[4])
    wall = sight.wall
    for column in range(columns):
        place = np.uint64(2 * column)
        begin, end = np.uint64(sight.column[place]), np.uint64(sight.column[place + np.uint64(1)])
        for i in range(begin, end):
            one = np.uint64(sight.column[np.uint64(i)])
            ax, ay = wall[one, 0], wall[one, 1]
            dx, dy = wall[one, 2] - ax, wall[one, 3] - ay
            for k in range(np.uint64(i) + np.uint64(1), end):
                other = np.uint64(sight.column[np.uint64(k)])
                side0 = dx * (wall[other, 1] - ay) - dy * (wall[other, 0] - ax)
                side1 = dx * (wall[other, 3] - ay) - dy * (wall[other, 2] - ax)
                if not (side0 < 0.0 < side1 or side1 < 0.0 < side0):
                    continue
                ex, ey = wall[other, 2] - wall[other, 0], wall[other, 3] - wall[other, 1]
                before = ex * (ay - wall[other, 1]) - ey * (ax - wall[other, 0])
                behind = before + ex * dy - ey * dx
                if not (before < 0.0 < behind or behind < 0.0 < before):
                    continue
                low = max(min(wall[one, 4], wall[one, 6]), min(wall[other, 4], wall[other, 6]))
                high = min(max(wall[one, 5], wall[one, 7]), max(wall[other, 5], wall[other, 7]))
                if low >= high:
                    continue
                if count < len(found):
                    share = before / (before - behind)
                    found[count, 0], found[count, 1] = ax + share * dx, ay + share * dy
                    found[count, 2], found[count, 3] = low, high
                count += 1
    return count
