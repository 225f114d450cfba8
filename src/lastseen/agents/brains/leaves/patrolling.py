"""Patrolling: the orders of the level's patrol, one after another, picked up where they were left."""

from __future__ import annotations

from ....level.features import Patrol
from ...behaviour.leaf import Leaf
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ...orders import Gait
from ..mind import Mind, Place

__all__ = ["FollowPatrol", "GoBack"]

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
        x, y, z = mind.world.home[mind.number].tolist()
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
