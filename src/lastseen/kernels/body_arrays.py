"""Bodies as kernels see them."""

from __future__ import annotations

from typing import NamedTuple

from ..conventions import Array

__all__ = ["ACTIVE", "BODY", "GONE", "HIDDEN", "BodyArrays"]

ACTIVE, HIDDEN, BODY, GONE = 0, 1, 2, 3
"""Modes: acts; in a hiding place; lies there and can be found; has left the world."""


class BodyArrays(NamedTuple):
    """All agents of a world in one table, n rows; one generation of a step."""

    xyz: Array  # float64 (n, 3)  feet on the floor, metres
    heading: Array  # float64 (n,)  where the body faces, radians counter-clockwise from +x
    gaze: Array  # float64 (n,)  where the head faces, radians, absolute
    velocity_xy: Array  # float64 (n, 2)  metres per second
    stance: Array  # uint8 (n,)  number in STANCES of `agents/bodies.py`
    light: Array  # float64 (n,)  how lit, 0 dark … 1 bright
    camouflage: Array  # float64 (n,)  how like its surroundings, 0 not at all … 1
    radius: Array  # float64 (n,)  metres
    team: Array  # uint8 (n,)  agents of one team do not mind one another
    mode: Array  # uint8 (n,)  ACTIVE, HIDDEN, BODY or GONE
