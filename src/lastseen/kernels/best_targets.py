"""Whom does each watcher see, notice, know of, and whom has it lost?"""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .body_arrays import ACTIVE, BodyArrays
from .jit import jit
from .knowledge_arrays import KnowledgeArrays

__all__ = ["choose_targets"]


@jit
def choose_targets(
    know: KnowledgeArrays,
    bodies: BodyArrays,
    watchers: Array,
    acting: Array,
    visible: Array,
    band: Array,
    metres: Array,
    glance: int,
    now: float,
    forgotten: float,
    acted_on: Array,
    best: Array,
) -> None:
    """Fill `best` (4, n) with columns of targets, -1: none; ties: the first column.

    Row 0: the nearest it may act on (`acting` (n, m)); 1: the nearest it sees in a band of at least `glance` but may
    not act on; 2: the one identified and known of last, less than `forgotten` seconds ago; 3: of those it does not see
    the one it could act on last. `acted_on` (n, m) holds when that was, -inf: never, and is brought up to date.
    """
    best[:] = -1
    for i in range(len(watchers)):
        if bodies.mode[watchers[i]] != ACTIVE:
            continue
        least = np.full(4, np.inf)
        for j in range(acting.shape[1]):
            if acting[i, j]:
                acted_on[i, j] = now
                if metres[i, j] < least[0]:
                    least[0], best[0, i] = metres[i, j], j
            elif visible[i, j] and band[i, j] >= glance and metres[i, j] < least[1]:
                least[1], best[1, i] = metres[i, j], j
            age = now - know.time[i, j]
            if know.identified[i, j] != 1 or not age < forgotten:
                continue
            if age < least[2]:
                least[2], best[2, i] = age, j
            since = now - acted_on[i, j]
            if not visible[i, j] and since < least[3]:
                least[3], best[3, i] = since, j
