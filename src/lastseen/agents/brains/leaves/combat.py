"""Combat: find a foe, take turns, strike, shoot, keep the right distance and dodge.

All of these leaves fail in scenarios without `combat`, except `dodge`.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar, Literal

import numpy as np

from ....kernels.arrays.agent_arrays import ACTIVE
from ....navmesh.query import nearest_many, raycasts
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ...bodies.combat import Combat, clear_shot, friend_in_line
from ...bodies.orders import Gait
from ..facts import FIGHTS
from ..mind import Mind, Place, as_place
from ..relations import TEAMS
from .brain_leaf import TARGET, Answer, BrainLeaf, MovingLeaf, condition, leaf
from .flight import spotted_rows

_GUARDS = TEAMS.index("guards")
_FOE = {"foe": int}
_HIT_MEMORY = 2.0
"""Seconds for which an agent that was hit knows where the attack came from."""
_FACING = math.radians(60.0)
"""Largest angle between an agent's heading and a foe it attacks."""
_LEVEL = 1.2
"""Largest difference in height, in metres, at which a strike reaches."""
_AROUND = np.radians([15.0, -15.0, 30.0, -30.0, 45.0, -45.0, 65.0, -65.0, 90.0, -90.0])
"""Directions around the foe in which a clear line of fire is looked for, relative to the present one."""
_BACKWARDS = np.radians([0.0, 40.0, -40.0, 80.0, -80.0])
"""Directions in which room to back off is looked for, relative to straight back."""
_RECONSIDERS = 0.5
"""Seconds between two choices of where to go."""


@condition(FIGHTS, writes=TARGET)
def has_foe(mind: Mind, within: float = 30.0) -> Answer:
    """Return whether the agent is armed and sees a foe, or was just hit by one, within this many metres.

    Writes the foe to "foe".
    """
    combat = mind.world.combat
    if combat is None:
        return False, "nobody fights here"
    if combat.attack[mind.number] == "none":
        return False, "is not armed"
    foe = combat.blows[mind.number].target if combat.is_attacking(mind.number) else _foe_in_sight(mind)
    if foe < 0:
        foe = _recent_attacker(mind, combat)
    mind.blackboard["foe"] = foe
    if foe < 0 or mind.distance_to(mind.world.snapshot.places[foe]) > within:
        return False, "sees nobody to fight"
    return True, f"fights {mind.world.names[foe]}"


def _foe_in_sight(mind: Mind) -> int:
    """Return the intruder that a guard may act on, or the guard in sight nearest to an intruder; -1 if none."""
    world = mind.world
    if mind.row >= 0:
        column = mind.attention.seen[mind.row]
        if column < 0:
            return -1
        mind.blackboard["target"] = column
        return int(world.cast.targets[column])
    return _nearest(mind, guards_in_sight(mind))


def _recent_attacker(mind: Mind, combat: Combat) -> int:
    """Return the enemy that hit the agent a moment ago, even unseen, so that it fights back; -1 if none."""
    when, by = combat.hurt.get(mind.number, (-math.inf, -1))
    bodies = mind.world.bodies
    if mind.time - when > _HIT_MEMORY or bodies.team[by] == bodies.team[mind.number]:
        return -1
    return by if bodies.mode[by] == ACTIVE else -1


def guards_in_sight(mind: Mind) -> list[int]:
    """Return the guards an intruder sees and is hostile to."""
    world = mind.world
    seen = world.cast.watchers[spotted_rows(mind)].tolist()
    return [one for one in seen if world.cast.side[one] == _GUARDS and world.relations.is_hostile(mind.number, one)]


def _nearest(mind: Mind, agents: list[int]) -> int:
    """Return the nearest of these agents; -1 if there are none."""
    return min(agents, key=lambda agent: mind.distance_to(mind.world.snapshot.places[agent]), default=-1)


