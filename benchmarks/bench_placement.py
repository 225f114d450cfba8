"""Placing guards: packing the docks of the research group, and how alike paths are against shapely."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import shapely

from lastseen.level.level import Level
from lastseen.reasoning.placement.guard_ground import GuardGround
from lastseen.reasoning.placement.guard_routes import GuardKind
from lastseen.reasoning.placement.place.partition import partition, radius_range
from lastseen.reasoning.placement.place.place import GuardPlanner
from lastseen.reasoning.placement.verify.similarity import frechet
from lastseen.rng import generator

from .harness import Comparison

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "gram"
GUARD = GuardKind(view_distance=4.0, view_angle=1.15, speed=1.0, passive=0.35)
"""As the guards of the docks see and walk."""
CORNERS, PATHS = 500, 8


def comparisons() -> Iterator[Comparison | str]:
    yield _frechet()
    docks = DATA / "Pedro_3D_visualizer.json"
    if not docks.is_file():
        yield "packing of the docks, guards for the docks: the research levels are not here"
        return
    level = Level.read(docks)
    ground = GuardGround(level, level.paths[0])
    yield _packing(ground)
    yield _placing(level)


def _packing(ground: GuardGround) -> Comparison:
    smallest, largest = radius_range(GUARD)
    return Comparison(
        "packing of the docks",
        ours=lambda number: partition(ground, smallest, largest, seed=number),
        peer=None,
        at_most=0.5,
        rounds=9,
    )


def _placing(level: Level) -> Comparison:
    planner = GuardPlanner(level, level.paths[0], kinds=GUARD)
    return Comparison(
        "four guards together on the packed docks",
        ours=lambda number: planner.place(4, seed=number),
        peer=None,
        at_most=1.0,
        rounds=5,
    )


def _frechet() -> Comparison:
    paths = [_path(seed) for seed in range(PATHS)]
    lines = [shapely.LineString(path) for path in paths]
    return Comparison(
        f"discrete Fréchet distance of {CORNERS} x {CORNERS} corners",
        ours=lambda number: frechet(paths[number % PATHS], paths[(number + 1) % PATHS], kind="discrete"),
        peer=lambda number: shapely.frechet_distance(lines[number % PATHS], lines[(number + 1) % PATHS]),
        at_most=0.1,
        peer_name="shapely",
        rounds=7,
    )


def _path(seed: int) -> np.ndarray:
    """A wandering path in the plane."""
    return np.cumsum(generator(seed, "bench placement").normal(size=(CORNERS, 2)), axis=0)
