"""Patrols, resumed where they were interrupted, and random destinations for agents without one."""

from __future__ import annotations

import math

import numpy as np

from ....cells.query import cells_within, positions
from ....layers.layer import enabled_cells
from ....level.features import Patrol
from ....navmesh.query import raycasts
from ....rng import generator
from ...behaviour.leaf import Leaf
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ...bodies.orders import Gait
from ..mind import Mind, Place

__all__ = ["ChooseAhead", "ChooseFar", "FollowPatrol", "GoBack"]

_PATIENCE = 20.0
"""Seconds for which one who is stuck tries again before it goes on to the next stop."""


class FollowPatrol(Leaf):
    """Walks the agent's patrol.

    | the patrol        | status                                                                           |
    |-------------------|----------------------------------------------------------------------------------|
    | goes on           | RUNNING; interrupted, it goes on at the same stop                                |
    | is held up        | RUNNING; goes on to the next stop after 20 s without getting nearer, and says so |
    | has ended         | SUCCESS                                                                          |
    | there is none     | FAILURE                                                                          |
    """

    kind = "follow_patrol"
    reads = {"patrol": str, "patrol_at": int}  # noqa: RUF012
    writes = {"patrol_at": int}  # noqa: RUF012

    def __init__(self, *, gait: str = "walk", name: str = ""):
        self.gait, self.name = gait, name

    def enter(self, mind: Mind) -> None:
        """Find the patrol."""
        wanted = mind.blackboard["patrol"]
        self._patrol: Patrol | None = next((one for one in mind.world.level.patrols if one.name == wanted), None)
        self._waits_until = self._stuck_since = -1.0
        self._left, self._passed_over = 0.0, ""
        self._at, self._words = -1, ""

    def tick(self, mind: Mind) -> Status:
        """Do what the present stop asks for."""
        if self._patrol is None or not self._patrol.stops:
            self.reason = "has no patrol"
            return FAILURE
        at = mind.blackboard["patrol_at"]
        if at >= len(self._patrol.stops):
            self.reason = "its patrol is over"
            return SUCCESS
        stop = self._patrol.stops[at]
        if at != self._at:
            self._at, self._words = at, f"stop {at + 1} of {len(self._patrol.stops)}: {stop.action}"
        self.reason = self._words
        if stop.action == "move":
            mind.go(stop.xyz, self.gait)  # type: ignore[arg-type]
            if mind.distance_to(stop.xyz) <= 0.4 or mind.has_arrived:
                self._next(mind, at)
            elif mind.is_stopped and self._has_tried_enough(mind):
                self._next(mind, at)
                self._passed_over = f", stop {at + 1} passed over: stuck for {_PATIENCE:.0f} s"
            if self._stuck_since >= 0.0:
                self.reason += f", held up since {self._stuck_since:.1f} s"
            self.reason += self._passed_over
            return RUNNING
        if self._waits_until < 0.0:
            self._waits_until = mind.time + (stop.seconds if stop.action == "wait" else max(stop.seconds, 0.5))
        mind.stand()
        if stop.action == "turn":
            mind.face(stop.heading)
        if mind.time >= self._waits_until:
            self._next(mind, at)
        return RUNNING

    def _has_tried_enough(self, mind: Mind) -> bool:
        """Has one who is stuck come no nearer for so long? A metre counts as getting nearer."""
        left = float(mind.world.crowd.routes.left[mind.number])
        if self._stuck_since < 0.0 or left < self._left - 1.0:
            self._stuck_since, self._left = mind.time, left
        return mind.time - self._stuck_since >= _PATIENCE

    def _next(self, mind: Mind, at: int) -> None:
        assert self._patrol is not None
        self._waits_until = self._stuck_since = -1.0
        self._passed_over = ""
        following = at + 1
        if following == len(self._patrol.stops) and self._patrol.loop_to is not None:
            following = self._patrol.loop_to
        mind.blackboard["patrol_at"] = following


