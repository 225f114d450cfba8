"""Outcomes: constant leaves such as AlwaysSuccess, and decorators that change a result, such as Invert."""

from __future__ import annotations

from typing import Any

from ..leaf import Leaf
from ..node import Decorator
from ..status import FAILURE, RUNNING, SUCCESS, Status


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
