"""Footwork: the right distance to a foe, and out of the way of those who come near."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....navmesh.query import nearest_many, raycasts
from ...behaviour.leaf import Leaf
from ...behaviour.status import FAILURE, RUNNING, Status
from ...bodies.combat import Combat, friend_in_line
from ...bodies.orders import Gait
from ..mind import Mind, Place
from .attacks import guards_in_sight, line_of_fire

__all__ = ["Dodge", "KeepDistance"]

_ROUND = np.radians([15.0, -15.0, 30.0, -30.0, 45.0, -45.0, 65.0, -65.0, 90.0, -90.0])
"""Where one looks for a clear line, from where it stands round its foe."""
_TURNS = np.radians([0.0, 40.0, -40.0, 80.0, -80.0])
"""Where one looks for room to back off, from straight back to aside."""
_AGAIN = 0.5
"""Seconds between two choices of where to go."""


class KeepDistance(Leaf):
    """Keeps between so many metres of the foe, facing it; RUNNING, FAILURE without a foe.

    Left out, the distances are those of its arms: up to it with a blade, 5 to 9 m with a gun. Too far, or with
    something in the line of fire, it comes nearer; too near, it backs off; with a colleague in the line, it goes
    round.
    """

    kind = "keep_distance"
    reads = {"foe": int}  # noqa: RUF012

    def __init__(self, *, near: float = -1.0, far: float = -1.0, gait: Gait = "run", name: str = ""):
        self.near, self.far, self.gait, self.name = near, far, gait, name

    def details(self) -> str:
        """Return the distances, if they are given."""
        return f"{self.near:g} … {self.far:g} m" if self.far >= 0.0 else ""

    def enter(self, mind: Mind) -> None:
        """Look for a place when one is needed."""
        self._post, self._until = mind.xyz, -math.inf

    def tick(self, mind: Mind) -> Status:
        """Go where it is better to stand."""
        combat, foe = mind.world.combat, int(mind.blackboard["foe"])
        if combat is None or foe < 0:
            self.reason = "nobody to fight"
            return FAILURE
        least, most = combat.distance(mind.number)
        least, most = (self.near if self.near >= 0.0 else least), (self.far if self.far >= 0.0 else most)
        place = mind.world.snapshot.places[foe]
        away, heading = mind.distance_to(place), mind.heading_to(place)
        shoots = combat.attack[mind.number] == "ranged"
        if away > most or (shoots and not line_of_fire(mind, mind.xyz, foe)):
            mind.go(place, self.gait, toward=-1 if shoots else foe)
            self.reason = f"closes in, {away:.1f} m"
        elif away < least:
            mind.go(_room(mind, heading + math.pi, least - away + 1.0), self.gait)
            self.reason = f"backs off, {away:.1f} m"
        elif shoots and _line_is_crossed(mind, combat, foe):
            if mind.time >= self._until:
                self._post, self._until = _clear_post(mind, foe, away), mind.time + _AGAIN
            mind.go(self._post, self.gait)
            self.reason = "goes round for a clear line"
        else:
            mind.stand()
            self.reason = f"holds {away:.1f} m"
        mind.face(heading)
        mind.look(heading)
        return RUNNING

    def exit(self, mind: Mind, status: Status) -> None:  # noqa: ARG002
        """Stop."""
        mind.stand()


def _line_is_crossed(mind: Mind, combat: Combat, foe: int) -> bool:
    """Is a colleague in its line of fire, or did one make it hold a shot a moment ago?"""
    return combat.has_held(mind.number, mind.time) or friend_in_line(mind.world.bodies, mind.number, foe) >= 0


def _clear_post(mind: Mind, foe: int, away: float) -> Place:
    """Where on the circle round its foe has it a clear line? The nearest such place it can walk to straight."""
    world = mind.world
    centre, heading = np.array(world.snapshot.places[foe]), mind.heading_to(world.snapshot.places[foe]) + math.pi
    angles = heading + _ROUND
    ring = centre + away * np.column_stack([np.cos(angles), np.sin(angles), np.zeros(len(angles))])
    hits = raycasts(world.crowd.mesh, np.tile(np.array(mind.xyz), (len(ring), 1)), ring)
    for place, fraction in zip(hits.xyz.tolist(), hits.fraction.tolist()):
        x, y, z = place
        free = fraction >= 0.9 and friend_in_line(world.bodies, mind.number, foe, (x, y, z)) < 0
        if free and line_of_fire(mind, (x, y, z), foe):
            return x, y, z
    return mind.xyz


def _room(mind: Mind, heading: float, metres: float) -> Place:
    """Where can one get to straight, in about that direction? The first with room, else the furthest."""
    turns = heading + _TURNS
    here = np.tile(np.array(mind.xyz), (len(turns), 1))
    there = here + metres * np.column_stack([np.cos(turns), np.sin(turns), np.zeros(len(turns))])
    hits = raycasts(mind.world.crowd.mesh, here, there)
    free = np.asarray(hits.fraction) >= 0.9
    best = int(np.argmax(free)) if free.any() else int(np.argmax(hits.fraction))
    x, y, z = hits.xyz[best].tolist()
    return x, y, z


class Dodge(Leaf):
    """Keeps away from the nearest guard without leaving an area round where it began; RUNNING.

    `area` : metres from there; `keeps` : metres from the nearest guard at which it stands and waits. FAILURE where it
    sees no guard.
    """

    kind = "dodge"

    def __init__(self, *, area: float = 6.0, keeps: float = 4.0, gait: Gait = "run", name: str = ""):
        self.area, self.keeps, self.gait, self.name = area, keeps, gait, name

    def details(self) -> str:
        """Return the area and the distance."""
        return f"within {self.area:g} m, {self.keeps:g} m away"

    def enter(self, mind: Mind) -> None:  # noqa: ARG002
        """Choose at the first tick."""
        self._place: Place | None = None
        self._next = -math.inf

    def tick(self, mind: Mind) -> Status:
        """Go to the best place, or stand."""
        world = mind.world
        guards = guards_in_sight(mind)
        if not guards:
            self.reason = "sees no guard"
            return FAILURE
        nearest = min(guards, key=lambda guard: mind.distance_to(world.snapshot.places[guard]))
        away = mind.distance_to(world.snapshot.places[nearest])
        self.reason = f"{world.names[nearest]} {away:.1f} m away"
        if away > self.keeps:
            mind.stand()
            self._place = None
        elif mind.time >= self._next or self._place is None or mind.has_arrived or mind.is_stopped:
            self._place, self._next = self._choose(mind, world.bodies.xyz[guards]), mind.time + _AGAIN
        if self._place is not None:
            mind.go(self._place, self.gait)
        mind.look(mind.heading_to(world.snapshot.places[nearest]))
        return RUNNING

    def _choose(self, mind: Mind, guards: Any) -> Place:
        """Return the place of the area that is far from guards, and on the way to which one meets none."""
        angles = np.arange(12) * (math.pi / 6.0)
        ring = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(len(angles))])
        home = mind.world.cast.home[mind.number]
        rings = np.concatenate([home + 0.45 * self.area * ring, home + self.area * ring])
        found = nearest_many(mind.world.crowd.mesh, rings)
        places, here = found.xyz, np.array(mind.xyz)
        away = np.linalg.norm(places[:, None] - guards[None], axis=2).min(axis=1)
        walk = np.linalg.norm(places - here, axis=1)
        # How near does the straight way come to a guard?
        middle = 0.5 * (places + here)
        passes = np.linalg.norm(middle[:, None] - guards[None], axis=2).min(axis=1)
        x, y, z = places[int(np.argmax(away + passes - 0.25 * walk))].tolist()
        return x, y, z

    def exit(self, mind: Mind, status: Status) -> None:  # noqa: ARG002
        """Stop."""
        mind.stand()
