"""Straight walks from the middle of a crew's rings: all that one thought asks of the level, asked at once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...conventions import Bools, Floats
from ...reasoning.tactical.slots import walks_from
from ..brains.mind import Place
from .crew_mind import CrewMind
from .words import Places

__all__ = ["RINGS", "Ring", "is_kept", "members_walk_straight", "ring_walks"]

Ring = tuple[Place, float, Places]
"""Where its middle was when it was polled, until when it may be kept in seconds, and the places."""
RINGS = "slots"
"""Where the blackboard of a crew has its rings, by what was asked for."""
_MOVED = 1.5
"""Metres a middle may move while a ring that walls have moved is kept."""
_MEMBERS = "members"


def is_kept(mind: CrewMind, middle: Place, ring: Ring) -> bool:
    """May a ring move along with its middle, as far as walls let it?"""
    at, until, _ = ring
    return mind.time <= until and (until == math.inf or math.dist(at, middle) <= _MOVED)


def ring_walks(mind: CrewMind, around: str, middle: Place, asked: Any) -> tuple[Bools, Floats]:
    """To which places of a ring that moved along is there a straight walk? (n,) bool; and (n, 3), them on the floor."""
    found = _walks(mind, around, middle)
    if asked not in found:  # polled in this very thought
        return walks_from(mind.world.cells, np.array([middle]), _along(middle, mind.blackboard[RINGS][asked]))
    return found.pop(asked)


def members_walk_straight(mind: CrewMind, place: Place) -> Bools:
    """Which members, in their order, can walk straight to where the target was perceived last? (m,) bool."""
    return _walks(mind, "target", place)[_MEMBERS][0]


def _along(middle: Place, ring: Ring) -> Floats:
    (x, y, z), (old_x, old_y, old_z) = middle, ring[0]
    return ring[2].xyz + np.array((x - old_x, y - old_y, z - old_z))


def _walks(mind: CrewMind, around: str, middle: Place) -> dict[Any, tuple[Bools, Floats]]:
    """Return what was found for members and for all rings round one middle in this thought."""
    known = mind.asked.get(around)
    if known is None:
        ends = {_MEMBERS: mind.known.xyz} if around == "target" else {}
        for asked, ring in mind.blackboard.get(RINGS, {}).items():
            if asked[0] == around and is_kept(mind, middle, ring):
                ends[asked] = _along(middle, ring)
        known = mind.asked[around] = {}
        if ends:
            free, xyz = walks_from(mind.world.cells, np.array([middle]), np.concatenate(list(ends.values())))
            first = 0
            for asked, of in ends.items():
                known[asked] = free[first : first + len(of)], xyz[first : first + len(of)]
                first += len(of)
    return known
