"""Scored, UtilitySelector and ReactiveUtilitySelector: tick the child with the highest score."""

from __future__ import annotations

import math
import typing
from collections.abc import Callable
from typing import Any

from ....errors import BehaviourError
from ..node import Composite, Decorator, Node
from ..ports import Input, as_input
from ..status import FAILURE, RUNNING, Status


class Scored(Decorator):
    """Gives its child a score: a number, a key, or a function of the context.

    | the child returns | scored   |
    |-------------------|----------|
    | any status        | the same |

    A child with a score of 0 or less is not tried. Outside a utility selector the score has no effect.
    """

    kind = "scored"

    def __init__(self, child: Node, *, score: float | Input[float] | Callable[[Any], float], name: str = ""):
        super().__init__(child, name=name)
        self._function = score if callable(score) else None
        self.score = as_input(0.0 if callable(score) else score, float)
        self._function_name = getattr(score, "__name__", "") if callable(score) else ""

    def check(self) -> None:
        """Reject a score that is not a number."""
        super().check()
        if self._function is None and self.score.key is None:
            _checked(self.score.value, self.label)

    def details(self) -> str:
        """Return the score, its key or its function."""
        return f"score: {self._function_name or self.score}"

    def value(self, context: Any) -> float:
        """Return the current score."""
        return _checked(self._function(context) if self._function else self.score.read(context), self.label)

    def tick(self, context: Any) -> Status:
        """Tick the child."""
        return self.child.run(context)


def _checked(value: Any, label: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if math.isnan(number):
        raise BehaviourError(f"the score of {label} is {value!r}; give a number")
    return number


class UtilitySelector(Composite):
    """Scores its children when it is entered and tries them from the highest score down.

    | the child with the highest score left returns | the selector                                   |
    |-----------------------------------------------|------------------------------------------------|
    | SUCCESS                                       | SUCCESS                                        |
    | RUNNING                                       | RUNNING; the next tick resumes with this child |
    | FAILURE                                       | the next lower one; FAILURE after the last     |
    | (no child has a score above 0)                | FAILURE                                        |

    Children are `Scored`; of equal scores the earlier child comes first. Scores are not updated while a child runs: see
    `ReactiveUtilitySelector`.
    """

    kind = "utility_selector"
    _left: list[Scored]

    def check(self) -> None:
        """Reject children without a score."""
        super().check()
        _check_scored(self)

    def enter(self, context: Any) -> None:
        """Rank the children."""
        self._left = [child for _, child in ranked(self.children, context)]
        self.reason = "" if self._left else "no score above 0"

    def tick(self, context: Any) -> Status:
        """Tick the child with the highest score that has not failed."""
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


class ReactiveUtilitySelector(Composite):
    """Scores its children at every tick and tries them from the highest score down.

    | the child with the highest score left returns | the selector                                           |
    |-----------------------------------------------|--------------------------------------------------------|
    | SUCCESS                                       | SUCCESS; another child that was running is interrupted |
    | RUNNING                                       | RUNNING; another child that was running is interrupted |
    | FAILURE                                       | the next lower one; FAILURE after the last             |
    | (no child has a score above 0)                | FAILURE; a child that was running is interrupted       |

    The running child's score is raised by `margin` while it is above 0, and the running child wins ties, so that an
    agent does not alternate between children with similar scores.
    """

    kind = "reactive_utility_selector"

    def __init__(self, children: typing.Sequence[Node], *, margin: float = 0.0, name: str = ""):
        super().__init__(children, name=name)
        self.margin = margin

    def check(self) -> None:
        """Reject an invalid margin and children without a score."""
        super().check()
        if not (math.isfinite(self.margin) and self.margin >= 0.0):
            raise BehaviourError(f"{self.label} has margin {self.margin}; give a finite number, at least 0")
        _check_scored(self)

    def details(self) -> str:
        """Return the margin."""
        return f"margin: {self.margin:g}" if self.margin else ""

    def tick(self, context: Any) -> Status:
        """Tick the child with the highest score that does not fail."""
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
        # Sorting is stable: the running child stays before others with its score.
        return sorted(running + [pair for pair in order if pair[1].status is not RUNNING], key=lambda pair: -pair[0])
