"""How much of a sound's source lies open to a listener?"""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .jit import jit
from .sight_arrays import SightArrays
from .sight_line import is_clear

__all__ = ["cast_to_sounds"]


@jit
def cast_to_sounds(
    sight: SightArrays, sources: Array, ears: Array, in_reach: Array, aside: float, share: Array
) -> None:
    """Fill `share` (s, n) with the part of the rays that pass from each ear to each source within reach.

    One ray goes to the source; with `aside` metres, two more pass beside it and one above.
    """
    for number in range(len(sources)):
        x, y, z = sources[number, 0], sources[number, 1], sources[number, 2]
        for i in range(len(ears)):
            if not in_reach[number, i]:
                continue
            ex, ey, ez = ears[i, 0], ears[i, 1], ears[i, 2]
            passed = np.float64(is_clear(sight, ex, ey, ez, x, y, z))
            if aside == 0.0:
                share[number, i] = passed
                continue
            dx, dy = x - ex, y - ey
            length = np.sqrt(dx * dx + dy * dy)
            sx, sy = (-dy / length * aside, dx / length * aside) if length > 0.0 else (aside, 0.0)
            passed += np.float64(is_clear(sight, ex, ey, ez, x + sx, y + sy, z))
            passed += np.float64(is_clear(sight, ex, ey, ez, x - sx, y - sy, z))
            passed += np.float64(is_clear(sight, ex, ey, ez, x, y, z + aside))
            share[number, i] = passed / 4.0
