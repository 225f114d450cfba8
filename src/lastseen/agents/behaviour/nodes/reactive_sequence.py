"""ReactiveSequence: do something only as long as what comes before it still holds."""

from __future__ import annotations

from typing import Any

from ..node import Composite
from ..status import SUCCESS, Status

__all__ = ["ReactiveSequence"]


class ReactiveSequence(Composite):
    """Ticks all children from the first at every tick until one does not succeed.

    | a child returns | the sequence                                                                     |
    |-----------------|----------------------------------------------------------------------------------|
    | SUCCESS         | ticks the next in the same tick; SUCCESS after the last                          |
    | RUNNING         | RUNNING; a later child that was running is interrupted; the next tick begins anew |
    | FAILURE         | FAILURE; a later child that was running is interrupted                           |

    Meant for conditions followed by one action. An interrupted child is exited after the tick of the one that stopped
    it: an exit should give back only what its own node took.
    """

    kind = "reactive_sequence"

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Nothing runs yet."""
        self._running = 0

    def tick(self, context: Any) -> Status:
        """Begin with the first child."""
        for at, child in enumerate(self.children):
            status = child.run(context)
            if status is not SUCCESS:
                if self._running > at:
                    self.children[self._running].interrupt(context)
                self._running = at
                return status
        return SUCCESS
