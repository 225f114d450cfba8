"""Choosing cells that keep their distance from one another."""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .jit import jit

__all__ = ["choose_spaced"]


@jit
def choose_spaced(score: Array, xyz: Array, spacing: float, chosen: Array) -> int:
    """Choose the highest score, strike out what lies nearer than `spacing` metres, and so on; return how many.

    Parameters
    ----------
    score : (n,) float64, no NaN; is overwritten (struck out: -inf).
    xyz : (n, 3) float32, metres.
    chosen : (m,) int64, filled with positions in `score`, best first; the lower position wins a tie.
    """
    count = np.uint64(len(score))
    square = spacing * spacing
    for number in range(len(chosen)):
        best = np.int64(-1)
        highest = -np.inf
        for place in range(count):
            if score[place] > highest:
                highest = score[place]
                best = np.int64(place)
        if best < 0:
            return number
        chosen[number] = best
        middle = np.uint64(best)
        x, y, z = np.float64(xyz[middle, 0]), np.float64(xyz[middle, 1]), np.float64(xyz[middle, 2])
        for place in range(count):
            dx, dy, dz = xyz[place, 0] - x, xyz[place, 1] - y, xyz[place, 2] - z
            if dx * dx + dy * dy + dz * dz < square:
                score[place] = -np.inf
        score[middle] = -np.inf
    return len(chosen)
