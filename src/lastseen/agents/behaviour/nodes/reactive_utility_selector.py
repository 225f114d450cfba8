"""ReactiveUtilitySelector: do what is wanted most now."""

from __future__ import annotations

import math
import typing
from typing import Any

from ....errors import BehaviourError
from ..node import Composite, Node
from ..status import FAILURE, RUNNING, Status
from .scored import Scored
from .utility_selector import ranked

__all__ = ["ReactiveUtilitySelector"]


class ReactiveUtilitySelector(Composite):
    """Scores its children at every tick and tries them from the highest score down.

    | the child with the highest score left returns | the selector                                           |
    |-----------------------------------------------|--------------------------------------------------------|
    | SUCCESS                                       | SUCCESS; another child that was running is interrupted |
    | RUNNING                                       | RUNNING; another child that was running is interrupted |
    | FAILURE                                       | the next lower one; FAILURE after the last             |
    | (no child has a score above 0)                | FAILURE; a child that was running is interrupted       |

    The running child's score counts `margin` more, as long as it is above 0, and it stays at equal scores: so that two
    scores close to each other do not make an agent waver.
    """

    kind = "reactive_utility_selector"

    def __init__(self, children: typing.Sequence[Node], *, margin: float = 0.0, name: str = ""):
        super().__init__(children, name=name)
        self.margin = margin

    def check(self) -> None:
        """Refuse children without a score."""
        super().check()
        if not (math.isfinite(self.margin) and self.margin >= 0.0):
            raise BehaviourError(f"{self.label} has margin {self.margin}; give a finite number, at least 0")
        for child in self.children:
            if not isinstance(child, Scored):
                raise BehaviourError(f"{child.label} under {self.label} has no score; put it under a 'scored' node")

    def details(self) -> str:
        """Return the margin."""
        return f"margin: {self.margin:g}" if self.margin else ""

    def tick(self, context: Any) -> Status:
        """Tick the best that does not fail."""
        status = FAILURE
        chosen: Node | None = None
        for _, child in self._order(context):
            status = child.run(context)
            if status is not FAILURE:
                chosen = child
                break
        for other in self.children:
            if other is not chosen:
                other.interrupt(context)
        return status

    def _order(self, context: Any) -> list[tuple[float, Scored]]:
        order = ranked(self.children, context)
        self.reason = "" if order else "no score above 0"
        running = [(score + self.margin, child) for score, child in order if child.status is RUNNING]
        # Sorting keeps the order of equals: what runs stands before others of its score.
        return sorted(running + [pair for pair in order if pair[1].status is not RUNNING], key=lambda pair: -pair[0])
