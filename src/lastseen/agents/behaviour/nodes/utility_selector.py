"""UtilitySelector: do what is wanted most, and stay with it."""

from __future__ import annotations

import typing
from typing import Any

from ....errors import BehaviourError
from ..node import Composite, Node
from ..status import FAILURE, Status
from .scored import Scored

__all__ = ["UtilitySelector", "ranked"]


class UtilitySelector(Composite):
    """Scores its children when it is entered and tries them from the highest score down.

    | the child with the highest score left returns | the selector                                   |
    |-----------------------------------------------|------------------------------------------------|
    | SUCCESS                                       | SUCCESS                                        |
    | RUNNING                                       | RUNNING; the next tick goes on with this child |
    | FAILURE                                       | the next lower one; FAILURE after the last     |
    | (no child has a score above 0)                | FAILURE                                        |

    Children are `Scored`; of equal scores the earlier child is first. Scores are not asked again while a child runs:
    see `ReactiveUtilitySelector`.
    """

    kind = "utility_selector"

    def __init__(self, children: typing.Sequence[Node], *, name: str = ""):
        super().__init__(children, name=name)
        self._left: list[Scored] = []

    def check(self) -> None:
        """Refuse children without a score."""
        super().check()
        _check_scored(self)

    def enter(self, context: Any) -> None:
        """Rank the children."""
        self._left = [child for _, child in ranked(self.children, context)]
        self.reason = "" if self._left else "no score above 0"

    def tick(self, context: Any) -> Status:
        """Go on with the best that has not failed."""
        left = self._left
        while left:
            status = left[0].run(context)
            if status is not FAILURE:
                return status
            left.pop(0)
        return FAILURE


def ranked(children: typing.Sequence[Node], context: Any) -> list[tuple[float, Scored]]:
    """Return the scored children with a score above 0, highest first, equal ones in order."""
    scores = [(child.value(context), child) for child in children if isinstance(child, Scored)]
    return sorted((pair for pair in scores if pair[0] > 0.0), key=lambda pair: -pair[0])


def _check_scored(node: Composite) -> None:
    for child in node.children:
        if not isinstance(child, Scored):
            raise BehaviourError(f"{child.label} under {node.label} has no score; put it under a 'scored' node")
