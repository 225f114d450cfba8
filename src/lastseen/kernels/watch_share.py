"""How often is each place in the view of somebody who moves and turns?"""

from __future__ import annotations

import math

import numpy as np

from ..conventions import Array
from .jit import jit
from .sight_arrays import SightArrays
from .sight_line import is_clear
from .space_time_views import AROUND, is_in_sector

__all__ = ["watch_share"]


@jit
def watch_share(
    sight: SightArrays, pose: Array, eye_height: float, angle: float, distance: float, place: Array, out: Array
) -> None:
    """Write the share of poses from which each `place` (n, 3) is seen to `out` (n,).

    `pose` (t, 5) holds x, y, z, heading, and what each look counts, 1 in all.
    A place is in view within `distance` metres in plan and half the `angle` to either side of the heading, where
    nothing stands between it and the eye, `eye_height` above the feet.
    """
    out[:] = 0.0
    least = AROUND if angle >= 2.0 * math.pi else math.cos(0.5 * angle)
    for t in range(np.uint64(len(pose))):
        x, y, z = pose[t, 0], pose[t, 1], pose[t, 2] + eye_height
        ahead_x, ahead_y = math.cos(pose[t, 3]), math.sin(pose[t, 3])
        for n in range(np.uint64(len(place))):
            if not is_in_sector(place[n, 0] - x, place[n, 1] - y, ahead_x, ahead_y, distance, least):
                continue
            if is_clear(sight, x, y, z, place[n, 0], place[n, 1], place[n, 2]):
                out[n] += pose[t, 4]
