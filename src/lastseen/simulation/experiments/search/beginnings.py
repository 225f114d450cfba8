"""Beginnings of searches: the last sighting, the searchers' positions, and where the evader is by then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....conventions import Array, Floats
from ....rng import generator
from .arena import Arena
from .settings import TrialSettings

MODELS = ("hider", "stayer", "sight breaker", "roamer", "sneaker")
"""Models of evaders; see `evaders`."""

_ROUNDS = 60
_APART = 1.0
"""Minimum distance in metres between searchers."""


@dataclass(frozen=True, eq=False)
class Beginning:
    """One search before its first step, the same for every contender.

    Attributes
    ----------
    number : of the episode; it determines the model of evader and the number of searchers.
    model : of the evader, index into `MODELS`.
    lost_xyz : (3,) where it was last seen.
    since : seconds elapsed since then.
    evader_xyz : (3,) where it is now, out of sight of all searchers.
    place : number of the hiding place it is in, -1 if none.
    searchers_xyz, headings : (k, 3) and (k,), facing the last sighting.
    exit_xyz : (3,) the goal of a sneaker.
    """

    number: int
    model: int
    lost_xyz: Floats
    since: float
    evader_xyz: Floats
    place: int
    searchers_xyz: Floats
    headings: Floats
    exit_xyz: Floats


def draw_beginning(
    arena: Arena, number: int, models: Sequence[int], searchers: Sequence[int], settings: TrialSettings, seed: int
) -> Beginning | None:
    """Draw the beginning of an episode; models and numbers of searchers alternate. None if the level has no room."""
    model = models[number % len(models)]
    count = searchers[number // len(models) % len(searchers)]
    draw = generator(seed, f"search evaluation {arena.name} {number}")
    for _ in range(_ROUNDS):
        lost = arena.floor_xyz[draw.integers(len(arena.floor_xyz))]
        metres = arena.metres_from(lost)
        places = _searchers(arena, metres, count, settings, draw)
        if places is None:
            continue
        found = _hidden(arena, metres, places, model, settings, draw)
        if found is None:
            continue
        place, evader, walked = found
        towards = lost[:2] - places[:, :2]
        return Beginning(
            number=number,
            model=model,
            lost_xyz=lost,
            since=walked / settings.run_speed,
            evader_xyz=evader,
            place=place,
            searchers_xyz=places,
            headings=np.arctan2(towards[:, 1], towards[:, 0]),
            exit_xyz=_exit(arena, evader, settings),
        )
    return None


def _searchers(
    arena: Arena, metres: Floats, count: int, settings: TrialSettings, draw: np.random.Generator
) -> Floats | None:
    """Return places (k, 3) of searchers: one near the last sighting, the others around it."""
    chosen: list[Floats] = []
    for number in range(count):
        low, high = settings.others_away if number else settings.first_away
        cells = arena.cells[(metres[arena.cells] >= low) & (metres[arena.cells] <= high)]
        points = arena.layout.arrays.cell_xyz[cells].astype(np.float64)
        for other in chosen:
            points = points[np.linalg.norm(points - other, axis=1) >= _APART]
        if not len(points):
            return None
        chosen.append(points[draw.integers(len(points))])
    return np.array(chosen)


def _hidden(
    arena: Arena, metres: Floats, searchers: Floats, model: int, settings: TrialSettings, draw: np.random.Generator
) -> tuple[int, Floats, float] | None:
    """Return the hiding place (-1: none), the evader's position, and the length of its path there."""
    low, high = settings.away
    if MODELS[model] == "hider":
        points = np.array([place.xyz for place in arena.level.hiding_places], np.float64)
        walked = metres[arena.cell_of(points)]
        # A searcher that sees it climb in need not search.
        rows = np.flatnonzero((walked <= high) & ~arena.is_seen(searchers, points))
    else:
        cells: Array = arena.cells[(metres[arena.cells] >= low) & (metres[arena.cells] <= high)]
        points = arena.layout.arrays.cell_xyz[cells].astype(np.float64)
        walked = metres[cells]
        rows = np.flatnonzero(~arena.is_seen(searchers, points)) if len(points) else np.zeros(0, np.int64)
    if not len(rows):
        return None
    row = int(rows[draw.integers(len(rows))])
    return (row if MODELS[model] == "hider" else -1), points[row], float(walked[row])


def _exit(arena: Arena, evader: Floats, settings: TrialSettings) -> Floats:
    """Return the nearest exit that is not too close; if there is none, the furthest place."""
    metres = arena.metres_from(evader)
    if len(arena.exits_xyz):
        walked = metres[arena.cell_of(arena.exits_xyz)]
        worth = np.where((walked >= settings.escape_away) & np.isfinite(walked), walked, np.inf)
        if np.isfinite(worth).any():
            return np.asarray(arena.exits_xyz[int(worth.argmin())])
    reached = np.where(np.isfinite(metres[arena.cells]), metres[arena.cells], -1.0)
    return np.asarray(arena.floor_xyz[int(reached.argmax())])
