"""Guard: do something only while a condition holds."""

from __future__ import annotations

from typing import Any, Literal

from ....errors import BehaviourError
from ..node import Composite, Node
from ..status import FAILURE, RUNNING, SUCCESS, Status

__all__ = ["Guard"]

ENDS = ("failure", "success")


class Guard(Composite):
    """Asks its first child, the condition, before every tick of the second.

    | the condition returns | the child         | guard                                                  |
    |-----------------------|-------------------|--------------------------------------------------------|
    | SUCCESS               | returns any status | the same                                              |
    | FAILURE               | is interrupted    | FAILURE, or SUCCESS with `otherwise="success"`         |
    | RUNNING               | is interrupted    | RUNNING                                                |

    `otherwise="success"`: what is no longer called for has ended well, and a sequence around it goes on.
    """

    kind = "guard"
    _is_plain = True
    least = most = 2

    def __init__(
        self, condition: Node, child: Node, *, otherwise: Literal["failure", "success"] = "failure", name: str = ""
    ):
        super().__init__([condition, child], name=name)
        self.condition, self.child = condition, child
        self.otherwise = otherwise

    def check(self) -> None:
        """Refuse an unknown way to end."""
        super().check()
        if self.otherwise not in ENDS:
            raise BehaviourError(f"{self.label} ends with {self.otherwise!r}; give {' or '.join(map(repr, ENDS))}")

    def details(self) -> str:
        """Return what an unheld condition makes of it."""
        return "" if self.otherwise == "failure" else f"otherwise: {self.otherwise}"

    def run(self, context: Any) -> Status:
        """Ask, then tick the child."""
        old, self.status = self.status, RUNNING
        if self._pulse.facts is None:
            status = self.condition.run(context)
        else:  # it rests: see `Tail`
            status = self.condition.repeat()
        if status is SUCCESS:
            status = self.child.run(context)
        else:
            if self.child.status is RUNNING:
                self.child.interrupt(context)
            if status is FAILURE and self.otherwise == "success":
                status = SUCCESS
        self.status = status
        self._seen[self.index] = status
        if status is not old:
            self._changed(old, status)
        return status

    def why(self) -> str:
        """Return the child's reason, or the condition's where that decided."""
        decided = self.child if self._seen[self.child.index] else self.condition
        reason = decided.why()
        return f"{decided.label}: {reason}" if reason else decided.label
