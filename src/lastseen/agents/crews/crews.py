"""The collective phase: crews are formed, each thinks, members get their directions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ...checks import finite_number, table_of, text_of, thing_of
from ...errors import BehaviourError
from ...kernels.body_arrays import ACTIVE, HIDDEN
from ..behaviour.definition import TreeFile
from ..behaviour.registry import Registry
from ..behaviour.tree import Tree
from ..brains.surroundings import Surroundings
from .crew import Crew
from .crew_mind import CrewMind
from .ground import Ground
from .grouping import Key, group, leader_of
from .leaves import crew_tree
from .radio import REDRAWS_EVERY, drawn
from .reserve import Reserve

__all__ = ["CrewError", "Crews"]

THINKS_EVERY = 0.3
"""Seconds between two thoughts of a crew; it thinks at once when members come or go."""


class CrewError(BehaviourError):
    """A crew's tree raised; `leader` is whose crew it was."""

    def __init__(self, message: str, path: str, leader: int):
        super().__init__(message, path)
        self.leader = leader


class Crews:
    """All crews of a world.

    Parameters
    ----------
    trees : how crews decide, by objective. Requests for other objectives are not served.
    leaves : what these trees may use; left out: what comes with lastseen.
    every : seconds between two thoughts of a crew.

    Attributes
    ----------
    standing : the crews there are, by number.
    """

    def __init__(self, trees: Mapping[str, TreeFile], leaves: Registry | None = None, *, every: float = THINKS_EVERY):
        self.trees: dict[str, TreeFile] = table_of(trees, "trees")
        for objective, file in self.trees.items():
            thing_of(file, TreeFile, f"tree of {text_of(objective, 'objective')}", "read one with read_trees")
        self.leaves = (
            None if leaves is None else thing_of(leaves, Registry, "leaves", "give leaves_with(words), or None")
        )
        self.every = finite_number(every, "every", unit="s", low=0.0, high=60.0)
        self.standing: dict[int, Crew] = {}
        self._minds: dict[int, CrewMind] = {}
        self._specimens: dict[str, Tree] = {}
        self._next = 0
        self._seen: tuple[Any, ...] | None = None
        self._redraws_at = math.inf
        self._ground: Ground | None = None
        self._reserve = Reserve()

    def crew_of(self, agent: int) -> Crew | None:
        """Return the crew an agent is in; None: none."""
        return next((crew for crew in self.standing.values() if agent in crew.members), None)

    def specimen(self, objective: str) -> Tree:
        """Return a tree of an objective that no crew runs, to be looked at."""
        if objective not in self._specimens:
            self._specimens[objective] = crew_tree(self.trees[objective], self.leaves)
        return self._specimens[objective]

    def update(self, world: Surroundings) -> None:
        """Let one step pass: read requests, group, think, write directions.

        Raises
        ------
        CrewError
            A crew's tree raised.
        """
        if len(world.directions) != len(world.names):
            world.directions[:] = [None] * len(world.names)
        board = world.requests
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
        requests = [one for one in world.requests if one.objective in self.trees and can_act[one.by]]
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
        world.crew_numbers = {member: crew.number for crew in self.standing.values() for member in crew.members}

    def _form(self, world: Surroundings, key: Key, members: tuple[int, ...]) -> None:
        if self._ground is None:
            self._ground = Ground(world)
        tree = crew_tree(self.trees[key[1]], self.leaves)
        seats = {crew.seat for crew in self.standing.values()}
        seat = next(seat for seat in range(len(seats) + 1) if seat not in seats)
        crew = Crew(self._next, seat, key, members, leader_of(members, -1), tree, tree.blackboard(), world.time)
        self._next += 1
        crew.thinks_at = world.time
        self.standing[crew.number] = crew
        self._minds[crew.number] = CrewMind(world, crew, self._ground)
        world.notices[crew.number] = {}
        names = ", ".join(world.names[member] for member in members)
        self._tell(world, crew, "formed", f"{crew.name} is formed: {names}", list(members))

    def _change(self, world: Surroundings, crew: Crew, members: tuple[int, ...], can_act: list[bool]) -> None:
        if members == crew.members:
            return
        gone = [member for member in crew.members if member not in members]
        came = [member for member in members if member not in crew.members]
        for member in gone:
            self._drop(world, crew, member, can_act)
        for member in came:
            self._tell(world, crew, "joined", f"{world.names[member]} joins {crew.name}", [member], member)
        crew.members = members
        leader = leader_of(members, crew.leader)
        if leader != crew.leader:
            crew.note(world.time, f"{world.names[leader]} leads now")
        crew.leader, crew.thinks_at = leader, world.time

    def _drop(self, world: Surroundings, crew: Crew, member: int, can_act: list[bool]) -> None:
        """Take a member out, and its role with it."""
        if not can_act[member]:
            self._note_loss(world, crew, member)
        asks = "asks for something else" if world.requests.of(member) else "asks for it no longer"
        why = asks if can_act[member] else "can act no more"
        self._take_role(world, crew, member, why)
        self._tell(world, crew, "left", f"{world.names[member]} leaves {crew.name}: {why}", [member], member)

    def _note_loss(self, world: Surroundings, crew: Crew, member: int) -> None:
        crew.lost.append(member)
        crew.lost_as[member] = (self._minds[crew.number].role_of(member), world.time)

    def _end(self, world: Surroundings, crew: Crew, can_act: list[bool]) -> None:
        mind, lost = self._minds[crew.number], [member for member in crew.members if not can_act[member]]
        if lost:
            self._mourn(world, crew, lost)
        mind.claimed = {}
        crew.tree.interrupt(mind)
        why = "its tree ended it" if crew.is_disbanded else "too few ask for it"
        if lost:
            why = f"{', '.join(world.names[one] for one in lost)} can act no more"
        for member in crew.members:
            self._take_role(world, crew, member, f"the crew is over: {why}")
        self._tell(world, crew, "ended", f"{crew.name} is over: {why}", list(crew.members))
        del self.standing[crew.number], self._minds[crew.number]
        world.notices.pop(crew.number, None)

    def _mourn(self, world: Surroundings, crew: Crew, lost: list[int]) -> None:
        """Let a crew that is over by a loss think once more: what the loss means to others is for its tree to say."""
        for member in lost:
            self._note_loss(world, crew, member)
        everybody, left = crew.members, tuple(member for member in crew.members if member not in lost)
        if left:
            crew.members, crew.leader = left, leader_of(left, crew.leader)
            self._tick(crew)
            crew.members = everybody

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
                self._take_role(world, crew, member, "the crew wants nothing of it")
                continue
            before = crew.given.get(member)
            crew.given[member] = world.directions[member] = given
            if before is None or before.role != given.role:
                self._give(world, crew, member, "" if before is None else before.role)
            elif before.slot != given.slot:
                self._send(world, crew, member, before.slot)
        # Crews take turns, so that not all of them think in one step.
        steps = max(1, round(self.every / world.step))
        wait = steps if crew.since < world.time else 1 + (crew.number % steps)
        crew.thinks_at = world.time + wait * world.step

    def _give(self, world: Surroundings, crew: Crew, member: int, before: str) -> None:
        given = crew.given[member]
        text = f"{world.names[member]}: {given.reason}"
        crew.note(world.time, text)
        stand = given.values.get("stand")
        world.happened(
            "role",
            member,
            text,
            at=stand,
            data={
                "crew": crew.number,
                "objective": crew.objective,
                "given": given.role,
                "before": before,
                "why": given.reason,
                "slot": given.slot,
                "values": {key: value for key, value in given.values.items() if key != "hints"},
            },
        )

    def _send(self, world: Surroundings, crew: Crew, member: int, before: int) -> None:
        """Tell that a member keeps its role and gets another place."""
        given = crew.given[member]
        text = f"{world.names[member]} changes its place: {given.reason}"
        crew.note(world.time, text)
        data = {"crew": crew.number, "objective": crew.objective, "role": given.role, "why": given.reason}
        data |= {"slot": given.slot, "before": before}
        world.happened("place", member, text, at=given.values.get("stand"), data=data)

    def _take_role(self, world: Surroundings, crew: Crew, member: int, why: str) -> None:
        given = crew.given.pop(member, None)
        world.directions[member] = None
        if given is None:
            return
        text = f"{world.names[member]} is no longer {given.role}: {why}"
        crew.note(world.time, text)
        data = {"crew": crew.number, "objective": crew.objective, "given": "", "before": given.role, "why": why}
        world.happened("role", member, text, data=data)

    def _tell(
        self, world: Surroundings, crew: Crew, what: str, text: str, members: list[int], agent: int | None = None
    ) -> None:
        crew.note(world.time, text)
        data = {
            "crew": crew.number,
            "seat": crew.seat,
            "objective": crew.objective,
            "what": what,
            "members": members,
            "leader": crew.leader,
        }
        world.happened("crew", crew.leader if agent is None else agent, text, other=crew.target, data=data)
