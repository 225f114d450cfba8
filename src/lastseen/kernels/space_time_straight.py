"""Does a straight way keep near a line?"""

from __future__ import annotations

import math
from typing import NamedTuple

from ..conventions import Array
from .jit import inner, jit
from .space_time_floor import Point

__all__ = ["LeashArrays", "keeps_near", "off_line", "off_lines"]

_SLACK = 0.02  # metres; one who is nearer to the end of a leash is taken as beyond it


class LeashArrays(NamedTuple):
    """A line that is not to be left; without points, one may go anywhere."""

    line: Array  # float64 (n, 3)
    hold: Array  # float64 (2,)  metres in plan it may be left for, below 0: no straight ways but those given; storeys


@inner
def off_line(leash: LeashArrays, x: float, y: float, z: float) -> float:
    """Return how far a point is from the line in plan: from what of it is on its storey, infinite where nothing is."""
    line, best = leash.line, math.inf
    for i in range(len(line) - 1):
        ax, ay, az = line[i, 0], line[i, 1], line[i, 2]
        ex, ey = line[i + 1, 0] - ax, line[i + 1, 1] - ay
        long2 = ex * ex + ey * ey
        share = min(1.0, max(0.0, ((x - ax) * ex + (y - ay) * ey) / long2)) if long2 > 0.0 else 0.0
        if abs(az + share * (line[i + 1, 2] - az) - z) <= leash.hold[1]:
            best = min(best, math.hypot(ax + share * ex - x, ay + share * ey - y))
    return best


@jit
def off_lines(leash: LeashArrays, points: Array, out: Array) -> None:
    """Write `off_line` of points (n, 3) to `out` (n,)."""
    for i in range(len(points)):
        out[i] = off_line(leash, points[i, 0], points[i, 1], points[i, 2])


@inner
def keeps_near(leash: LeashArrays, start: Point, end: Point) -> bool:
    """Return whether a straight way keeps within the leash all along: nobody gets further off a line than it goes."""
    if len(leash.line) == 0:
        return True
    length = math.hypot(end[0] - start[0], end[1] - start[1])
    gone = 0.0
    while gone < length:
        share = gone / length
        x, y = start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
        slack = leash.hold[0] - off_line(leash, x, y, start[2] + share * (end[2] - start[2]))
        if slack < _SLACK:
            return False
        gone += slack
    return True
