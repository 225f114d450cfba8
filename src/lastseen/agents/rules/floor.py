"""The floor: who is speaking, where and until when? Nobody talks over another, unless what it has to say is more
urgent."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass

__all__ = ["Floor", "Speaking"]

Place = tuple[float, float, float]


@dataclass(frozen=True)
class Speaking:
    """Somebody speaks, or has spoken: since when, until when, where, and how urgent that is."""

    speaker: Hashable
    begun: float
    until: float
    place: Place
    urgency: int
    exchange: int


class Floor:
    """Lines that are being said.

    Parameters
    ----------
    earshot : metres within which one hears another and keeps silent.
    pause : seconds one keeps silent after a line of one's own, unless something more urgent comes up.
    """

    def __init__(self, earshot: float, pause: float):
        self.earshot, self.pause = earshot, pause
        self._last: dict[Hashable, Speaking] = {}
        self._now: dict[Hashable, Speaking] = {}

    def refuses(self, speaker: Hashable, place: Place, urgency: int, now: float) -> str:
        """Return why one may not speak now; empty: it may, and interrupts those around it who still do."""
        own = self._last.get(speaker)
        if own is not None and own.urgency >= urgency:
            if now < own.until:
                return "is speaking"
            if now < own.until + self.pause:
                return "has just spoken"
        for other in self.heard_at(place, now):
            if other.speaker != speaker and other.urgency >= urgency:
                return f"{other.speaker} is speaking"
        return ""

    def heard_at(self, place: Place, now: float) -> list[Speaking]:
        """Return the lines that are being said within earshot of a place."""
        if any(one.until <= now for one in self._now.values()):
            self._now = {one.speaker: one for one in self._now.values() if now < one.until}
        return [one for one in self._now.values() if math.dist(one.place, place) <= self.earshot]

    def take(self, line: Speaking) -> list[Speaking]:
        """Let somebody speak from now on; return the lines it cuts short."""
        cut = self.heard_at(line.place, line.begun)
        for one in cut:
            self._last[one.speaker] = Speaking(one.speaker, one.begun, line.begun, one.place, one.urgency, one.exchange)
            del self._now[one.speaker]
        self._last[line.speaker] = self._now[line.speaker] = line
        return cut
