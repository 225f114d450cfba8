"""Bodies, their orders and their knowledge, as kernels see them."""

from __future__ import annotations

from typing import NamedTuple

from ...conventions import Array

ACTIVE, HIDDEN, BODY, GONE = 0, 1, 2, 3
"""Modes: acts; in a hiding place; lies there and can be found; has left the world."""


class BodyArrays(NamedTuple):
    """All agents of a world in one table, n rows; one generation of a step."""

    xyz: Array  # float64 (n, 3)  feet on the floor, metres
    heading: Array  # float64 (n,)  where the body faces, radians counter-clockwise from +x
    gaze: Array  # float64 (n,)  where the head faces, radians, absolute
    velocity_xy: Array  # float64 (n, 2)  metres per second
    stance: Array  # uint8 (n,)  number in STANCES of `agents/bodies/bodies.py`
    light: Array  # float64 (n,)  how lit, 0 dark … 1 bright
    camouflage: Array  # float64 (n,)  how like its surroundings, 0 not at all … 1
    radius: Array  # float64 (n,)  metres
    team: Array  # uint8 (n,)  agents of one team do not mind one another
    mode: Array  # uint8 (n,)  ACTIVE, HIDDEN, BODY or GONE


STANDING, WALKING, ARRIVED, NO_WAY, STUCK = 0, 1, 2, 3, 4
"""How one fares on its way; `STATUSES` in `agents/bodies/crowd.py` has their names."""


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
