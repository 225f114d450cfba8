"""Selector: try one thing after another until one works."""

from __future__ import annotations

from typing import Any

from ..node import Composite
from ..status import FAILURE, Status

__all__ = ["Selector"]


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
