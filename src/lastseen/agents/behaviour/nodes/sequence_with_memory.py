"""SequenceWithMemory: do each thing once, however often the whole has to be begun again."""

from __future__ import annotations

from typing import Any

from ..node import Composite
from ..status import SUCCESS, Status

__all__ = ["SequenceWithMemory"]


class SequenceWithMemory(Composite):
    """Ticks children in order; those that succeeded are not ticked again until all have.

    | a child returns | the sequence                                             |
    |-----------------|----------------------------------------------------------|
    | SUCCESS         | ticks the next in the same tick; SUCCESS after the last, then it begins with the first |
    | RUNNING         | RUNNING; the next tick goes on with this child           |
    | FAILURE         | FAILURE; the next run begins with this child             |

    An interrupted one, too, goes on with the child it was at; `Tree.reset` forgets.
    """

    kind = "sequence_with_memory"

    _at = 0

    def forget(self) -> None:
        """Begin with the first child."""
        self._at = 0

    def tick(self, context: Any) -> Status:
        """Go on with the first child that has not succeeded yet."""
        children = self.children
        for at in range(self._at, len(children)):
            status = children[at].run(context)
            if status is not SUCCESS:
                self._at = at
                return status
        self._at = 0
        return SUCCESS
