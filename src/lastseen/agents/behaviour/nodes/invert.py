"""Invert: succeed where the child fails."""

from __future__ import annotations

from typing import Any

from ..node import Decorator
from ..status import FAILURE, RUNNING, SUCCESS, Status

__all__ = ["Invert"]


class Invert(Decorator):
    """Turns the child's answer round.

    | the child returns | invert  |
    |-------------------|---------|
    | SUCCESS           | FAILURE |
    | FAILURE           | SUCCESS |
    | RUNNING           | RUNNING |
    """

    kind = "invert"
    _is_plain = True

    def tick(self, context: Any) -> Status:
        """Tick the child."""
        status = self.child.run(context)
        if status is RUNNING:
            return RUNNING
        return FAILURE if status is SUCCESS else SUCCESS
