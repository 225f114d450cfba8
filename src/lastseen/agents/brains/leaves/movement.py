"""Movement: walk to a goal, pursue, return to a post, stand still, look round and turn."""

from __future__ import annotations

import math
from typing import Any

from ...behaviour.leaf import Leaf
from ...behaviour.ports import Input, as_input
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ...bodies.orders import Gait
from ..mind import Mind, Place

__all__ = ["GOAL", "GoTo", "LookRound", "Pursue", "ReturnToPost", "StandStill", "TurnTo"]

GOAL: Input[Any] = Input(key="goal", type=tuple)
"""Where places are kept between choosing and going."""


class GoTo(Leaf):
    """Walks to the place under a key.

    | on the way             | status                        |
    |------------------------|-------------------------------|
    | walking                | RUNNING                       |
    | there, or as near as one gets | SUCCESS                |
    | no way, or stuck for long | FAILURE                    |
    """

    kind = "go_to"

    def __init__(self, *, gait: Gait = "walk", goal: Input[Any] = GOAL, pace: float = 1.0, name: str = ""):
        self.gait, self.pace, self.name = gait, pace, name
        self.goal = as_input(goal, tuple)

    def details(self) -> str:
        """Return gait and goal."""
        return f"{self.gait} to {self.goal}"

    def tick(self, mind: Mind) -> Status:
        """Go on; a goal that moves is followed."""
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

    def exit(self, mind: Mind, status: Status) -> None:  # noqa: ARG002
        """Stop."""
        mind.stand()


class Pursue(Leaf):
    """Runs to where the target is known to be, and catches it within reach.

    RUNNING for as long as it knows where; FAILURE when it does not. Reaching out is an order: whether it succeeds is
    for the referee to say.
    """

    kind = "pursue"
    reads = {"target": int}  # noqa: RUF012

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

    def exit(self, mind: Mind, status: Status) -> None:  # noqa: ARG002
        """Stop."""
        mind.stand()


class ReturnToPost(Leaf):
    """Walks back to where the agent began and faces as it did then; SUCCESS once it does."""

    kind = "return_to_post"

    def __init__(self, *, gait: Gait = "walk", name: str = ""):
        self.gait, self.name = gait, name

    def tick(self, mind: Mind) -> Status:
        """Go on, then turn."""
        x, y, z = mind.world.cast.home[mind.number].tolist()
        if mind.distance_to((x, y, z)) > 0.5:
            mind.go((x, y, z), self.gait)
            return FAILURE if mind.is_stopped else RUNNING
        mind.stand()
        mind.face(float(mind.world.cast.home_heading[mind.number]))
        return SUCCESS


class StandStill(Leaf):
    """Stands, for as long as nothing else is to be done."""

    kind = "stand_still"

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Stay."""
        mind.stand()
        return RUNNING


class LookRound(Leaf):
    """Turns once round over `seconds`, head first to the left and right; then SUCCESS."""

    kind = "look_round"

    def __init__(self, *, seconds: float = 3.0, name: str = ""):
        self.seconds, self.name = seconds, name

    def details(self) -> str:
        """Return the time."""
        return f"seconds: {self.seconds:g}"

    def enter(self, mind: Mind) -> None:
        """Remember when and where to begin."""
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

    def exit(self, mind: Mind, status: Status) -> None:  # noqa: ARG002
        """Look ahead again."""
        mind.stand()


class TurnTo(Leaf):
    """Turns to the place under a key for a moment, then SUCCESS."""

    kind = "turn_to"

    def __init__(self, *, seconds: float = 0.8, goal: Input[Any] = GOAL, name: str = ""):
        self.seconds, self.name = seconds, name
        self.goal = as_input(goal, tuple)

    def enter(self, mind: Mind) -> None:
        """Start the clock."""
        self._until = mind.time + self.seconds

    def tick(self, mind: Mind) -> Status:
        """Turn."""
        heading = mind.heading_to(self.goal.read(mind))
        mind.stand()
        mind.face(heading)
        mind.look(heading)
        return RUNNING if mind.time < self._until else SUCCESS
