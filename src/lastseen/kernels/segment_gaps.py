"""How near does each straight line come to a path?"""

from __future__ import annotations

import math

import numpy as np

from ..conventions import Array
from .jit import jit

__all__ = ["nearest_gaps"]


@jit
def nearest_gaps(line: Array, path: Array, out: Array) -> None:
    """Write the least distance in space from each line (n, 6), both its ends, to a path (k, 3) of one point or more."""
    pieces = np.uint64(max(len(path) - 1, 1))
    for n in range(np.uint64(len(line))):
        least = math.inf
        for k in range(pieces):
            end = min(k + np.uint64(1), np.uint64(len(path) - 1))
            least = min(least, _gap(line, n, path, k, end))
            if least == 0.0:
                break
        out[n] = math.sqrt(least)


@jit
def _gap(line: Array, n: int, path: Array, begin: int, end: int) -> float:
    """Return the squared distance of two straight pieces, either of which may be a point.

    Where both are as near as their endless lines, that is it; else an end of one is nearest to the other.
    """
    ux, uy, uz = line[n, 3] - line[n, 0], line[n, 4] - line[n, 1], line[n, 5] - line[n, 2]
    vx, vy, vz = path[end, 0] - path[begin, 0], path[end, 1] - path[begin, 1], path[end, 2] - path[begin, 2]
    wx, wy, wz = line[n, 0] - path[begin, 0], line[n, 1] - path[begin, 1], line[n, 2] - path[begin, 2]
    uu, uv, vv = ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz
    uw, vw = ux * wx + uy * wy + uz * wz, vx * wx + vy * wy + vz * wz
    across = uu * vv - uv * uv
    least = math.inf
    if across > 1e-12 * uu * vv:
        s, t = (uv * vw - vv * uw) / across, (uu * vw - uv * uw) / across
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            x, y, z = wx + s * ux - t * vx, wy + s * uy - t * vy, wz + s * uz - t * vz
            least = x * x + y * y + z * z
            # Lines that cross leave a rounding error, and a crossing is to be no distance at all.
            if least < 1e-24 * (uu + vv):
                return 0.0
    for corner in range(2):
        s = float(corner)
        t = min(max((vw + s * uv) / vv, 0.0), 1.0) if vv > 0.0 else 0.0
        x, y, z = wx + s * ux - t * vx, wy + s * uy - t * vy, wz + s * uz - t * vz
        least = min(least, x * x + y * y + z * z)
        t = float(corner)
        s = min(max((t * uv - uw) / uu, 0.0), 1.0) if uu > 0.0 else 0.0
        x, y, z = wx + s * ux - t * vx, wy + s * uy - t * vy, wz + s * uz - t * vz
        least = min(least, x * x + y * y + z * z)
    return least
