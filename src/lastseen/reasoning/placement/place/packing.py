"""Pack circles into a plan, with a grid of square fields that limits comparisons to near neighbours."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from ....conventions import Array, Bools, Floats
from ....kernels.placement.free_arcs import PlanArrays, bin_edges, free_arcs

_STEPS = 48
"""Number of radii in a range: the floor is shrunk once for each."""
_AGAIN = 8
"""Places tried before a radius is given up: rounded corners leave slightly less room than they should."""
_SEEDS = 3
_TRIES = 200
_SAME = 4e-4
"""Tolerance on the smallest radius, so that a corridor exactly as wide as a circle is not left out."""
_ARC = 8
"""Straight pieces per quarter circle when a plan is shrunk."""
_MOST_ALONG = 256


def remainder_boundary(shape: Any, smallest: float, largest: float, random: np.random.Generator) -> Floats:
    """Pack circles, (n, 3): x, y and radius; each touches a wall or an earlier circle.

    Each iteration draws a radius from the range, in 48 steps. If the boundary of the remaining floor, shrunk by that
    radius, is not empty, a random point of it becomes a centre; otherwise only smaller radii are drawn from then on. It
    ends when none is left.

    Notes
    -----
    This is the placement source's choice. The source shrinks the remaining polygon; here only the floor is shrunk and
    earlier circles are cut off by exact arcs, which gives the same line.
    """
    floor = _Floor(shape, largest)
    radii = np.unique(np.linspace(smallest, max(smallest, min(largest, floor.inradius)), _STEPS)).tolist()
    while radii:
        step = int(random.integers(len(radii)))
        if not floor.add_touching(radii[step], -1, random.random(_AGAIN), smallest):
            del radii[step:]
    return floor.circles


def neighbourhood_growth(shape: Any, smallest: float, largest: float, random: np.random.Generator) -> Floats:
    """Pack circles of the two extreme radii, (n, 3), starting from a few random ones; each other one touches an earlier
    one.

    Notes
    -----
    The placement source's first method: it guarantees that neighbours can be walked between, needs initial circles, and
    handles only the extreme radii well. It does not grow into rooms whose doors are narrower than a circle: where
    growth ends and random places still have room, it starts again there.
    """
    floor = _Floor(shape, largest)
    largest = max(smallest, min(largest, 0.999 * floor.inradius))
    while True:
        first = len(floor.circles)
        for _ in range(_SEEDS):
            floor.add_anywhere(largest, random) or floor.add_anywhere(smallest, random)
        if first == 0 and not len(floor.circles):
            floor.add_touching(smallest, -1, random.random(_AGAIN), smallest)
        growing = list(range(first, len(floor.circles)))
        if not growing:
            return floor.circles
        _grow(floor, growing, smallest, largest, random)


def _grow(floor: _Floor, growing: list[int], smallest: float, largest: float, random: np.random.Generator) -> None:
    """Add circles next to those `growing`, and next to the new ones, until none has room next to it."""
    while growing:
        number = int(random.integers(len(growing)))
        radii = (largest, smallest) if random.random() < 0.5 else (smallest,)
        shares = random.random(_AGAIN)
        if any(floor.add_touching(radius, growing[number], shares, smallest) for radius in radii):
            growing.append(len(floor.circles) - 1)
        else:
            growing.pop(number)


def outline_edges(shape: Any) -> Floats:
    """Return the edges of all rings of a shape, (m, 4): x0, y0, x1, y1."""
    rings = shapely.get_rings(shapely.get_parts(shape))
    points, ring = shapely.get_coordinates(rings, return_index=True)
    joined = ring[:-1] == ring[1:]
    return np.column_stack([points[:-1][joined], points[1:][joined]])


class _Floor:
    """A plan and the circles on it."""

    def __init__(self, shape: Any, largest: float) -> None:
        self._shape = shape
        self._walls = shapely.boundary(shape)
        shapely.prepare(self._walls)
        parts = shapely.get_parts(shape)
        lines = shapely.maximum_inscribed_circle(parts, tolerance=1e-3 * math.sqrt(shape.area))
        self.inradius = float(shapely.length(lines).max())
        self._circles = ChainedCircles(shape.bounds, min(largest, self.inradius))
        self._arcs = np.empty((512, 5))
        self._inner: dict[float, EdgeBins] = {}
        self._sown: dict[float, Any] = {}

    @property
    def circles(self) -> Floats:
        return self._circles.all.copy()

    def add_touching(self, radius: float, only: int, shares: Floats, smallest: float) -> bool:
        """Add a circle of this radius at a share of the total length of places where it would touch something.

        The first of several `shares` that leaves room for the smallest circle is used. With `only` 0 or more, it must
        touch that circle. Return whether there was such a place.
        """
        if radius not in self._inner:
            edges = outline_edges(shapely.buffer(self._shape, -radius * (1.0 - _SAME / 2.0), quad_segs=_ARC))
            self._inner[radius] = EdgeBins.of(self._circles.grid, edges)
        plan = self._circles.plan(self._inner[radius])
        count = free_arcs(plan, radius, only, self._arcs)
        if count > len(self._arcs):
            self._arcs = np.empty((2 * count, 5))
            free_arcs(plan, radius, only, self._arcs)
        for share in shares.tolist() if count else ():
            for x, y in self._pushed(*_place(self._arcs[:count], plan, radius, share), radius):
                room = min(radius, self._room(x, y))
                if room >= smallest * (1.0 - _SAME):
                    self._circles.add(x, y, room)
                    return True
        return False

    def _pushed(self, x: float, y: float, radius: float) -> Iterator[tuple[float, float]]:
        """Yield a place moved to one radius from its nearest wall, then the place itself.

        A rounded corner is approximated by straight pieces, whose middles are closer to it than they should be.
        """
        line = shapely.get_coordinates(shapely.shortest_line(self._walls, shapely.Point(x, y)))
        away = line[1] - line[0]
        near = float(np.hypot(*away))
        if radius * 0.9 < near < radius * (1.0 - _SAME):
            out = line[0] + away * (radius / near)
            yield float(out[0]), float(out[1])
        yield x, y

    def add_anywhere(self, radius: float, random: np.random.Generator) -> bool:
        """Add a circle of this radius at a random place; return whether one was found."""
        if radius not in self._sown:
            self._sown[radius] = shapely.buffer(self._shape, -radius * (1.0 + 1e-6), quad_segs=_ARC)
        inner = self._sown[radius]
        if inner.is_empty:
            return False
        left, low, right, high = inner.bounds
        places = random.random((_TRIES, 2)) * (right - left, high - low) + (left, low)
        for x, y in places[shapely.contains_xy(inner, places)].tolist():
            room = self._room(x, y)
            if room >= radius:
                self._circles.add(x, y, radius)
                return True
        return False

    def _room(self, x: float, y: float) -> float:
        """Return the radius of the largest circle that fits at a place."""
        room = float(shapely.distance(self._walls, shapely.Point(x, y)))
        circle = self._circles.all
        away = np.hypot(circle[:, 0] - x, circle[:, 1] - y) - circle[:, 2]
        return min(room, float(away.min(initial=math.inf)))


def _place(arcs: Array, plan: PlanArrays, radius: float, share: float) -> tuple[float, float]:
    """Return the place at a share of the total length of some arcs."""
    passed = np.cumsum(arcs[:, 4])
    along = share * float(passed[-1])
    row = min(int(np.searchsorted(passed, along, side="right")), len(arcs) - 1)
    on_circle, number, begin, end, length = arcs[row].tolist()
    there = begin + (end - begin) * min(1.0 - (float(passed[row]) - along) / length, 1.0)
    if on_circle:
        x, y, own = plan.circle[int(number)].tolist()
        return x + (own + radius) * math.cos(there), y + (own + radius) * math.sin(there)
    x0, y0, x1, y1 = plan.edge[int(number)].tolist()
    return x0 + there * (x1 - x0), y0 + there * (y1 - y0)


@dataclass(frozen=True, eq=False)
class EdgeBins:
    """The edges of a plan shrunk by a radius, in fields; kernels set `covered` for edges with no free part."""

    edge: Floats
    covered: Bools
    start: Array
    member: Array

    @classmethod
    def of(cls, grid: Floats, edge: Floats) -> EdgeBins:
        """Sort edges (m, 4) into the fields of a grid."""
        count = np.zeros(int(grid[3] * grid[4]), np.int64)
        bin_edges(grid, edge, count, np.empty(0, np.uint32))
        start = np.r_[0, np.cumsum(count)]
        member = np.empty(int(start[-1]), np.uint32)
        if len(member):
            bin_edges(grid, edge, start[:-1].copy(), member)
        return cls(edge, np.zeros(len(edge), np.bool_), start.astype(np.uint32), member)


class ChainedCircles:
    """Circles on a plan, indexed by the field of their centre.

    Attributes
    ----------
    grid : see `PlanArrays`.
    """

    def __init__(self, bounds: tuple[float, float, float, float], largest: float) -> None:
        left, low, right, high = bounds
        extent = max(right - left, high - low)
        size = max(largest, extent / _MOST_ALONG)
        columns, rows = (max(1, math.ceil(length / size)) for length in (right - left, high - low))
        self.grid = np.array([left, low, 1.0 / size, columns, rows, largest])
        self._head = np.full(columns * rows, -1, np.int32)
        self._circle, self._closed = np.empty((64, 3)), np.full(64, np.inf)
        self._following = np.full(64, -1, np.int32)
        self._count = 0

    @property
    def all(self) -> Floats:
        """(n, 3): x, y and radius, in the order they were added."""
        return self._circle[: self._count]

    def plan(self, bins: EdgeBins) -> PlanArrays:
        """Return the arrays for kernels."""
        return PlanArrays(
            self.grid,
            self.all,
            self._closed[: self._count],
            self._head,
            self._following[: self._count],
            bins.edge,
            bins.covered,
            bins.start,
            bins.member,
        )

    def add(self, x: float, y: float, radius: float) -> None:
        """Add a circle no larger than the largest."""
        if self._count == len(self._circle):
            self._circle = np.concatenate([self._circle, np.empty_like(self._circle)])
            self._closed = np.concatenate([self._closed, np.full(self._count, np.inf)])
            self._following = np.concatenate([self._following, np.full(self._count, -1, np.int32)])
        left, low, per_metre, columns, rows, _ = self.grid.tolist()
        column = min(max(int((x - left) * per_metre), 0), int(columns) - 1)
        field = min(max(int((y - low) * per_metre), 0), int(rows) - 1) * int(columns) + column
        self._circle[self._count] = x, y, radius
        self._following[self._count] = self._head[field]
        self._head[field] = self._count
        self._count += 1
