"""Shipped words of roles: conditions, scores, places and values for directions."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ....conventions import Floats
from ....kernels.sight.exposure import near_places
from ...brains.mind import Place
from ...limits import Count, Members, Metres, Seconds
from ..crew_mind import CrewMind
from ..roles.vocabulary import Asked, RoleWords

Answer = tuple[bool, str]
_NEAR = 10.0
"""Distance in metres at which proximity scores a half."""


@cache
def shipped_words() -> RoleWords:
    """Return the shared set of words; do not modify it (create your own and `include` it)."""
    from ..combat.attack_turns import add_turns
    from ..combat.fights import add_fights
    from .ambush import add_ambush
    from .conversation import add_conversation
    from .destinations import add_places
    from .posts import add_posts
    from .society import add_society

    words = RoleWords()
    words.member(sees_target)
    words.member(knows_target, widens="within")
    words.member(can_reach, widens="metres")
    words.member(is_near, widens="metres")
    words.member(is_leader, most=1)
    words.member(has_role, apart="role", awaits="role", names={"role": "role"})
    conditions: tuple[Any, ...] = (target_seen, target_lost, target_known, lasted, has_members, lost_members)
    for condition in (*conditions, was_notified):
        words.crew(condition)
    words.score(near_place, says=_say_place)
    words.score(near_target, says=_say_target)
    words.score(sees, name="sees_target", says=says("sees it"))
    words.score(wanted)
    words.score(leads, says=says("leads"))
    words.score(stays, says=says("stays", "keeps the role"))
    words.value(_own_place, name="place")
    words.value(_target_place, name="target")
    words.value(_leader_place, name="leader")
    words.agent(_target, name="target")
    words.agent(_leader, name="leader")
    add_places(words)
    add_turns(words)
    add_fights(words)
    add_ambush(words)
    add_society(words)
    add_posts(words)
    add_conversation(words)
    return words


def sees_target(mind: CrewMind, member: int) -> Answer:
    """Return whether the member sees the target now."""
    held = member in mind.known.seen_by
    return held, "sees it" if held else "does not see it"


def knows_target(mind: CrewMind, member: int, within: Seconds = 10.0) -> Answer:
    """Return whether the member itself has known of the target in the last `within` seconds."""
    row, column = int(mind.world.cast.watcher_row[member]), mind.known.column
    if row < 0 or column < 0:
        return False, "watches nobody"
    age = mind.time - float(mind.world.knowledge.arrays.time[row, column])
    return age <= within, f"knew of it {age:.1f} s ago" if np.isfinite(age) else "knows nothing of it"


def can_reach(mind: CrewMind, member: int, metres: Metres = 40.0) -> Answer:
    """Return whether the member's path to where the target was last perceived is short enough."""
    way = mind.walk(member)
    return way <= metres, f"{way:.0f} m to walk" if np.isfinite(way) else "no way there"


def is_near(mind: CrewMind, member: int, metres: Metres = 15.0) -> Answer:
    """Return whether the member is within this straight-line distance of that place."""
    away = mind.straight(member)
    return away <= metres, f"{away:.1f} m away"


def is_leader(mind: CrewMind, member: int) -> Answer:
    """Return whether the member leads the crew."""
    return member == mind.crew.leader, "leads" if member == mind.crew.leader else "does not lead"


def has_role(mind: CrewMind, member: int, role: str) -> Answer:
    """Return whether the member had this role before this tick."""
    return mind.role_of(member) == role, f"is {mind.role_of(member) or 'free'}"


def target_seen(mind: CrewMind) -> Answer:
    """Return whether any member sees the target."""
    count = len(mind.known.seen_by)
    return count > 0, f"{count} see it"


def target_lost(mind: CrewMind, seconds: Seconds = 1.0) -> Answer:
    """Return whether no member has perceived the target for this many seconds."""
    return mind.age >= seconds, f"unseen for {mind.age:.1f} s"


def target_known(mind: CrewMind, within: Seconds = 30.0) -> Answer:
    """Return whether the crew knows where the target was in the last `within` seconds."""
    return mind.age <= within and mind.known.place is not None, f"perceived {mind.age:.1f} s ago"


def lasted(mind: CrewMind, seconds: Seconds) -> Answer:
    """Return whether the crew has existed for this many seconds."""
    age = mind.time - mind.crew.since
    return age >= seconds, f"for {age:.1f} s"


