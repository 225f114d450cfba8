"""ReactiveSelector: do the most important thing that can be done now."""

from __future__ import annotations

from typing import Any

from ..node import Composite
from ..status import FAILURE, Status

__all__ = ["ReactiveSelector"]


class ReactiveSelector(Composite):
    """Ticks all children from the first at every tick until one does not fail.

    | a child returns | the selector                                                                     |
    |-----------------|----------------------------------------------------------------------------------|
    | SUCCESS         | SUCCESS; a later child that was running is interrupted                           |
    | RUNNING         | RUNNING; a later child that was running is interrupted; the next tick begins anew |
    | FAILURE         | ticks the next in the same tick; FAILURE after the last                          |

    The usual root of a guard: what outranks takes over as soon as it can. An interrupted child is exited after the tick
    of the one that took over: an exit should give back only what its own node took.
    """

    kind = "reactive_selector"

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Nothing runs yet."""
        self._running = 0

    def tick(self, context: Any) -> Status:
        """Begin with the first child."""
        for at, child in enumerate(self.children):
            status = child.run(context)
            if status is not FAILURE:
                if self._running > at:
                    self.children[self._running].interrupt(context)
                self._running = at
                return status
        return FAILURE
