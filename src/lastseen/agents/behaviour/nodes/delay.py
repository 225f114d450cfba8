"""Delay: begin later."""

from __future__ import annotations

from typing import Any

from ..node import Decorator, Node
from ..ports import Input, as_input
from ..seconds import checked_seconds, read_seconds
from ..status import RUNNING, Status

__all__ = ["Delay"]


class Delay(Decorator):
    """Waits `seconds` by `context.time`, then runs the child.

    | time since the beginning | the child returns | delay    |
    |--------------------------|-------------------|----------|
    | less than `seconds`      | is not ticked     | RUNNING  |
    | `seconds` or more        | any status        | the same |
    """

    kind = "delay"

    def __init__(self, child: Node, *, seconds: float | Input[float], name: str = ""):
        super().__init__(child, name=name)
        self.seconds = as_input(seconds, float)

    def check(self) -> None:
        """Refuse times that are none."""
        super().check()
        checked_seconds(self.seconds, self.label)

    def details(self) -> str:
        """Return the time."""
        return f"seconds: {self.seconds}"

    def enter(self, context: Any) -> None:
        """Start the clock."""
        self._from = context.time + read_seconds(self.seconds, context)

    def tick(self, context: Any) -> Status:
        """Wait, or tick the child."""
        if context.time < self._from:
            self.reason = "waits"
            return RUNNING
        self.reason = ""
        return self.child.run(context)
