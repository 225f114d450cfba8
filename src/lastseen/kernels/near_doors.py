"""Who is at which door?"""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .body_arrays import ACTIVE, BodyArrays
from .jit import jit

__all__ = ["find_near_doors"]


@jit
def find_near_doors(
    bodies: BodyArrays, going: Array, middles: Array, reach: float, walker: Array, nearest: Array
) -> None:
    """Fill for each door the first active body walking within `reach` of its middle, -1: none, and how near one is.

    `middles` (d, 3), `going` (n,), `walker` and `nearest` (d,).
    """
    for door in range(len(middles)):
        walker[door], least = -1, np.inf
        for i in range(len(bodies.mode)):
            dx = bodies.xyz[i, 0] - middles[door, 0]
            dy = bodies.xyz[i, 1] - middles[door, 1]
            square = dx * dx + dy * dy
            if square >= least and square > reach * reach:
                continue
            dz = bodies.xyz[i, 2] - middles[door, 2]
            square += dz * dz
            if bodies.mode[i] != ACTIVE:
                continue
            least = min(least, square)
            if square <= reach * reach and going[i] and walker[door] < 0:
                walker[door] = i
        nearest[door] = np.sqrt(least)
