"""Straight paths from the middle of a crew's rings, queried together once per tick."""

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
"""Position of the middle when the ring was polled, the time in seconds until which it is valid, and its places."""
RINGS = "slots"
"""Blackboard key of a crew's rings, which are stored by query."""
_MOVED = 1.5
"""Metres the middle may move while a ring displaced by walls is kept."""
_MEMBERS = "members"


def is_kept(mind: CrewMind, middle: Place, ring: Ring) -> bool:
    """Return whether a ring may still move along with its middle."""
    at, until, _ = ring
    return mind.time <= until and (until == math.inf or math.dist(at, middle) <= _MOVED)


def ring_walks(mind: CrewMind, around: str, middle: Place, asked: Any) -> tuple[Bools, Floats]:
    """Return which places of a moved ring have a straight path, (n,) bool, and the places on the floor, (n, 3)."""
    found = _walks(mind, around, middle)
    if asked not in found:  # The ring was polled in this tick.
        return walks_from(mind.world.cells, np.array([middle]), _along(middle, mind.blackboard[RINGS][asked]))
    return found.pop(asked)


def members_walk_straight(mind: CrewMind, place: Place) -> Bools:
    """Return which members can walk straight to where the target was last perceived, (m,) bool."""
    return _walks(mind, "target", place)[_MEMBERS][0]


def _along(middle: Place, ring: Ring) -> Floats:
    (x, y, z), (old_x, old_y, old_z) = middle, ring[0]
    return ring[2].xyz + np.array((x - old_x, y - old_y, z - old_z))


def _walks(mind: CrewMind, around: str, middle: Place) -> dict[Any, tuple[Bools, Floats]]:
    """Return the results of this tick for the members and all rings around one middle."""
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
