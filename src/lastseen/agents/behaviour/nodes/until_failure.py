"""UntilFailure: do it again and again until it fails."""

from __future__ import annotations

from typing import Any

from ..node import Decorator
from ..status import FAILURE, RUNNING, Status

__all__ = ["UntilFailure"]


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
