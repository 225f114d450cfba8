"""Scored: how much a child of a utility selector is wanted."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ....errors import BehaviourError
from ..node import Decorator, Node
from ..ports import Input, as_input
from ..status import Status

__all__ = ["Scored"]


class Scored(Decorator):
    """Gives its child a score: a number, a key, or a function of the context.

    | the child returns | scored   |
    |-------------------|----------|
    | any status        | the same |

    A score of 0 or less means: do not even try. Outside a utility selector the score has no effect.
    """

    kind = "scored"

    def __init__(self, child: Node, *, score: float | Input[float] | Callable[[Any], float], name: str = ""):
        super().__init__(child, name=name)
        self._function = score if callable(score) else None
        self.score = as_input(0.0 if callable(score) else score, float)
        self.words = getattr(score, "__name__", "") if callable(score) else ""

    def check(self) -> None:
        """Refuse a written score that is not a number."""
        super().check()
        if self._function is None and self.score.key is None:
            _checked(self.score.value, self.label)

    def details(self) -> str:
        """Return where the score comes from."""
        return f"score: {self.words or self.score}"

    def value(self, context: Any) -> float:
        """Return how much the child is wanted now."""
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
