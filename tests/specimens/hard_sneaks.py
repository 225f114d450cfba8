"""Levels with guards that leave narrow paths: the exact search finds one, random trees alone hardly ever do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from lastseen.level.level import Level
from lastseen.navmesh.query import find_path
from lastseen.reasoning.placement.guard_routes import GuardRoute, guard_kind
from lastseen.reasoning.placement.placement_settings import VerifySettings
from lastseen.reasoning.placement.verify.sneak_ground import SneakGround
from lastseen.rng import generator

FAR = 8.0
"""Metres from start to goal, at least."""


@dataclass(frozen=True, eq=False)
class Sneak:
    """A level with guards, where a player starts, where it has to get to, and its settings."""

    ground: SneakGround
    guards: tuple[GuardRoute, ...]
    start: np.ndarray
    goal: np.ndarray
    settings: VerifySettings


@cache
def ground_of(level: str | Path) -> SneakGround:
    """Return a sample level, or a file, prepared for a player."""
    return SneakGround(Level.sample(level) if isinstance(level, str) else Level.read(level))


def random_sneak(level: str | Path, seed: int) -> Sneak:
    """Return two to six guards on walks between random places, and a player with 30 s to get past them."""
    ground = ground_of(level)
    random = generator(seed, "random sneak")
    cells = ground.layout.arrays.cell_xyz.astype(np.float64)

    def walk(least: float) -> np.ndarray:
        while True:
            here, there = cells[random.integers(len(cells), size=2)]
            path = find_path(ground.mesh, here, there)
            if path.reached and path.length >= least:
                return path.points_xyz

    ends = walk(FAR)
    guards = []
    for _ in range(int(random.integers(2, 7))):
        line = walk(2.0)
        kind = replace(
            guard_kind("walking"),
            speed=float(random.uniform(0.6, 2.0)),
            view_distance=float(random.uniform(3.0, 10.0)),
            view_angle=float(random.uniform(0.8, 3.0)),
            passive=0.7,
        )
        guards.append(GuardRoute(kind, np.concatenate([line, line[-2:0:-1]]), phase=float(random.uniform(0.0, 60.0))))
    settings = VerifySettings(seconds=30.0, speed=float(random.uniform(1.2, 2.5)))
    return Sneak(ground, tuple(guards), ends[0], ends[-1], settings)