@condition(FIGHTS)
def may_attack(mind: Mind) -> Answer:
    """Return whether the agent has rested since its last attack and its crew lets it attack.

    Without a crew, or if the crew does not mention attacks, only the rest counts.
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
    """Return the combat and the foe for an agent with this weapon, or None, -1 and the reason."""
    combat, foe = mind.world.combat, int(mind.blackboard["foe"])
    if combat is None:
        return None, -1, "nobody fights here"
    if combat.attack[mind.number] != arms:
        return None, -1, f"has no {arms} weapon"
    if foe < 0 or mind.world.bodies.mode[foe] != ACTIVE:
        return None, -1, "has nobody to fight"
    return combat, foe, ""


@condition()
def in_reach(mind: Mind) -> Answer:
    """Return whether the agent can strike its foe from here."""
    combat, foe, why = _armed_foe(mind, "melee")
    if combat is None:
        return False, why
    if combat.is_attacking(mind.number):
        return True, "strikes"
    x, y, z = mind.world.snapshot.places[foe]
    away = math.hypot(x - mind.xyz[0], y - mind.xyz[1])
    return away <= combat.rules.reach and abs(z - mind.xyz[2]) <= _LEVEL, f"{away:.1f} m away"


@condition()
def can_shoot(mind: Mind, clear: bool = False) -> Answer:
    """Return whether the foe is in range with nothing in the line of fire; with `clear`, not even a colleague."""
    combat, foe, why = _armed_foe(mind, "ranged")
    if combat is None:
        return False, why
    if combat.is_attacking(mind.number):
        return True, "aims"
    away = mind.distance_to(mind.world.snapshot.places[foe])
    if away > combat.rules.range:
        return False, f"{away:.0f} m away"
    if not _has_line_of_fire(mind, mind.xyz, foe):
        return False, "something is in the way"
    friend = friend_in_line(mind.world.bodies, mind.number, foe) if clear else -1
    return friend < 0, f"{mind.world.names[friend]} is in the line" if friend >= 0 else f"{away:.0f} m away"


def _has_line_of_fire(mind: Mind, place: Place, foe: int) -> bool:
    """Return whether nothing but bodies is between a place and a foe."""
    return clear_shot(mind.world.sight.arrays, mind.world.bodies, mind.number, foe, place)


class _Attack(BrainLeaf):
    """Attack the foe once: RUNNING until the attack lands, then SUCCESS; FAILURE if it cannot or is held back."""

    act: ClassVar[Literal["strike", "shoot"]]
    reads = _FOE

    def enter(self, mind: Mind) -> None:  # noqa: ARG002
        """Note that the attack has not begun."""
        self._begun = -math.inf

    def tick(self, mind: Mind) -> Status:
        """Turn to the foe, begin, then wait for the outcome."""
        combat, foe = mind.world.combat, int(mind.blackboard["foe"])
        if combat is None or foe < 0:
            self.reason = "nobody to fight"
            return FAILURE
        heading = mind.heading_to(mind.world.snapshot.places[foe])
        mind.stand()
        mind.turn(heading)
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


@leaf
class Strike(_Attack):
    """Strike the foe in reach: RUNNING until the blow lands, then SUCCESS, hit or missed; FAILURE if it cannot."""

    kind = "strike"
    act = "strike"


@leaf
class Shoot(_Attack):
    """Shoot at the foe: RUNNING while aiming, SUCCESS once fired, hit or missed; FAILURE if the shot is held."""

    kind = "shoot"
    act = "shoot"


@leaf
class KeepDistance(MovingLeaf):
    """Stay between two distances from the foe, in metres, facing it; RUNNING, FAILURE without a foe.

    The default distances depend on the weapon: close with a blade, 5 to 9 m with a gun. The agent comes nearer if it is
    too far or something blocks its line of fire, backs off if it is too near, and goes round if a colleague is in the
    line.
    """

    kind = "keep_distance"
    reads = _FOE

    def __init__(self, *, near: float = -1.0, far: float = -1.0, gait: Gait = "run", name: str = ""):
        self.near, self.far, self.gait, self.name = near, far, gait, name

    def details(self) -> str:
        """Return the distances, if given."""
        return f"{self.near:g} … {self.far:g} m" if self.far >= 0.0 else ""

    def enter(self, mind: Mind) -> None:
        """Forget the last place with a clear line."""
        self._post, self._until = mind.xyz, -math.inf

    def tick(self, mind: Mind) -> Status:
        """Go to a better place, or stand."""
        combat, foe = mind.world.combat, int(mind.blackboard["foe"])
        if combat is None or foe < 0:
            self.reason = "nobody to fight"
            return FAILURE
        least, most = combat.distance(mind.number)
        least, most = (self.near if self.near >= 0.0 else least), (self.far if self.far >= 0.0 else most)
        place = mind.world.snapshot.places[foe]
        away, heading = mind.distance_to(place), mind.heading_to(place)
        shoots = combat.attack[mind.number] == "ranged"
        if away > most or (shoots and not _has_line_of_fire(mind, mind.xyz, foe)):
            mind.go(place, self.gait, toward=-1 if shoots else foe)
            self.reason = f"closes in, {away:.1f} m"
        elif away < least:
            mind.go(_room(mind, heading + math.pi, least - away + 1.0), self.gait)
            self.reason = f"backs off, {away:.1f} m"
        elif shoots and _line_is_crossed(mind, combat, foe):
            if mind.time >= self._until:
                self._post, self._until = _clear_post(mind, foe, away), mind.time + _RECONSIDERS
            mind.go(self._post, self.gait)
            self.reason = "goes round for a clear line"
        else:
            mind.stand()
            self.reason = f"holds {away:.1f} m"
        mind.turn(heading)
        return RUNNING


def _line_is_crossed(mind: Mind, combat: Combat, foe: int) -> bool:
    """Return whether a colleague is in the line of fire, or made the agent hold a shot a moment ago."""
    return combat.has_held(mind.number, mind.time) or friend_in_line(mind.world.bodies, mind.number, foe) >= 0


def _ring(angles: Any) -> Any:
    """Return unit vectors (n, 3) at angles (n,) in radians."""
    return np.column_stack([np.cos(angles), np.sin(angles), np.zeros(len(angles))])


def _clear_post(mind: Mind, foe: int, away: float) -> Place:
    """Return the nearest place around the foe with a clear line that the agent can walk straight to, or its own."""
    world = mind.world
    place = world.snapshot.places[foe]
    ring = np.array(place) + away * _ring(mind.heading_to(place) + math.pi + _AROUND)
    hits = raycasts(world.crowd.mesh, np.tile(np.array(mind.xyz), (len(ring), 1)), ring)
    for (x, y, z), fraction in zip(hits.xyz.tolist(), hits.fraction.tolist()):
        free = fraction >= 0.9 and friend_in_line(world.bodies, mind.number, foe, (x, y, z)) < 0
        if free and _has_line_of_fire(mind, (x, y, z), foe):
            return x, y, z
    return mind.xyz


def _room(mind: Mind, heading: float, metres: float) -> Place:
    """Return a place about this far in about this direction; if there is no room, the furthest one."""
    here = np.tile(np.array(mind.xyz), (len(_BACKWARDS), 1))
    hits = raycasts(mind.world.crowd.mesh, here, here + metres * _ring(heading + _BACKWARDS))
    free = np.asarray(hits.fraction) >= 0.9
    return as_place(hits.xyz[int(np.argmax(free if free.any() else hits.fraction))])


@leaf
class Dodge(MovingLeaf):
    """Keep away from the nearest guard without leaving the area around the start; RUNNING.

    `area` is its radius in metres; the agent stands still while the nearest guard is more than `keeps` metres away.
    FAILURE if it sees no guard.
    """

    kind = "dodge"

    def __init__(self, *, area: float = 6.0, keeps: float = 4.0, gait: Gait = "run", name: str = ""):
        self.area, self.keeps, self.gait, self.name = area, keeps, gait, name

    def details(self) -> str:
        """Return the area and the distance."""
        return f"within {self.area:g} m, {self.keeps:g} m away"

    def enter(self, mind: Mind) -> None:  # noqa: ARG002
        """Choose a place at the first tick."""
        self._place: Place | None = None
        self._next = -math.inf

    def tick(self, mind: Mind) -> Status:
        """Go to the best place, or stand."""
        world = mind.world
        guards = guards_in_sight(mind)
        if not guards:
            self.reason = "sees no guard"
            return FAILURE
        nearest = _nearest(mind, guards)
        away = mind.distance_to(world.snapshot.places[nearest])
        self.reason = f"{world.names[nearest]} {away:.1f} m away"
        if away > self.keeps:
            mind.stand()
            self._place = None
        elif mind.time >= self._next or self._place is None or mind.has_arrived or mind.is_stopped:
            self._place, self._next = self._choose(mind, world.bodies.xyz[guards]), mind.time + _RECONSIDERS
        if self._place is not None:
            mind.go(self._place, self.gait)
        mind.look(mind.heading_to(world.snapshot.places[nearest]))
        return RUNNING

    def _choose(self, mind: Mind, guards: Any) -> Place:
        """Return a place of the area that is far from guards and whose straight path does not pass one closely."""
        ring = _ring(np.arange(12) * (math.pi / 6.0))
        home, here = mind.world.cast.home[mind.number], np.array(mind.xyz)
        rings = np.concatenate([home + 0.45 * self.area * ring, home + self.area * ring])
        places = nearest_many(mind.world.crowd.mesh, rings).xyz
        away = np.linalg.norm(places[:, None] - guards[None], axis=2).min(axis=1)
        walk = np.linalg.norm(places - here, axis=1)
        middle = 0.5 * (places + here)
        passes = np.linalg.norm(middle[:, None] - guards[None], axis=2).min(axis=1)
        return as_place(places[int(np.argmax(away + passes - 0.25 * walk))])
