"""Selection of cells in a layer: the next that matches, or the best with a minimum spacing."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...conventions import Array
from ..arrays.bits import bit
from ..jit import jit


@jit
def choose_spaced(score: Array, xyz: Array, spacing: float, chosen: Array) -> int:
    """Choose the highest score, strike out all within `spacing` metres, and repeat; return how many were chosen.

    Parameters
    ----------
    score : (n,) float64, no NaN; overwritten (struck out: -inf).
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


@jit
def next_fitting(values: Array, low: Any, high: Any, disabled: Array, start: int, skip_disabled: bool) -> int:
    """Return the first cell from `start` on with `low <= value <= high`, or -1.

    `low` and `high` have the dtype of `values`; `disabled` is a bit field.
    """
    count = np.uint64(len(values))
    cell = np.uint64(start)
    one = np.uint64(1)
    block = np.uint64(256)
    while cell < count:
        # Without an early exit the compiler vectorises the comparison: 3.5 times as fast on int8.
        while cell + block <= count:
            fitting = np.uint8(0)
            for other in range(cell, cell + block):
                fitting |= np.uint8(values[other] >= low) & np.uint8(values[other] <= high)
            if fitting:
                break
            cell += block
        end = min(cell + block, count)
        while cell < end:
            if low <= values[cell] <= high and not (skip_disabled and bit(disabled, cell)):
                return np.int64(cell)
            cell += one
    return -1
