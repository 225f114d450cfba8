"""Repeat: do it a number of times."""

from __future__ import annotations

from typing import Any

from ....errors import BehaviourError
from ..node import Decorator, Node
from ..status import RUNNING, SUCCESS, Status

__all__ = ["Repeat"]


class Repeat(Decorator):
    """Runs the child `times` times (-1: for ever), at most once a tick.

    | the child returns          | repeat                                   |
    |----------------------------|------------------------------------------|
    | SUCCESS, times are left    | RUNNING; the next tick begins it again   |
    | SUCCESS, the last time     | SUCCESS                                  |
    | RUNNING                    | RUNNING                                  |
    | FAILURE                    | FAILURE                                  |
    """

    kind = "repeat"

    def __init__(self, child: Node, *, times: int = -1, name: str = ""):
        super().__init__(child, name=name)
        self.times = times

    def check(self) -> None:
        """Refuse a number of times below one that is not -1."""
        super().check()
        if self.times < 1 and self.times != -1:
            raise BehaviourError(f"{self.label} repeats {self.times} times; give 1 or more, or -1 for ever")

    def details(self) -> str:
        """Return the number of times."""
        return f"times: {self.times}"

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Count from none."""
        self._done = 0

    def tick(self, context: Any) -> Status:
        """Do it, or go on doing it."""
        status = self.child.run(context)
        if status is not SUCCESS:
            return status
        self._done += 1
        return SUCCESS if self._done == self.times else RUNNING
