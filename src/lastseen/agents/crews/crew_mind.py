"""A crew's mind: the context of its tree."""

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
"""Distance in metres beyond which path lengths are not measured."""


class CrewMind:
    """Context of the leaves of a crew's tree.

    Attributes
    ----------
    world : the surroundings; read-only except for requests and notices.
    crew : the crew whose mind this is.
    known : the members' combined knowledge at this time.
    ground : queries on the level: path lengths, cheapest paths, abandoned areas; shared by all crews.
    claimed : directions decided so far in this tick, by member.
    shared : roles assigned so far in this tick, by member; set before the directions are claimed.
    seeking : the role for which places are currently searched.
    asked : level queries cached for this tick, by caller.
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
        """Refresh the view of the world before a tick."""
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
        """The tree's memory, by key."""
        return self.crew.blackboard

    @property
    def members(self) -> tuple[int, ...]:
        """Numbers of all members."""
        return self.crew.members

    @property
    def free(self) -> tuple[int, ...]:
        """Members without a direction in this tick."""
        return tuple(member for member in self.crew.members if member not in self.claimed)

    @property
    def age(self) -> float:
        """Seconds since any member perceived the target: 0 while one sees it, infinite if never.

        Sight counts at once, as records lag by the reaction time.
        """
        return 0.0 if self.known.seen_by else self.time - self.known.time

    def name_of(self, agent: int) -> str:
        """Return an agent's name."""
        return self.world.names[agent] if agent >= 0 else "nobody"

    def place_of(self, agent: int) -> Place:
        """Return the position of an agent of the crew's own team."""
        x, y, z = self.world.bodies.xyz[agent].tolist()
        return x, y, z

    def walk(self, member: int, within: float = _FAR) -> float:
        """Return a member's path length in metres to where the target was last perceived; infinite beyond `within`.

        The level is searched only that far.
        """
        if self._to_target is None or self._to_target[0] < within:
            place = self.known.place
            metres = np.full(len(self.members), np.inf)
            self._to_target = within, metres if place is None else self.ground.metres(place, self.known.xyz, within)
        way = float(self._to_target[1][self.members.index(member)])
        return way if way <= within else math.inf

    def straight(self, member: int) -> float:
        """Return the straight-line distance in metres from a member to that place; infinite if it is unknown."""
        return float(self.known.metres[self.members.index(member)])

    def rows(self, members: tuple[int, ...]) -> Array:
        """Return the indices of these among all members, (n,) int64."""
        everybody = self.members
        if members == everybody:
            return np.arange(len(everybody))
        return np.array([everybody.index(member) for member in members], np.int64)

    def role_of(self, member: int) -> str:
        """Return a member's role before this tick; empty if none."""
        given = self.crew.given.get(member)
        return "" if given is None else given.role

    def new_role_of(self, member: int) -> str:
        """Return a member's role from this tick on, as far as decided; empty if none."""
        return self.shared.get(member) or self.role_of(member)

    def role_since(self, member: int, role: str) -> float:
        """Return the time in seconds at which a member got a role; now, if it gets it in this tick."""
        before = self.crew.given.get(member)
        return before.since if before is not None and before.role == role else self.time

    @property
    def had(self) -> set[int]:
        """Numbers of the places that members hold in the role being searched for."""
        return {given.slot for given in self.crew.given.values() if given.role == self.seeking}

    def claim(self, member: int, role: str, reason: str, values: Mapping[str, Any], slot: int = -1) -> None:
        """Give a member a direction; a member that keeps its role also keeps its start time."""
        since = self.role_since(member, role)
        self.claimed[member] = Direction(self.crew.number, role, since, reason, values, slot)

    def notify(self, key: str, value: Any = True) -> None:
        """Post a notice that members and this tree can read."""
        self.world.notices.setdefault(self.crew.number, {})[key] = (value, self.time)

    def notice(self, key: str) -> tuple[Any, float] | None:
        """Return the value and time of a notice, or None."""
        return self.world.notices.get(self.crew.number, {}).get(key)

    def tell(self, kind: str, text: str = "", **more: Any) -> None:
        """Report an event on behalf of the leader."""
        self.world.happened(kind, self.crew.leader, text, **more)
