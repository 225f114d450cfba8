"""AlwaysSuccess, AlwaysFailure, AlwaysRunning: answers that never change, for trees that are not finished yet."""

from __future__ import annotations

from typing import Any

from ..leaf import Leaf
from ..status import FAILURE, RUNNING, SUCCESS, Status

__all__ = ["AlwaysFailure", "AlwaysRunning", "AlwaysSuccess"]


class AlwaysSuccess(Leaf):
    """SUCCESS at every tick."""

    kind = "always_success"

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, context: Any) -> Status:  # noqa: ARG002
        """Succeed."""
        return SUCCESS


class AlwaysFailure(Leaf):
    """FAILURE at every tick."""

    kind = "always_failure"

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, context: Any) -> Status:  # noqa: ARG002
        """Fail."""
        return FAILURE


class AlwaysRunning(Leaf):
    """RUNNING at every tick."""

    kind = "always_running"

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, context: Any) -> Status:  # noqa: ARG002
        """Go on."""
        return RUNNING
