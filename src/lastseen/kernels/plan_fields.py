"""Edges and circles of a plan in square fields, so that a kernel meets only what is near."""

from __future__ import annotations

from typing import NamedTuple

from ..conventions import Array
from .jit import inner, jit

__all__ = ["PlanArrays", "bin_edges", "field_along"]


class PlanArrays(NamedTuple):
    """A plan drawn in by a radius, and the circles on it, both sorted into square fields. N circles, M edges, F fields.

    Circles of a field hang in a chain: the first in `head`, the one after circle i in `following[i]`; -1 ends it.
    """

    grid: Array  # float64 (6,)  low corner x, y; fields per metre; fields along x, along y; largest radius of a circle
    circle: Array  # float64 (N, 3)  x, y, radius
    closed: Array  # float64 (N,)  from which radius on nothing fits beside each, at first infinite
    head: Array  # int32 (F,)
    following: Array  # int32 (N,)
    edge: Array  # float64 (M, 4)  x0, y0, x1, y1 of the rings
    covered: Array  # bool (M,)  edges with nothing free left
    start: Array  # uint32 (F + 1,)  where the edges of a field begin in `member`
    member: Array  # uint32


@inner
def field_along(grid: Array, axis: int, value: float) -> int:
    """Return the column (axis 0) or row (axis 1) of a coordinate, the nearest where it lies outside."""
    return min(max(int((value - grid[axis]) * grid[2]), 0), int(grid[3 + axis]) - 1)


@jit
def bin_edges(grid: Array, edge: Array, count: Array, member: Array) -> None:
    """Add to `count` (F,) how many boxes of edges touch each field.

    Where `member` has room, `count` says at which place of it the edges of each field begin.
    """
    for e in range(len(edge)):
        left, right = (
            field_along(grid, 0, min(edge[e, 0], edge[e, 2])),
            field_along(grid, 0, max(edge[e, 0], edge[e, 2])),
        )
        low, high = field_along(grid, 1, min(edge[e, 1], edge[e, 3])), field_along(grid, 1, max(edge[e, 1], edge[e, 3]))
        for row in range(low, high + 1):
            for column in range(left, right + 1):
                field = row * int(grid[3]) + column
                if len(member):
                    member[count[field]] = e
                count[field] += 1
