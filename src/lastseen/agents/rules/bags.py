"""Run-time state of action lists: in sequence or from a shuffle bag, repeated or once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .compile import ActionList

__all__ = ["Bag"]


class Bag:
    """Draw the actions of a list according to its policy.

    A shuffled list is shuffled at the start and whenever it is exhausted; the last action of one pass never opens the
    next (unless it is the only one).
    """

    __slots__ = ("_at", "_draw", "_order", "depleted", "list")

    def __init__(self, given: ActionList, draw: Callable[[int], int]):
        """`draw(n)` returns a random integer from 0 to n - 1."""
        self.list = given
        self.depleted = not given.actions
        self._draw = draw
        self._order = list(range(len(given.actions)))
        self._at = 0
        if given.policy.startswith("shuffle"):
            self._shuffle(last=-1)

    def _shuffle(self, last: int) -> None:
        order = self._order
        for place in range(len(order) - 1, 0, -1):
            other = self._draw(place + 1)
            order[place], order[other] = order[other], order[place]
        if len(order) > 1 and order[0] == last:
            other = 1 + self._draw(len(order) - 1)
            order[0], order[other] = order[other], order[0]

    def upcoming(self) -> Sequence[int]:
        """Indices of the actions left in this pass, next one first."""
        return self._order[self._at :]

    @property
    def said(self) -> Sequence[int]:
        """Indices of the actions executed in this pass, latest last; empty if each action is executed only once."""
        return () if self.list.policy.endswith("once") else self._order[: self._at]

    def begin_again(self) -> Sequence[int]:
        """Start a new pass before this one ends; return its indices, with the last executed action at the end."""
        last = self._order[self._at - 1]
        self._new_round(last)
        return [*(place for place in self._order if place != last), last]

    def take(self, place: int) -> None:
        """Execute the action at `place`, which must be upcoming; the others keep their order."""
        order = self._order
        if order[self._at] != place:
            order.insert(self._at, order.pop(order.index(place, self._at)))
        self._at += 1
        if self._at == len(self._order):
            if self.list.policy.endswith("once"):
                self.depleted = True
                return
            self._new_round(place)

    def _new_round(self, last: int) -> None:
        if self.list.policy.startswith("shuffle"):
            self._shuffle(last)
        else:
            self._order.sort()
        self._at = 0
