"""Where do walls cross that were drawn one through the other?"""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .jit import jit
from .sight_arrays import SightArrays

__all__ = ["wall_crossings"]


@jit
def wall_crossings(sight: SightArrays, found: Array) -> int:
    """Write where walls cross, x, y, bottom, top, to `found` (n, 4) as far as it goes; return how many there are.

    A place may come twice, where both walls lie in two columns.
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
