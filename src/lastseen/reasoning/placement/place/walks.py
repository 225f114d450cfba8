"""Routes for guards: closed random walks over the places of a level, and places for stationary guards."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from ....conventions import Array, Floats, Ids
from ....errors import InputError
from ....kernels.placement.closed_walk import closed_walk, costs_home
from ....navmesh.query import find_path
from ..guard_ground import GuardGround
from ..guard_kinds import GuardKind
from ..guard_routes import GuardRoute
from ..placement_settings import PlacementSettings
from .sight_graph import SightGraph, closeness

_STEPS = 2000
_LEVEL = 1e-6
_KEPT = 20_000
"""Number of links whose bends are cached."""


@dataclass(frozen=True)
class Lengths:
    """The lengths of the settings in metres."""

    path_cost: float
    guard_cost: float
    drop_off: float
    least: float
    most: float

    @classmethod
    def of(cls, settings: PlacementSettings, area: float) -> Lengths:
        """Return them for a level of `area` square metres: in units of its square root, unless they are `raw`."""
        unit = 1.0 if settings.raw else math.sqrt(area)
        return cls(
            settings.path_cost * unit,
            settings.guard_cost * unit,
            settings.drop_off * unit,
            settings.least * unit,
            settings.most * unit,
        )


@dataclass(frozen=True, eq=False)
class Walk:
    """A closed walk: centres in order, the first not repeated, and its cost. One centre: a place to stay."""

    nodes: Ids
    cost: float

    @property
    def place(self) -> int:
        """The number of the place to stay; -1: it is a walk."""
        return int(self.nodes[0]) if len(self.nodes) == 1 else -1


class Walker:
    """Draws walks and places on a graph whose costs rise near the intended path and near earlier guards."""

    def __init__(self, ground: GuardGround, graph: SightGraph, settings: PlacementSettings) -> None:
        self._ground, self._graph, self._settings = ground, graph, settings
        self.lengths = Lengths.of(settings, ground.area)
        self._ways: dict[tuple[bytes, bytes], Floats] = {}
        self._sloping = bool(np.ptp(ground.bare.bounds_xyz[:, 2]) > _LEVEL)
        self._spots = np.hstack([graph.places, graph.places])
        self._path_weight = graph.length + self._near(graph.lines, ground.path, self.lengths.path_cost)
        self._path_rent = self._near(self._spots, ground.path, self.lengths.path_cost)
        self.forget()

    def forget(self) -> None:
        """Remove earlier guards from the costs."""
        self.weight, self.rent = self._path_weight.copy(), self._path_rent.copy()
        # Corners of paths are only passed through, never stayed at.
        self._free = np.arange(len(self.rent)) < len(self._graph.partition)

    def _near(self, lines: Floats, path: Floats, cost: float) -> Floats:
        return cost * closeness(lines, path, self.lengths.drop_off)

    def add_guard(self, walk: Walk) -> None:
        """Raise the costs near a guard's route for later guards, and mark its place as taken if it stays."""
        cost, nodes = self.lengths.guard_cost, walk.nodes
        round_trip = self._graph.places[np.r_[nodes, nodes[:1]]]
        if len(nodes) == 1:
            self.occupy(nodes.tolist())
        if self._settings.guard_term == "linear":
            self.weight += self._near(self._graph.lines, round_trip, cost)
            self.rent += self._near(self._spots, round_trip, cost)
            return
        self.weight[self._edges(nodes)] += cost
        self.rent[np.unique(nodes)] += cost

    def occupy(self, nodes: Iterable[int]) -> None:
        """Make places unavailable to stationary guards."""
        self._free[list(nodes)] = False

    def _edges(self, nodes: Ids) -> Array:
        """Return the numbers of the edges a walk uses, each once."""
        steps = np.sort(np.column_stack([nodes, np.roll(nodes, -1)]), axis=1)
        count = len(self._spots)
        number = self._graph.pairs[:, 0].astype(np.int64) * count + self._graph.pairs[:, 1]
        used = steps[:, 0].astype(np.int64) * count + steps[:, 1]
        return np.flatnonzero(np.isin(number, used))

    def closed(self, random: np.random.Generator, home: int | None = None) -> Walk:
        """Draw one closed walk from a place, or from a random one, with any cost up to the maximum."""
        graph, count = self._graph.arrays, len(self._spots)
        home = int(random.integers(count)) if home is None else home
        back = np.empty(count)
        costs_home(graph, self.weight, home, back)
        nodes = np.empty(_STEPS + count + 1, np.int32)
        length, cost = closed_walk(graph, self.weight, back, home, self.lengths.most, random.random(_STEPS), nodes)
        return Walk(nodes[: max(1, length - 1)].copy(), cost)

    def walk(self, random: np.random.Generator, home: int | None = None) -> Walk:
        """Draw closed walks, from a place or from anywhere, until one reaches the minimum cost.

        Raises
        ------
        InputError
            None did within the attempts the settings allow.
        """
        best = 0.0
        for _ in range(self._settings.attempts):
            found = self.closed(random, home)
            if found.cost >= self.lengths.least:
                return found
            best = max(best, found.cost)
        words = f"no closed walk between {self.lengths.least:.3g} m (least) and {self.lengths.most:.3g} m (most)"
        raise InputError(f"{words} in {self._settings.attempts} draws; {self._advice(best)}")

    def _advice(self, dearest: float) -> str:
        """Return advice, in the units of the settings, for when no walk is within the cost limits."""
        given, lengths = self._settings, self.lengths
        unit = lengths.most / given.most
        there_and_back = 2.0 * float(self.weight.min(initial=math.inf))
        if not lengths.most < there_and_back < math.inf:
            shown = "m" if given.raw else f"m, {dearest / unit:.3g} in units"
            return (
                f"the most expensive costs {dearest:.3g} {shown}: lower least, raise most, or lower the path cost so "
                "that guards can get closer to the path"
            )
        near = (self._path_weight - self._graph.length) / max(lengths.path_cost, 1e-300)
        spare = 0.5 * lengths.most - (self.weight - lengths.path_cost * near)
        cost = float((spare[near > 0.0] / near[near > 0.0]).max(initial=0.0)) / unit
        lower = (
            f"lower the path cost from {given.path_cost:g} to {_two_digits(cost, math.floor):g}, or " if cost else ""
        )
        enough = _two_digits(there_and_back / unit, math.ceil)
        fewer = ", or use fewer guards" if (self.weight > self._path_weight).any() else ""
        return f"the cheapest round trip costs {there_and_back:.3g} m: {lower}raise most to {enough:g}{fewer}"

    def spot(self, random: np.random.Generator) -> Walk:
        """Draw a place to stay at, more likely the less it costs; never one that costs the maximum or more.

        Raises
        ------
        InputError
            All places are taken or too expensive.
        """
        chance = np.where(self._free, np.maximum(0.0, 1.0 - self.rent / self.lengths.most), 0.0)
        if not chance.any():
            taken = len(self._graph.partition) - int(self._free.sum())
            raise InputError(
                f"no place is left for a stationary guard: {taken} of {len(self._graph.partition)} are taken, "
                "the rest are too close to the path or other guards; use fewer guards, or lower the path cost"
            )
        total = np.cumsum(chance)
        node = min(int(np.searchsorted(total, random.random() * total[-1], side="right")), len(chance) - 1)
        return Walk(np.array([node], np.int32), float(self.rent[node]))

    def draw(self, kind: GuardKind, random: np.random.Generator) -> tuple[Walk, GuardRoute]:
        """Draw a route, or a place and a direction, for a guard of some kind."""
        walk = self.walk(random) if kind.walks else self.spot(random)
        heading = 2.0 * math.pi * float(random.random())
        route = GuardRoute(kind, self.on_floor(self._graph.places[walk.nodes]), heading=heading)
        return walk, route.with_phase(float(random.random()) * route.period)

    def on_floor(self, corners: Floats) -> Floats:
        """Return the corners (n, 3) of a route; where floors slope, with the points at which they bend."""
        if not self._sloping or len(corners) == 1:
            return corners
        return np.concatenate([self._bent(*ends) for ends in zip(corners, np.roll(corners, -1, axis=0))])

    def _bent(self, begin: Floats, end: Floats) -> Floats:
        """Return a straight link with the points at which it bends, without its end; cached, as walks share links."""
        key = (begin.tobytes(), end.tobytes())
        found = self._ways.get(key)
        if found is None:
            way = find_path(self._ground.mesh, begin, end, on_floor=True)
            found = way.points_xyz[:-1] if way.reached and len(way.points_xyz) > 1 else begin[None].copy()
            if len(self._ways) >= _KEPT:
                self._ways.clear()
            self._ways[key] = found
        return found


def _two_digits(value: float, rounding: Callable[[float], int]) -> float:
    """Return a positive number rounded up or down to two digits."""
    step = 10.0 ** (math.floor(math.log10(value)) - 1)
    return float(f"{rounding(value / step) * step:.2g}")
