"""What is heard becomes known."""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .body_arrays import BodyArrays
from .jit import jit
from .knowledge_arrays import SOUND, KnowledgeArrays

__all__ = ["remember_sounds"]


@jit
def remember_sounds(
    know: KnowledgeArrays,
    suspects: Array,
    bodies: BodyArrays,
    observers: Array,
    xyz: Array,
    column: Array,
    heard: Array,
    loudness: Array,
    infers: Array,
    now: float,
) -> None:
    """Write where each sound was made for those who heard it, `heard` and `loudness` (s, n), and see its maker not now.

    `column` (s,): of the target it gives away, -1: of nobody, which only makes those who infer (n,) suspicious.
    """
    for s in range(len(column)):
        j = np.int64(column[s])
        for i in range(len(observers)):
            if not heard[s, i]:
                continue
            if infers[i]:
                suspects[i] = now
            if j < 0 or not know.time[i, j] < now:  # who sees it at this moment knows better
                continue
            one = np.int64(observers[i])
            for axis in range(3):
                know.xyz[i, j, axis] = xyz[s, axis]
                know.from_xyz[i, j, axis] = bodies.xyz[one, axis]
            know.direction_xy[i, j, 0], know.direction_xy[i, j, 1] = 0.0, 0.0
            know.speed[i, j] = 0.0
            know.time[i, j] = now
            know.perceived[i, j] = now
            know.source[i, j] = SOUND
            know.certainty[i, j] = loudness[s, i]
            know.from_gaze[i, j] = bodies.gaze[one]
