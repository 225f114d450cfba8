"""Plan flanks around a line of combat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import points_xyz, read_only, thing_of
from ...conventions import Floats
from .avenue import Avenue
from .cheapest_routes import CheapestWays, Routes
from .combat_line import CombatLine
from .cost_field import NO_COST, CostField

_EVERY = 0.5
"""Metres between sampled places of a route."""


@dataclass(frozen=True, eq=False)
class Flanks:
    """Flanking routes for n flankers.

    Attributes
    ----------
    routes : the route of each, including costs along the cells.
    aside : (n,) float64, greatest distance from the centre line in metres; + to the left, seen from the target.
    inside : (n,) float64, metres of it through excluded ground, including its two ends.
    best : the flanker with the cheapest route; -1: none has one.
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
    """Find routes by which `flankers_xyz` (n, 3) reach the target of a line without running down that line.

    Parameters
    ----------
    excluded : ground to avoid whatever the detour, if there is another way at all.
    field : further costs: exposure, danger.
    goal_xyz : (n, 3) goal of each; None: the target.
    most : maximum cost of a route, beyond which it is given up ("too_dear"); one or (n,).

    Notes
    -----
    The coordinator of *The Last of Us* lets only the agent with the cheapest route flank: `best`.
    """
    thing_of(ways, CheapestWays, "ways", "create it once with CheapestWays(layout)")
    thing_of(line, CombatLine, "line", "create one with combat_line(…)")
    thing_of(field, CostField, "field", "give a CostField")
    flankers = points_xyz(flankers_xyz, "flankers_xyz")
    goals = np.tile(line.origin_xyz, (len(flankers), 1)) if goal_xyz is None else points_xyz(goal_xyz, "goal_xyz")
    total = line.field() + field
    if excluded is not None:
        total += thing_of(excluded, Avenue, "excluded", "create one with avenue(…)").field()
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
