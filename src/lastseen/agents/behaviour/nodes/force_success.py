"""ForceSuccess: succeed whatever comes of it."""

from __future__ import annotations

from typing import Any

from ..node import Decorator
from ..status import RUNNING, SUCCESS, Status

__all__ = ["ForceSuccess"]


class ForceSuccess(Decorator):
    """Ignores failure.

    | the child returns | force success |
    |-------------------|---------------|
    | SUCCESS, FAILURE  | SUCCESS       |
    | RUNNING           | RUNNING       |
    """

    kind = "force_success"
    _is_plain = True

    def tick(self, context: Any) -> Status:
        """Tick the child."""
        return RUNNING if self.child.run(context) is RUNNING else SUCCESS
