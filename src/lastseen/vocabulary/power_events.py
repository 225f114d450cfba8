"""Events of powers, traps and objects."""

from __future__ import annotations

from typing import Literal

from .event_base import Located, Name, Paired, Place
from .words import ObjectKind, TrapEffect


class Appeared(Paired, frozen=True, tag="appears"):
    """An agent vanished at `came_from` and appeared at once; `other` summoned it, -1 if it came by itself."""

    came_from: Place | None = None


class Blinked(Located, frozen=True, tag="blinked"):
    """An agent blinked from `start` to a place."""

    start: Place = (0.0, 0.0, 0.0)


class LeftDecoy(Located, frozen=True, tag="left decoy"):
    """An agent left a decoy, which watchers see instead of it for at most `seconds`."""

    seconds: float = 0.0


class DecoyGone(Paired, frozen=True, tag="decoy gone"):
    """The decoy of an agent vanished, because its time was over or `other` came up to it."""


class SetTrap(Located, frozen=True, tag="set trap"):
    """An agent set a trap that springs within `radius` metres."""

    radius: float = 0.0


class TrapSprung(Paired, frozen=True, tag="trap"):
    """An agent stepped into a trap or a barrier; `trap` is its name.

    `number` counts traps in the order in which they were set, -1 for a barrier; `other` set it during the run, -1: it
    was there before.
    """

    trap: Name = ""
    number: int = 0
    effect: TrapEffect = TrapEffect.FELL


class ObjectUsed(Located, frozen=True, tag="object"):
    """An agent uses an object: it begins, breaks off or is done, with an effect.

    Attributes
    ----------
    object, thing : name and kind of the object.
    animation : what the agent is seen to do.
    step : how far it is; "put": it puts down what it carried.
    detail : the zone that a switch lit or darkened, the item from a locker, or the team that a barrier now serves.
    is_on : whether a switch is on now.
    """

    object: Name = ""
    thing: ObjectKind = ObjectKind.ITEM
    animation: Name = ""
    step: Literal["begins", "breaks off", "done", "put"] = "begins"
    detail: Name = ""
    is_on: bool = False
