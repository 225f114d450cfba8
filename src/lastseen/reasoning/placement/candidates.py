"""Rounds to choose from: what does each see, and what is that worth?"""

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

__all__ = ["Candidates", "Pool"]

_TURNS = tuple(math.pi * eighth / 4.0 for eighth in range(8))


class Candidates:
    """Draws rounds on a packed level together with what is seen on them.

    Attributes
    ----------
    walker : draws walks within the costs.
    watch : samples of floor and path.
    worth : (samples,) what seeing each sample counts: 1 / n for floor, less the nearer the path, and on the path
        against it.
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
        """Draw a round and what is seen on it; one that stays looks where that is worth most."""
        walk, route = self.walker.draw(kind, random)
        ways = [route]
        if route.stays and kind.opening < 2.0 * math.pi:
            ways = [replace(route, heading=route.heading + turn) for turn in _TURNS]
        shares = [self.watch.share(way) for way in ways]
        best = int(np.argmax([share @ self.worth for share in shares]))
        return walk, ways[best], shares[best]


class Pool(NamedTuple):
    """Candidates of one kind: their routes, what each sees, and the place of one that stays, else -1."""

    routes: list[GuardRoute]
    shares: list[Floats]
    places: list[int]

    def add(self, walk: Walk, route: GuardRoute, share: Floats) -> None:
        """Add a candidate."""
        self.routes.append(route)
        self.shares.append(share)
        self.places.append(int(walk.nodes[0]) if len(walk.nodes) == 1 else -1)

    def take(self, worth: Floats, used: set[int]) -> tuple[GuardRoute, Floats] | None:
        """Take out the candidate that sees what is worth most; places `used` are out of the question."""
        free = [number for number, place in enumerate(self.places) if place not in used]
        if not free:
            return None
        best = free[int(np.argmax([self.shares[number] @ worth for number in free]))]
        if self.places[best] >= 0:
            used.add(self.places[best])
        del self.places[best]
        return self.routes.pop(best), self.shares.pop(best)
