"""Add an estimate of the time left to progress messages."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["TimeLeft", "duration_words"]

_PATIENCE = 2.0
"""Seconds before an estimate is meaningful."""


class TimeLeft:
    """Passes progress on with an estimate of the time left; restarts when the share falls."""

    def __init__(self, tell: Callable[[str, float], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._tell, self._clock = tell, clock
        self._begun, self._from, self._last = clock(), 0.0, 0.0

    def __call__(self, words: str, share: float) -> None:
        """Report what is being done and the share that is done (0 … 1)."""
        now = self._clock()
        if share < self._last:
            self._begun, self._from = now, share
        self._last = share
        spent, done = now - self._begun, share - self._from
        if spent >= _PATIENCE and done > 0.0 and share < 1.0:
            words = f"{words} · about {duration_words(spent * (1.0 - share) / done)} left"
        self._tell(words, share)


def duration_words(seconds: float) -> str:
    """Return a duration in a readable unit: 40 s, 5 min, 2.5 h."""
    if seconds < 90.0:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60.0)} min" if seconds < 5400.0 else f"{seconds / 3600.0:.1f} h"
