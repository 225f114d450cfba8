"""Twinning: a board that keeps nearby agents from doing or saying the same thing at the same time."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, Literal

from ....checks import finite_number, point_xyz, real_number, shown, whole_number
from ....errors import InputError
from ..engine.action_lists import action_key

Urgency = Literal["normal", "reaction"]
_NOTICEABLE, _LATE = 0.2, 0.5
"""Seconds: shorter delays between reactions go unnoticed, longer ones look late."""


class TwinBoard:
    """Ring of recent actions with their places and times.

    Parameters
    ----------
    normal, reaction : seconds during which no agent may begin the same action, after a normal one and after a reaction.
    radius : metres; infinite by default. Agents further away may begin the same action at once.
    size : capacity; if more actions begin within the delays, the oldest is dropped.

    Notes
    -----
    Chapter 6 of Game AI Pro 2 (Dawe). The delay of the earlier action counts. Exactly at its end, the same action may
    begin again.
    """

    def __init__(self, *, normal: float = 1.0, reaction: float = 0.3, radius: float = math.inf, size: int = 32):
        self.delays = {
            "normal": finite_number(normal, "normal", unit="s", low=0.0),
            "reaction": finite_number(reaction, "reaction", unit="s", low=0.0),
        }
        if not _NOTICEABLE <= self.delays["reaction"] <= _LATE:
            warnings.warn(f"a delay of {reaction:g} s between reactions goes unnoticed or looks late", stacklevel=2)
        self.radius = real_number(radius, "radius", "metres, or infinity")
        if not self.radius >= 0.0:
            raise InputError(f"radius is {self.radius:g}; give 0 or more metres")
        size = whole_number(size, "size", low=1)
        if size > 100_000:
            raise InputError(f"size is {size}; give at most 100000 entries")
        self._ring: list[tuple[bytes, float, tuple[float, ...], str] | None] = [None] * size
        self._front = self._count = self.looked_at = 0

    def __len__(self) -> int:
        return self._count

    def may(self, action: Any, xyz: Sequence[float], now: float) -> bool:
        """Return whether an agent at this place may begin this action now; drops expired entries."""
        now = finite_number(now, "now", unit="s")
        place = point_xyz(xyz, "xyz").tolist()
        longest, key = max(self.delays.values()), action_key(action)
        while self._count and now >= self._entry(0)[1] + longest:
            self._front, self._count = (self._front + 1) % len(self._ring), self._count - 1
        self.looked_at = self._count
        for number in range(self._count):
            same, begun, where, urgency = self._entry(number)
            if same == key and now < begun + self.delays[urgency] and math.dist(where, place) <= self.radius:
                return False
        return True

    def began(self, action: Any, xyz: Sequence[float], now: float, *, urgency: Urgency = "normal") -> None:
        """Record that an agent at this place has begun this action."""
        if not isinstance(urgency, str) or urgency not in self.delays:
            raise InputError(f"urgency is {shown(urgency)}; give one of {', '.join(self.delays)}")
        now, place = finite_number(now, "now", unit="s"), tuple(point_xyz(xyz, "xyz").tolist())
        self._ring[(self._front + self._count) % len(self._ring)] = (action_key(action), now, place, urgency)
        if self._count == len(self._ring):
            self._front = (self._front + 1) % len(self._ring)
        else:
            self._count += 1

    def _entry(self, number: int) -> tuple[bytes, float, tuple[float, ...], str]:
        entry = self._ring[(self._front + number) % len(self._ring)]
        assert entry is not None
        return entry
