"""IfThenElse: ask once, then do the one or the other."""

from __future__ import annotations

from typing import Any

from ..node import Composite
from ..status import FAILURE, RUNNING, SUCCESS, Status

__all__ = ["IfThenElse"]


class IfThenElse(Composite):
    """Children: the condition, what to do if it holds, and (optional) what to do if not.

    | the condition returns | then                                                           |
    |-----------------------|----------------------------------------------------------------|
    | SUCCESS               | the second child, until it ends; its status                    |
    | FAILURE               | the third child, until it ends; its status; FAILURE without one |
    | RUNNING               | RUNNING; the condition is asked again                          |

    The condition is not asked again while the chosen child runs: see `WhileDoElse`.
    """

    kind = "if_then_else"
    least, most = 2, 3

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Nothing is chosen yet."""
        self._chosen = 0

    def tick(self, context: Any) -> Status:
        """Ask, or go on with what was chosen."""
        if self._chosen == 0:
            held = self.children[0].run(context)
            if held is RUNNING:
                return RUNNING
            self._chosen = 1 if held is SUCCESS else 2
        if self._chosen == len(self.children):
            return FAILURE
        return self.children[self._chosen].run(context)
