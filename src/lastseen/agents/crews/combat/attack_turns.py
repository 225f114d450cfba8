"""Turns: attack tokens of a crew, given to the best-ranked members in position, and the reserve of a full crew."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ....errors import QueryError
from ....kernels.arrays.agent_arrays import ACTIVE, HIDDEN
from ....vocabulary.events import RoleChanged, RoleLoss
from ...bodies.combat import Combat, clear_shot, friend_in_line
from ...brains.mind import Place
from ...brains.surroundings import Surroundings
from ...directions import Direction
from ..crew import Crew
from ..crew_mind import CrewMind
from ..grouping import LARGEST
from ..roles.vocabulary import RoleWords
from .ranks import Ranking, RankSettings
from .tokens import TokenPool, TokenSettings

TURNS = {
    "melee": TokenSettings(count=1, wait=0.8, cooldown=0.7, scaling=6, holds=2.5),
    "ranged": TokenSettings(count=1, wait=1.0, cooldown=0.9, scaling=6, holds=2.5),
}
"""Token settings by weapon. The values are our own; the chapter gives none."""
TURNS_KEY = "attack turns"
"""Blackboard key of a crew's turns."""
_STEPS = 1.5
"""Metres beyond its reach at which a member with a blade requests a token, to close in while holding it."""
_SOON = 0.3
"""Seconds of remaining rest at which a member requests a token."""
_AIMED = math.radians(15.0)


class AttackTurns:
    """The attack tokens of one crew."""

    def __init__(self, settings: Mapping[str, TokenSettings] | None = None):
        self.pools = {arms: TokenPool(arms, given) for arms, given in (TURNS if settings is None else settings).items()}
        self.ranking = Ranking(RankSettings(reach=20.0, on_screen=1.0))
        self.ranks: dict[int, int] = {}
        self._at = -math.inf

    def may_attack(self, agent: int) -> bool:
        """Return whether a member has a token."""
        for pool in self.pools.values():  # noqa: SIM110 - called for every member in every tick
            if agent in pool.held:
                return True
        return False

    def refusal(self, agent: int, now: float, characters: int) -> str:
        """Return why a member has no token; empty if it has one or only needs to request it."""
        if self.may_attack(agent):
            return ""
        words = [pool.refusal(agent, now, characters=characters) for pool in self.pools.values()]
        return next(filter(None, words), "")

    def update(self, world: Surroundings, members: tuple[int, ...], target: int) -> None:
        """Take tokens back after attacks and grant them to members in position, at most once per time step."""
        combat = world.combat
        if combat is None or target < 0 or world.time <= self._at:
            return
        self._at = world.time
        up = [member for member in members if world.bodies.mode[member] == ACTIVE]
        for arms, pool in self.pools.items():
            armed = [member for member in up if combat.attack[member] == arms]
            if pool.held or pool.asking:
                pool.retain(armed, world.time)
            for holder, since in list(pool.held.items()):
                is_over = combat.ended.get(holder, (-math.inf,))[0] > since and not combat.is_attacking(holder)
                if is_over or world.time - since >= pool.settings.holds:
                    pool.release(holder, world.time)
            # Check positions only if a token is available.
            for member in armed if pool.has_any(world.time, len(up)) else ():
                if pool.has_for(member, world.time, len(up)) and _in_position(world, combat, member, target):
                    pool.request(member)
        if any(pool.asking for pool in self.pools.values()):
            self.ranks = self._ranked(world, combat, up, target)
            for pool in self.pools.values():
                pool.grant(world.time, self.ranks, characters=len(up))

    def _ranked(self, world: Surroundings, combat: Combat, members: list[int], target: int) -> dict[int, int]:
        """Rank members by proximity to the target, whether it sees and faces them, and recent hits."""
        if not members:
            return {}
        for member in members:
            if member in combat.hurt:
                self.ranking.note(member, "damage", combat.hurt[member][0])
        bodies = world.bodies
        offset = bodies.xyz[members] - bodies.xyz[target]
        off = np.abs(np.angle(np.exp(1j * (np.arctan2(offset[:, 1], offset[:, 0]) - bodies.gaze[target]))))
        seen = np.zeros(len(members), np.bool_)
        if target in world.cast.targets and len(world.senses.spotted):
            seen = world.senses.spotted[world.cast.targets.tolist().index(target), world.cast.watcher_row[members]]
        metres = np.linalg.norm(offset, axis=1)
        return self.ranking.ranks(members, metres, world.time, visible=seen, aimed_at=off <= _AIMED)


