"""A crew's mind: what its tree sees and what it may tell members."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...conventions import Array, Floats
from ..brains.mind import Place
from ..brains.surroundings import Surroundings
from ..directions import Direction
from .crew import Crew
from .ground import Ground
from .sensors import CrewKnowledge, sense_crew

__all__ = ["CrewMind"]

_FAR = 80.0
"""Metres beyond which walks are not measured."""


class CrewMind:
    """What the leaves of a crew's tree get as their context.

    Attributes
    ----------
    world : the surroundings; read only, but for requests and notices.
    crew : whose mind it is.
    known : what members know together, as of this moment.
    ground : what is asked of the level: walks, cheapest ways, areas that were given up. One for all crews.
    claimed : what was decided so far in this tick, by member.
    shared : roles given out so far in this tick, by member; known before the first of them is told.
    seeking : the role places are looked for at the moment.
    asked : what was asked of the level in this thought, kept by who asked it.
    """

    def __init__(self, world: Surroundings, crew: Crew, ground: Ground):
        self.world, self.crew = world, crew
        self.ground = ground
        self.claimed: dict[int, Direction] = {}
        self.shared: dict[int, str] = {}
        self.seeking = ""
        self.asked: dict[str, Any] = {}
        self.known: CrewKnowledge
        self._to_target: tuple[float, Floats] | None = None

    def begin(self) -> None:
        """Look at the world anew before a tick."""
        crew = self.crew
        self.known = sense_crew(self.world, crew.members, crew.objective, crew.target, crew.matter)
        self.claimed = {}
        self.shared = {}
        self.asked = {}
        self._to_target = None

    @property
    def time(self) -> float:
        """Seconds since the start."""
        return self.world.time

    @property
    def blackboard(self) -> dict[str, Any]:
        """What the tree remembers, by key."""
        return self.crew.blackboard

    @property
    def members(self) -> tuple[int, ...]:
        """Numbers of all members."""
        return self.crew.members

    @property
    def free(self) -> tuple[int, ...]:
        """Members who have got nothing to do in this tick yet."""
        return tuple(member for member in self.crew.members if member not in self.claimed)

    @property
    def age(self) -> float:
        """Seconds since the target was perceived by any of them, 0 while one sees it; infinite: never.

        Records are written a reaction later than somebody is seen.
        """
        return 0.0 if self.known.seen_by else self.time - self.known.time

    def name_of(self, agent: int) -> str:
        """What an agent is called."""
        return self.world.names[agent] if agent >= 0 else "nobody"

    def place_of(self, agent: int) -> Place:
        """Where an agent of their own is."""
        x, y, z = self.world.bodies.xyz[agent].tolist()
        return x, y, z

    def walk(self, member: int, within: float = _FAR) -> float:
        """Metres a member walks to where the target was perceived last; infinite: no way, or farther than `within`.

        The level is looked at as far as that only.
        """
        if self._to_target is None or self._to_target[0] < within:
            place = self.known.place
            metres = np.full(len(self.members), np.inf)
            self._to_target = within, metres if place is None else self.ground.metres(place, self.known.xyz, within)
        way = float(self._to_target[1][self.members.index(member)])
        return way if way <= within else math.inf

    def straight(self, member: int) -> float:
        """Metres from a member to that place, straight; infinite: they know none."""
        return float(self.known.metres[self.members.index(member)])

    def rows(self, members: tuple[int, ...]) -> Array:
        """Where are these among all members? (n,) int64."""
        everybody = self.members
        if members == everybody:
            return np.arange(len(everybody))
        return np.array([everybody.index(member) for member in members], np.int64)

    def role_of(self, member: int) -> str:
        """Which role does a member have up to now? Empty: none."""
        given = self.crew.given.get(member)
        return "" if given is None else given.role

    def new_role_of(self, member: int) -> str:
        """Which role does a member have from this tick on, as far as is known? Empty: none."""
        return self.shared.get(member) or self.role_of(member)

    def role_since(self, member: int, role: str) -> float:
        """Seconds when a member got a role; now: it gets it in this tick."""
        before = self.crew.given.get(member)
        return before.since if before is not None and before.role == role else self.time

    @property
    def had(self) -> set[int]:
        """Numbers of the places that members have in the role places are looked for now."""
        return {given.slot for given in self.crew.given.values() if given.role == self.seeking}

    def claim(self, member: int, role: str, reason: str, values: Mapping[str, Any], slot: int = -1) -> None:
        """Tell a member what to do from now on; who keeps its role has it since it got it."""
        since = self.role_since(member, role)
        self.claimed[member] = Direction(self.crew.number, role, since, reason, values, slot)

    def notify(self, key: str, value: Any = True) -> None:
        """Let everybody know something: members and this tree may read it."""
        self.world.notices.setdefault(self.crew.number, {})[key] = (value, self.time)

    def notice(self, key: str) -> tuple[Any, float] | None:
        """Return what was let known under a key, and when; None: nothing."""
        return self.world.notices.get(self.crew.number, {}).get(key)

    def tell(self, kind: str, text: str = "", **more: Any) -> None:
        """Have it written down that something happened; in the name of the leader."""
        self.world.happened(kind, self.crew.leader, text, **more)
