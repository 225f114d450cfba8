"""Fighting: whom, whose turn, strike, shoot. Only where the scenario has `combat`; elsewhere all of it fails."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from ....kernels.arrays.agent_arrays import ACTIVE
from ...behaviour.leaf import Leaf
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ...bodies.combat import Combat, clear_shot, friend_in_line
from ..facts import FIGHTS, woken_by
from ..mind import Mind, Place
from ..surroundings import TEAMS

__all__ = ["Shoot", "Strike", "can_shoot", "guards_in_sight", "has_foe", "in_reach", "line_of_fire", "may_attack"]

Answer = tuple[bool, str]

_GUARDS = TEAMS.index("guards")
_SMARTS = 2.0
"""Seconds for which one knows where the blow came from that hit it."""
_FACING = math.radians(60.0)
"""How far off its heading a foe may be that one attacks."""
_LEVEL = 1.2
"""Metres up or down within which one can be struck."""


@woken_by(FIGHTS)
def has_foe(mind: Mind, within: float = 30.0) -> Answer:
    """Is it armed, and does it see somebody to fight, or was hit by one, no further than so many metres?

    Writes whom to "foe".
    """
    combat = mind.world.combat
    if combat is None:
        return False, "nobody fights here"
    if combat.attack[mind.number] == "none":
        return False, "is not armed"
    foe = combat.blows[mind.number].target if combat.is_attacking(mind.number) else _foe(mind)
    if foe < 0:
        foe = _hurt_by(mind, combat)
    mind.blackboard["foe"] = foe
    if foe < 0 or mind.distance_to(mind.world.snapshot.places[foe]) > within:
        return False, "sees nobody to fight"
    return True, f"fights {mind.world.names[foe]}"


def _foe(mind: Mind) -> int:
    """Whom would it fight: the intruder it may act on, or the nearest guard it sees?"""
    world = mind.world
    if mind.row >= 0:
        column = mind.attention.seen[mind.row]
        if column < 0:
            return -1
        mind.blackboard["target"] = column
        return int(world.cast.targets[column])
    return min(guards_in_sight(mind), key=lambda guard: mind.distance_to(world.snapshot.places[guard]), default=-1)


def _hurt_by(mind: Mind, combat: Combat) -> int:
    """Who hit it a moment ago, unseen? It turns to fight back."""
    when, by = combat.hurt.get(mind.number, (-math.inf, -1))
    world = mind.world
    if mind.time - when > _SMARTS or world.bodies.team[by] == world.bodies.team[mind.number]:
        return -1
    return by if world.bodies.mode[by] == ACTIVE else -1


def guards_in_sight(mind: Mind) -> list[int]:
    """Which guards does an intruder see?"""
    world = mind.world
    if not len(mind.senses.spotted):
        return []
    seen = world.cast.watchers[mind.senses.spotted[world.cast.targets.tolist().index(mind.number)]]
    return [int(guard) for guard in seen if world.bodies.team[guard] == _GUARDS]


@woken_by(FIGHTS)
def may_attack(mind: Mind) -> Answer:
    """Is it its turn: has it drawn breath since its last attack, and does its crew let it?

    Without a crew, or where the crew says nothing of attacks, only its own rest counts.
    """
    combat = mind.world.combat
    if combat is None:
        return False, "nobody fights here"
    if combat.is_attacking(mind.number):
        return True, "is at it"
    direction = mind.direction
    if direction is not None and not direction.values.get("attack", True):
        return False, "waits for its turn"
    left = combat.waits(mind.number, mind.time)
    return left <= 0.0, f"rests {left:.1f} s more" if left > 0.0 else "may attack"


def _armed_foe(mind: Mind, arms: str) -> tuple[Combat | None, int, str]:
    """Return combat and foe, or why there is none for one with these arms."""
    combat, foe = mind.world.combat, int(mind.blackboard["foe"])
    if combat is None:
        return None, -1, "nobody fights here"
    if combat.attack[mind.number] != arms:
        return None, -1, f"has no {arms} weapon"
    if foe < 0 or mind.world.bodies.mode[foe] != ACTIVE:
        return None, -1, "has nobody to fight"
    return combat, foe, ""


def in_reach(mind: Mind) -> Answer:
    """Could it strike its foe from here?"""
    combat, foe, why = _armed_foe(mind, "melee")
    if combat is None:
        return False, why
    if combat.is_attacking(mind.number):
        return True, "strikes"
    x, y, z = mind.world.snapshot.places[foe]
    away = math.hypot(x - mind.xyz[0], y - mind.xyz[1])
    return away <= combat.rules.reach and abs(z - mind.xyz[2]) <= _LEVEL, f"{away:.1f} m away"


def can_shoot(mind: Mind, clear: bool = False) -> Answer:
    """Is its foe in range and in the line of fire? With `clear`, also: is no colleague in that line?"""
    combat, foe, why = _armed_foe(mind, "ranged")
    if combat is None:
        return False, why
    if combat.is_attacking(mind.number):
        return True, "aims"
    away = mind.distance_to(mind.world.snapshot.places[foe])
    if away > combat.rules.range:
        return False, f"{away:.0f} m away"
    if not line_of_fire(mind, mind.xyz, foe):
        return False, "something is in the way"
    friend = friend_in_line(mind.world.bodies, mind.number, foe) if clear else -1
    return friend < 0, f"{mind.world.names[friend]} is in the line" if friend >= 0 else f"{away:.0f} m away"


def line_of_fire(mind: Mind, place: Place, foe: int) -> bool:
    """Is nothing but people between a place and a foe?"""
    return clear_shot(mind.world.sight.arrays, mind.world.bodies, mind.number, foe, place)


class _Attack(Leaf):
    """Attacks the foe once: RUNNING until the blow comes, then SUCCESS; FAILURE where it cannot or holds it."""

    act: ClassVar[Literal["strike", "shoot"]]
    reads = {"foe": int}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name

    def enter(self, mind: Mind) -> None:  # noqa: ARG002
        """Remember when it was begun."""
        self._begun = -math.inf

    def tick(self, mind: Mind) -> Status:
        """Begin, then wait for the blow."""
        combat, foe = mind.world.combat, int(mind.blackboard["foe"])
        if combat is None or foe < 0:
            self.reason = "nobody to fight"
            return FAILURE
        heading = mind.heading_to(mind.world.snapshot.places[foe])
        mind.stand()
        mind.face(heading)
        mind.look(heading)
        off = abs((heading - mind.heading + math.pi) % (2.0 * math.pi) - math.pi)
        if self._begun == -math.inf and off > _FACING and not combat.is_attacking(mind.number):
            self.reason = "turns to it"
            return RUNNING
        if self._begun == -math.inf:
            self._begun = mind.time
            mind.act(self.act, foe)
            self.reason = f"begins to {self.act}"
            return RUNNING
        if combat.is_attacking(mind.number):
            self.reason = f"{combat.blows[mind.number].due - mind.time:.1f} s until it comes"
            return RUNNING
        when, self.reason = combat.ended.get(mind.number, (-math.inf, "cannot"))
        return SUCCESS if when >= self._begun and self.reason in ("hit", "missed") else FAILURE


class Strike(_Attack):
    """Strikes the foe in reach: RUNNING until the blow comes, then SUCCESS, hit or missed; FAILURE where it cannot."""

    kind = "strike"
    act = "strike"


class Shoot(_Attack):
    """Shoots at the foe: RUNNING while it aims, SUCCESS once it fired, hit or missed; FAILURE where it holds it."""

    kind = "shoot"
    act = "shoot"
