"""Draw candidate routes with what they see and what that is worth."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ...conventions import Floats
from .coverage import Watch
from .graph import SightGraph, closeness
from .ground import GuardGround
from .guard_kinds import GuardKind
from .routes import GuardRoute
from .settings import PlacementSettings
from .walks import Walk, Walker

__all__ = ["Candidate", "Candidates"]

_TURNS = tuple(math.pi * eighth / 4.0 for eighth in range(8))


class Candidates:
    """Draws routes on a packed level together with what they see.

    Attributes
    ----------
    walker : draws closed walks within the cost limits.
    watch : samples of floor and path.
    worth : (samples,) value of seeing each sample: 1 / n for floor, less near the path, and negative on the path.
    """

    def __init__(
        self, ground: GuardGround, graph: SightGraph, settings: PlacementSettings, watch: Watch | None = None
    ) -> None:
        self.walker = Walker(ground, graph, settings)
        self.watch = Watch(ground) if watch is None else watch
        places, path = self.watch.places, self.watch.path
        near = closeness(np.hstack([places, places]), ground.path, self.walker.lengths.drop_off)
        spared = np.full(len(path), -settings.spare_path / len(path))
        self.worth: Floats = np.concatenate([(1.0 - near) / len(places), spared])

    def draw(self, kind: GuardKind, random: np.random.Generator) -> tuple[Walk, GuardRoute, Floats]:
        """Draw a route and what it sees; a guard that stays faces the most valuable direction."""
        walk, ways = self._ways(kind, random)
        best = ways[int(np.argmax([one.share @ self.worth for one in ways]))]
        return walk, best.route, best.share

    def draw_all(self, kind: GuardKind, random: np.random.Generator) -> list[Candidate]:
        """Draw a route, or a place with all directions to face."""
        return self._ways(kind, random)[1]

    def _ways(self, kind: GuardKind, random: np.random.Generator) -> tuple[Walk, list[Candidate]]:
        walk, route = self.walker.draw(kind, random)
        ways = [route]
        if route.stays and kind.opening < 2.0 * math.pi:
            ways = [replace(route, heading=route.heading + turn) for turn in _TURNS]
        return walk, [Candidate(way, self.watch.share(way), walk.place) for way in ways]


class Candidate(NamedTuple):
    """A guard to choose: its route, what it sees (samples,), and its place if it stays, else -1."""

    route: GuardRoute
    share: Floats
    place: int
