"""Small random changes to guards: shift, reverse, divert, reroute or replace one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ....conventions import Floats
from ....errors import InputError
from ..guard_routes import GuardRoute
from ..place.place import GuardPlanner

Change = Callable[[GuardRoute, np.random.Generator], GuardRoute | None]

_NEAREST = 12
"""Places tried instead of a corner, nearest first."""
_AGAIN = 0.25
"""Probability that a second guard changes too."""


class Moves:
    """Changes guards a little, at random, on the places of a packed level.

    Routes stay walkable and within the maximum cost of a walk. Costs of closeness to the path are not considered:
    whether the path stays passable is checked directly.
    """

    def __init__(self, planner: GuardPlanner) -> None:
        self._planner = planner
        self._places = planner.graph.places
        self._longest = planner.candidates.walker.lengths.most + 1e-9
        planner.candidates.walker.forget()
        self._changes: dict[str, Change] = {
            "other moment": self._shift,
            "other way round": self._reverse,
            "led aside": self._aside,
            "led elsewhere": self._elsewhere,
            "replaced": self._replace,
        }

    def draw(
        self, routes: tuple[GuardRoute, ...], random: np.random.Generator
    ) -> tuple[tuple[GuardRoute, ...], str] | None:
        """Return routes of which one or two are changed, and a description; None if the drawn change is impossible."""
        changed, words = list(routes), []
        for _ in range(2 if random.random() < _AGAIN else 1):
            number = int(random.integers(len(routes)))
            name = list(self._changes)[int(random.integers(len(self._changes)))]
            route = self._changes[name](changed[number], random)
            others = [other for at, other in enumerate(changed) if at != number]
            if route is not None and route.length <= self._longest and not _taken(route, others):
                changed[number] = replace(route, name=routes[number].name)
                words.append(f"guard {number + 1} {name}")
        return (tuple(changed), ", ".join(words)) if words else None

    def _shift(self, route: GuardRoute, random: np.random.Generator) -> GuardRoute | None:
        """Start elsewhere on the route; a guard with no period faces elsewhere."""
        if route.period > 0.0:
            return route.with_phase(float(random.random()) * route.period)
        return self._reverse(route, random)

    def _reverse(self, route: GuardRoute, random: np.random.Generator) -> GuardRoute | None:
        if route.stays:
            return replace(route, heading=route.heading + float(random.normal()) * math.pi / 4.0)
        return replace(route, points=route.points[::-1], waits=route.waits[::-1])

    def _aside(self, route: GuardRoute, random: np.random.Generator) -> GuardRoute | None:
        """Move one corner to a nearby place with straight walks to its neighbours on the route."""
        corner = int(random.integers(len(route.points)))
        near = np.argsort(np.linalg.norm(self._places - route.points[corner], axis=1), kind="stable")[: _NEAREST + 1]
        near = near[np.linalg.norm(self._places[near] - route.points[corner], axis=1) > 1e-6]
        if route.stays:
            near = near[near < len(self._planner.partition)]
            if not len(near):
                return None
            place = self._places[near[int(random.integers(len(near)))]]
            return GuardRoute(route.kind, place[None], route.phase, route.heading)
        before = np.roll(route.points, 1, axis=0)[corner]
        after = np.roll(route.points, -1, axis=0)[corner]
        places = self._places[near]
        clear = self._planner.ground.walkable(np.broadcast_to(before, places.shape).copy(), places)
        clear = clear & self._planner.ground.walkable(places, np.broadcast_to(after, places.shape).copy())
        if not clear.any():
            return None
        options = places[clear]
        points = route.points.copy()
        points[corner] = options[int(random.integers(len(options)))]
        return self._through(route, points)

    def _elsewhere(self, route: GuardRoute, random: np.random.Generator) -> GuardRoute | None:
        """Draw another walk from a place near the route."""
        if route.stays:
            return self._aside(route, random)
        corner = route.points[int(random.integers(len(route.points)))]
        home = int(np.argmin(np.linalg.norm(self._places - corner, axis=1)))
        try:
            walk = self._planner.candidates.walker.walk(random, home)
        except InputError:
            return None
        found = self._through(route, self._places[walk.nodes])
        return None if found is None else found.with_phase(float(random.random()) * found.period)

    def _replace(self, route: GuardRoute, random: np.random.Generator) -> GuardRoute | None:
        try:
            return self._planner.candidates.draw(route.kind, random)[1]
        except InputError:
            return None

    def _through(self, route: GuardRoute, corners: Floats) -> GuardRoute | None:
        points = self._planner.candidates.walker.on_floor(corners)
        waits = route.waits if len(points) == len(route.points) else np.zeros(0)
        found = GuardRoute(route.kind, points, route.phase, route.heading, waits=waits)
        return None if found.stays else found


def _taken(route: GuardRoute, others: list[GuardRoute]) -> bool:
    """Return whether a stationary guard would stand where another stands."""
    return route.stays and any(other.stays and np.allclose(other.points, route.points) for other in others)
