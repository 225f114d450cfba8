"""Sequence, SequenceWithMemory and Selector: tick children one after another."""

from __future__ import annotations

from typing import Any

from ..node import Composite
from ..status import FAILURE, SUCCESS, Status


class Sequence(Composite):
    """Ticks children in order until one does not succeed; goes on with the one that was running.

    | a child returns | the sequence                                           |
    |-----------------|--------------------------------------------------------|
    | SUCCESS         | ticks the next in the same tick; SUCCESS after the last |
    | RUNNING         | RUNNING; the next tick goes on with this child         |
    | FAILURE         | FAILURE; the next run begins with the first child      |

    Earlier children are not asked again while a later one runs: see `ReactiveSequence`.
    """

    kind = "sequence"
    _is_plain = True

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Begin with the first child."""
        self._at = 0

    def tick(self, context: Any) -> Status:
        """Go on where the last tick stopped."""
        children = self.children
        for at in range(self._at, len(children)):
            status = children[at].run(context)
            if status is not SUCCESS:
                self._at = at
                return status
        return SUCCESS


class SequenceWithMemory(Composite):
    """Ticks children in order; those that succeeded are not ticked again until all have.

    | a child returns | the sequence                                             |
    |-----------------|----------------------------------------------------------|
    | SUCCESS         | ticks the next in the same tick; SUCCESS after the last, then it begins with the first |
    | RUNNING         | RUNNING; the next tick goes on with this child           |
    | FAILURE         | FAILURE; the next run begins with this child             |

    An interrupted one, too, goes on with the child it was at; `Tree.reset` forgets.
    """

    kind = "sequence_with_memory"

    _at = 0

    def forget(self) -> None:
        """Begin with the first child."""
        self._at = 0

    def tick(self, context: Any) -> Status:
        """Go on with the first child that has not succeeded yet."""
        children = self.children
        for at in range(self._at, len(children)):
            status = children[at].run(context)
            if status is not SUCCESS:
                self._at = at
                return status
        self._at = 0
        return SUCCESS


class Selector(Composite):
    """Ticks children in order until one does not fail; goes on with the one that was running.

    | a child returns | the selector                                           |
    |-----------------|--------------------------------------------------------|
    | SUCCESS         | SUCCESS; the next run begins with the first child      |
    | RUNNING         | RUNNING; the next tick goes on with this child         |
    | FAILURE         | ticks the next in the same tick; FAILURE after the last |

    Children of higher rank are not asked again while a lower one runs: see `ReactiveSelector`.
    """

    kind = "selector"
    _is_plain = True

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Begin with the first child."""
        self._at = 0

    def tick(self, context: Any) -> Status:
        """Go on where the last tick stopped."""
        children = self.children
        for at in range(self._at, len(children)):
            status = children[at].run(context)
            if status is not FAILURE:
                self._at = at
                return status
        return FAILURE
