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

    Negative counts are relative to the number of children: -1 is every child. Children after the one that decides are
    not ticked. With the default `failures=1` and `successes=-1`, conditions before an action are tested in the same
    tick, but one that has succeeded is not ticked again; use `ReactiveSequence` to test it at every tick.
    """

    kind = "parallel"
    shown_parameters = ("successes", "failures")

    def __init__(self, children: typing.Sequence[Node], *, successes: int = -1, failures: int = 1, name: str = ""):
        super().__init__(children, name=name)
        self.successes, self.failures = successes, failures
        self._needed_successes = _from_all(successes, self.children)
        self._needed_failures = _from_all(failures, self.children)

    def check(self) -> None:
        """Reject counts that cannot be reached."""
        super().check()
        _check_count(self, "successes", self.successes)
        _check_count(self, "failures", self.failures)

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Mark all children as not ended."""
        self._ended = [False] * len(self.children)
        self._succeeded = self._failed = 0

    def tick(self, context: Any) -> Status:
        """Tick the children that have not ended."""
        ended, most_failures = self._ended, len(self.children) - self._needed_successes
        for at, child in enumerate(self.children):
            if ended[at]:
                continue
            status = child.run(context)
            if status is RUNNING:
                continue
            ended[at] = True
            if status is SUCCESS:
                self._succeeded += 1
                if self._succeeded >= self._needed_successes:
                    return self._decided(context, SUCCESS)
            else:
                self._failed += 1
                if self._failed >= self._needed_failures or self._failed > most_failures:
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

    No child is interrupted because of another. A negative `failures` is relative to the number of children: -1 is every
    child.
    """

    kind = "parallel_all"
    shown_parameters = ("failures",)

    def __init__(self, children: typing.Sequence[Node], *, failures: int = 1, name: str = ""):
        super().__init__(children, name=name)
        self.failures = failures
        self._needed_failures = _from_all(failures, self.children)

    def check(self) -> None:
        """Reject a count that cannot be reached."""
        super().check()
        _check_count(self, "failures", self.failures)

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Mark all children as not ended."""
        self._left = list(self.children)
        self._failed = 0

    def tick(self, context: Any) -> Status:
        """Tick the children that have not ended."""
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
        return FAILURE if self._failed >= self._needed_failures else SUCCESS


def _from_all(count: int, children: typing.Sequence[Node]) -> int:
    """Return a count of children as a positive number; -1 is every child."""
    return count if count >= 0 else len(children) + 1 + count


def _check_count(node: Composite, noun: str, count: int) -> None:
    most = len(node.children)
    if not 1 <= _from_all(count, node.children) <= most:
        raise BehaviourError(
            f"{node.label} waits for {count} {noun} of {most} children; give 1 to {most}, or -1 for all"
        )
