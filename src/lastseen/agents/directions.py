"""Directions: what a crew suggests to one member, whose own tree may follow it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

DIRECTION_KEYS = {
    "stand": "place",
    "face": "place",
    "gait": "gait",
    "attack": "truth",
    "search": "truth",
    "follow": "agent",
    "say": "text",
    "hints": "hints",
    "watch": "place",
    "state": "state",
    "await": "agent",
}
"""Keys of directions and the types of their values. `stand` outranks an agent's own reaction to a target it sees or has
lost; `watch` outranks only what is less urgent: a search, a noise, its patrol. Crew trees may use other keys with
values of any type, if members' brains read them."""

Notices = dict[int, dict[str, tuple[Any, float]]]
"""Notices by crew and key: the value, and the time in seconds at which it was posted. Crews and members read and
write them."""

ORDER = "order "
"""Prefix of the keys of orders: notices with a trigger of speech and the number of the member that gives the order."""


@dataclass(frozen=True)
class Direction:
    """What one member should do.

    Attributes
    ----------
    crew : number of the crew.
    role : name of the member's role.
    since : seconds at which it got this role.
    reason : why this member was chosen, as text.
    values : what to do, by key; see `DIRECTION_KEYS`.
    slot : number of its place among those of the role; -1 if the role has none.
    """

    crew: int
    role: str
    since: float
    reason: str
    values: Mapping[str, Any] = field(default_factory=dict)
    slot: int = -1


_AT_POST, _POST_REACH = ("TAKE_POST",), 1.5
"""Triggers of words that are true at a post only, and the metres within which an agent is there."""


def may_say(given: Direction, xyz: tuple[float, float, float]) -> bool:
    """Return whether an agent is where its words are true: at its post, if it says that it holds one."""
    post = given.values.get("watch")
    return given.values["say"] not in _AT_POST or post is None or math.dist(post, xyz) <= _POST_REACH
