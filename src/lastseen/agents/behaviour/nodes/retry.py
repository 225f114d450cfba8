"""Retry: try again when it fails."""

from __future__ import annotations

from typing import Any

from ....errors import BehaviourError
from ..node import Decorator, Node
from ..status import FAILURE, RUNNING, SUCCESS, Status

__all__ = ["Retry"]


class Retry(Decorator):
    """Tries at most `attempts` times (-1: for ever), at most once a tick.

    | the child returns          | retry                                    |
    |----------------------------|------------------------------------------|
    | SUCCESS                    | SUCCESS                                  |
    | RUNNING                    | RUNNING                                  |
    | FAILURE, attempts are left | RUNNING; the next tick begins it again   |
    | FAILURE, the last attempt  | FAILURE                                  |
    """

    kind = "retry"

    def __init__(self, child: Node, *, attempts: int = -1, name: str = ""):
        super().__init__(child, name=name)
        self.attempts = attempts

    def check(self) -> None:
        """Refuse a number of attempts below one that is not -1."""
        super().check()
        if self.attempts < 1 and self.attempts != -1:
            raise BehaviourError(f"{self.label} has {self.attempts} attempts; give 1 or more, or -1 for ever")

    def details(self) -> str:
        """Return the number of attempts."""
        return f"attempts: {self.attempts}"

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Count from none."""
        self._tried = 0

    def tick(self, context: Any) -> Status:
        """Try, or go on trying."""
        status = self.child.run(context)
        if status is not FAILURE:
            return status if status is RUNNING else SUCCESS
        self._tried += 1
        return FAILURE if self._tried == self.attempts else RUNNING
