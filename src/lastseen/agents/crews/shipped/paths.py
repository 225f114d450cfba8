"""Paths of a crew: exits no member blocks, members ahead of the target, and straight paths to its rings."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....conventions import Bools, Floats
from ....reasoning.tactical.slots import walks_from
from ...brains.mind import Place
from ..crew_mind import CrewMind
from ..roles.vocabulary import Asked, Places, RoleWords

_FAR = 40.0
"""Metres to an exit within which the target's walking distance is measured."""
_LATE = 2.0
"""Members whose path is more than this many times as long as the target's are always too late."""
_PAST = 2.0
"""Metres by which a detour past a member may exceed the target's path for the member to count as on it."""


def add_chase_words(words: RoleWords) -> None:
    """Add the words of a chase."""
    words.score(before_it, says=_say_before)


def unbarred(mind: CrewMind, found: Places) -> Places:
    """Return the exits that the target can reach without passing a member; all exits if there are none."""
    place = mind.known.place
    if place is None or not len(found):
        return found
    own, its = _walks(mind, place, found.xyz)
    to_target = mind.ground.metres(place, mind.known.xyz, _FAR)[:, None]
    barred = ((own < its) & (own + to_target <= its + _PAST)).any(axis=0)
    keep = np.flatnonzero(~barred)
    if not len(keep):
        return found
    return Places(found.xyz[keep], found.number[keep], tuple(found.words[at] for at in keep.tolist()))


def before_it(mind: CrewMind, members: tuple[int, ...], asked: Asked) -> Floats:
    """Score which members reach each place before the target could, from where it was last perceived.

    The score is 1 for members whose path is no longer than the target's, less for longer ones, and 0 from twice its
    length on. It is measured once per perception of the target, so that members keep the goal they set out for.
    """
    place, places = mind.known.place, asked.places
    if place is None or places is None or not len(places):
        return np.ones((len(members), asked.count))
    own, its = _walks(mind, place, places.xyz)
    own = own[mind.rows(members)]
    table = (own <= its).astype(np.float64)
    table[np.isinf(own)] = 0.0
    later = np.isfinite(own) & (own > its)
    table[later] = np.broadcast_to(its, own.shape)[later] / own[later]
    return table


def _walks(mind: CrewMind, place: Place, xyz: Floats) -> tuple[Floats, Floats]:
    """Return path lengths in metres to xyz (n, 3): (m, n) of members and (n,) of the target; infinite if too far.

    Each is measured once, from the positions at that time, until the target is perceived again or members change.
    """
    since = (mind.known.time, mind.members)
    kept = mind.blackboard.get("walks out")
    if kept is None or kept[0] != since:
        kept = mind.blackboard["walks out"] = (since, {})
    found: dict[Place, tuple[Floats, float]] = kept[1]
    ends: list[Place] = [(x, y, z) for x, y, z in xyz.tolist()]
    new = [end for end in ends if end not in found]
    for end, far in zip(new, mind.ground.metres(place, np.array(new).reshape(-1, 3), _FAR).tolist()):
        late = math.isinf(far)
        own = np.full(len(mind.members), math.inf) if late else mind.ground.metres(end, mind.known.xyz, _LATE * far)
        found[end] = own, far
    return np.array([found[end][0] for end in ends]).T, np.array([found[end][1] for end in ends])


def _say_before(mind: CrewMind, member: int, xyz: Place | None, value: float) -> str:  # noqa: ARG001
    return "there before it" if value >= 1.0 else ""


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
    found = _straight_walks(mind, around, middle)
    if asked not in found:  # The ring was polled in this tick.
        return walks_from(mind.world.cells, np.array([middle]), _along(middle, mind.blackboard[RINGS][asked]))
    return found.pop(asked)


def members_walk_straight(mind: CrewMind, place: Place) -> Bools:
    """Return which members can walk straight to where the target was last perceived, (m,) bool."""
    return _straight_walks(mind, "target", place)[_MEMBERS][0]


def _along(middle: Place, ring: Ring) -> Floats:
    (x, y, z), (old_x, old_y, old_z) = middle, ring[0]
    return ring[2].xyz + np.array((x - old_x, y - old_y, z - old_z))


def _straight_walks(mind: CrewMind, around: str, middle: Place) -> dict[Any, tuple[Bools, Floats]]:
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
