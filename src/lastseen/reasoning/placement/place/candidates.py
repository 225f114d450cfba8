"""Candidate routes: closed random walks over a level, what they see, and the choice of guards among them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ....conventions import Array, Floats, Ids
from ....errors import InputError
from ....kernels.placement.closed_walk import closed_walk, costs_home
from ....kernels.placement.guard_choice import Aims, PoolArrays, choose_in_turn, swap_guards
from ....navmesh.query import find_path
from ..coverage import Watch
from ..guard_ground import GuardGround
from ..guard_routes import GuardKind, GuardRoute
from ..placement_settings import PlacementSettings
from ..route_grammar import Stop, parse_grammar, rewrite
from .sight_graph import SightGraph, closeness

_STEPS = 2000
_LEVEL = 1e-6
_KEPT = 20_000
"""Number of links whose bends are cached."""
_TURNS = tuple(math.pi * eighth / 4.0 for eighth in range(8))
_ROUNDS = 100
"""Maximum number of rounds of swaps; a handful is typical."""
_SAME = 1e-12


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
        self._rules = parse_grammar(settings.grammar)
        self._bends: dict[tuple[bytes, bytes], Floats] = {}
        self._sloping = bool(np.ptp(ground.bare.bounds_xyz[:, 2]) > _LEVEL)
        self._spots = np.hstack([graph.places, graph.places])
        self._path_weight = graph.length + self._near(graph.lines, ground.paths, self.lengths.path_cost)
        self._path_rent = self._near(self._spots, ground.paths, self.lengths.path_cost)
        self.forget()

    def forget(self) -> None:
        """Remove earlier guards from the costs."""
        self.weight, self.rent = self._path_weight.copy(), self._path_rent.copy()
        # Corners of paths are only passed through, never stayed at.
        self._free = np.arange(len(self.rent)) < len(self._graph.partition)

    def _near(self, lines: Floats, path: Floats | tuple[Floats, ...], cost: float) -> Floats:
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
        """Draw closed walks, from a place or from anywhere, until one reaches the minimum cost; raise if none does."""
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
        """Draw a place to stay at, more likely the less it costs; raise if all are taken or too expensive."""
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
        walk, waits = self._lively(self.walk(random), random) if kind.walks else (self.spot(random), np.zeros(0))
        heading = 2.0 * math.pi * float(random.random())
        legs = self._legs(self._graph.places[walk.nodes])
        if len(waits):
            waits = np.concatenate([np.r_[wait, np.zeros(len(leg) - 1)] for wait, leg in zip(waits.tolist(), legs)])
        route = GuardRoute(kind, np.concatenate(legs), heading=heading, waits=waits)
        return walk, route.with_phase(float(random.random()) * route.period)

    def _lively(self, walk: Walk, random: np.random.Generator) -> tuple[Walk, Floats]:
        """Return a walk with the detours of the grammar, still within the maximum cost, and the waits at its places."""
        if not self._rules:
            return walk, np.zeros(0)
        graph, cost = self._graph.arrays, walk.cost

        def away(place: int, chance: float) -> int | None:
            nonlocal cost
            links = slice(int(graph.start[place]), int(graph.start[place + 1]))
            price = 2.0 * self.weight[graph.edge[links]]
            near = np.flatnonzero(cost + price <= self.lengths.most)
            if not len(near):
                return None
            chosen = int(near[int(chance * len(near))])
            cost += float(price[chosen])
            return int(graph.neighbour[links][chosen])

        plain = [Stop(node) for node in walk.nodes.tolist()]
        stops = rewrite(plain, self._rules, self._settings.rewrites, random, away)
        return Walk(np.array([stop.place for stop in stops], np.int32), cost), np.array([stop.wait for stop in stops])

    def on_floor(self, corners: Floats) -> Floats:
        """Return the corners (n, 3) of a route; where floors slope, with the points at which they bend."""
        return np.concatenate(self._legs(corners))

    def _legs(self, corners: Floats) -> list[Floats]:
        """Return the points of each leg, from its corner to before the next."""
        if not self._sloping or len(corners) == 1:
            return [corners[row : row + 1] for row in range(len(corners))]
        return [self._bent(*ends) for ends in zip(corners, np.roll(corners, -1, axis=0))]

    def _bent(self, begin: Floats, end: Floats) -> Floats:
        """Return a straight link with the points at which it bends, without its end; cached, as walks share links."""
        key = (begin.tobytes(), end.tobytes())
        found = self._bends.get(key)
        if found is None:
            path = find_path(self._ground.mesh, begin, end, on_floor=True)
            found = path.points_xyz[:-1] if path.reached and len(path.points_xyz) > 1 else begin[None].copy()
            if len(self._bends) >= _KEPT:
                self._bends.clear()
            self._bends[key] = found
        return found


def _two_digits(value: float, rounding: Callable[[float], int]) -> float:
    """Return a positive number rounded up or down to two digits."""
    step = 10.0 ** (math.floor(math.log10(value)) - 1)
    return float(f"{rounding(value / step) * step:.2g}")


class Candidates:
    """Draws routes on a packed level together with what they see.

    Attributes
    ----------
    walker : draws closed walks within the cost limits.
    watch : samples of floor and path.
    worth : (samples,) value of seeing each sample: 1 / n for floor, less near the path, and negative on the path.
    """

    def __init__(
        self, ground: GuardGround, graph: SightGraph, settings: PlacementSettings, watch: Watch | None = None
    ) -> None:
        self.walker = Walker(ground, graph, settings)
        self.watch = Watch(ground) if watch is None else watch
        places, path = self.watch.places, self.watch.path
        near = closeness(np.hstack([places, places]), ground.paths, self.walker.lengths.drop_off)
        spared = np.full(len(path), -settings.spare_path / len(path))
        self.worth: Floats = np.concatenate([(1.0 - near) / len(places), spared])

    def draw(self, kind: GuardKind, random: np.random.Generator) -> tuple[Walk, GuardRoute, Floats]:
        """Draw a route and what it sees; a guard that stays faces the most valuable direction."""
        walk, options = self._options(kind, random)
        best = options[int(np.argmax([one.share @ self.worth for one in options]))]
        return walk, best.route, best.share

    def draw_all(self, kind: GuardKind, random: np.random.Generator) -> list[Candidate]:
        """Draw a route, or a place with all directions to face."""
        return self._options(kind, random)[1]

    def _options(self, kind: GuardKind, random: np.random.Generator) -> tuple[Walk, list[Candidate]]:
        walk, route = self.walker.draw(kind, random)
        options = [route]
        if route.stays and kind.opening < 2.0 * math.pi:
            options = [replace(route, heading=route.heading + turn) for turn in _TURNS]
        return walk, [Candidate(option, self.watch.share(option), walk.place) for option in options]


class Candidate(NamedTuple):
    """A guard to choose: its route, what it sees (samples,), and its place if it stays, else -1."""

    route: GuardRoute
    share: Floats
    place: int


def choose_together(pool: Sequence[Candidate], first: int, floor: int, spare: float) -> Ids:
    """Choose guards that see as much of the floor as possible, at some time and at any moment, and little of the path.

    The first guards of the pool are an initial choice: guards placed one by one. Another is taken only if it sees no
    less of the floor, by either measure, and, unless `spare` is 0, no more of the path. Swaps improve that choice, and
    a second one made guard by guard for what each adds; the better one is returned.

    Parameters
    ----------
    pool : guards to choose from; each of the first is replaced by one of the same kind.
    first : number of guards, at the start of the pool.
    floor : number of samples on the floor; the rest are on the path.
    spare : penalty for seeing all of the path, relative to seeing all of the floor.

    Returns
    -------
    (first,) int32, numbers of guards in the pool.
    """
    arrays = pool_arrays(pool, floor)
    chosen = np.arange(first, dtype=np.int32)
    bounds = _bounds(arrays, chosen, floor, spare)
    value = swap_guards(arrays, bounds, chosen, _ROUNDS)
    other, free = chosen.copy(), bounds._replace(fewest=0, least_mean=0.0)
    if choose_in_turn(arrays, free, arrays.kind[:first].copy(), other):
        found = swap_guards(arrays, bounds, other, _ROUNDS)
        if found > value and _within(_bounds(arrays, other, floor, spare), bounds):
            return other
    return chosen


def _bounds(arrays: PoolArrays, chosen: Ids, floor: int, spare: float) -> Aims:
    """Return the measures of a choice as bounds for others; the path is bounded only if it counts."""
    fewest = sum(map(int.bit_count, np.bitwise_or.reduce(arrays.floor[chosen]).tolist()))
    hidden = arrays.hidden[chosen].prod(axis=0)
    most_path = 1.0 - float(hidden[floor:].mean()) if spare > 0.0 else 1.0
    return Aims(floor, spare, fewest, 1.0 - float(hidden[:floor].mean()), most_path)


def _within(found: Aims, bounds: Aims) -> bool:
    enough = found.fewest >= bounds.fewest and found.least_mean >= bounds.least_mean - _SAME
    return enough and found.most_path <= bounds.most_path + _SAME


def pool_arrays(pool: Sequence[Candidate], floor: int) -> PoolArrays:
    """Return what guards see as bits of the floor and shares of the path."""
    kinds: dict[GuardKind, int] = {}
    kind = [kinds.setdefault(one.route.kind, len(kinds)) for one in pool]
    shares = np.array([one.share for one in pool])
    bits = np.zeros((len(pool), -(-floor // 64) * 64), bool)
    bits[:, :floor] = shares[:, :floor] > 0.0
    words = np.packbits(bits, axis=1, bitorder="little").view(np.uint64)
    alone = np.ascontiguousarray(shares[:, :floor].mean(axis=1))
    return PoolArrays(words, 1.0 - shares, alone, np.array(kind, np.int32), np.array([p.place for p in pool], np.int32))
