"""Slow and obvious answers about sight."""

from __future__ import annotations

import numpy as np
import shapely

from lastseen.kernels.arrays.level_arrays import SightArrays

ASIDE = 1e-6
"""Metres between a line and its neighbours: less than between any two corners of the levels asked, seen from an eye."""


def is_clear(solids, one, other) -> bool:
    """Return whether one of the neighbours of a line passes no solid `(polygon, low, high)`."""
    one, other = np.asarray(one, float), np.asarray(other, float)
    way = other[:2] - one[:2]
    aside = ASIDE * np.array([-way[1], way[0]]) / max(np.hypot(*way), 1e-300)
    return any(_passes(solids, one, other, sign * aside) for sign in (-1.0, 1.0))


def _passes(solids, one, other, aside) -> bool:
    begin, end = one[:2] + aside, other[:2] + aside
    line = shapely.LineString([begin, end])
    way = end - begin
    for shape, low, high in solids:
        for part in shapely.get_parts(shapely.intersection(line, shape)):
            if part.is_empty:
                continue
            share = (shapely.get_coordinates(part) - begin) @ way / (way @ way)
            first, last = share.min(), share.max()
            z = sorted([one[2] + first * (other[2] - one[2]), one[2] + last * (other[2] - one[2])])
            if last - first > 1e-9 and z[0] < high and z[1] >= low:
                return False
    return True


def without_grid(arrays: SightArrays) -> SightArrays:
    """Return the same walls and triangles in one single column: every look asks all of them."""
    walls, triangles = len(arrays.wall), len(arrays.triangle)
    start = [3, 3 + walls, 3 + walls + triangles]
    column = np.concatenate([start, np.arange(walls), np.arange(triangles)]).astype(np.uint32)
    grid = np.array([-1e6, -1e6, 0.5e-6, 1.0, 1.0])
    for array in (column, grid):
        array.setflags(write=False)
    return arrays._replace(grid=grid, column=column)