def has_members(mind: CrewMind, least: Members = 2) -> Answer:
    """Return whether the crew has this many members."""
    return len(mind.members) >= least, f"{len(mind.members)} members"


def lost_members(mind: CrewMind, least: Count = 1) -> Answer:
    """Return whether the crew has lost this many members that can no longer act."""
    return len(mind.crew.lost) >= least, f"lost {len(mind.crew.lost)}"


def was_notified(mind: CrewMind, key: str, within: Seconds = 5.0) -> Answer:
    """Return whether a notice with this key was posted in the last `within` seconds."""
    found = mind.notice(key)
    if found is None or not found[0]:
        return False, f"no notice {key}"
    age = mind.time - found[1]
    return age <= within, f"notice {key} {age:.1f} s ago"


def falling(metres: Floats) -> Floats:
    """Return 1 at 0 m, a half at 10 m, and less beyond."""
    return _NEAR / (_NEAR + metres)


def near_place(mind: CrewMind, members: tuple[int, ...], asked: Asked) -> Floats:
    """Score the proximity of each member to each place, or to the target if there are no places."""
    if asked.places is None:
        return near_target(mind, members, asked)
    feet = mind.known.xyz if members == mind.members else mind.world.bodies.xyz[list(members)]
    table = np.empty((len(members), asked.count))
    near_places(feet, asked.places.xyz, _NEAR, table)
    return table


def near_target(mind: CrewMind, members: tuple[int, ...], asked: Asked) -> Floats:
    """Score the proximity of each member to where the target was last perceived."""
    metres = np.array([mind.straight(member) for member in members])
    return in_columns(falling(metres), asked)


def sees(mind: CrewMind, members: tuple[int, ...], asked: Asked) -> Floats:
    """Score members that see the target."""
    return in_columns([member in mind.known.seen_by for member in members], asked)


def wanted(mind: CrewMind, members: tuple[int, ...], asked: Asked) -> Floats:  # noqa: ARG001
    """Score all members equally; the weight sets how much filling this role is preferred to others."""
    return np.ones((len(members), asked.count))


def leads(mind: CrewMind, members: tuple[int, ...], asked: Asked) -> Floats:
    """Score the leader."""
    return in_columns([member == mind.crew.leader for member in members], asked)


def stays(mind: CrewMind, members: tuple[int, ...], asked: Asked) -> Floats:
    """Score holders of this role: 1 at the same place, 0.25 at another; the weight is the cost of a change."""
    table = np.zeros((len(members), asked.count))
    numbers = [] if asked.places is None else asked.places.number.tolist()
    for row, member in enumerate(members):
        given = mind.crew.given.get(member)
        if given is None or given.role != asked.role:
            continue
        table[row] = 0.25 if numbers else 1.0
        for column, number in enumerate(numbers):
            if number == given.slot:
                table[row, column] = 1.0
    return table


def in_columns(values: Any, asked: Asked) -> Floats:
    """Return a table with one value per member, repeated for every place."""
    return np.repeat(np.array(values, np.float64)[:, None], asked.count, axis=1)


def _say_place(mind: CrewMind, member: int, xyz: Place | None, value: float) -> str:  # noqa: ARG001
    away = mind.straight(member) if xyz is None else math.dist(mind.place_of(member), xyz)
    return f"{away:.1f} m to its place"


def _say_target(mind: CrewMind, member: int, xyz: Place | None, value: float) -> str:  # noqa: ARG001
    return f"{mind.straight(member):.1f} m from it"


def says(whole: str, part: str = "") -> Callable[..., str]:
    """Return a function with one text for a full score, another for a partial one, and none for 0."""

    def describe(mind: CrewMind, member: int, xyz: Place | None, value: float) -> str:  # noqa: ARG001
        return whole if value >= 1.0 else part if value > 0.0 else ""

    return describe


def _own_place(mind: CrewMind, member: int, xyz: Place | None) -> Place | None:  # noqa: ARG001
    return xyz


def _target_place(mind: CrewMind, member: int, xyz: Place | None) -> Place | None:  # noqa: ARG001
    return mind.known.place


def _leader_place(mind: CrewMind, member: int, xyz: Place | None) -> Place:  # noqa: ARG001
    return mind.place_of(mind.crew.leader)


def _target(mind: CrewMind, member: int) -> int:  # noqa: ARG001
    return mind.crew.target


def _leader(mind: CrewMind, member: int) -> int:  # noqa: ARG001
    return mind.crew.leader
