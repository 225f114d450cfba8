"""ParallelAll: do several things at once and wait for all of them."""

from __future__ import annotations

import typing
from typing import Any

from ....errors import BehaviourError
from ..node import Composite, Node
from ..status import FAILURE, RUNNING, SUCCESS, Status

__all__ = ["ParallelAll"]


class ParallelAll(Composite):
    """Ticks every child that has not ended yet; ends when all have.

    | children                                  | the parallel |
    |-------------------------------------------|--------------|
    | one has not ended                         | RUNNING      |
    | all ended, fewer than `failures` failed   | SUCCESS      |
    | all ended, `failures` or more failed      | FAILURE      |

    Nobody is interrupted by the outcome of another. `failures` below 0 counts from all: -1 is every child.
    """

    kind = "parallel_all"

    def __init__(self, children: typing.Sequence[Node], *, failures: int = 1, name: str = ""):
        super().__init__(children, name=name)
        self.failures = failures
        self._unwanted = failures if failures >= 0 else len(self.children) + 1 + failures

    def check(self) -> None:
        """Refuse a count that no outcome can reach."""
        super().check()
        if not 1 <= self._unwanted <= len(self.children):
            raise BehaviourError(
                f"{self.label} fails at {self.failures} failures of {len(self.children)} children; "
                f"give 1 to {len(self.children)}, or -1 for all"
            )

    def details(self) -> str:
        """Return the count."""
        return f"failures: {self.failures}"

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Nobody has ended yet."""
        self._left = list(self.children)
        self._failed = 0

    def tick(self, context: Any) -> Status:
        """Tick who has not ended."""
        left = []
        for child in self._left:
            status = child.run(context)
            if status is RUNNING:
                left.append(child)
            elif status is FAILURE:
                self._failed += 1
        self._left = left
        if left:
            return RUNNING
        return FAILURE if self._failed >= self._unwanted else SUCCESS
