"""IsHinted: is the tree hinted at something from above?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ....errors import BehaviourError
from ..hints import HINT_TYPES, HintType, TakesHints
from ..leaf import Leaf
from ..status import FAILURE, SUCCESS, Status

__all__ = ["IsHinted"]


class IsHinted(TakesHints, Leaf):
    """Asks whether a hint of that type holds for a branch.

    | the hint that holds             | status  |
    |---------------------------------|---------|
    | is of that type                 | SUCCESS |
    | is of another, or there is none | FAILURE |

    Beside a condition that is a matter of taste, under a selector, it lets a hint open the branch; without hints it
    fails and changes nothing. "neutral" holds where there is no hint.
    """

    kind = "is_hinted"
    obeys = ("hints",)

    def __init__(self, *, branch: str, type: HintType = "positive", name: str = ""):
        self.branch, self.type, self.name = branch, type, name

    def check(self) -> None:
        """Refuse an unknown type."""
        super().check()
        if self.type not in HINT_TYPES or not self.branch:
            raise BehaviourError(f"{self.label} asks for {self.type!r} of {self.branch!r}; {', '.join(HINT_TYPES)}")

    def hint_branches(self) -> Iterable[str]:
        """Return the branch it asks for."""
        return [self.branch]

    def details(self) -> str:
        """Return what it asks for."""
        return f"{self.branch}: {self.type}"

    def tick(self, context: Any) -> Status:
        """Ask."""
        if self.hints.next_end <= getattr(context, "time", -1.0):
            self.hints.expire(context.time)
        hint = self.hints.of(self.branch)
        self.reason = "no hint" if hint is None else f"{hint.type}{', ' if hint.words else ''}{hint.words}"
        return SUCCESS if (hint.type if hint is not None else "neutral") == self.type else FAILURE
