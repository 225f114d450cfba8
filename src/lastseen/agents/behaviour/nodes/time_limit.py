"""TimeLimit: give up after a time."""

from __future__ import annotations

from typing import Any

from ..node import Decorator, Node
from ..ports import Input, as_input
from ..seconds import checked_seconds, read_seconds
from ..status import FAILURE, Status

__all__ = ["TimeLimit"]


class TimeLimit(Decorator):
    """Lets the child run for `seconds` since it was begun, read from `context.time`.

    | time since the beginning | the child returns | time limit                          |
    |--------------------------|-------------------|-------------------------------------|
    | less than `seconds`      | any status        | the same                            |
    | `seconds` or more        | is not ticked     | FAILURE; the child is interrupted   |
    """

    kind = "time_limit"

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
        self._until = context.time + read_seconds(self.seconds, context)

    def tick(self, context: Any) -> Status:
        """Tick the child while there is time."""
        if context.time < self._until:
            self.reason = ""
            return self.child.run(context)
        self.child.interrupt(context)
        self.reason = "time is up"
        return FAILURE
