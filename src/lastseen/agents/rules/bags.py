"""Action lists at run time: in sequence or from a shuffle bag, for ever or once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .compile import ActionList

__all__ = ["Bag"]


class Bag:
    """Goes through the actions of a list by its policy.

    A shuffled list is shuffled at the start and again at each end, and the action that came last never comes first in
    the new order (where there are two or more).
    """

    __slots__ = ("_at", "_draw", "_order", "depleted", "list")

    def __init__(self, given: ActionList, draw: Callable[[int], int]):
        """`draw(n)` returns a whole number from 0 to n - 1 by chance."""
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
        """Places of the actions left in this round, the next first."""
        return self._order[self._at :]

    @property
    def said(self) -> Sequence[int]:
        """Places of the actions executed in this round, the last one last; none where each is executed once."""
        return () if self.list.policy.endswith("once") else self._order[: self._at]

    def begin_again(self) -> Sequence[int]:
        """Begin a new round before this one has ended; return its places, that of the last action last of all."""
        last = self._order[self._at - 1]
        self._new_round(last)
        return [*(place for place in self._order if place != last), last]

    def take(self, place: int) -> None:
        """Execute the action at `place`, one of those upcoming; the others keep their turn."""
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
