"""Exchanges: answers that are due some time, each part of a conversation of a few lines."""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

__all__ = ["Exchanges", "Pending"]

_RETRY = 0.1
"""Seconds after which one who waits for silence listens again."""


@dataclass(frozen=True)
class Pending:
    """A line to be said: an answer, or a first line that waits for silence.

    Attributes
    ----------
    due, until : seconds when it is to be said, and how long it waits for silence.
    exchange, turn : which exchange, and which line of it, from 1.
    who, cast : role of whoever says it, and who that was when the line before was said.
    caller, callers_caller : whose line it answers, and whose that one answered; None: nobody's.
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
    """Answers in the order they are due."""

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, Pending]] = []
        self._asked = self._begun = 0

    def number(self) -> int:
        """Return the number of a new exchange."""
        self._begun += 1
        return self._begun

    def ask(self, pending: Pending) -> None:
        """Keep an answer until it is due."""
        self._asked += 1
        heapq.heappush(self._waiting, (pending.due, self._asked, pending))

    def wait(self, pending: Pending, now: float) -> None:
        """Put off an answer until others have spoken."""
        self.ask(replace(pending, due=now + _RETRY))

    def due(self, now: float) -> Pending | None:
        """Take the next answer that is due; None: none is."""
        if self._waiting and self._waiting[0][0] <= now:
            return heapq.heappop(self._waiting)[2]
        return None

    def drop(self, speaker: Hashable, exchange: int, cut: Iterable[int]) -> None:
        """Give up exchanges that were cut short, and those of one who now speaks of something else."""
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
