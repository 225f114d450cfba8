"""Smart objects: things that agents use, each with slots, an animation, a duration and an effect."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ...level.features import Zone
from ...vocabulary.events import Place
from ...vocabulary.words import ObjectKind

RINGING = 20.0
"""Seconds for which an alarm rings, as long as its sound lasts."""


class Usage(NamedTuple):
    """How objects of a kind are used: the animation of the user, and seconds."""

    animation: str
    seconds: float


USAGES = {
    ObjectKind.ALARM: Usage("ring", 1.5),
    ObjectKind.WORKBENCH: Usage("work", 8.0),
    ObjectKind.LOCKER: Usage("rummage", 2.0),
    ObjectKind.SWITCH: Usage("switch", 0.5),
    ObjectKind.ITEM: Usage("take", 0.8),
    ObjectKind.BARRIER: Usage("rewire", 3.0),
}
"""Usual animation and duration by kind. Ours: the sources give none."""


@dataclass(frozen=True, eq=False)
class SmartObject:
    """An object as it enters the world.

    Attributes
    ----------
    xyz : where it is, or belongs, in metres.
    slots : where its users stand, one agent each.
    animation, seconds : of its use.
    users : names of the teams that may use it; empty: all.
    key : name of the item its user has to carry; empty: none.
    opens : numbers of the locked doors that an item opens for its carrier.
    holds : name of the item in a locker.
    zones : the zones that a switch lights or a barrier covers.
    team : the team that a barrier serves at first.
    draws : metres within which agents that see an intruder run to an alarm.
    """

    name: str
    kind: ObjectKind
    xyz: Place
    slots: tuple[Place, ...]
    animation: str
    seconds: float
    users: tuple[str, ...] = ()
    key: str = ""
    opens: tuple[int, ...] = ()
    holds: str = ""
    zones: tuple[Zone, ...] = ()
    team: str = ""
    draws: float = 0.0


class Use(NamedTuple):
    """A use under way: the number of the object, the time in seconds at which it began, and of its end."""

    thing: int
    begun: float
    until: float


class Task(NamedTuple):
    """A task of an agent: an object to use, seconds (None: as usual), and where to put it down (None: nowhere)."""

    use: str
    seconds: float | None = None
    to: Place | None = None


@dataclass(kw_only=True)
class Objects:
    """The objects of a world. Written by `act`.

    Attributes
    ----------
    things : the objects, where they belong; the lists below have one entry for each.
    places : where each is now; one that is carried is at its carrier.
    carrier : the agent that carries it; -1: none. An item in a locker is carried by `IN_LOCKER`.
    is_on : whether a switch is on.
    owner : the team that a barrier serves; empty for other kinds.
    rung : time in seconds at which an alarm was last rung.
    claims : by agent, the object and slot it goes to or uses. Minds claim and release them.
    uses : by agent, what it uses now; `renewed` are those that ordered so in this step.
    done : by agent, the object it used last, and the time in seconds at which it was done.
    tasks : by agent, what it does all day.
    """

    things: tuple[SmartObject, ...]
    places: list[Place]
    carrier: list[int]
    is_on: list[bool]
    owner: list[str]
    rung: list[float]
    claims: dict[int, tuple[int, int]] = field(default_factory=dict)
    uses: dict[int, Use] = field(default_factory=dict)
    renewed: set[int] = field(default_factory=set)
    done: dict[int, tuple[int, float]] = field(default_factory=dict)
    tasks: dict[int, tuple[Task, ...]] = field(default_factory=dict)

    def number(self, name: str) -> int:
        """Return the number of the object with a name; -1 if there is none."""
        return next((number for number, thing in enumerate(self.things) if thing.name == name), -1)

    def carries(self, agent: int, name: str) -> bool:
        """Return whether an agent carries the item with a name."""
        return self.carrier[self.number(name)] == agent

    def opened_by(self, agent: int) -> tuple[int, ...]:
        """Return the numbers of the locked doors that an agent has the key of."""
        return tuple(
            door for thing, carrier in zip(self.things, self.carrier) if carrier == agent for door in thing.opens
        )

    def slots(self, number: int) -> tuple[Place, ...]:
        """Return where users of an object stand now: an item that was moved has one slot, where it lies."""
        thing, place = self.things[number], self.places[number]
        return thing.slots if place == thing.xyz else (place,)

    def obstacle(self, number: int, agent: int, team: str) -> str:
        """Return why an agent of a team cannot use an object; empty if it can, now or after waiting for a slot."""
        thing = self.things[number]
        if self.carrier[number] not in (-1, agent):
            return f"{thing.name} is gone"
        if thing.users and team not in thing.users:
            return f"{thing.name} is not for {team}"
        if thing.key and not self.carries(agent, thing.key):
            return f"has no {thing.key}"
        return ""

    def claim(self, number: int, agent: int, xyz: Place) -> int:
        """Let an agent have the free slot of an object nearest to a place; return its number, -1 if none is free."""
        slots = self.slots(number)
        held = self.claims.get(agent)
        if held is not None and held[0] == number and held[1] < len(slots):
            return held[1]
        taken = {slot for other, (thing, slot) in self.claims.items() if thing == number and other != agent}
        free = [(math.dist(place, xyz), slot) for slot, place in enumerate(slots) if slot not in taken]
        if not free:
            return -1
        self.claims[agent] = number, min(free)[1]
        return min(free)[1]

    def hand_over(self, name: str, giver: int, taker: int) -> bool:
        """Let one agent have the item that another carries; return whether it has it now, or had it before."""
        number = self.number(name)
        if self.carrier[number] == giver:
            self.carrier[number] = taker
        return self.carrier[number] == taker

    def ride(self, numbers: Iterable[int], by: Place) -> None:
        """Move objects, and where they and their users belong, with the floor they stand on."""
        for number in numbers:
            thing = self.things[number]
            moved = replace(thing, xyz=_moved(thing.xyz, by), slots=tuple(_moved(slot, by) for slot in thing.slots))
            self.things = (*self.things[:number], moved, *self.things[number + 1 :])

    def lay(self, number: int, place: Place) -> None:
        """Lay an object somewhere else."""
        self.places[number] = place

    def release(self, agent: int) -> None:
        """Give up the slot that an agent goes to or uses."""
        self.claims.pop(agent, None)

    def states(self, now: float) -> list[int]:
        """Return the state of each object: 0 as at first, 1 changed (moved, dark, ringing, turned), 2 out of sight."""
        ringing = self.ringing(now)
        return [
            2
            if self.carrier[number] != -1
            else int(
                self.places[number] != thing.xyz
                or number in ringing
                or (thing.kind is ObjectKind.SWITCH and not self.is_on[number])
                or self.owner[number] != thing.team
            )
            for number, thing in enumerate(self.things)
        ]

    def ringing(self, now: float) -> list[int]:
        """Return the numbers of the alarms that were rung a moment ago."""
        return [number for number, rung in enumerate(self.rung) if now - rung < RINGING]


def _moved(place: Place, by: Place) -> Place:
    return place[0] + by[0], place[1] + by[1], place[2] + by[2]


IN_LOCKER = -2
"""Carrier of an item that lies in a locker."""
