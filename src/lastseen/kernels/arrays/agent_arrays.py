"""Arrays of bodies, their orders and their knowledge."""

from __future__ import annotations

from typing import NamedTuple

from ...conventions import Array

ACTIVE, HIDDEN, BODY, GONE = 0, 1, 2, 3
"""Modes: acting; in a hiding place; lying on the floor, where it can be found; gone from the world."""


class BodyArrays(NamedTuple):
    """All agents of a world in one table of n rows; the state at one step."""

    xyz: Array  # float64 (n, 3)  feet on the floor, metres
    heading: Array  # float64 (n,)  where the body faces, radians counter-clockwise from +x
    gaze: Array  # float64 (n,)  where the head faces, radians, absolute
    velocity_xy: Array  # float64 (n, 2)  metres per second
    stance: Array  # uint8 (n,)  number in STANCES of `agents/bodies/bodies.py`
    light: Array  # float64 (n,)  light on the body, 0 dark … 1 bright
    camouflage: Array  # float64 (n,)  similarity to its surroundings, 0 none … 1 full
    radius: Array  # float64 (n,)  metres
    team: Array  # uint8 (n,)  agents of one team ignore each other
    mode: Array  # uint8 (n,)  ACTIVE, HIDDEN, BODY or GONE


STANDING, WALKING, ARRIVED, NO_WAY, STUCK = 0, 1, 2, 3, 4
"""Status of an agent on its path; `STATUSES` in `agents/bodies/crowd.py` has the names."""


class OrderArrays(NamedTuple):
    """Orders of n agents; written by thinking, read by moving."""

    goal_xyz: Array  # float64 (n, 3)  where to go; any if `going` is 0
    going: Array  # uint8 (n,)  1: walk to the goal, 0: stand
    speed: Array  # float64 (n,)  desired speed, metres per second
    face: Array  # float64 (n,)  desired heading, radians; NaN: along the path
    gaze: Array  # float64 (n,)  where to turn the head, radians; NaN: as the body
    stance: Array  # uint8 (n,)  number in STANCES
    toward: Array  # int32 (n,)  agent to run up to without avoiding it; -1: none


class RouteArrays(NamedTuple):
    """The path each agent follows and its progress; written by moving."""

    points_xyz: Array  # float64 (n, P, 3)  bends of the path
    count: Array  # int32 (n,)  number of valid bends; 0: the path is not known yet
    whole: Array  # uint8 (n,)  1: the last point is the end of the path, 0: there was no room for the rest
    at: Array  # int32 (n,)  next bend to reach
    goal_xyz: Array  # float64 (n, 3)  goal of the path
    status: Array  # uint8 (n,)  STANDING, WALKING, ARRIVED, NO_WAY, STUCK
    left: Array  # float64 (n,)  metres to go
    slow: Array  # float64 (n,)  seconds without progress
    held: Array  # float64 (n,)  the same, with seconds in a queue counted as a fifth
    queues: Array  # uint8 (n,)  1: it waits for agents that also move
    yields: Array  # float64 (n,)  remaining seconds of giving way
    yields_to: Array  # int32 (n,)  agent it gives way to; any if `yields` is 0


NOTHING, SIGHT, SOUND, TOLD, TOUCH = 0, 1, 2, 3, 4
"""Sources of knowledge."""


class KnowledgeArrays(NamedTuple):
    """Knowledge of n observers about m targets; row i is observer i, column j target j."""

    xyz: Array  # float64 (n, m, 3)  where the target is believed to be, metres
    direction_xy: Array  # float64 (n, m, 2)  unit vector of its movement; zeros: unknown or it stood
    speed: Array  # float64 (n, m)  metres per second
    time: Array  # float64 (n, m)  when it was there, seconds; -inf: never
    perceived: Array  # float64 (n, m)  when this observer last perceived it itself, seconds; -inf: never
    source: Array  # uint8 (n, m)  NOTHING, SIGHT, SOUND, TOLD or TOUCH
    certainty: Array  # float32 (n, m)  0 … 1, certainty of the latest perception or report; fades
    identified: Array  # uint8 (n, m)  1: the observer knows the target's identity
    from_xyz: Array  # float64 (n, m, 3)  where the observer stood then
    from_gaze: Array  # float64 (n, m)  where its head faced then, radians
