"""Patrols, resumed where they were interrupted, and random destinations for agents without one."""

from __future__ import annotations

import math

import numpy as np

from ....cells.query import cells_within, positions
from ....layers.layer import enabled_cells
from ....level.features import Patrol
from ....navmesh.query import raycasts
from ....rng import generator
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ...bodies.orders import Gait
from ..mind import Mind, Place, as_place
from .brain_leaf import GOAL_PLACE, BrainLeaf, leaf
from .objects import ObjectUser

_NEAR = 0.4
"""Metres within which a stop counts as reached."""
_PATIENCE = 20.0
"""Seconds for which a stuck agent keeps trying before it goes on to the next stop."""


@leaf
class FollowPatrol(ObjectUser):
    """Walk the agent's patrol.

    | the patrol        | status                                                                       |
    |-------------------|------------------------------------------------------------------------------|
    | continues         | RUNNING; after an interruption it continues at the same stop                 |
    | is obstructed     | RUNNING; skips the stop after 20 s without getting nearer, with a reason     |
    | uses an object    | RUNNING; goes on when that is done or cannot be done                         |
    | has ended         | SUCCESS                                                                      |
    | does not exist    | FAILURE                                                                      |
    """

    kind = "follow_patrol"
    reads = {"patrol": str, "patrol_at": int}  # noqa: RUF012
    writes = {"patrol_at": int}  # noqa: RUF012

    def __init__(self, *, gait: Gait = "walk", name: str = ""):
        self.gait, self.name = gait, name

    def enter(self, mind: Mind) -> None:
        """Find the patrol."""
        super().enter(mind)
        wanted = mind.blackboard["patrol"]
        self._patrol: Patrol | None = next((one for one in mind.world.level.patrols if one.name == wanted), None)
        self._waits_until = self._stuck_since = -1.0
        self._left, self._passed_over = 0.0, ""
        self._at, self._text = -1, ""
        self._walks: Place | None = None

    def tick(self, mind: Mind) -> Status:
        """Do what the current stop requires."""
        stops = self._patrol.stops if self._patrol is not None else ()
        if not stops:
            self.reason = "has no patrol"
            return FAILURE
        at, self._walks = mind.blackboard["patrol_at"], None
        if at >= len(stops):
            self.reason = "its patrol is over"
            return SUCCESS
        stop = stops[at]
        if at != self._at:
            self._at, self._text = at, f"stop {at + 1} of {len(stops)}: {stop.action}"
        self.reason = self._text
        if stop.action == "use":
            return self._use(mind, at, stop.object)
        if stop.action == "move":
            mind.go(stop.xyz, self.gait)
            if mind.distance_to(stop.xyz) <= _NEAR or mind.has_arrived:
                self._next(mind, at)
            elif mind.is_stopped and self._has_tried_enough(mind):
                self._next(mind, at)
                self._passed_over = f", stop {at + 1} passed over: stuck for {_PATIENCE:.0f} s"
            if self._stuck_since >= 0.0:
                self.reason += f", held up since {self._stuck_since:.1f} s"
            self.reason += self._passed_over
            self._walks = stop.xyz if self._stuck_since < 0.0 else None
            return RUNNING
        if self._waits_until < 0.0:
            self._waits_until = mind.time + (stop.seconds if stop.action == "wait" else max(stop.seconds, 0.5))
        mind.stand()
        if stop.action == "turn":
            mind.face(stop.heading)
        if mind.time >= self._waits_until:
            self._next(mind, at)
        return RUNNING

    def idles(self, mind: Mind) -> bool:
        """Return whether it is still under way to the same stop."""
        place = self._walks
        return (
            place is not None
            and mind.blackboard["patrol_at"] == self._at
            and mind.goes_on(place, self.gait)
            and mind.distance_to(place) > _NEAR
        )

    def exit(self, mind: Mind, status: Status) -> None:  # noqa: ARG002
        """Give up a slot, but walk on: what comes next gives its own orders."""
        if mind.world.objects is not None:
            mind.world.objects.release(mind.number)

    def _use(self, mind: Mind, at: int, name: str) -> Status:
        """Use the object at a stop."""
        objects = mind.world.objects
        number = -1 if objects is None else objects.number(name)
        status = FAILURE if number < 0 else self.use(mind, number)
        self.reason = f"{self._text} {name}: {self.reason}"
        if status is not RUNNING:
            self._next(mind, at)
        return RUNNING

    def _has_tried_enough(self, mind: Mind) -> bool:
        """Return whether a stuck agent has not come a metre nearer for `_PATIENCE` seconds."""
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


