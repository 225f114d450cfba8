"""Repeat, Retry, UntilFailure and RunOnce: run a child several times or only once."""

from __future__ import annotations

from typing import Any

from ....errors import BehaviourError
from ..node import Decorator, Node
from ..status import FAILURE, IDLE, RUNNING, SUCCESS, Status


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


class UntilFailure(Decorator):
    """Keeps running until the child fails; begins it once a tick at most.

    | the child returns | until failure |
    |-------------------|---------------|
    | SUCCESS, RUNNING  | RUNNING       |
    | FAILURE           | FAILURE       |
    """

    kind = "until_failure"

    def tick(self, context: Any) -> Status:
        """Tick the child."""
        return FAILURE if self.child.run(context) is FAILURE else RUNNING


class RunOnce(Decorator):
    """Runs the child until it has ended once, then answers what it ended with.

    | the child                 | run once                     |
    |---------------------------|------------------------------|
    | has not ended yet         | its status                   |
    | has ended                 | that status, without a tick  |

    `Tree.reset` forgets.
    """

    kind = "run_once"

    _ended = IDLE

    def forget(self) -> None:
        """Be ready to run again."""
        self._ended = IDLE

    def tick(self, context: Any) -> Status:
        """Tick the child, or answer for it."""
        if self._ended is not IDLE:
            self.reason = "has ended before"
            return self._ended
        self.reason = ""
        status = self.child.run(context)
        if status is not RUNNING:
            self._ended = status
        return status
