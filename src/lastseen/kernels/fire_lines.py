"""Lines of fire: who stands too near to which?"""

from __future__ import annotations

from ..conventions import Array
from .jit import jit

__all__ = ["lines_near"]

_FROM, _TO = 0.02, 0.98
"""Part of a line along which bodies count: at its two ends stand the one who shoots and the one who is shot at."""


@jit
def lines_near(start: Array, x: float, y: float, feet: Array, clear: float, out: Array) -> None:
    """Write to `out` (k, m) bool whether the line from `start[i]` (k, 3) to (x, y) passes `feet[j]` (m, 3) too near.

    Seen from above; too near is less than `clear` metres from the line, between its ends.
    """
    for i in range(len(start)):
        along_x, along_y = x - start[i, 0], y - start[i, 1]
        length = max(along_x * along_x + along_y * along_y, 1e-9)
        for j in range(len(feet)):
            off_x, off_y = feet[j, 0] - start[i, 0], feet[j, 1] - start[i, 1]
            share = (off_x * along_x + off_y * along_y) / length
            aside = off_x * along_y - off_y * along_x
            out[i, j] = _FROM < share < _TO and aside * aside < clear * clear * length
