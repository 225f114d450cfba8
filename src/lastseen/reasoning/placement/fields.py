"""Divide a plan into square fields, so that a circle is compared only with nearby edges and circles."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...conventions import Array, Bools, Floats
from ...kernels.plan_fields import PlanArrays, bin_edges

__all__ = ["ChainedCircles", "EdgeBins"]

_MOST_ALONG = 256


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