@leaf
class GoBack(BrainLeaf):
    """Walk back to where the agent was called away from: the next stop of its patrol, its task, or its post.

    SUCCESS there, or as close as there is a path.
    """

    kind = "go_back"
    reads = {"patrol": str, "patrol_at": int}  # noqa: RUF012

    def __init__(self, *, gait: Gait = "walk", name: str = ""):
        self.gait, self.name = gait, name

    def enter(self, mind: Mind) -> None:
        """Find the place."""
        self._place: Place = as_place(mind.world.cast.home[mind.number])
        wanted, at = mind.blackboard["patrol"], mind.blackboard["patrol_at"]
        for patrol in mind.world.level.patrols:
            if patrol.name == wanted and patrol.stops:
                self._place = patrol.stops[min(at, len(patrol.stops) - 1)].xyz
        objects, task_at = mind.world.objects, mind.blackboard["task_at"]
        tasks = () if objects is None else objects.tasks.get(mind.number, ())
        if objects is not None and task_at < len(tasks):
            self._place = objects.slots(objects.number(tasks[task_at].use))[0]

    def tick(self, mind: Mind) -> Status:
        """Walk on."""
        mind.go(self._place, self.gait)
        self.reason = f"{mind.distance_to(self._place):.0f} m to go"
        there = mind.distance_to(self._place) <= 1.0 or mind.has_arrived or mind.is_stopped
        return SUCCESS if there else RUNNING


class _RandomChoice(BrainLeaf):
    """A random choice: every agent has its own generator, reproducible by the seed of the world."""

    writes = GOAL_PLACE
    _random: np.random.Generator | None = None

    def draw(self, mind: Mind) -> np.random.Generator:
        """Return the agent's generator."""
        if self._random is None:
            self._random = generator(mind.world.cast.seed, f"{self.kind} {mind.number}")
        return self._random


@leaf
class ChooseFar(_RandomChoice):
    """Write a random place at least `metres` away to "goal", or the furthest of those drawn. Always SUCCESS."""

    kind = "choose_far"

    def __init__(self, *, metres: float = 15.0, drawn: int = 8, name: str = ""):
        self.metres, self.drawn, self.name = metres, drawn, name

    def tick(self, mind: Mind) -> Status:
        """Draw some places and take the first that is far enough."""
        cells = mind.world.cells
        ids = np.flatnonzero(enabled_cells(cells))
        places = positions(cells, self.draw(mind).choice(ids, self.drawn))
        away = np.linalg.norm(places - mind.xyz, axis=1)
        best = int(np.argmax(away >= self.metres)) if (away >= self.metres).any() else int(np.argmax(away))
        mind.blackboard["goal"] = as_place(places[best])
        return SUCCESS


@leaf
class ChooseAhead(_RandomChoice):
    """Write a random place to "goal", usually straight ahead, rarely to the side, hardly ever behind.

    FAILURE if there is no floor in reach. A higher `momentum` means fewer turns: the odds of straight ahead against
    straight back are exp(2 momentum).
    """

    kind = "choose_ahead"

    def __init__(self, *, nearest: float = 3.0, furthest: float = 10.0, momentum: float = 3.0, name: str = ""):
        self.nearest, self.furthest, self.momentum, self.name = nearest, furthest, momentum, name

    def tick(self, mind: Mind) -> Status:
        """Draw one of the places with a straight path."""
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
        mind.blackboard["goal"] = as_place(places[number])
        self.reason = f"turns by {math.degrees(abs(math.remainder(float(turn[number]), math.tau))):.0f}°"
        return SUCCESS
