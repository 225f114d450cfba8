"""Ways of a fight: where to shoot from, which way round, and where one stays."""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Floats
from ...kernels.sight_line import clear_lines
from ...reasoning.tactical.combat_line import combat_line
from ...reasoning.tactical.flank import flank_routes
from ..bodies import STANCES
from ..brains.mind import Place
from .crew_mind import CrewMind
from .limits import FromZero, Metres
from .words import Places, RoleWords

__all__ = ["add_fight_ways"]

_ASKED_AGAIN = 1.0
"""Seconds for which places to shoot from are kept."""
_MOVED = 3.0
"""Metres a target may move before a way round it is found anew."""
_PASSED = 1.2
"""Metres from a bend of a way round at which the next one is made for."""
_SECTORS = 16
"""Directions round the target, in each of which there is one place to shoot from."""


def add_fight_ways(words: RoleWords) -> None:
    """Add the places and values."""
    words.place(firing)
    words.value(_way_round, name="way_round")
    words.value(_here, name="here")


def firing(mind: CrewMind, near: FromZero = 5.0, far: Metres = 9.0, walk: Metres = 15.0) -> Places:
    """Places from which the target can be shot at: between two distances of it, no wall or cover between, one in each
    of 16 directions round it, not more than so many metres to walk for some member."""
    place = mind.known.place
    if place is None:
        return Places.of([])
    asked = (near, far, walk)
    before = mind.blackboard.get("firing")
    fresh = before is not None and before[0] == asked and mind.time - before[2] < _ASKED_AGAIN
    if before is not None and fresh and math.dist(before[1], place) <= 1.5:
        kept: Places = before[3]
        return kept
    found = _firing(mind, np.asarray(place), near, far, walk)
    mind.blackboard["firing"] = (asked, place, mind.time, found)
    return found


def _firing(mind: CrewMind, target: Floats, near: float, far: float, walk: float) -> Places:
    spots = mind.ground.near(mind.known.xyz, walk)
    away = np.linalg.norm(spots - target, axis=1)
    spots = spots[(away >= near) & (away <= far)]
    eyes, chest = spots.copy(), np.tile(target, (len(spots), 1))
    eyes[:, 2] += STANCES[0].eye
    chest[:, 2] += STANCES[0].chest
    clear = np.zeros(len(spots), np.bool_)
    if len(spots):
        clear_lines(mind.world.sight.arrays, eyes, chest, clear)
    spots = spots[clear]
    offset = spots - target
    sector = np.floor((np.arctan2(offset[:, 1], offset[:, 0]) / (2.0 * np.pi) % 1.0) * _SECTORS).astype(np.int64)
    off = np.abs(np.linalg.norm(offset, axis=1) - 0.5 * (near + far))
    best = [
        int(rows[np.argmin(off[rows])]) for number in range(_SECTORS) if len(rows := np.flatnonzero(sector == number))
    ]
    words = tuple(f"a place to shoot from, {float(np.linalg.norm(offset[row])):.0f} m off" for row in best)
    return Places.of(spots[best], sector[best], words)


def _way_round(mind: CrewMind, member: int, xyz: Place | None) -> Place | None:  # noqa: ARG001
    """Where to go next on the way round the line of combat to the target."""
    target = mind.known.place
    if target is None:
        return None
    ways: dict[int, tuple[str, Place, list[Place]]] = mind.blackboard.setdefault("ways round", {})
    role, kept = mind.role_of(member), ways.get(member)
    if kept is None or kept[0] != role or math.dist(kept[1], target) > _MOVED:
        kept = ways[member] = (role, target, _flank(mind, member, target))
    bends, here = kept[2], mind.place_of(member)
    while len(bends) > 1 and math.dist(here, bends[0]) <= _PASSED:
        bends.pop(0)
    return target if len(bends) == 1 else bends[0]


def _flank(mind: CrewMind, member: int, target: Place) -> list[Place]:
    """Return the bends of a way to the target that keeps from the line of combat, the target last."""
    others = [other for other in mind.members if other != member and mind.role_of(other) != mind.role_of(member)]
    line = combat_line(target, mind.world.bodies.xyz[others or list(mind.members)])
    route = flank_routes(mind.ground.ways, line, [mind.place_of(member)]).routes[0]
    if not route.reached:
        return [target]
    return [*((x, y, z) for x, y, z in route.points_xyz[1:-1].tolist()), target]


def _here(mind: CrewMind, member: int, xyz: Place | None) -> Place:  # noqa: ARG001
    """Where it was when it was told to stay there."""
    stays: dict[int, tuple[str, Place]] = mind.blackboard.setdefault("stays here", {})
    role = mind.role_of(member)
    if member not in stays or stays[member][0] != role:
        stays[member] = (role, mind.place_of(member))
    return stays[member][1]
