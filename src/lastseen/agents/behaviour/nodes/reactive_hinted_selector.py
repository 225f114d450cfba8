"""ReactiveHintedSelector: do the most important thing that can be done now; what that is may be said from above."""

from __future__ import annotations

from typing import Any

from ..status import FAILURE, IDLE, Status
from ..turns import Turns
from .hinted_selector import Reordered

__all__ = ["ReactiveHintedSelector"]


class ReactiveHintedSelector(Reordered):
    """Ticks all branches from the first at every tick until one does not fail. Hints change the order.

    | a branch returns | the selector                                                                       |
    |------------------|------------------------------------------------------------------------------------|
    | SUCCESS          | SUCCESS; another branch that was running is interrupted                            |
    | RUNNING          | RUNNING; another branch that was running is interrupted; the next tick begins anew |
    | FAILURE          | ticks the next in the same tick; FAILURE after the last                            |

    Every branch has a name of its own, to which hints may be sent: those wanted come first, those to be avoided last,
    or with `avoided="never"` not at all. Without hints it is a `ReactiveSelector`.
    """

    kind = "reactive_hinted_selector"
    _follows_hints = True

    _turns: Turns | None = None

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Nothing runs yet."""
        self._running = None
        if self._turns is not None and self.status is IDLE:
            self._turns.forget()

    def tick(self, context: Any) -> Status:
        """Begin with the first branch."""
        if self.order(context) or self._turns is None:
            self._turns = Turns(self._order, FAILURE, self._seen, self._statuses, self._pulse)
        at, status = self._turns.run(context)
        self.take_over(None if status is FAILURE else self._order[at], context)
        return status
