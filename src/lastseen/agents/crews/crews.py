"""The collective phase: form crews, tick their trees, give members their directions, and explain unmet requests."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ...checks import finite_number, instance_of, table_of, text_of
from ...errors import BehaviourError
from ...kernels.arrays.agent_arrays import ACTIVE, GONE, HIDDEN
from ...vocabulary.events import CrewChange, Departure, RoleLoss
from ..behaviour.files.definition import TreeFile
from ..behaviour.registry import Registry
from ..behaviour.tree import Tree
from ..brains.surroundings import Surroundings
from ..requests import Request
from .combat.attack_turns import Reserve
from .combat.tokens import TokenSettings
from .crew import Crew, report_crew, report_direction, take_role
from .crew_mind import CrewMind, LevelPaths
from .crew_trees import crew_tree
from .grouping import REDRAWS_EVERY, Key, drawn, group, leader_of

THINKS_EVERY = 0.3
"""Seconds between two ticks of a crew; it thinks at once when members join or leave."""


class CrewError(BehaviourError):
    """An exception in a crew's tree; `leader` is the leader of the crew."""

    def __init__(self, message: str, path: str, leader: int):
        super().__init__(message, path)
        self.leader = leader


class Crews:
    """All crews of a world.

    Parameters
    ----------
    trees : behaviour trees by objective. Requests for other objectives are not served.
    leaves : the leaves these trees may use; default: the shipped ones.
    every : seconds between two ticks of a crew.

    Attributes
    ----------
    standing : the present crews, by number.
    turns : settings of the attack tokens of new crews, by weapon; None: the usual ones.
    """

    def __init__(self, trees: Mapping[str, TreeFile], leaves: Registry | None = None, *, every: float = THINKS_EVERY):
        self.trees: dict[str, TreeFile] = table_of(trees, "trees")
        for objective, file in self.trees.items():
            instance_of(file, TreeFile, f"tree of {text_of(objective, 'objective')}", "read one with read_trees")
        self.leaves = (
            None if leaves is None else instance_of(leaves, Registry, "leaves", "give leaves_with(words), or None")
        )
        self.every = finite_number(every, "every", unit="s", low=0.0, high=60.0)
        self.turns: Mapping[str, TokenSettings] | None = None
        self.standing: dict[int, Crew] = {}
        self._minds: dict[int, CrewMind] = {}
        self._specimens: dict[str, Tree] = {}
        self._next = 0
        self._seen: tuple[Any, ...] | None = None
        self._redraws_at = math.inf
        self._paths: LevelPaths | None = None
        self._reserve = Reserve()

    def crew_of(self, agent: int) -> Crew | None:
        """Return an agent's crew, or None."""
        return next((crew for crew in self.standing.values() if agent in crew.members), None)

    def specimen(self, objective: str) -> Tree:
        """Return a tree for an objective for inspection; no crew runs it."""
        if objective not in self._specimens:
            self._specimens[objective] = crew_tree(self.trees[objective], self.leaves)
        return self._specimens[objective]

    def update(self, world: Surroundings) -> None:
        """Advance one step: read requests, group agents, let crews think, write directions.

        Raises
        ------
        CrewError
            A crew's tree raised.
        """
        if len(world.teamwork.directions) != len(world.names):
            world.teamwork.directions[:] = [None] * len(world.names)
        board = world.teamwork.requests
        board.expire(world.time)
        modes = world.bodies.mode.tobytes()
        if (board.version, modes) != self._seen or world.time >= self._redraws_at:
            self._seen = (board.version, modes)
            self._regroup(world)
        for crew in list(self.standing.values()):
            if world.time >= crew.thinks_at - 1e-9:
                self._think(world, crew)
        self._reserve.update(world, self.standing)

    def _regroup(self, world: Surroundings) -> None:
        modes, team = world.bodies.mode, world.bodies.team.tolist()
        can_act = [mode in (ACTIVE, HIDDEN) for mode in modes.tolist()]
        requests = [one for one in world.teamwork.requests if can_act[one.by] and self.serves(world, one)]
        current = {member: crew.key for crew in self.standing.values() for member in crew.members}
        calls = any(one.draws for one in requests)
        self._redraws_at = world.time + REDRAWS_EVERY if calls else math.inf
        if calls:
            requests = drawn(requests, team, world.bodies.xyz, can_act, current)
        found = group(requests, team, current)
        by_key = {crew.key: crew for crew in self.standing.values()}
        for crew in list(self.standing.values()):
            if crew.key not in found:
                self._end(world, crew, can_act)
        for key in sorted(found):
            if key in by_key:
                self._change(world, by_key[key], found[key], can_act)
            else:
                self._form(world, key, found[key])
        world.teamwork.crew_numbers = {
            member: crew.number for crew in self.standing.values() for member in crew.members
        }

    def serves(self, world: Surroundings, request: Request) -> bool:
        """Return whether there is a tree for a request and its target is still present.

        An existing crew keeps its request and finds out by itself that the target is gone; a missing colleague is also
        served.
        """
        bodies, target = world.bodies, request.target
        if request.objective not in self.trees:
            return False
        if target < 0 or bodies.mode[target] != GONE or bodies.team[target] == bodies.team[request.by]:
            return True
        return (int(bodies.team[request.by]), *request.key) in {crew.key for crew in self.standing.values()}

    def _form(self, world: Surroundings, key: Key, members: tuple[int, ...]) -> None:
        if self._paths is None:
            self._paths = LevelPaths(world)
        tree = crew_tree(self.trees[key[1]], self.leaves)
        seats = {crew.seat for crew in self.standing.values()}
        seat = next(seat for seat in range(len(seats) + 1) if seat not in seats)
        crew = Crew(self._next, seat, key, members, leader_of(members, -1), tree, tree.blackboard(), world.time)
        self._next += 1
        crew.thinks_at = world.time
        self.standing[crew.number] = crew
        self._minds[crew.number] = CrewMind(world, crew, self._paths, self.turns)
        world.teamwork.notices[crew.number] = {}
        report_crew(world, crew, CrewChange.FORMED, members)

    def _change(self, world: Surroundings, crew: Crew, members: tuple[int, ...], can_act: list[bool]) -> None:
        if members == crew.members:
            return
        gone = [member for member in crew.members if member not in members]
        came = [member for member in members if member not in crew.members]
        for member in gone:
            self._drop(world, crew, member, can_act)
        for member in came:
            report_crew(world, crew, CrewChange.JOINED, (member,), member)
        crew.members = members
        leader = leader_of(members, crew.leader)
        crew.leader, crew.thinks_at = leader, world.time

    def _drop(self, world: Surroundings, crew: Crew, member: int, can_act: list[bool]) -> None:
        """Remove a member and its role."""
        if not can_act[member]:
            self._note_loss(world, crew, member)
        other = any(one.key != crew.key[1:] and self.serves(world, one) for one in world.teamwork.requests.of(member))
        asks = Departure.OTHER_REQUEST if other else Departure.NO_REQUEST
        why = asks if can_act[member] else Departure.LOST
        take_role(world, crew, member, RoleLoss.LEFT, why)
        report_crew(world, crew, CrewChange.LEFT, (member,), member, why)

    def _note_loss(self, world: Surroundings, crew: Crew, member: int) -> None:
        crew.lost.append(member)
        crew.lost_as[member] = (self._minds[crew.number].role_of(member), world.time)

    def _end(self, world: Surroundings, crew: Crew, can_act: list[bool]) -> None:
        mind, lost = self._minds[crew.number], tuple(member for member in crew.members if not can_act[member])
        if lost:
            self._mourn(world, crew, lost)
        mind.claimed = {}
        crew.tree.interrupt(mind)
        why = Departure.LOST if lost else Departure.DISBANDED if crew.is_disbanded else Departure.TOO_FEW
        for member in crew.members:
            take_role(world, crew, member, RoleLoss.CREW_ENDED, why, lost)
        report_crew(world, crew, CrewChange.ENDED, crew.members, reason=why, lost=lost)
        del self.standing[crew.number], self._minds[crew.number]
        world.teamwork.notices.pop(crew.number, None)

    def _mourn(self, world: Surroundings, crew: Crew, lost: tuple[int, ...]) -> None:
        """Let a crew that ends through a loss think once more, so that its tree can react to the loss."""
        for member in lost:
            self._note_loss(world, crew, member)
        members, left = crew.members, tuple(member for member in crew.members if member not in lost)
        if left:
            crew.members, crew.leader = left, leader_of(left, crew.leader)
            self._tick(crew)
            crew.members = members

    def _tick(self, crew: Crew) -> CrewMind:
        mind = self._minds[crew.number]
        mind.begin()
        crew.is_disbanded = False
        try:
            crew.tree.tick(mind)
        except BehaviourError as error:
            raise CrewError(f"{crew.name}: {error}", error.path, crew.leader) from error
        return mind

    def _think(self, world: Surroundings, crew: Crew) -> None:
        mind = self._tick(crew)
        for member in crew.members:
            given = mind.claimed.get(member)
            if given is None:
                take_role(world, crew, member, RoleLoss.UNWANTED)
                continue
            before = crew.given.get(member)
            crew.given[member] = world.teamwork.directions[member] = given
            report_direction(world, crew, member, before)
        # Stagger crews, so that they do not all think in the same step.
        steps = max(1, round(self.every / world.step))
        wait = steps if crew.since < world.time else 1 + (crew.number % steps)
        crew.thinks_at = world.time + wait * world.step


