"""The missing colleague: who wonders why it has become so quiet?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import finite_number
from ...errors import InputError
from .arguments import count_of, time_of, truths_of

__all__ = ["MissingColleague", "MissingRule"]


@dataclass(frozen=True)
class MissingRule:
    """Seconds in earshot `before` the silence and `after` it, then none again for `cooldown` seconds (ours)."""

    before: float = 10.0
    after: float = 5.0
    cooldown: float = 60.0

    def __post_init__(self) -> None:
        for name in ("before", "after", "cooldown"):
            finite_number(getattr(self, name), name, unit="s", low=0.0, high=1e6)


class MissingColleague:
    """Who was in earshot of a colleague for a while, and still is for a while after that has fallen silent?

    Notes
    -----
    Chapter 28, in place of a memory of everybody's sights and sounds. Whoever leaves earshot begins anew; a silence
    that falls into the cooldown is never noticed.
    """

    def __init__(self, count: int, rule: MissingRule | None = None):
        count = count_of(count, "count")
        self.rule = rule if rule is not None else MissingRule()
        self.together = np.zeros((count, count))
        self.alone = np.zeros((count, count))
        self.quiet_until = -np.inf

    def step(self, in_earshot: Any, silent: Any, seconds: float, now: float) -> tuple[int, int] | None:
        """Go on by so many seconds; return who (row) misses whom (column), None: nobody anybody.

        Parameters
        ----------
        in_earshot : (n, n) bool, row hears column; see `PathHearing.distances`.
        silent : (n,) bool, makes no noise any more.
        """
        near, quiet = truths_of(in_earshot, "in_earshot"), truths_of(silent, "silent")
        seconds, now = finite_number(seconds, "seconds", unit="s", low=0.0, high=3600.0), time_of(now)
        if near.shape != self.together.shape or quiet.shape != near.shape[:1]:
            raise InputError(
                f"in_earshot has shape {near.shape} and silent {quiet.shape}; {self.together.shape} needed"
            )
        near = near & ~np.eye(len(near), dtype=bool) & ~quiet[:, None]
        heard = near & ~quiet
        waiting = near & quiet & (self.together >= self.rule.before - 1e-9)
        self.together[heard] += seconds
        self.alone[heard] = 0.0
        self.alone[waiting] += seconds
        lost = ~heard & ~waiting
        self.together[lost] = 0.0
        self.alone[lost] = 0.0
        due = waiting & (self.alone >= self.rule.after - 1e-9)
        if not due.any():
            return None
        who, whom = (int(number) for number in np.argwhere(due)[0])
        missed = due.any(axis=0)
        self.together[:, missed] = 0.0  # one event for each silence
        self.alone[:, missed] = 0.0
        if now < self.quiet_until:
            return None
        self.quiet_until = now + self.rule.cooldown
        return who, whom