def _in_position(world: Surroundings, combat: Combat, member: int, target: int) -> bool:
    """Return whether a member could attack at once or within a step or two."""
    bodies = world.bodies
    if combat.waits(member, world.time) > _SOON or bodies.mode[target] != ACTIVE:
        return False
    away = math.dist(bodies.xyz[member].tolist(), bodies.xyz[target].tolist())
    if combat.attack[member] == "melee":
        return away <= combat.rules.reach + _STEPS
    if away > combat.rules.range or friend_in_line(bodies, member, target) >= 0:
        return False
    return clear_shot(world.sight.arrays, bodies, member, target)


def turns_of(mind: CrewMind) -> AttackTurns:
    """Return the turns of a crew, brought up to date."""
    turns = mind.blackboard.get(TURNS_KEY)
    if turns is None:
        turns = mind.blackboard[TURNS_KEY] = AttackTurns(mind.turns)
    if not isinstance(turns, AttackTurns):
        raise QueryError(f"key {TURNS_KEY!r} of {mind.crew.name} is reserved for attack turns; use another key")
    turns.update(mind.world, mind.members, mind.crew.target)
    return turns


def add_turns(words: RoleWords) -> None:
    """Add words for weapons, and the value `token`: whether it is a member's turn to attack."""
    words.member(has_melee, apart="arms", among=lambda one: one.attack == "melee")
    words.member(has_ranged, apart="arms", among=lambda one: one.attack == "ranged")
    words.value(_token, name="token")


def has_melee(mind: CrewMind, member: int) -> tuple[bool, str]:
    """Return whether the member is armed with a blade."""
    return _has(mind, member, "melee")


def has_ranged(mind: CrewMind, member: int) -> tuple[bool, str]:
    """Return whether the member is armed with a gun."""
    return _has(mind, member, "ranged")


def _has(mind: CrewMind, member: int, arms: str) -> tuple[bool, str]:
    combat = mind.world.combat
    has = "none" if combat is None else combat.attack[member]
    return has == arms, "has no weapon" if has == "none" else f"has a {has} weapon"


def _token(mind: CrewMind, member: int, xyz: Place | None) -> bool:  # noqa: ARG001
    return turns_of(mind).may_attack(member)


RESERVE = "reserve"
"""Role of agents for which a full crew has no room."""


class Reserve:
    """Agents that would join a fight but exceed the size of the crew.

    Attributes
    ----------
    held : by agent, the number of the crew it waits for.
    """

    def __init__(self) -> None:
        self.held: dict[int, int] = {}

    def update(self, world: Surroundings, standing: Mapping[int, Crew]) -> None:
        """Hold agents that request a full crew whose members attack by tokens; free the others."""
        full = [crew for crew in standing.values() if len(crew.members) >= LARGEST and TURNS_KEY in crew.blackboard]
        if world.combat is None or not (full or self.held):
            return
        members = {member for crew in standing.values() for member in crew.members}
        left = self._left(world, {crew.key: crew for crew in full}, members)
        for agent, number in list(self.held.items()):
            if agent not in left or left[agent].number != number:
                self._free(world, agent, is_member=agent in members)
        for agent, crew in left.items():
            if agent not in self.held:
                self._hold(world, agent, crew)

    def _left(
        self, world: Surroundings, full: Mapping[tuple[int, str, int, int], Crew], members: set[int]
    ) -> dict[int, Crew]:
        """Return the agents outside all crews that request a full one, by their most urgent request."""
        found: dict[int, Crew] = {}
        for request in world.teamwork.requests:
            agent = request.by
            crew = full.get((int(world.bodies.team[agent]), *request.key))
            if crew is not None and agent not in members and world.bodies.mode[agent] in (ACTIVE, HIDDEN):
                found.setdefault(agent, crew)
        return found

    def _hold(self, world: Surroundings, agent: int, crew: Crew) -> None:
        x, y, z = world.bodies.xyz[agent].tolist()
        why = f"{RESERVE}: {crew.name} is full, and its members take turns"
        face = next((given.values["face"] for given in crew.given.values() if given.values.get("face")), None)
        values = {"stand": (x, y, z), "face": face, "gait": "walk", "attack": False}
        world.teamwork.directions[agent] = Direction(crew.number, RESERVE, world.time, why, values)
        world.teamwork.role_reasons[world.tick, agent] = why
        self.held[agent] = crew.number
        world.happened(
            RoleChanged(world.tick, agent, at=(x, y, z), crew=crew.number, objective=crew.objective, role=RESERVE)
        )

    def _free(self, world: Surroundings, agent: int, *, is_member: bool) -> None:
        number = self.held.pop(agent)
        if not is_member:
            world.teamwork.directions[agent] = None
        loss = RoleLoss.ADMITTED if is_member else RoleLoss.RELEASED
        world.happened(RoleChanged(world.tick, agent, crew=number, before=RESERVE, loss=loss))
