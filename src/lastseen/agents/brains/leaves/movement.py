"""Movement: walk to a goal, pursue, return to a post, stand still, look around and turn."""

from __future__ import annotations

import math
from typing import Any

from ...behaviour.ports import Input, as_input
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ...bodies.orders import Gait
from ..mind import Mind, Place, as_place
from .brain_leaf import TARGET, BrainLeaf, MovingLeaf, leaf

_GOAL: Input[Any] = Input(key="goal", type=tuple)


@leaf
class GoTo(MovingLeaf):
    """Walk to the place under a blackboard key, by default "goal".

    | on the way                    | status  |
    |-------------------------------|---------|
    | walking                       | RUNNING |
    | arrived, or as close as possible | SUCCESS |
    | no path, or stuck for long    | FAILURE |
    """

    kind = "go_to"

    def __init__(self, *, gait: Gait = "walk", goal: Input[Any] = _GOAL, pace: float = 1.0, name: str = ""):
        self.gait, self.pace, self.name = gait, pace, name
        self.goal = as_input(goal, tuple)

    def details(self) -> str:
        """Return gait and goal."""
        return f"{self.gait} to {self.goal}"

    def tick(self, mind: Mind) -> Status:
        """Walk on; a goal that moves is followed."""
        goal: Place = self.goal.read(mind)
        mind.go(goal, self.gait, pace=self.pace)
        if mind.has_arrived:
            self.reason = "there"
            return SUCCESS
        if mind.is_stopped:
            self.reason = "no way on"
            return FAILURE
        self.reason = f"{float(mind.world.crowd.routes.left[mind.number]):.0f} m to go"
        return RUNNING


@leaf
class Pursue(MovingLeaf):
    """Run to where the target is known to be, and catch it within reach.

    RUNNING while the agent knows where, FAILURE when it does not. Catching is an order: the referee decides whether it
    succeeds.
    """

    kind = "pursue"
    reads = TARGET

    def __init__(self, *, reach: float = 0.9, gait: Gait = "run", name: str = ""):
        self.reach, self.gait, self.name = reach, gait, name

    def details(self) -> str:
        """Return the reach."""
        return f"reach: {self.reach:g} m"

    def tick(self, mind: Mind) -> Status:
        """Run on."""
        column = mind.blackboard["target"]
        know = mind.world.knowledge.arrays
        if know.source[mind.require_watcher(), column] == 0:
            self.reason = "knows nothing of it"
            return FAILURE
        x, y, z = know.xyz[mind.row, column].tolist()
        agent = int(mind.world.cast.targets[column])
        away = mind.distance_to((x, y, z))
        mind.go((x, y, z), self.gait, toward=agent)
        mind.look(mind.heading_to((x, y, z)))
        self.reason = f"{away:.1f} m behind {mind.world.target_name(column)}"
        if away <= self.reach and mind.attention.seen[mind.row] == column:
            mind.act("catch", agent)
        return RUNNING


@leaf
class ReturnToPost(BrainLeaf):
    """Walk back to the start and turn to the initial heading, then SUCCESS; FAILURE if there is no path."""

    kind = "return_to_post"

    def __init__(self, *, gait: Gait = "walk", name: str = ""):
        self.gait, self.name = gait, name

    def tick(self, mind: Mind) -> Status:
        """Walk on, then turn."""
        home = as_place(mind.world.cast.home[mind.number])
        if mind.distance_to(home) > 0.5:
            mind.go(home, self.gait)
            return FAILURE if mind.is_stopped else RUNNING
        mind.stand()
        mind.face(float(mind.world.cast.home_heading[mind.number]))
        return SUCCESS


@leaf
class StandStill(BrainLeaf):
    """Stand still; always RUNNING."""

    kind = "stand_still"

    def tick(self, mind: Mind) -> Status:
        """Stay."""
        mind.stand()
        return RUNNING


@leaf
class LookRound(MovingLeaf):
    """Turn around once over `seconds`, moving the head to both sides meanwhile; then SUCCESS."""

    kind = "look_round"

    def __init__(self, *, seconds: float = 3.0, name: str = ""):
        self.seconds, self.name = seconds, name

    def details(self) -> str:
        """Return the duration."""
        return f"seconds: {self.seconds:g}"

    def enter(self, mind: Mind) -> None:
        """Note the time and heading at the start."""
        self._begun, self._heading = mind.time, mind.heading

    def tick(self, mind: Mind) -> Status:
        """Turn on."""
        share = (mind.time - self._begun) / self.seconds if self.seconds else 1.0
        if share >= 1.0:
            return SUCCESS
        turned = self._heading + 2.0 * math.pi * share
        mind.stand()
        mind.face(turned)
        mind.look(turned + 1.0 * math.sin(6.0 * math.pi * share))
        return RUNNING


@leaf
class TurnTo(BrainLeaf):
    """Turn to the place under a blackboard key, by default "goal", for `seconds`; then SUCCESS."""

    kind = "turn_to"

    def __init__(self, *, seconds: float = 0.8, goal: Input[Any] = _GOAL, name: str = ""):
        self.seconds, self.name = seconds, name
        self.goal = as_input(goal, tuple)

    def enter(self, mind: Mind) -> None:
        """Start the timer."""
        self._until = mind.time + self.seconds

    def tick(self, mind: Mind) -> Status:
        """Turn."""
        mind.stand()
        mind.turn(mind.heading_to(self.goal.read(mind)))
        return RUNNING if mind.time < self._until else SUCCESS
