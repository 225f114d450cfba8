"""Places that queries choose, and agents that appear there."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from pathlib import PurePath
from typing import Any

import numpy as np

from ....errors import BehaviourError, did_you_mean
from ....kernels.arrays.agent_arrays import ACTIVE, GONE
from ....level.level import Level
from ....reasoning.locations.criteria import InZone, LayerValue
from ....reasoning.locations.query import Query
from ....reasoning.locations.query_places import Place, places_of
from ....rng import generator
from ....textfile import FORMS
from ....vocabulary.events import PicksPlace
from ...behaviour.files.definition import TreeFile
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ...bodies.orders import Gait
from ..mind import Mind, as_place
from ..shipped_brains import PLACE_QUERIES, place_query
from .brain_leaf import GOAL_PLACE, BrainLeaf, action, leaf
from .evasion import guards_remembered
from .flight import threats_in_sight

_SAME = 1.5
"""Metres within which a new place is the one an agent is already headed for."""


def _known(mind: Mind, columns: Any) -> Place:
    """Return the last known positions of targets with the directions in which they moved."""
    know = mind.world.knowledge.arrays
    x, y = know.direction_xy[mind.row, columns].T
    return Place(know.xyz[mind.row, columns], heading=np.arctan2(y, x))


def _threats(mind: Mind) -> Place:
    """Return the known enemies of a watcher, or the hunters of an intruder; else where it last knew of one."""
    if mind.row >= 0:
        found = _known(mind, np.flatnonzero(mind.world.knowledge.arrays.source[mind.row]))
    else:
        found = Place(threats_in_sight(mind))
    return found if len(found.xyz) else Place(np.array([mind.blackboard.get("threat", mind.xyz)]), heading=0.0)


def _target(mind: Mind) -> Place:
    column = mind.blackboard.get("target", -1)
    is_known = mind.row >= 0 and column >= 0 and mind.world.knowledge.arrays.source[mind.row, column] != 0
    return _known(mind, [column]) if is_known else Place(np.zeros((0, 3)))


def _colleagues(mind: Mind) -> Place:
    bodies = mind.world.bodies
    near = (bodies.team == bodies.team[mind.number]) & (bodies.mode == ACTIVE)
    near[mind.number] = False
    return Place(bodies.xyz[near], heading=bodies.heading[near])


def _swarms(mind: Mind) -> Place:
    """Return where swarms are that would sting the agent."""
    world = mind.world
    feared = [] if world.swarms is None else world.swarms.feared_by(int(world.bodies.team[mind.number]))
    return Place(np.array([swarm.xyz.mean(axis=0) for swarm in feared]).reshape(-1, 3))


POINTS: dict[str, Callable[[Mind], Place]] = {
    "threats": _threats,
    "players": _threats,
    "target": _target,
    "colleagues": _colleagues,
    "dangers": lambda mind: Place(
        np.array([one.xyz for one in mind.world.losses.dangers.get(mind.number, ())]).reshape(-1, 3)
    ),
    "guards": guards_remembered,
    "headed": lambda mind: Place(np.array(mind.blackboard.get("goal") or mind.xyz)),
    "swarms": lambda mind: _swarms(mind),
    "home": lambda mind: Place(mind.world.cast.home[mind.number]),
    "came_from": lambda mind: Place(np.array(mind.blackboard["hunted_at"] or mind.xyz)),
}
"""Points that queries in trees may name besides those of the level: enemies the agent knows of (an intruder: guards
after it), regions it shuns, guards an intruder remembers, the place it is headed for, the target, other members of its
team, swarms that would sting it, where it started, and where it was last hunted."""


@leaf
class ChoosePlace(BrainLeaf):
    """Choose a place by a query and write it to "goal"; FAILURE if there is none, with what ruled places out.

    `query` is the name of a shipped query, or of a file relative to the scenario.
    """

    kind = "choose_place"
    writes = GOAL_PLACE

    def __init__(self, *, query: str, name: str = ""):
        self.query, self.name = query, name
        self._random: np.random.Generator | None = None
        if query not in PLACE_QUERIES and not is_file(query):
            known = ", ".join(PLACE_QUERIES)
            what = f"no place query {query!r}{did_you_mean(query, PLACE_QUERIES)}"
            raise BehaviourError(f"{what}; name a file, or a shipped one: {known}")

    def details(self) -> str:
        """Return the query."""
        return f"query: {self.query}"

    def tick(self, mind: Mind) -> Status:
        """Choose once."""
        goal = self._pick(mind)
        if goal is None:
            return FAILURE
        self._tell(mind, goal)
        return SUCCESS

    def _pick(self, mind: Mind) -> tuple[float, float, float] | None:
        """Return the place chosen; None if there is none."""
        reasoning = mind.world.reasoning
        query = reasoning.queries[self.query] if is_file(self.query) else place_query(self.query)
        places = {name: POINTS[name](mind) for name in sorted(points_in(query)) if name in POINTS}
        for name in ("target", "guards", "swarms"):
            if name in places and not len(places[name].xyz):
                self.reason = f"knows of no {name.rstrip('s')}"
                return None
        if "threats" in places:
            mind.blackboard["threat"] = tuple(places["threats"].xyz[0].tolist())
        me = Place(np.array(mind.xyz), heading=mind.heading)
        choice = reasoning.picker.pick(query, me, places=places, random=self._draw(mind))
        self.reason = choice.why()
        return None if choice.cell < 0 else as_place(choice.xyz[0])

    def _tell(self, mind: Mind, goal: tuple[float, float, float]) -> None:
        mind.blackboard["goal"], mind.decided = goal, self.reason
        mind.world.happened(PicksPlace(mind.world.tick, mind.number, at=goal, query=self.query))

    def _draw(self, mind: Mind) -> np.random.Generator:
        if self._random is None:
            self._random = generator(mind.world.cast.seed, f"{self.kind} {mind.number}")
        return self._random


@leaf
class Evade(ChoosePlace):
    """Run to a place chosen by a query, and choose again every `every` seconds; FAILURE if there is none.

    The place under "goal" counts in the queries as "headed", so that a new choice must be clearly better.
    """

    kind = "evade"

    def __init__(self, *, query: str, gait: Gait = "run", every: float = 0.7, name: str = ""):
        super().__init__(query=query, name=name)
        self.gait, self.every = gait, every
        self._thinks = -math.inf

    def enter(self, mind: Mind) -> None:
        """Choose at once."""
        del mind
        self._thinks = -math.inf

    def tick(self, mind: Mind) -> Status:
        """Go on, or choose again."""
        if mind.time >= self._thinks or mind.is_stopped:
            self._thinks = mind.time + self.every
            goal = self._pick(mind)
            if goal is None:
                return FAILURE
            if math.dist(goal, mind.blackboard.get("goal") or (math.inf,) * 3) > _SAME:
                self._tell(mind, goal)
        mind.go(mind.blackboard["goal"], self.gait)
        return RUNNING

    def exit(self, mind: Mind, status: Status) -> None:  # noqa: ARG002
        """Stop."""
        mind.stand()


@action(reads=GOAL_PLACE)
def appear(mind: Mind) -> Status:
    """Vanish and appear at the place under "goal". Always SUCCESS."""
    mind.act("appear", mind.number, mind.blackboard["goal"])
    return SUCCESS


@leaf
class Summon(BrainLeaf):
    """Let the next agent that waits for this summoner appear at "goal"; FAILURE if none is left."""

    kind = "summon"
    reads = GOAL_PLACE

    def tick(self, mind: Mind) -> Status:
        """Summon once."""
        world = mind.world
        waiting = [one for one in world.cast.summoned.get(mind.number, ()) if world.bodies.mode[one] == GONE]
        if not waiting:
            self.reason = "no agent is left to summon"
            return FAILURE
        self.reason = f"summons {world.names[waiting[0]]}"
        mind.act("appear", waiting[0], mind.blackboard["goal"])
        return SUCCESS


def is_file(query: str) -> bool:
    """Return whether a query of a tree is the name of a file."""
    return PurePath(query).suffix.lower() in FORMS


def points_in(query: Query) -> set[str]:
    """Return the names of the points a query uses, without those of the asker."""
    named = {one.points for one in query.criteria if isinstance(one.points, str)}
    return named - {"asker", "askers"}


def queries_in(file: TreeFile) -> Iterator[tuple[str, str, int]]:
    """Yield the query of each `choose_place` in a file of trees, with its file and line."""
    for node, source in file.nodes():
        query = node.parameters.get("query", node.parameters.get(""))
        if node.kind in (ChoosePlace.kind, Evade.kind) and isinstance(query, str):
            yield query, source, node.line


def query_faults(query: Query, level: Level, layers: Collection[str]) -> Iterator[str]:
    """Yield what a query of a tree names that does not exist: points, zones, layers."""
    zones = {name for zone in level.zones for name in (zone.name, zone.kind)}
    named = [("points", one, (*POINTS, *places_of(level))) for one in sorted(points_in(query))]
    named += [("zone", one.zone, tuple(zones)) for one in query.criteria if isinstance(one, InZone)]
    named += [("layer", one.layer, tuple(layers)) for one in query.criteria if isinstance(one, LayerValue)]
    for what, name, known in named:
        if name not in known:
            yield f"no {what} {name!r}{did_you_mean(name, known)}; there are {', '.join(sorted(known)) or 'none'}"
