"""Run-time state of actions: the next one of a list, in sequence or from a shuffle bag, and cooldowns."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from ....checks import shown
from ....errors import RuleError
from .compile import ActionList


class ActionQueue:
    """Draw the actions of a list according to its policy.

    A shuffled list is shuffled at the start and whenever it is exhausted; the last action of one pass never opens the
    next (unless it is the only one). An action of weight 3 is three times in each pass; if each is executed only once,
    it merely tends to come earlier.
    """

    __slots__ = ("_at", "_draw", "_order", "_shuffles", "depleted", "last", "list")

    def __init__(self, given: ActionList, draw: Callable[[int], int]):
        """`draw(n)` returns a random integer from 0 to n - 1."""
        self.list = given
        self.depleted = not given.actions
        self._draw = draw
        self._shuffles = given.policy.startswith("shuffle")
        self._order = list(range(len(given.actions)))
        self._at = 0
        self.last = -1
        """Index of the action executed last; -1 if none was."""
        if self._shuffles:
            self._order = [place for place in self._order for _ in range(given.weights[place] if given.weights else 1)]
            self._shuffle(last=-1)

    def _shuffle(self, last: int) -> None:
        order = self._order
        for place in range(len(order) - 1, 0, -1):
            other = self._draw(place + 1)
            order[place], order[other] = order[other], order[place]
        if self.list.policy.endswith("once"):
            self._order = order = list(dict.fromkeys(order))
        if len(order) > 1 and order[0] == last:
            other = 1 + self._draw(len(order) - 1)
            order[0], order[other] = order[other], order[0]

    def upcoming(self) -> Sequence[int]:
        """Indices of the actions left in this pass, next one first."""
        return self._order[self._at :]

    @property
    def executed(self) -> Sequence[int]:
        """Indices of the actions executed in this pass, latest last; empty if each action is executed only once."""
        return () if self.list.policy.endswith("once") else self._order[: self._at]

    def without_last(self, places: Sequence[int]) -> Sequence[int]:
        """Return these indices without that of the action executed last if the list is shuffled and others remain."""
        if not self._shuffles or self.last < 0:
            return places
        return [place for place in places if place != self.last] or places

    def restart(self) -> Sequence[int]:
        """Start a new pass before this one ends; return its indices, with the last executed action at the end."""
        last = self._order[self._at - 1]
        self._start_pass(last)
        return [*(place for place in self._order if place != last), last]

    def take(self, place: int) -> None:
        """Execute the action at `place`, which must be upcoming; the others keep their order."""
        order = self._order
        if order[self._at] != place:
            order.insert(self._at, order.pop(order.index(place, self._at)))
        self._at += 1
        self.last = place
        # Further copies of a heavy action that are left at the end of a pass would repeat it.
        if self._at == len(order) or (self.list.weights and not any(other != place for other in order[self._at :])):
            if self.list.policy.endswith("once"):
                self.depleted = True
                return
            self._start_pass(place)

    def _start_pass(self, last: int) -> None:
        if self._shuffles:
            self._shuffle(last)
        else:
            self._order.sort()
        self._at = 0


class Cooldowns:
    """Recently executed actions, blocked for all speakers until their cooldown ends."""

    def __init__(self) -> None:
        self._until: dict[bytes, float] = {}

    def blocks(self, action: Any, now: float) -> bool:
        """Return whether this action is blocked now."""
        return bool(self._until) and self._until.get(action_key(action), -math.inf) > now

    def start(self, action: Any, until: float) -> None:
        """Block this action until the given time."""
        self._until[action_key(action)] = until

    def forget(self, now: float) -> None:
        """Drop expired cooldowns."""
        self._until = {key: until for key, until in self._until.items() if until > now}


def action_key(action: Any) -> bytes:
    """Return bytes that identify an action."""
    try:
        return msgspec.json.encode(action)
    except (TypeError, ValueError, OverflowError, RecursionError):
        raise RuleError(f"an action is {shown(action)}; give text, numbers, or lists and tables of them") from None
