"""Who takes part in a search, and how far each has come."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ....conventions import Floats
from ....vocabulary.events import SearchEnd
from .modes import Order

_NEARER = 0.05
"""Metres that count as coming nearer."""


class Member:
    """One searcher.

    Attributes
    ----------
    number : its id.
    xyz, heading : where it is and looks.
    order : what it should do now.
    began : seconds at which its part began.
    looked : seconds of its last look at spots.
    looks_until : seconds until which it looks round; infinite: not yet at the place.
    leaves, why : seconds at which it gives up, infinite: not yet; and why.
    done : whether it has looked round.
    missed : whether it was reported missing.
    """

    def __init__(self, number: int, xyz: Floats):
        self.number = number
        self.xyz: Floats = xyz
        self.heading = 0.0
        self.order = Order(number, "none")
        self.began = 0.0
        self.looked = -math.inf
        self.looks_until = math.inf
        self.leaves = math.inf
        self.why: SearchEnd | None = None
        self.done = False
        self.missed = False
        self._nearest = math.inf
        self._nearer_at = 0.0

    def begin(self, order: Order, time: float) -> None:
        """Take part from the beginning."""
        self.head_for(order, time)
        self.began = time
        self.looked, self.looks_until, self.leaves = -math.inf, math.inf, math.inf
        self.done = self.missed = False

    def head_for(self, order: Order, time: float) -> None:
        """Take an order with a goal of its own."""
        self.order = order
        self._nearest, self._nearer_at = math.inf, time

    def stands(self, metres: float, time: float) -> float:
        """For how many seconds has it not come nearer to its goal, now `metres` away?"""
        if metres < self._nearest - _NEARER:
            self._nearest, self._nearer_at = metres, time
        return time - self._nearer_at


class Members:
    """Those who take part, in the order they came."""

    def __init__(self) -> None:
        self._by_number: dict[int, Member] = {}

    def __iter__(self) -> Iterator[Member]:
        return iter(self._by_number.values())

    def __len__(self) -> int:
        return len(self._by_number)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Their ids."""
        return tuple(self._by_number)

    def get(self, number: int) -> Member | None:
        """Return one of them, or None."""
        return self._by_number.get(number)

    def put(self, member: Member) -> None:
        """Let one take part."""
        self._by_number[member.number] = member

    def remove(self, number: int) -> None:
        """Take one out; who takes no part is no error."""
        self._by_number.pop(number, None)

    def clear(self) -> None:
        """Take out everybody."""
        self._by_number.clear()
