"""Sequence: do one thing after another."""

from __future__ import annotations

from typing import Any

from ..node import Composite
from ..status import SUCCESS, Status

__all__ = ["Sequence"]


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
