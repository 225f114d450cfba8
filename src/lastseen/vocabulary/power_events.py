"""Events of powers, traps and objects, and the inputs of players that use them."""

from __future__ import annotations

from typing import Literal

from .event_base import Event, Located, Name, Paired, Place
from .words import ObjectKind, Release, TrapEffect


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


class TimeStopped(Located, frozen=True, tag="time stops"):
    """An agent stopped time for all but itself, for `seconds` at most."""

    seconds: float = 0.0


class TimeResumed(Located, frozen=True, tag="time goes on"):
    """The standstill that an agent caused is over."""


class Possessed(Paired, frozen=True, tag="possesses"):
    """An agent took control of `other`, for `seconds` at most."""

    seconds: float = 0.0


class Released(Paired, frozen=True, tag="releases"):
    """An agent that had control of `other` came out of it at a place."""

    reason: Release = Release.ITSELF


class CameTo(Located, frozen=True, tag="comes to"):
    """An agent that was possessed thinks for itself again, and knows nothing of what happened."""


class Travelled(Located, frozen=True, tag="travelled"):
    """An agent travelled from `start` to the same place in another state of the level."""

    start: Place = (0.0, 0.0, 0.0)
    state: Name = ""


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


class SwarmActs(Located, frozen=True, tag="swarm"):
    """A swarm attacks an agent, lets it off, or has stung it until it went down; `swarm` is its name."""

    swarm: Name = ""
    step: Literal["attacks", "lets off", "fells"] = "attacks"


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


class InputChanged(Event, frozen=True, tag="input"):
    """The player's input changed; see `PlayerInput`."""

    move: tuple[float, float] = (0.0, 0.0)
    gait: Name = "walk"
    use: bool = False
    throw: Place | None = None
    strike: bool = False
    blink: Place | None = None
    decoy: bool = False
    trap: bool = False
    time_stop: bool = False
    possess: bool = False
    travel: bool = False
