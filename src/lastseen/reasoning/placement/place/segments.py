"""Xu's baseline: the level is divided into regions, and one guard paces a straight segment in each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....conventions import Array
from ....errors import InputError
from ..coverage import Watch
from ..guard_routes import GuardKind, GuardRoute
from .candidates import Candidate
from .sight_graph import SightGraph


def draw_segments(
    graph: SightGraph, watch: Watch, kinds: Sequence[GuardKind], random: np.random.Generator
) -> list[Candidate]:
    """Draw one guard for each region of the Voronoi diagram of as many random places.

    A walking guard paces between two places of its region that are linked, a stationary one stays at its random place.
    The intended path is ignored, as in that approach.
    """
    centres = graph.places[: len(graph.partition)]
    if len(kinds) > len(centres):
        raise InputError(f"{len(kinds)} regions need as many places, but there are {len(centres)}; use fewer guards")
    seeds = random.choice(len(centres), len(kinds), replace=False)
    apart = np.linalg.norm(graph.places[:, None] - centres[seeds][None], axis=2)
    region = apart.argmin(axis=1)
    found = list[Candidate]()
    for number, kind in enumerate(kinds):
        ends = _segment(graph, region == number, random) if kind.walks else np.zeros(0, np.int32)
        place = -1 if len(ends) else int(seeds[number])
        points = graph.places[ends] if len(ends) else centres[seeds[number]][None]
        route = GuardRoute(kind, points, heading=2.0 * np.pi * float(random.random()))
        route = route.with_phase(float(random.random()) * route.period)
        found.append(Candidate(route, watch.share(route), place))
    return found


def _segment(graph: SightGraph, mine: Array, random: np.random.Generator) -> Array:
    """Return both ends of a random link within a region; none if it has no link."""
    inside = np.flatnonzero(mine[graph.pairs].all(axis=1))
    return graph.pairs[int(random.choice(inside))] if len(inside) else np.zeros(0, np.int32)
