"""The floor: current speakers, so that no line is talked over except by a more urgent one."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass

__all__ = ["Floor", "Speaking"]

Place = tuple[float, float, float]


@dataclass(frozen=True)
class Speaking:
    """A line being spoken or already spoken: its speaker, times, position and urgency."""

    speaker: Hashable
    begun: float
    until: float
    place: Place
    urgency: int
    exchange: int


class Floor:
    """Lines being spoken.

    Parameters
    ----------
    earshot : distance in metres within which speakers hear one another and keep silent.
    pause : seconds of silence after a speaker's own line, unless something more urgent comes up.
    """

    def __init__(self, earshot: float, pause: float):
        self.earshot, self.pause = earshot, pause
        self._last: dict[Hashable, Speaking] = {}
        self._now: dict[Hashable, Speaking] = {}

    def refuses(self, speaker: Hashable, place: Place, urgency: int, now: float) -> str:
        """Return why a speaker may not speak now; empty if it may, which interrupts others within earshot."""
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
        """Return the lines being spoken within earshot of a place."""
        if any(one.until <= now for one in self._now.values()):
            self._now = {one.speaker: one for one in self._now.values() if now < one.until}
        return [one for one in self._now.values() if math.dist(one.place, place) <= self.earshot]

    def take(self, line: Speaking) -> list[Speaking]:
        """Start a line; return the lines it cuts short."""
        cut = self.heard_at(line.place, line.begun)
        for one in cut:
            self._last[one.speaker] = Speaking(one.speaker, one.begun, line.begun, one.place, one.urgency, one.exchange)
            del self._now[one.speaker]
        self._last[line.speaker] = self._now[line.speaker] = line
        return cut
