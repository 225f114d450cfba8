"""ForceFailure: fail whatever comes of it."""

from __future__ import annotations

from typing import Any

from ..node import Decorator
from ..status import FAILURE, RUNNING, Status

__all__ = ["ForceFailure"]


class ForceFailure(Decorator):
    """Ignores success: something is done, and the parent tries the next.

    | the child returns | force failure |
    |-------------------|---------------|
    | SUCCESS, FAILURE  | FAILURE       |
    | RUNNING           | RUNNING       |
    """

    kind = "force_failure"
    _is_plain = True

    def tick(self, context: Any) -> Status:
        """Tick the child."""
        return RUNNING if self.child.run(context) is RUNNING else FAILURE