class GoBack(Leaf):
    """Walks back to where the agent was called away from: the next stop of its patrol, or its post.

    SUCCESS there, or as near as there is a way to.
    """

    kind = "go_back"
    reads = {"patrol": str, "patrol_at": int}  # noqa: RUF012

    def __init__(self, *, gait: Gait = "walk", name: str = ""):
        self.gait, self.name = gait, name

    def enter(self, mind: Mind) -> None:
        """Find the place."""
        x, y, z = mind.world.cast.home[mind.number].tolist()
        self._place: Place = (x, y, z)
        wanted, at = mind.blackboard["patrol"], mind.blackboard["patrol_at"]
        for patrol in mind.world.level.patrols:
            if patrol.name == wanted and patrol.stops:
                self._place = patrol.stops[min(at, len(patrol.stops) - 1)].xyz

    def tick(self, mind: Mind) -> Status:
        """Go on."""
        mind.go(self._place, self.gait)
        self.reason = f"{mind.distance_to(self._place):.0f} m to go"
        there = mind.distance_to(self._place) <= 1.0 or mind.has_arrived or mind.is_stopped
        return SUCCESS if there else RUNNING


class _Drawn(Leaf):
    """A choice by chance: every agent draws its own numbers, the same under the same seed."""

    writes = {"goal": tuple}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name
        self._random: np.random.Generator | None = None

    def draw(self, mind: Mind) -> np.random.Generator:
        """Return the agent's generator."""
        if self._random is None:
            self._random = generator(mind.world.cast.seed, f"{self.kind} {mind.number}")
        return self._random


class ChooseFar(_Drawn):
    """Writes some place to "goal" that is at least `metres` away, or the furthest of those drawn. Always SUCCESS."""

    kind = "choose_far"

    def __init__(self, *, metres: float = 15.0, drawn: int = 8, name: str = ""):
        super().__init__(name=name)
        self.metres, self.drawn = metres, drawn

    def tick(self, mind: Mind) -> Status:
        """Draw some places; the first that is far enough will do."""
        cells = mind.world.cells
        ids = np.flatnonzero(enabled_cells(cells))
        places = positions(cells, self.draw(mind).choice(ids, self.drawn))
        away = np.linalg.norm(places - mind.xyz, axis=1)
        best = int(np.argmax(away >= self.metres)) if (away >= self.metres).any() else int(np.argmax(away))
        x, y, z = places[best].tolist()
        mind.blackboard["goal"] = (x, y, z)
        return SUCCESS


class ChooseAhead(_Drawn):
    """Writes a place to "goal" that lies straight ahead as a rule, rarely to the side, hardly ever behind.

    FAILURE where there is no floor to go to. `momentum`: how much more often straight on than back, as an exponent.
    """

    kind = "choose_ahead"

    def __init__(self, *, nearest: float = 3.0, furthest: float = 10.0, momentum: float = 3.0, name: str = ""):
        super().__init__(name=name)
        self.nearest, self.furthest, self.momentum = nearest, furthest, momentum

    def tick(self, mind: Mind) -> Status:
        """Draw among places it could walk to in a straight line."""
        here = np.array(mind.xyz)
        places = positions(mind.world.cells, np.sort(cells_within(mind.world.cells, here, self.furthest)))
        offset = places - here
        places = places[np.linalg.norm(offset, axis=1) >= self.nearest]
        if len(places):
            starts = np.broadcast_to(here, places.shape).copy()
            places = places[raycasts(mind.world.cells.mesh, starts, places).reached]
        if not len(places):
            self.reason = "there is no floor ahead"
            return FAILURE
        turn = np.arctan2(places[:, 1] - here[1], places[:, 0] - here[0]) - mind.heading
        weight = np.exp(self.momentum * np.cos(turn))
        number = int(self.draw(mind).choice(len(places), p=weight / weight.sum()))
        x, y, z = places[number].tolist()
        mind.blackboard["goal"] = (x, y, z)
        self.reason = f"turns by {math.degrees(abs(math.remainder(float(turn[number]), math.tau))):.0f}°"
        return SUCCESS
