"""Directions: what a crew suggests to one member; the member's own tree obeys or not."""

from __future__ import annotations

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
"""Keys a crew may write to a member, and what each holds: a place in metres, the number of an agent, a gait, a trigger
of speech … `stand` goes before what its own tree does against somebody it sees or has lost, `watch` before all that is
less urgent: a search, a noise, its round. Trees may write others, which are of any kind; each has to be read
by a brain."""

Notices = dict[int, dict[str, tuple[Any, float]]]
"""Notifications by crew and key: the value, and seconds when it was written. Both sides read and write."""

ORDER = "order "
"""How keys of notifications begin by which a crew lets a member give an order: the trigger of speech, and who."""


@dataclass(frozen=True)
class Direction:
    """What one member should do.

    Attributes
    ----------
    crew : number of the crew.
    role : name of the role it has.
    since : seconds when it was given this role.
    reason : why it and no other, in words.
    values : what to do, by key; see `DIRECTION_KEYS`.
    slot : number of the place among those of the role; -1: the role has none.
    """

    crew: int
    role: str
    since: float
    reason: str
    values: Mapping[str, Any] = field(default_factory=dict)
    slot: int = -1
