"""Orders as kernels see them: what minds want their bodies to do."""

from __future__ import annotations

from typing import NamedTuple

from ..conventions import Array

__all__ = ["ARRIVED", "NO_WAY", "STANDING", "STUCK", "WALKING", "OrderArrays", "RouteArrays"]

STANDING, WALKING, ARRIVED, NO_WAY, STUCK = 0, 1, 2, 3, 4
"""How one fares on its way; `STATUSES` in `agents/movement/crowd.py` has their names."""


class OrderArrays(NamedTuple):
    """One row per agent; written by thinking, read by moving."""

    goal_xyz: Array  # float64 (n, 3)  where to go; any where `going` is 0
    going: Array  # uint8 (n,)  1: walk to the goal, 0: stand
    speed: Array  # float64 (n,)  metres per second wanted
    face: Array  # float64 (n,)  heading wanted, radians; NaN: along the way
    gaze: Array  # float64 (n,)  where to turn the head, radians; NaN: as the body
    stance: Array  # uint8 (n,)  number in STANCES
    toward: Array  # int32 (n,)  an agent one runs up to and does not avoid; -1: nobody


class RouteArrays(NamedTuple):
    """The way each agent follows and how it fares; written by moving."""

    points_xyz: Array  # float64 (n, P, 3)  bends of the way
    count: Array  # int32 (n,)  how many of them hold; 0: the way is not known yet
    whole: Array  # uint8 (n,)  1: the last point is the end of the way, 0: there was no room for the rest
    at: Array  # int32 (n,)  the next one to reach
    goal_xyz: Array  # float64 (n, 3)  goal the way was asked for
    status: Array  # uint8 (n,)  STANDING, WALKING, ARRIVED, NO_WAY, STUCK
    left: Array  # float64 (n,)  metres to go
    slow: Array  # float64 (n,)  seconds without getting on
    held: Array  # float64 (n,)  the same, seconds in a queue counted as a fifth
    queues: Array  # uint8 (n,)  1: it waits for others who move too
    yields: Array  # float64 (n,)  seconds it still gives way
    yields_to: Array  # int32 (n,)  to whom; any where `yields` is 0
