"""WhileDoElse: do the one while a condition holds, and the other while it does not."""

from __future__ import annotations

from typing import Any

from ..node import Composite
from ..status import FAILURE, RUNNING, SUCCESS, Status

__all__ = ["WhileDoElse"]


class WhileDoElse(Composite):
    """Children: the condition, asked at every tick, what to do while it holds, and (optional) what to do while not.

    | the condition returns | then                                                                        |
    |-----------------------|-----------------------------------------------------------------------------|
    | SUCCESS               | the third child is interrupted; the second is ticked; its status            |
    | FAILURE               | the second child is interrupted; the third is ticked; its status; FAILURE without one |
    | RUNNING               | RUNNING; both are left as they are                                          |

    Unlike in a reactive sequence, the child left is exited before the other is entered.
    """

    kind = "while_do_else"
    least, most = 2, 3

    def tick(self, context: Any) -> Status:
        """Ask, then tick one or the other."""
        held = self.children[0].run(context)
        if held is RUNNING:
            return RUNNING
        chosen = 1 if held is SUCCESS else 2
        for at, child in enumerate(self.children):
            if at not in (0, chosen):
                child.interrupt(context)
        if chosen == len(self.children):
            return FAILURE
        return self.children[chosen].run(context)
