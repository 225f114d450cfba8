"""Flanks: which way round a line of combat?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import points_xyz, read_only, thing_of
from ...conventions import Floats
from .avenue import Avenue
from .combat_line import CombatLine
from .cost_field import NO_COST, CostField
from .routes import Routes
from .ways import CheapestWays

__all__ = ["Flanks", "flank_routes"]

_EVERY = 0.5
"""Metres between places of a route that are looked at."""


@dataclass(frozen=True, eq=False)
class Flanks:
    """Ways round for n flankers.

    Attributes
    ----------
    routes : the way of each, costs along the cells included.
    aside : (n,) float64, metres the route goes furthest from the centre line; + to the left, seen from the target.
    inside : (n,) float64, metres it runs through ground that was excluded, its two ends included.
    best : which flanker's route is cheapest; -1: none has one.
    """

    routes: Routes
    aside: Floats
    inside: Floats
    best: int


def flank_routes(
    ways: CheapestWays,
    line: CombatLine,
    flankers_xyz: Any,
    *,
    excluded: Avenue | None = None,
    field: CostField = NO_COST,
    goal_xyz: Any = None,
    most: Any = np.inf,
) -> Flanks:
    """How should each of `flankers_xyz` (n, 3) come at the target of a line without going down that line?

    Parameters
    ----------
    excluded : ground to keep out of whatever the detour, where there is another way at all.
    field : what else makes places dear: exposure, danger.
    goal_xyz : (n, 3) where each should come out; None: at the target.
    most : a route that costs more is given up ("too_dear"); one or (n,).

    Notes
    -----
    The coordinator of *The Last of Us* lets the one with the cheapest route flank, and nobody else: `best`.
    """
    thing_of(ways, CheapestWays, "ways", "make them once with CheapestWays(layout)")
    thing_of(line, CombatLine, "line", "make one with combat_line(…)")
    thing_of(field, CostField, "field", "give a CostField")
    flankers = points_xyz(flankers_xyz, "flankers_xyz")
    goals = np.tile(line.origin_xyz, (len(flankers), 1)) if goal_xyz is None else points_xyz(goal_xyz, "goal_xyz")
    total = line.field() + field
    if excluded is not None:
        total += thing_of(excluded, Avenue, "excluded", "make one with avenue(…)").field()
    routes = ways.find(flankers, goals, total, most=most)
    aside, inside = np.zeros(len(flankers)), np.zeros(len(flankers))
    for i, route in enumerate(routes):
        if not route.reached:
            continue
        places, metres = _along(route.points_xyz)
        off = line.aside(places)
        aside[i] = off[np.argmax(np.abs(off))]
        if excluded is not None:
            inside[i] = float(metres[excluded.contains(places)].sum())
    cheapest = int(np.argmin(routes.cost)) if routes.reached.any() else -1
    return Flanks(routes, read_only(aside), read_only(inside), cheapest)


def _along(points: Floats) -> tuple[Floats, Floats]:
    """Return places along a route and the metres each stands for."""
    steps = np.diff(points, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    parts = np.maximum(np.ceil(lengths / _EVERY).astype(np.int64), 1)
    leg = np.repeat(np.arange(len(parts)), parts)
    share = (np.arange(len(leg)) - np.repeat(np.cumsum(parts) - parts, parts) + 0.5) / parts[leg]
    places = points[leg] + steps[leg] * share[:, None]
    return places, lengths[leg] / parts[leg]
