"""A crew's mind: the context of its tree, with the members' combined knowledge and the crew's level queries."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...cells.query import cells_at, nearest_cells
from ...conventions import Array, Floats
from ...kernels.arrays.agent_arrays import NOTHING
from ...layers.spread import Spread
from ...reasoning.tactical.cheapest_paths import CheapestPaths
from ...reasoning.tactical.far_targets import UnreachableAreas
from ..brains.mind import Place, as_place
from ..brains.surroundings import Surroundings
from ..directions import Direction
from .combat.tokens import TokenSettings
from .crew import Crew

_FAR = 80.0
"""Distance in metres beyond which path lengths are not measured."""


Begun = tuple[str, float]
"""A role, and the time in seconds at which a member got it."""


class CrewMind:
    """Context of the leaves of a crew's tree.

    Attributes
    ----------
    world : the surroundings; read-only except for requests and notices.
    crew : the crew whose mind this is.
    known : the members' combined knowledge at this time.
    turns : settings of attack tokens by weapon; None: the usual ones.
    paths : path lengths, cheapest paths and abandoned areas of the level; shared by all crews.
    claimed : directions decided so far in this tick, by member.
    shared : roles assigned so far in this tick, by member; set before the directions are claimed.
    seeking : the role for which places are currently searched.
    asked : level queries cached for this tick, by caller.
    """

    def __init__(
        self, world: Surroundings, crew: Crew, paths: LevelPaths, turns: Mapping[str, TokenSettings] | None = None
    ):
        self.world, self.crew, self.turns = world, crew, turns
        self.paths = paths
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
        return as_place(self.world.bodies.xyz[agent])

    def walk(self, member: int, within: float = _FAR) -> float:
        """Return a member's path length in metres to where the target was last perceived; infinite beyond `within`.

        The level is searched only that far.
        """
        if self._to_target is None or self._to_target[0] < within:
            place = self.known.place
            metres = np.full(len(self.members), np.inf)
            self._to_target = within, metres if place is None else self.paths.metres(place, self.known.xyz, within)
        way = float(self._to_target[1][self.members.index(member)])
        return way if way <= within else math.inf

    def straight(self, member: int) -> float:
        """Return the straight-line distance in metres from a member to that place; infinite if it is unknown."""
        return float(self.known.metres[self.members.index(member)])

    def rows(self, members: tuple[int, ...]) -> Array:
        """Return the indices of these among all members, (n,) int64."""
        if members == self.members:
            return np.arange(len(members))
        return np.array([self.members.index(member) for member in members], np.int64)

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

    def begun(self, member: int) -> Begun:
        """Return a member's role from this tick on and its start; data cached under another role is obsolete."""
        role = self.new_role_of(member)
        return role, self.role_since(member, role)

    def stay_of(self, member: int) -> Place:
        """Return the position of a member at the time it was told to stay."""
        stays: dict[int, tuple[Begun, Place]] = self.blackboard.setdefault("stays here", {})
        begun = self.begun(member)
        if member not in stays or stays[member][0] != begun:
            stays[member] = (begun, self.place_of(member))
        return stays[member][1]

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
        self.world.teamwork.notify(self.crew.number, key, value, self.time)

    def notice(self, key: str) -> tuple[Any, float] | None:
        """Return the value and time of a notice, or None."""
        return self.world.teamwork.notices.get(self.crew.number, {}).get(key)


@dataclass(frozen=True, eq=False)
class CrewKnowledge:
    """The members' combined knowledge of their target.

    Attributes
    ----------
    column : of the target among those watched, -1 if it is not watched.
    place : where any member last perceived it, else the place of their requests, or None.
    time : seconds at which it was perceived, -inf if never.
    direction_xy, speed : its motion at that time; zeros if unknown.
    by : number of the member with that record, -1 if there is none.
    seen_by : members that see it now.
    xyz : (m, 3) metres, positions of the members in their order.
    metres : (m,) straight-line distances to that place; infinite if there is none.
    """

    column: int
    place: Place | None
    time: float
    direction_xy: tuple[float, float]
    speed: float
    by: int
    seen_by: frozenset[int]
    xyz: Floats
    metres: Floats


