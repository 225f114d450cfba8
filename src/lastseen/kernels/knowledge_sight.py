"""What is seen becomes known; what is lost may stay known for a while."""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .body_arrays import BodyArrays
from .jit import jit
from .knowledge_arrays import NOTHING, SIGHT, KnowledgeArrays

__all__ = ["remember_sights"]


@jit
def remember_sights(
    know: KnowledgeArrays,
    bodies: BodyArrays,
    observers: Array,
    targets: Array,
    seen: Array,
    identified: Array,
    certainty: Array,
    now: float,
    grace: float,
    halving: float,
    faded: float,
) -> None:
    """Write the true place of every target that is seen, and of those lost no more than `grace` seconds ago.

    Between the last step and this one targets are taken to have moved straight, so that what is known when the
    grace ends does not depend on the length of steps. What is known of others becomes half as sure in `halving` seconds
    (0: never); `faded`: until when it has been counted.
    """
    for i in range(len(observers)):
        observer = observers[i]
        for j in range(len(targets)):
            target = targets[j]
            x, y, z = bodies.xyz[target, 0], bodies.xyz[target, 1], bodies.xyz[target, 2]
            vx, vy = bodies.velocity_xy[target, 0], bodies.velocity_xy[target, 1]
            if seen[i, j]:
                know.perceived[i, j] = now
                know.source[i, j] = SIGHT
                know.certainty[i, j] = certainty[i, j]
                know.identified[i, j] |= np.uint8(identified[i, j])
                know.from_xyz[i, j, 0] = bodies.xyz[observer, 0]
                know.from_xyz[i, j, 1] = bodies.xyz[observer, 1]
                know.from_xyz[i, j, 2] = bodies.xyz[observer, 2]
                know.from_gaze[i, j] = bodies.gaze[observer]
                know.time[i, j] = now
            else:
                until = know.perceived[i, j] + grace
                before = know.time[i, j]
                if grace <= 0.0 or know.source[i, j] != SIGHT or before >= until:
                    if halving > 0.0 and know.source[i, j] != NOTHING:
                        know.certainty[i, j] *= 0.5 ** ((now - max(before, faded)) / halving)
                    continue
                share = min(1.0, (until - before) / max(now - before, 1e-12))
                x = know.xyz[i, j, 0] + share * (x - know.xyz[i, j, 0])
                y = know.xyz[i, j, 1] + share * (y - know.xyz[i, j, 1])
                z = know.xyz[i, j, 2] + share * (z - know.xyz[i, j, 2])
                know.time[i, j] = min(now, until)
            know.xyz[i, j, 0], know.xyz[i, j, 1], know.xyz[i, j, 2] = x, y, z
            speed = np.sqrt(vx * vx + vy * vy)
            know.speed[i, j] = speed
            know.direction_xy[i, j, 0] = vx / speed if speed > 0.0 else 0.0
            know.direction_xy[i, j, 1] = vy / speed if speed > 0.0 else 0.0