def unmet_requests(crews: Crews, world: Surroundings) -> dict[int, str]:
    """Describe by agent the requests of agents outside all crews, and why they are not met."""
    found: dict[int, str] = {}
    for request in world.teamwork.requests:
        if request.by in world.teamwork.crew_numbers or not _can_act(world, request.by):
            continue
        about = f" {world.names[request.target]}" if request.target >= 0 else ""
        text = f"{request.objective}{about} ({request.priority:g}): {_why(crews, world, request)}"
        found[request.by] = f"{found[request.by]}; {text}" if request.by in found else text
    return found


def _why(crews: Crews, world: Surroundings, request: Request) -> str:
    if request.objective not in crews.trees:
        return "no crew does that here"
    if not crews.serves(world, request):
        return f"{world.names[request.target]} is gone"
    team = world.bodies.team
    others = [
        one
        for one in world.teamwork.requests
        if one.key == request.key
        and one.by != request.by
        and team[one.by] == team[request.by]
        and _can_act(world, one.by)
    ]
    if others:
        return "the others that ask for it have more urgent requests"
    return "no colleague is within reach" if request.draws else "no colleague asks for it"


def _can_act(world: Surroundings, agent: int) -> bool:
    return int(world.bodies.mode[agent]) in (ACTIVE, HIDDEN)
