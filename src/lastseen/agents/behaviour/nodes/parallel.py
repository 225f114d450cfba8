"""Parallel and ParallelAll: tick several children in the same tick."""

from __future__ import annotations

import typing
from typing import Any

from ....errors import BehaviourError
from ..node import Composite, Node
from ..status import FAILURE, RUNNING, SUCCESS, Status


class Parallel(Composite):
    """Ticks every child that has not ended yet, in order, at every tick.

    | after each child                               | the parallel                            |
    |------------------------------------------------|-----------------------------------------|
    | `successes` children have succeeded            | SUCCESS; running ones are interrupted   |
    | `failures` children have failed                | FAILURE; running ones are interrupted   |
    | too few are left for `successes`               | FAILURE; running ones are interrupted   |
    | otherwise                                      | goes on; RUNNING after the last         |

    Counts below 0 count from all: -1 is every child. What decides ends the tick: children after it are not ticked.
    With `failures=1` and `successes=-1`, the default, conditions before an action are assertions checked beside it, but
    a condition that has held once is not asked again; for that use `ReactiveSequence`.
    """

    kind = "parallel"

    def __init__(self, children: typing.Sequence[Node], *, successes: int = -1, failures: int = 1, name: str = ""):
        super().__init__(children, name=name)
        self.successes, self.failures = successes, failures
        self._wanted = successes if successes >= 0 else len(self.children) + 1 + successes
        self._unwanted = failures if failures >= 0 else len(self.children) + 1 + failures

    def check(self) -> None:
        """Refuse counts that no outcome can reach."""
        super().check()
        for word, given, count in (
            ("successes", self.successes, self._wanted),
            ("failures", self.failures, self._unwanted),
        ):
            if not 1 <= count <= len(self.children):
                raise BehaviourError(
                    f"{self.label} waits for {given} {word} of {len(self.children)} children; "
                    f"give 1 to {len(self.children)}, or -1 for all"
                )

    def details(self) -> str:
        """Return the counts."""
        return f"successes: {self.successes}, failures: {self.failures}"

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Nobody has ended yet."""
        self._ended = [False] * len(self.children)
        self._succeeded = self._failed = 0

    def tick(self, context: Any) -> Status:
        """Tick who has not ended."""
        ended, most_failures = self._ended, len(self.children) - self._wanted
        for at, child in enumerate(self.children):
            if ended[at]:
                continue
            status = child.run(context)
            if status is RUNNING:
                continue
            ended[at] = True
            if status is SUCCESS:
                self._succeeded += 1
                if self._succeeded >= self._wanted:
                    return self._decided(context, SUCCESS)
            else:
                self._failed += 1
                if self._failed >= self._unwanted or self._failed > most_failures:
                    return self._decided(context, FAILURE)
        return RUNNING

    def _decided(self, context: Any, status: Status) -> Status:
        for child in self.children:
            child.interrupt(context)
        return status


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
