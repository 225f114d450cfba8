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
    """Return metres to walk to xyz (n, 3): (m, n) of members and (n,) of the target; infinite: no way, or too far.

    To each it is measured once, from where they are then, until the target is perceived again or members change.
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
