"""What agents know, as kernels see it."""

from __future__ import annotations

from typing import NamedTuple

from ..conventions import Array

__all__ = ["NOTHING", "SIGHT", "SOUND", "TOLD", "TOUCH", "KnowledgeArrays"]

NOTHING, SIGHT, SOUND, TOLD, TOUCH = 0, 1, 2, 3, 4
"""Where knowledge comes from."""


class KnowledgeArrays(NamedTuple):
    """What n observers know of m targets; row i is observer i, column j target j."""

    xyz: Array  # float64 (n, m, 3)  where the target is believed to be, metres
    direction_xy: Array  # float64 (n, m, 2)  which way it went, unit; zeros: unknown or it stood
    speed: Array  # float64 (n, m)  metres per second
    time: Array  # float64 (n, m)  when it was there, seconds; -inf: never
    perceived: Array  # float64 (n, m)  when this observer last perceived it itself, seconds; -inf: never
    source: Array  # uint8 (n, m)  NOTHING, SIGHT, SOUND, TOLD or TOUCH
    certainty: Array  # float32 (n, m)  0 … 1, how sure it is of what it perceived or was told last; fades
    identified: Array  # uint8 (n, m)  1: knows who that is
    from_xyz: Array  # float64 (n, m, 3)  where the observer stood then
    from_gaze: Array  # float64 (n, m)  where its head faced then, radians
