"""Wait: let time pass."""

from __future__ import annotations

from typing import Any

from ..leaf import Leaf
from ..ports import Input, as_input
from ..seconds import checked_seconds, read_seconds
from ..status import RUNNING, SUCCESS, Status

__all__ = ["Wait"]


class Wait(Leaf):
    """Succeeds `seconds` after it was begun, by `context.time`.

    | time since the beginning | wait    |
    |--------------------------|---------|
    | less than `seconds`      | RUNNING |
    | `seconds` or more        | SUCCESS |
    """

    kind = "wait"

    def __init__(self, seconds: float | Input[float], *, name: str = ""):
        self.seconds = as_input(seconds, float)
        self.name = name

    def check(self) -> None:
        """Refuse times that are none."""
        super().check()
        checked_seconds(self.seconds, self.label)

    def details(self) -> str:
        """Return the time."""
        return f"seconds: {self.seconds}"

    def enter(self, context: Any) -> None:
        """Start the clock."""
        self._until = context.time + read_seconds(self.seconds, context)

    def tick(self, context: Any) -> Status:
        """Look at the clock."""
        return RUNNING if context.time < self._until else SUCCESS
