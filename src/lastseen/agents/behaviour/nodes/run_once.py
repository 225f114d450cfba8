"""RunOnce: do it a single time."""

from __future__ import annotations

from typing import Any

from ..node import Decorator
from ..status import IDLE, RUNNING, Status

__all__ = ["RunOnce"]


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
