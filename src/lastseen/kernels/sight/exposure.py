"""Find cells and places in view, the cover they give, and how near they are."""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import SightArrays
from ..jit import jit
from .sight_line import is_clear


@jit
def seen_cells(
    sight: SightArrays,
    xyz: Array,
    eyes: Array,
    facing: Array,
    cosine: Array,
    at: float,
    start: Array,
    cell: Array,
    seen_start: Array,
) -> int:
    """Keep only the cells each eye sees (`start` (n + 1,), `cell`), in place; return the total number of cells kept.

    An eye (n, 3) sees a cell if the line to `at` metres above its position in `xyz` (N, 3) is clear and, seen from
    above, the angle to `facing` (n, 2) is at most that of `cosine` (n,); -1: all around. Fills `seen_start` (n + 1,).
    """
    count = np.int64(0)
    seen_start[0] = 0
    for i in range(len(eyes)):
        ex, ey, ez = eyes[i, 0], eyes[i, 1], eyes[i, 2]
        for k in range(start[i], start[i + 1]):
            c = np.uint64(cell[k])
            x, y, z = np.float64(xyz[c, 0]), np.float64(xyz[c, 1]), np.float64(xyz[c, 2])
            if cosine[i] > -1.0:
                dx, dy = x - ex, y - ey
                if dx * facing[i, 0] + dy * facing[i, 1] < cosine[i] * math.sqrt(dx * dx + dy * dy):
                    continue
            if is_clear(sight, ex, ey, ez, x, y, z + at):
                cell[count] = cell[k]
                count += 1
        seen_start[i + 1] = count
    return count


@jit
def cover_from_ways(
    sight: SightArrays, places: Array, ways: Array, heights: Array, fan: Array, reach: float, out: Array
) -> None:
    """Fill `out` (n, d) with the share of level rays along `ways` (d, 2) that are blocked within `reach` metres.

    Rays start at each of `heights` (h,) above each of `places` (n, 3) and are turned by each of `fan` (f,) radians.
    """
    total = len(heights) * len(fan)
    for d in range(len(ways)):
        for i in range(len(places)):
            blocked = 0
            for f in range(len(fan)):
                cos, sin = math.cos(fan[f]), math.sin(fan[f])
                dx = reach * (ways[d, 0] * cos - ways[d, 1] * sin)
                dy = reach * (ways[d, 0] * sin + ways[d, 1] * cos)
                for h in range(len(heights)):
                    x, y, z = places[i, 0], places[i, 1], places[i, 2] + heights[h]
                    if not is_clear(sight, x, y, z, x + dx, y + dy, z):
                        blocked += 1
            out[i, d] = blocked / total


@jit
def cover_from_eyes(sight: SightArrays, places: Array, eyes: Array, heights: Array, out: Array) -> None:
    """Fill `out` (n, m) with the share of `heights` (h,) above `places` (n, 3) that `eyes` (m, 3) do not see."""
    for m in range(len(eyes)):
        for i in range(len(places)):
            hidden = 0
            for h in range(len(heights)):
                if not is_clear(
                    sight,
                    eyes[m, 0],
                    eyes[m, 1],
                    eyes[m, 2],
                    places[i, 0],
                    places[i, 1],
                    places[i, 2] + heights[h],
                ):
                    hidden += 1
            out[i, m] = hidden / len(heights)


@jit
def _metres(one: Array, i: int, other: Array, k: int) -> float:
    dx, dy, dz = one[i, 0] - other[k, 0], one[i, 1] - other[k, 1], one[i, 2] - other[k, 2]
    return math.sqrt(dx * dx + dy * dy + dz * dz)


@jit
def near_places(feet: Array, places: Array, half: float, out: Array) -> None:
    """Write to `out` (m, k) float64 how near `feet` (m, 3) are to `places` (k, 3): 1 at 0 m, 0.5 at `half` metres."""
    for i in range(len(feet)):
        for k in range(len(places)):
            out[i, k] = half / (half + _metres(feet, i, places, k))


@jit
def spots_in_view(
    sight: SightArrays,
    spots: Array,
    target: Array,
    eye: float,
    chest: float,
    near: float,
    far: float,
    metres: Array,
    out: Array,
) -> None:
    """Write to `out` (n,) bool whether a spot (n, 3) is `near` … `far` metres from a target (1, 3) with a clear view.

    The line goes from `eye` metres above the spot to `chest` metres above the target. `metres` (n,) receives all
    distances.
    """
    x, y, z = target[0, 0], target[0, 1], target[0, 2] + chest
    for i in range(len(spots)):
        metres[i] = _metres(spots, i, target, 0)
        out[i] = near <= metres[i] <= far and is_clear(sight, spots[i, 0], spots[i, 1], spots[i, 2] + eye, x, y, z)
