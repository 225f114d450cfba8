"""Which call should each listener follow?"""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .jit import jit

__all__ = ["choose_calls"]

_STEP = 1e6
"""Metres that count less than any step of priority."""


@jit
def choose_calls(places: Array, priority: Array, may: Array, xyz: Array, who: Array, chosen: Array) -> None:
    """Fill `chosen` (n,) with the row of the call at `places` (c, 3) each of `who` (n,) should follow; -1: none.

    Of those it `may` (c, n) follow: the highest `priority` (c,), then the nearest along the longest axis, then the
    first.
    """
    for i in range(len(who)):
        chosen[i], best = -1, -np.inf
        one = np.int64(who[i])
        for c in range(len(priority)):
            if not may[c, i]:
                continue
            away = 0.0
            for axis in range(3):
                away = max(away, abs(places[c, axis] - xyz[one, axis]))
            worth = priority[c] * _STEP - away
            if worth > best:
                chosen[i], best = c, worth
