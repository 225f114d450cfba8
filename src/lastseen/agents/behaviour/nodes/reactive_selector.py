"""ReactiveSelector: do the most important thing that can be done now."""

from __future__ import annotations

from typing import Any

from ..node import Composite, Node
from ..status import Status
from .guard import Turns

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

    _turns: Turns | None = None

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Nothing runs yet."""
        self._running: Node | None = None

    def tick(self, context: Any) -> Status:
        """Begin with the first child."""
        if self._turns is None:
            self._turns = Turns(self.children, self._seen, self._statuses)
        chosen, status = self._turns.run(context)
        if chosen is not self._running and chosen is not None:
            if self._running is not None:
                self._running.interrupt(context)
            self._running = chosen
        return status
