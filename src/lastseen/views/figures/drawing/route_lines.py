"""The routes and paths of guards and players, storey by storey."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ....conventions import Floats
from ....level.features import Patrol
from ....level.level import Level
from ....navmesh.navmesh import NavMesh
from ....navmesh.query import find_paths
from .storeys import Storeys

Leg = tuple[Floats, Floats]


@dataclass(frozen=True)
class Route:
    """One cycle of a patrol: `legs` from stop to stop, each (n, 3) positions; `waits`, where the guard waits."""

    legs: tuple[Floats, ...]
    waits: tuple[Floats, ...] = ()


def routes_of(level: Level, mesh: NavMesh | None = None) -> list[Route]:
    """Return the routes of a level's patrols: straight from stop to stop, or along paths on a navmesh."""
    ends = [_legs(patrol) for patrol in level.patrols]
    every = [leg for legs in ends for leg in legs]
    walked = iter(_walk(mesh, every) if mesh is not None and every else [np.stack(leg) for leg in every])
    return [
        Route(
            tuple(next(walked) for _ in legs),
            tuple(np.array(stop.xyz) for stop in patrol.stops if stop.action == "wait"),
        )
        for patrol, legs in zip(level.patrols, ends)
    ]


def stretches(points_xyz: Floats, storeys: Storeys, storey: int) -> Iterator[tuple[Floats, bool]]:
    """Yield the stretches of a line on one storey, with the steps onto and off it, and whether the line ends there."""
    on = np.array([storeys.at(z) == storey for z in points_xyz[:, 2].tolist()])
    steps = (on[:-1] | on[1:]).astype(np.int8)
    borders = np.flatnonzero(np.diff(np.concatenate([[0], steps, [0]])))
    for first, last in borders.reshape(-1, 2).tolist():
        yield points_xyz[first : last + 1], bool(last == len(points_xyz) - 1 and on[-1])


def _legs(patrol: Patrol) -> list[Leg]:
    stops = [np.array(stop.xyz) for stop in patrol.stops]
    if patrol.loop_to is not None and stops:
        stops.append(stops[patrol.loop_to])
    return [(stop, following) for stop, following in itertools.pairwise(stops) if not np.array_equal(stop, following)]


def _walk(mesh: NavMesh, legs: Sequence[Leg]) -> list[Floats]:
    """Return each leg as walked; straight if there is no path."""
    paths = find_paths(mesh, np.stack([leg[0] for leg in legs]), np.stack([leg[1] for leg in legs]), on_floor=True)
    found = (paths[number] for number in range(len(legs)))
    return [
        path.points_xyz if path.reached and len(path.points_xyz) > 1 else np.stack(leg)
        for path, leg in zip(found, legs)
    ]
