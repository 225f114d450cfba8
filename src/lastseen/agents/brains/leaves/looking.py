"""Looking: round, at something, towards a place."""

from __future__ import annotations

import math
from typing import Any

from ...behaviour.leaf import Leaf
from ...behaviour.ports import Input, as_input
from ...behaviour.status import RUNNING, SUCCESS, Status
from ..mind import Mind
from .moving import GOAL

__all__ = ["LookRound", "TurnTo"]


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
