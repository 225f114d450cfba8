"""Traps, objects, swarms, tasks and the rules of powers as a scenario describes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from ...level.dialect import Effect
from ...vocabulary.words import ObjectKind, TrapEffect

if TYPE_CHECKING:
    ObjectWord = str
else:
    ObjectWord = Literal[ObjectKind.texts()]
Place = Annotated[tuple[float, ...], msgspec.Meta(min_length=2, max_length=3)]
Seconds = Annotated[float, msgspec.Meta(ge=0.0, le=86_400.0)]


class TrapSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A trap besides those of the level, which springs once; see `Trap`.

    Attributes
    ----------
    place, marker : where it is: a place in metres, or the name of a marker of the level.
    team : the team that set it; only agents of other teams spring it. Empty: any agent does.
    radius : metres within which an agent triggers it.
    effect : "fell": the agent goes down; "snare": it cannot walk for `seconds` (6); "noise": the sound is all.
    sound : kind of sound it makes.
    """

    place: Place | None = None
    marker: str = ""
    team: str = "intruders"
    radius: Annotated[float, msgspec.Meta(gt=0.0, le=10.0)] = 0.8
    effect: Effect = TrapEffect.FELL.value
    seconds: Seconds | None = None
    sound: str = "body fall"


class ObjectSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A thing that agents use.

    Attributes
    ----------
    name : of the object; unique.
    kind : "alarm" (calls guards within earshot), "workbench", "locker" (gives its user the item it `holds`), "switch"
        (of the light in a `zone`), "item" (is taken, and may be put down elsewhere), "barrier" (fells enemies of its
        `team` in a `zone`, and serves the team of its last user).
    place, marker, held_by : where it is: a place in metres, the name of a marker of the level, or an agent that carries
        it. An item in a locker needs none.
    slots : where its users stand, one agent each; default: one at its place.
    animation, seconds : what its user is seen to do, and how long; default: as usual for its kind.
    users : teams that may use it; default: all.
    key : item that its user has to carry.
    opens : locked doors that an item opens for the agent that carries it.
    draws : metres within which guards that see an intruder run to an alarm; default: 12.
    """

    name: str
    kind: ObjectWord
    place: Place | None = None
    marker: str = ""
    held_by: str = ""
    slots: tuple[Place, ...] = ()
    animation: str = ""
    seconds: Seconds | None = None
    users: tuple[str, ...] = ()
    key: str = ""
    opens: tuple[str, ...] = ()
    holds: str = ""
    zone: str = ""
    team: str = ""
    draws: Annotated[float, msgspec.Meta(ge=0.0, le=1000.0)] | None = None


class SwarmSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A swarm of small creatures around a nest.

    Attributes
    ----------
    name : of the swarm; unique.
    place, marker : where its nest is: a place in metres, or the name of a marker of the level.
    count : number of creatures.
    team : the team that it leaves alone. Empty: it attacks any agent.
    range : metres to walk from the nest within which it attacks the nearest agent; it follows it twice as far.
    speed : of its creatures in m/s.
    fells : seconds in the midst of its creatures after which an agent goes down.
    """

    name: str
    place: Place | None = None
    marker: str = ""
    count: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 40
    team: str = ""
    range: Annotated[float, msgspec.Meta(gt=0.0, le=100.0)] = 5.0
    speed: Annotated[float, msgspec.Meta(gt=0.0, le=20.0)] = 3.5
    fells: Annotated[float, msgspec.Meta(gt=0.0, le=600.0)] = 3.0


class TaskSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A task: an object to use, by name.

    Attributes
    ----------
    seconds : how long; default: as long as its use takes.
    to : where to carry and put down an item: a place in metres, or the name of a marker.
    """

    use: str
    seconds: Seconds | None = None
    to: Place | str | None = None


class PowerRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How long powers last, in seconds, and the time after their use until they can be used again.

    Attributes
    ----------
    time_stop, time_stop_rest : a standstill; the rest is counted from its end.
    possess, possess_rest, possess_reach : control of another agent; the reach is in metres.
    daze : time from the end of control until the agent comes to.
    travel_rest : time between two travels to another state of the level.
    """

    time_stop: Annotated[float, msgspec.Meta(gt=0.0, le=60.0)] = 4.0
    time_stop_rest: Annotated[float, msgspec.Meta(ge=1.0, le=3600.0)] = 15.0
    possess: Annotated[float, msgspec.Meta(gt=0.0, le=60.0)] = 10.0
    possess_rest: Annotated[float, msgspec.Meta(ge=1.0, le=3600.0)] = 15.0
    possess_reach: Annotated[float, msgspec.Meta(gt=0.0, le=30.0)] = 5.0
    daze: Annotated[float, msgspec.Meta(ge=0.0, le=60.0)] = 3.0
    travel_rest: Annotated[float, msgspec.Meta(ge=0.1, le=3600.0)] = 3.0
