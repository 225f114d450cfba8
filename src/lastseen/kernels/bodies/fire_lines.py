"""Lines of fire: who stands too near to which?"""

from __future__ import annotations

import math

from ...conventions import Array
from ..arrays.agent_arrays import ACTIVE
from ..jit import jit

_FROM, _TO = 0.02, 0.98
"""Part of a line along which bodies count: at its two ends stand the one who shoots and the one who is shot at."""


@jit
def _is_near(start: Array, i: int, x: float, y: float, feet: Array, j: int, clear: float) -> bool:
    """Return whether the line from `start[i]` to (x, y) passes `feet[j]` too near."""
    along_x, along_y = x - start[i, 0], y - start[i, 1]
    length = max(along_x * along_x + along_y * along_y, 1e-9)
    off_x, off_y = feet[j, 0] - start[i, 0], feet[j, 1] - start[i, 1]
    share = (off_x * along_x + off_y * along_y) / length
    aside = off_x * along_y - off_y * along_x
    return _FROM < share < _TO and aside * aside < clear * clear * length


@jit
def lines_near(start: Array, x: float, y: float, feet: Array, clear: float, out: Array) -> None:
    """Write to `out` (k, m) bool whether the line from `start[i]` (k, 3) to (x, y) passes `feet[j]` (m, 3) too near.

    Seen from above; too near is less than `clear` metres from the line, between its ends.
    """
    for i in range(len(start)):
        for j in range(len(feet)):
            out[i, j] = _is_near(start, i, x, y, feet, j, clear)


@jit
def without_bodies(places: Array, x: float, y: float, feet: Array, own: Array, clear: float, out: Array) -> None:
    """Write to `out` (m, k) float64 1 where nobody but `own[row]` is too near to the line from a place (k, 3), else 0.

    `feet` (n, 3) are where bodies are, `own` (m,) int64 are rows of it.
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
    """Write to `out` (m, k) float64 1 where a place (k, 3) is near to no line but that of `own[row]`, else 0.

    Lines begin at those of `feet` (n, 3) that `shoots` (n,) bool; `own` (m,) int64 are rows of it.
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
    """Return who of the shooter's team comes first in the line from `start` (3,) to the target; -1: nobody.

    `xyz` (n, 3), `radius`, `team`, `mode` (n,) as in `BodyArrays`; who is not active is not in the way. `height` is
    how far above or below the line, in metres, feet may be.
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
