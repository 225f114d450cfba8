"""Find bodies that are too near to lines of fire."""

from __future__ import annotations

import math

from ...conventions import Array
from ..arrays.agent_arrays import ACTIVE
from ..jit import jit

_FROM, _TO = 0.02, 0.98
"""Part of a line along which bodies count: the shooter and the target are at its two ends."""


@jit
def _is_near(start: Array, i: int, x: float, y: float, feet: Array, j: int, clear: float) -> bool:
    """Return whether the line from `start[i]` to (x, y) passes too near to `feet[j]`."""
    along_x, along_y = x - start[i, 0], y - start[i, 1]
    length = max(along_x * along_x + along_y * along_y, 1e-9)
    off_x, off_y = feet[j, 0] - start[i, 0], feet[j, 1] - start[i, 1]
    share = (off_x * along_x + off_y * along_y) / length
    aside = off_x * along_y - off_y * along_x
    return _FROM < share < _TO and aside * aside < clear * clear * length


@jit
def lines_near(start: Array, x: float, y: float, feet: Array, clear: float, out: Array) -> None:
    """Write to `out` (k, m) bool whether the line from `start[i]` (k, 3) to (x, y) passes too near to `feet[j]` (m, 3).

    Seen from above; too near means less than `clear` metres from the line, between its ends.
    """
    for i in range(len(start)):
        for j in range(len(feet)):
            out[i, j] = _is_near(start, i, x, y, feet, j, clear)


@jit
def without_bodies(places: Array, x: float, y: float, feet: Array, own: Array, clear: float, out: Array) -> None:
    """Write to `out` (m, k) float64 1 if no body except `own[row]` is too near to the line from a place (k, 3), else 0.

    `feet` (n, 3) are the positions of bodies, `own` (m,) int64 are rows of it.
    """
    for at in range(len(places)):
        count, last = 0, -1
        for j in range(len(feet)):
            if _is_near(places, at, x, y, feet, j, clear):
                count, last = count + 1, j
        for row in range(len(own)):
            out[row, at] = 1.0 if count == 0 or (count == 1 and last == own[row]) else 0.0


@jit
def out_of_lines(
    feet: Array, shoots: Array, x: float, y: float, places: Array, own: Array, clear: float, out: Array
) -> None:
    """Write to `out` (m, k) float64 1 if a place (k, 3) is too near to no line except that of `own[row]`, else 0.

    Lines begin at the `feet` (n, 3) of bodies with `shoots` (n,) bool; `own` (m,) int64 are rows of `feet`.
    """
    for at in range(len(places)):
        count, last = 0, -1
        for i in range(len(feet)):
            if shoots[i] and _is_near(feet, i, x, y, places, at, clear):
                count, last = count + 1, i
        for row in range(len(own)):
            out[row, at] = 1.0 if count == 0 or (count == 1 and last == own[row]) else 0.0


@jit
def first_in_line(
    start: Array, xyz: Array, radius: Array, team: Array, mode: Array, shooter: int, target: int, height: float
) -> int:
    """Return the first body of the shooter's team on the line from `start` (3,) to the target, or -1.

    `xyz` (n, 3), `radius`, `team`, `mode` (n,) as in `BodyArrays`; inactive bodies do not block the line. `height` is
    the largest distance in metres of feet above or below the line.
    """
    along_x, along_y = xyz[target, 0] - start[0], xyz[target, 1] - start[1]
    along_z = xyz[target, 2] - start[2]
    length = along_x * along_x + along_y * along_y
    first, least = -1, math.inf
    if length == 0.0:
        return first
    for one in range(len(xyz)):
        if mode[one] != ACTIVE or team[one] != team[shooter] or one in (shooter, target):
            continue
        off_x, off_y = xyz[one, 0] - start[0], xyz[one, 1] - start[1]
        share = (off_x * along_x + off_y * along_y) / length
        if not 0.0 < share < 1.0 or share >= least:
            continue
        aside = math.hypot(off_x - share * along_x, off_y - share * along_y)
        if aside <= radius[one] and abs(xyz[one, 2] - start[2] - share * along_z) <= height:
            first, least = one, share
    return first
