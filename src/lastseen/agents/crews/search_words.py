"""Words for searching together: members that have watched long enough and move on."""

from __future__ import annotations

import math

from ..limits import Seconds
from .crew_mind import CrewMind
from .words import RoleWords

__all__ = ["add_search_words", "has_watched"]

Answer = tuple[bool, str]
_THERE = 1.5
"""Distance in metres within which a member counts as at its post."""
_ON_ITS_WAY = 10.0
"""Seconds a member may take to reach a post."""


def add_search_words(words: RoleWords) -> None:
    """Add the words of searches."""
    words.member(has_watched)


def has_watched(mind: CrewMind, member: int, seconds: Seconds = 3.0) -> Answer:
    """Return whether the member has stood at a post for this many seconds; it then needs no post until a new loss.

    A post is the `watch` place of a direction. A member that needs over 10 s more than that to get there is also
    released.
    """
    place = mind.world.hunt.place
    known = mind.blackboard.get("watched")
    if known is None or known[0] != place:
        known = mind.blackboard["watched"] = (place, {}, set())
    arrived: dict[int, float] = known[1]
    done: set[int] = known[2]
    if member in done:
        return True, "nobody came by its post"
    given = mind.crew.given.get(member)
    post = None if given is None else given.values.get("watch")
    if given is None or post is None:
        arrived.pop(member, None)
        return False, "has no post"
    if math.dist(mind.place_of(member), post) <= _THERE:
        arrived.setdefault(member, mind.time)
    stood = mind.time - arrived.get(member, math.inf)
    if stood >= seconds or mind.time - given.since >= seconds + _ON_ITS_WAY:
        done.add(member)
        return True, "nobody came by its post"
    return False, f"at its post for {max(0.0, stood):.1f} s"
