"""SendHint: say to the tree below what it should rather do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....errors import BehaviourError
from ..hints import HINT_TYPES, Hints, HintType
from ..leaf import Leaf
from ..ports import Input
from ..seconds import checked_seconds
from ..status import SUCCESS, Status

__all__ = ["SendHint"]


class SendHint(Leaf):
    """Sends one hint to the trees right below and succeeds at once: what upper trees have in place of actions.

    | the trees below                     | status                            |
    |-------------------------------------|-----------------------------------|
    | have the branch                     | SUCCESS; the hint holds from now on |
    | do not, or there are none           | SUCCESS                           |

    `to` names a group of the trees below, empty: all; `seconds` after which the hint is over, 0: it holds until
    "neutral" is sent or this tree is taken off.
    """

    kind = "send_hint"

    def __init__(self, *, branch: str, type: HintType = "positive", to: str = "", seconds: float = 0.0, name: str = ""):
        self.branch, self.type, self.to, self.seconds, self.name = branch, type, to, seconds, name
        self.source = ""
        self.below: Mapping[str, Sequence[Hints]] = {}

    def check(self) -> None:
        """Refuse an unknown type and times that are none."""
        super().check()
        checked_seconds(Input(self.seconds), self.label)
        if self.type not in HINT_TYPES or not self.branch:
            raise BehaviourError(f"{self.label} sends {self.type!r} to {self.branch!r}; {', '.join(HINT_TYPES)}")

    def details(self) -> str:
        """Return what is sent to whom."""
        return f"{self.branch}: {self.type}" + (f", to: {self.to}" if self.to else "")

    def tick(self, context: Any) -> Status:
        """Send it."""
        groups = [self.below.get(self.to, ())] if self.to else list(self.below.values())
        told = [hints for group in groups for hints in group if self.branch in hints.branches]
        for hints in told:
            hints.send(
                self.branch,
                self.type,
                source=self.source,
                now=getattr(context, "time", 0.0),
                seconds=self.seconds or None,
            )
        self.reason = f"{self.type} to {len(told)} tree{'' if len(told) == 1 else 's'}"
        return SUCCESS
