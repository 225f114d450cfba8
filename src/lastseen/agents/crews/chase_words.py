"""Words of a chase: which ways out does nobody bar yet, and who gets there before the target?"""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Floats
from ..brains.mind import Place
from .crew_mind import CrewMind
from .words import Asked, Places, RoleWords

__all__ = ["add_chase_words", "unbarred"]

_FAR = 40.0
"""Metres the target may have to walk to a way out for walks there to be compared."""
_LATE = 2.0
"""Who walks more than so many times as far as the target comes too late altogether."""
_PAST = 2.0
"""Metres by which a way past a member may be longer than the target's for that member to be on it."""


def add_chase_words(words: RoleWords) -> None:
    """Add the words."""
    words.score(before_it, says=_say_before)


def unbarred(mind: CrewMind, found: Places) -> Places:
    """Return the ways out that the target reaches without running past a member; where there is none such, all."""
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
    """Who gets to each place before the target could, from where it was perceived last?

    1: whoever walks no farther than the target; less for who walks farther, 0 from twice as far on. Measured once for
    each time the target is perceived: who sets out keeps what it set out for.
    """
    place, places = mind.known.place, asked.places
    if place is None or places is None:
        return np.ones((len(members), asked.count))
    key = (mind.known.time, mind.members, places.xyz.tobytes())
    before = mind.blackboard.get("before it")
    if before is None or before[0] != key:
        own, its = _walks(mind, place, places.xyz)
        near = np.isfinite(own)
        share = np.where(near, its, 0.0) / np.maximum(np.where(near, own, 1.0), np.where(near, its, 1e-9))
        before = mind.blackboard["before it"] = (key, share)
    table: Floats = before[1][mind.rows(members)]
    return table


def _walks(mind: CrewMind, place: Place, xyz: Floats) -> tuple[Floats, Floats]:
    """Return metres to walk to xyz (n, 3): (m, n) of members and (n,) of the target; infinite: no way, or too far."""
    its = mind.ground.metres(place, xyz, _FAR)
    own = np.full((len(mind.members), len(xyz)), math.inf)
    for at, (end, far) in enumerate(zip(xyz.tolist(), its.tolist())):
        if math.isfinite(far):
            own[:, at] = mind.ground.metres((end[0], end[1], end[2]), mind.known.xyz, _LATE * far)
    return own, its


def _say_before(mind: CrewMind, member: int, xyz: Place | None, value: float) -> str:  # noqa: ARG001
    return "there before it" if value >= 1.0 else ""
