"""Walking costs in addition to length: values of cells, shapes laid over the plan, and bars across it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..jit import inner, jit

LINE, TRAPEZOID, CAPSULE = 0.0, 1.0, 2.0
SHAPE_COLUMNS = 11
BAR_COLUMNS = 6


class FieldArrays(NamedTuple):
    """A cost field over N cells: additional cost per metre."""

    base: Array  # float64 (N,)  by cell, 0 or more
    shape: Array  # float64 (k, SHAPE_COLUMNS)  kind, x, y, z, two numbers of direction, three of size, strength, up
    bar: Array  # float64 (b, BAR_COLUMNS)  x0, y0, x1, y1, lowest and highest z: no link may cross it


@inner
def shape_cost(shape: Array, x: float, y: float, z: float) -> float:
    """Return the cost per metre that shapes add at a point: the sum of lines plus the most expensive area.

    The cost of a line is highest at its centre, falls linearly to 0 at its half width, and fades behind its origin and
    beyond its end. Areas (double trapezoids, capsules) cost the same everywhere inside.
    """
    total, dearest = 0.0, 0.0
    for k in range(np.uint64(len(shape))):
        if abs(z - shape[k, 3]) > shape[k, 10]:
            continue
        kind = shape[k, 0]
        away_x, away_y = x - shape[k, 1], y - shape[k, 2]
        to_x, to_y = shape[k, 4], shape[k, 5]
        if kind == LINE:
            along = away_x * to_x + away_y * to_y
            aside = abs(away_y * to_x - away_x * to_y)
            ahead, behind, half = shape[k, 6], shape[k, 7], shape[k, 8]
            if aside >= half or along <= -behind or along >= ahead + half:
                continue
            worth = 1.0 - aside / half
            if along < 0.0:
                worth *= 1.0 + along / behind
            elif along > ahead:
                worth *= 1.0 - (along - ahead) / half
            total += worth * shape[k, 9]
        else:
            square = to_x * to_x + to_y * to_y
            share = (away_x * to_x + away_y * to_y) / square if square > 0.0 else 0.0
            if kind == TRAPEZOID:
                if share < 0.0 or share > 1.0:
                    continue
                aside = abs(away_y * to_x - away_x * to_y) / math.sqrt(square) if square > 0.0 else 0.0
                half = shape[k, 6] + (shape[k, 7] - shape[k, 6]) * (1.0 - abs(2.0 * share - 1.0))
            else:
                share = min(max(share, 0.0), 1.0)
                aside = math.hypot(away_x - share * to_x, away_y - share * to_y)
                half = shape[k, 6]
            if aside <= half:
                dearest = max(dearest, shape[k, 9])
    return total + dearest


@jit
def shape_costs(shape: Array, points: Array, out: Array) -> None:
    """Fill `out` (n,) with the cost per metre that shapes add at each of `points` (n, 3)."""
    for i in range(np.uint64(len(points))):
        out[i] = shape_cost(shape, points[i, 0], points[i, 1], points[i, 2])


@inner
def crosses_bar(bar: Array, x0: float, y0: float, z0: float, x1: float, y1: float, z1: float) -> bool:
    """Return whether a line crosses or touches any bar, seen from above."""
    for k in range(np.uint64(len(bar))):
        if max(z0, z1) < bar[k, 4] or min(z0, z1) > bar[k, 5]:
            continue
        bx, by = bar[k, 2] - bar[k, 0], bar[k, 3] - bar[k, 1]
        one = bx * (y0 - bar[k, 1]) - by * (x0 - bar[k, 0])
        other = bx * (y1 - bar[k, 1]) - by * (x1 - bar[k, 0])
        if (one > 0.0 and other > 0.0) or (one < 0.0 and other < 0.0):
            continue
        dx, dy = x1 - x0, y1 - y0
        left = dx * (bar[k, 1] - y0) - dy * (bar[k, 0] - x0)
        right = dx * (bar[k, 3] - y0) - dy * (bar[k, 2] - x0)
        if (left > 0.0 and right > 0.0) or (left < 0.0 and right < 0.0):
            continue
        return True
    return False
