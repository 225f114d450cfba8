"""Exchanges: pending answers, each part of a conversation of a few lines."""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

__all__ = ["Exchanges", "Pending"]

_RETRY = 0.1
"""Seconds before a speaker that waits for silence tries again."""


@dataclass(frozen=True)
class Pending:
    """A pending line: an answer, or an opening line that waits for silence.

    Attributes
    ----------
    due, until : seconds at which it is due, and at which it stops waiting for silence.
    exchange, turn : number of the exchange, and of the line within it, from 1.
    who, cast : role of the speaker, and the agent that held it when the previous line was said.
    caller, callers_caller : the speaker being answered, and the one that speaker answered; None if there is none.
    """

    due: float
    until: float
    exchange: int
    turn: int
    handler: str
    facts: Mapping[str, Any]
    about: Hashable
    urgency: int
    who: str = ""
    cast: Hashable = None
    caller: Hashable = None
    callers_caller: Hashable = None


class Exchanges:
    """Pending answers in the order they are due."""

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, Pending]] = []
        self._asked = self._begun = 0

    def number(self) -> int:
        """Return the number for a new exchange."""
        self._begun += 1
        return self._begun

    def ask(self, pending: Pending) -> None:
        """Keep an answer until it is due."""
        self._asked += 1
        heapq.heappush(self._waiting, (pending.due, self._asked, pending))

    def wait(self, pending: Pending, now: float) -> None:
        """Postpone an answer until others have spoken."""
        self.ask(replace(pending, due=now + _RETRY))

    def due(self, now: float) -> Pending | None:
        """Take the next answer that is due, or return None."""
        if self._waiting and self._waiting[0][0] <= now:
            return heapq.heappop(self._waiting)[2]
        return None

    def drop(self, speaker: Hashable, exchange: int, cut: Iterable[int]) -> None:
        """Drop exchanges that were cut short, and those of a speaker that has changed the subject."""
        if not self._waiting:
            return
        gone = {number for number in cut if number != exchange}
        kept = [
            each
            for each in self._waiting
            if each[2].exchange == exchange
            or (each[2].exchange not in gone and speaker not in (each[2].caller, each[2].cast))
        ]
        if len(kept) < len(self._waiting):
            self._waiting = kept
            heapq.heapify(self._waiting)

    def __len__(self) -> int:
        return len(self._waiting)
