"""The hunt: one search shared by a team, from the first loss until its time is over and the layer is clean again."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...checks import finite_number
from ...conventions import Floats
from ...reasoning.search.destination import Destination, Scoring
from ...reasoning.search.influence import SearchMap

__all__ = ["Hunt"]


class Hunt:
    """Who searches, since when and until when, over one shared `SearchMap`.

    Parameters
    ----------
    search : the map; this object begins and clears it.
    seconds : how long a search goes on after the last perception.
    stagger : seconds within which members give up one after another: all at once looks like a hive mind.
    draws : numbers 0 … 1 that decide how late each agent gives up, by agent.
    """

    def __init__(self, search: SearchMap, seconds: float, draws: Floats, *, stagger: float = 6.0):
        self.search = search
        self.seconds = finite_number(seconds, "seconds of a search", unit="s", low=0.0, high=86_400.0)
        self.stagger = finite_number(stagger, "stagger", unit="s", low=0.0, high=600.0)
        self._draws = draws
        self.deadline = -math.inf
        self.bound: dict[int, tuple[float, float, float]] = {}
        self._looking: dict[int, float] = {}

    @property
    def members(self) -> tuple[int, ...]:
        """Who searches now, ascending."""
        return tuple(sorted(self.bound))

    def perceive(self, xyz: Any, now: float, *, sure: bool) -> None:
        """Somebody perceived the target: influence starts here, and the search goes on for its full time from now.

        `sure`: it was seen, so it is here and nowhere else.
        """
        self.search.seed(np.asarray([xyz], np.float64), 1.0, reset=sure)
        self.deadline = now + self.seconds

    def is_on(self, now: float, agent: int | None = None) -> bool:
        """Is there a search, for this agent or for anybody?"""
        late = 1.0 if agent is None else float(self._draws[agent])
        return now < self.deadline + late * self.stagger

    def join(self, agent: int, xyz: Any) -> None:
        """Somebody takes part, bound for nowhere yet."""
        self.bound.setdefault(agent, tuple(xyz))

    def leave(self, agent: int) -> None:
        """Somebody takes part no more."""
        self.bound.pop(agent, None)

    def choose(self, agent: int, xyz: Any, scoring: Scoring | None = None) -> Destination:
        """Where should this one look next? Others' destinations count as taken."""
        others = [place for other, place in self.bound.items() if other != agent]
        found = self.search.destination(xyz, others, scoring=scoring)
        if found.cell >= 0:
            x, y, z = found.xyz.tolist()
            self.bound[agent] = (x, y, z)
        return found

    def advance(self, seconds: float, now: float, feet: Floats, gaze: Floats) -> None:
        """Let the search go on: spread, clean around and before those who search; clear it when its time is over."""
        if self.deadline == -math.inf:
            return
        if not self.is_on(now):
            self.search.clear()
            self.deadline = -math.inf
            return
        self.search.advance(seconds)
        if len(feet):
            self.search.clean_cube(feet)
            self.search.clean_view(feet, gaze)
