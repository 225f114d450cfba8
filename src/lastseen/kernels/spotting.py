"""Who sees those who watch it?"""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .body_arrays import ACTIVE, BodyArrays
from .jit import jit
from .sight_arrays import SightArrays
from .sight_line import is_clear

__all__ = ["find_spotted"]


@jit
def find_spotted(
    bodies: BodyArrays, sight: SightArrays, targets: Array, watchers: Array, eyes: Array, within: float, spotted: Array
) -> None:
    """Fill `spotted` (targets, watchers): is the head of a watcher in sight of a target, at most `within` metres away?

    Whichever way the target faces. `eyes` (stances,): metres above the feet; both must be active.
    """
    for t in range(len(targets)):
        one = np.int64(targets[t])
        x, y = bodies.xyz[one, 0], bodies.xyz[one, 1]
        z = bodies.xyz[one, 2] + eyes[bodies.stance[one]]
        for w in range(len(watchers)):
            other = np.int64(watchers[w])
            spotted[t, w] = False
            if bodies.mode[one] != ACTIVE or bodies.mode[other] != ACTIVE:
                continue
            dx, dy = x - bodies.xyz[other, 0], y - bodies.xyz[other, 1]
            head = bodies.xyz[other, 2] + eyes[bodies.stance[other]]
            if np.sqrt(dx * dx + dy * dy + (z - head) * (z - head)) <= within:
                spotted[t, w] = is_clear(sight, x, y, z, bodies.xyz[other, 0], bodies.xyz[other, 1], head)
