"""Circles packed into a plan: by the boundary of the remainder, or by growth from neighbour to neighbour."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import shapely

from ...conventions import Array, Floats
from ...kernels.free_arcs import free_arcs

__all__ = ["neighbourhood_growth", "outline_edges", "remainder_boundary"]

_NARROW = 0.02
"""Share of the range of radii at which it is too small to go on."""
_SEEDS = 3
_TRIES = 200
_SAME = 1e-9
"""Share of a radius lost to rounding."""
_ARC = 8
"""Straight pieces per quarter circle where a plan is drawn in."""


def remainder_boundary(shape: Any, smallest: float, largest: float, random: np.random.Generator) -> Floats:
    """Pack circles, (n, 3): x, y and radius; each touches a wall or an earlier one.

    Each round draws a radius from the range. Where the boundary of what remains of the floor, drawn in by that radius,
    is not empty, a random point of it becomes a centre; else the radius is the new maximum. It ends when the range is
    too small.

    Notes
    -----
    The placement source's choice. It draws in the remaining polygon itself; here the floor alone is drawn in and
    earlier circles are cut off by exact arcs, which is the same line.
    """
    floor = _Floor(shape)
    largest = min(largest, floor.inradius)
    highest, tolerance = largest, _NARROW * (largest - smallest)
    while highest >= smallest:
        narrow = highest - smallest <= tolerance
        radius = smallest if narrow else float(random.uniform(smallest, highest))
        if not floor.add_touching(radius, -1, float(random.random()), smallest):
            if narrow:
                break
            highest = radius
    return floor.circles


def neighbourhood_growth(shape: Any, smallest: float, largest: float, random: np.random.Generator) -> Floats:
    """Pack circles of the two extreme radii, (n, 3), from a few random ones; every later one touches an earlier one.

    Notes
    -----
    The placement source's first way: it guarantees that neighbours can be walked between, needs circles to begin with,
    and handles only the extreme radii well.
    """
    floor = _Floor(shape)
    largest = max(smallest, min(largest, 0.999 * floor.inradius))
    for _ in range(_SEEDS):
        floor.add_anywhere(largest, random) or floor.add_anywhere(smallest, random)
    if not len(floor.circles) and floor.inradius >= smallest:
        floor.add_touching(smallest, -1, float(random.random()), smallest)
    growing = list(range(len(floor.circles)))
    while growing:
        number = int(random.integers(len(growing)))
        radii = (largest, smallest) if random.random() < 0.5 else (smallest,)
        share = float(random.random())
        if any(floor.add_touching(radius, growing[number], share, smallest) for radius in radii):
            growing.append(len(floor.circles) - 1)
        else:
            growing.pop(number)
    return floor.circles


def outline_edges(shape: Any) -> Floats:
    """Return the edges of all rings of a shape, (m, 4): x0, y0, x1, y1."""
    rings = shapely.get_rings(shapely.get_parts(shape))
    points, ring = shapely.get_coordinates(rings, return_index=True)
    joined = ring[:-1] == ring[1:]
    return np.column_stack([points[:-1][joined], points[1:][joined]])


class _Floor:
    """A plan and the circles on it."""

    def __init__(self, shape: Any) -> None:
        self._shape = shape
        self._walls = shapely.boundary(shape)
        shapely.prepare(self._walls)
        parts = shapely.get_parts(shape)
        lines = shapely.maximum_inscribed_circle(parts, tolerance=1e-3 * math.sqrt(shape.area))
        self.inradius = float(shapely.length(lines).max())
        self._circle = np.empty((64, 3))
        self._closed = np.full(64, np.inf)
        self._count = 0
        self._arcs = np.empty((512, 5))
        self._inner: dict[float, Floats] = {}

    @property
    def circles(self) -> Floats:
        return self._circle[: self._count].copy()

    def add_touching(self, radius: float, only: int, share: float, smallest: float) -> bool:
        """Add a circle of that radius at a share of the way along all places where one would touch something.

        With `only` 0 or more, it must touch that circle. Return whether there was such a place.
        """
        edge = self._drawn_in(radius)
        circle, closed = self._circle[: self._count], self._closed[: self._count]
        count = free_arcs(circle, closed, edge, radius, only, self._arcs)
        if count > len(self._arcs):
            self._arcs = np.empty((2 * count, 5))
            free_arcs(circle, closed, edge, radius, only, self._arcs)
        if count == 0:
            return False
        x, y = self._place(self._arcs[:count], edge, radius, share)
        # Buffers are rounded to a hundredth: what the place really leaves room for decides.
        room = min(radius, float(shapely.distance(self._walls, shapely.Point(x, y))))
        if self._count:
            room = min(room, float((np.hypot(circle[:, 0] - x, circle[:, 1] - y) - circle[:, 2]).min()))
        if room < smallest * (1.0 - _SAME):
            return False
        self._put(x, y, room)
        return True

    def add_anywhere(self, radius: float, random: np.random.Generator) -> bool:
        """Add a circle of that radius at a random place; return whether one was found."""
        inner = shapely.buffer(self._shape, -radius * (1.0 + 1e-6), quad_segs=_ARC)
        if inner.is_empty:
            return False
        left, low, right, high = inner.bounds
        places = random.random((_TRIES, 2)) * (right - left, high - low) + (left, low)
        circle = self._circle[: self._count]
        for x, y in places[shapely.contains_xy(inner, places)].tolist():
            room = float(shapely.distance(self._walls, shapely.Point(x, y)))
            if self._count:
                room = min(room, float((np.hypot(circle[:, 0] - x, circle[:, 1] - y) - circle[:, 2]).min()))
            if room >= radius * (1.0 - _SAME):
                self._put(x, y, min(room, radius))
                return True
        return False

    def _drawn_in(self, radius: float) -> Floats:
        """Return the edges of the plan drawn in by a radius; growth asks for the same two again and again."""
        if radius not in self._inner:
            if len(self._inner) > 1:
                self._inner.clear()
            # A little further in: pieces of a rounded corner are nearer to it than their ends.
            further = radius / math.cos(math.pi / (4 * _ARC))
            self._inner[radius] = outline_edges(shapely.buffer(self._shape, -further, quad_segs=_ARC))
        return self._inner[radius]

    def _place(self, arcs: Array, edge: Floats, radius: float, share: float) -> tuple[float, float]:
        """Return the place at a share of the whole length of some arcs."""
        passed = np.cumsum(arcs[:, 4])
        along = share * float(passed[-1])
        row = min(int(np.searchsorted(passed, along, side="right")), len(arcs) - 1)
        on_circle, number, begin, end, length = arcs[row].tolist()
        there = begin + (end - begin) * min(1.0 - (float(passed[row]) - along) / length, 1.0)
        if on_circle:
            x, y, own = self._circle[int(number)].tolist()
            return x + (own + radius) * math.cos(there), y + (own + radius) * math.sin(there)
        x0, y0, x1, y1 = edge[int(number)].tolist()
        return x0 + there * (x1 - x0), y0 + there * (y1 - y0)

    def _put(self, x: float, y: float, radius: float) -> None:
        if self._count == len(self._circle):
            self._circle = np.concatenate([self._circle, np.empty_like(self._circle)])
            self._closed = np.concatenate([self._closed, np.full(self._count, np.inf)])
        self._circle[self._count] = x, y, radius
        self._count += 1