def sense_crew(
    world: Surroundings, members: tuple[int, ...], objective: str, target: int, matter: int = -1
) -> CrewKnowledge:
    """Return the members' combined knowledge; if none perceived the target, use the place of their requests."""
    agents = np.array(members, np.int64)
    feet = world.bodies.xyz.take(agents, axis=0)
    targets = world.cast.targets.tolist()
    column = targets.index(target) if target in targets else -1
    watcher_rows = world.cast.watcher_row.take(agents).tolist()
    rows = [(row, member) for row, member in zip(watcher_rows, members) if row >= 0]
    place, time, by = None, -np.inf, -1
    direction, speed = (0.0, 0.0), 0.0
    seen: frozenset[int] = frozenset()
    if column >= 0 and rows:
        know = world.knowledge.arrays
        seen = frozenset(member for row, member in rows if world.attention.seen[row] == column)
        _, _, newest = max([(know.time.item(row, column), -member, (row, member)) for row, member in rows])
        if know.source[newest[0], column] != NOTHING:
            row, by = newest
            place, time = as_place(know.xyz[row, column]), know.time.item(row, column)
            direction = know.direction_xy.item(row, column, 0), know.direction_xy.item(row, column, 1)
            speed = know.speed.item(row, column)
    if place is None:
        place = world.teamwork.requests.place_of(objective, target, members, matter=matter)
    metres = np.full(len(members), np.inf) if place is None else _metres(feet, place)
    return CrewKnowledge(column, place, time, direction, speed, by, seen, feet, metres)


def _metres(feet: Floats, place: Place) -> Floats:
    """Return distances in metres from feet (m, 3) to a place, (m,). For few members this is faster than NumPy."""
    to_x, to_y, to_z = place
    away = [(x - to_x, y - to_y, z - to_z) for x, y, z in feet.tolist()]
    return np.array([math.sqrt(x * x + y * y + z * z) for x, y, z in away])


_ON_CELL = 1.5
"""Distance in metres from a cell within which a point counts as on it."""


class LevelPaths:
    """Path lengths and cheapest paths over the cells of a world with its present doors, and abandoned areas.

    Attributes
    ----------
    given_up : areas that no flanker reached; all crews avoid them for a while.
    """

    def __init__(self, world: Surroundings):
        self._cells = world.cells
        self._spread = Spread(world.cells)
        self._metres = np.full(len(world.cells), np.inf)
        self.given_up = UnreachableAreas()

    @cached_property
    def cheapest(self) -> CheapestPaths:
        """Cheapest paths; their work arrays are allocated on first use."""
        return CheapestPaths(self._cells)

    def metres(self, place: Place, xyz: Floats, reach: float) -> Floats:
        """Return path lengths in metres from a place to each of xyz (n, 3), (n,); infinite if beyond `reach`."""
        source = nearest_cells(self._cells, np.asarray([place]), _ON_CELL)
        if source[0] < 0 or not len(xyz):
            return np.full(len(xyz), np.inf)
        ends = cells_at(self._cells, xyz)
        off = ends < 0
        if off.any():
            ends = ends.copy()
            ends[off] = nearest_cells(self._cells, xyz[off], _ON_CELL)
        found = self._spread.distances(source, reach=reach)
        self._metres[found.cells] = found.metres
        metres = np.where(ends < 0, np.inf, self._metres[ends])
        self._metres[found.cells] = np.inf
        return metres

    def near(self, xyz: Floats, reach: float) -> Floats:
        """Return the cells within path length `reach` of any of xyz (n, 3): positions (k, 3) float64, by cell."""
        source = nearest_cells(self._cells, xyz, _ON_CELL)
        source = np.unique(source[source >= 0])
        if not len(source):
            return np.zeros((0, 3))
        found = self._spread.distances(source, reach=reach)
        return self._cells.arrays.cell_xyz[np.sort(found.cells)].astype(np.float64)
