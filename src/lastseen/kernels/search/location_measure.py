"""Measures of a candidate: distance, height, crowding, angle, and how near shortest paths pass."""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Array
from ..arrays.bits import bit
from ..arrays.level_arrays import CellArrays
from ..arrays.location_arrays import PlaceArrays, Rows
from ..jit import inner, jit

NEAREST, FARTHEST, MEAN = 0, 1, 2


@inner
def span_of(place: PlaceArrays, asker: int) -> tuple[np.uint64, np.uint64]:
    """Return the first and one past the last of the points that count for an asker."""
    group = np.uint64(0) if len(place.start) == 2 else np.uint64(asker)
    return np.uint64(place.start[group]), np.uint64(place.start[group + np.uint64(1)])


@jit
def measure_distances(rows: Rows, place: PlaceArrays, across: int, out: Array) -> None:
    """Fill the straight distance in metres to the nearest or farthest point, or the mean; without points: infinite."""
    for row in range(np.uint64(len(rows.cell))):
        cell, asker = np.uint64(rows.cell[row]), rows.asker[row]
        x, y, z = np.float64(rows.xyz[cell, 0]), np.float64(rows.xyz[cell, 1]), np.float64(rows.xyz[cell, 2])
        first, last = span_of(place, asker)
        least, most, total, count = np.inf, -1.0, 0.0, 0
        for point in range(first, last):
            if place.owner[point] == asker:
                continue
            dx, dy, dz = place.xyz[point, 0] - x, place.xyz[point, 1] - y, place.xyz[point, 2] - z
            square = dx * dx + dy * dy + dz * dz
            least, most = min(least, square), max(most, square)
            count += 1
            if across == MEAN:
                total += math.sqrt(square)
        if count == 0:
            out[row] = np.inf
        elif across == NEAREST:
            out[row] = math.sqrt(least)
        elif across == FARTHEST:
            out[row] = math.sqrt(most)
        else:
            out[row] = total / count


@jit
def measure_crowds(rows: Rows, place: PlaceArrays, within: float, out: Array) -> None:
    """Fill the number of points within `within` metres."""
    limit = within * within
    for row in range(np.uint64(len(rows.cell))):
        cell, asker = np.uint64(rows.cell[row]), rows.asker[row]
        x, y, z = np.float64(rows.xyz[cell, 0]), np.float64(rows.xyz[cell, 1]), np.float64(rows.xyz[cell, 2])
        first, last = span_of(place, asker)
        count = 0.0
        for point in range(first, last):
            dx, dy, dz = place.xyz[point, 0] - x, place.xyz[point, 1] - y, place.xyz[point, 2] - z
            if dx * dx + dy * dy + dz * dz <= limit and place.owner[point] != asker:
                count += 1.0
        out[row] = count


@jit
def measure_heights(rows: Rows, place: PlaceArrays, out: Array) -> None:
    """Fill the height in metres above the mean of the points; without points: 0."""
    for row in range(np.uint64(len(rows.cell))):
        asker = rows.asker[row]
        first, last = span_of(place, asker)
        total, count = 0.0, 0
        for point in range(first, last):
            if place.owner[point] != asker:
                total += place.xyz[point, 2]
                count += 1
        out[row] = np.float64(rows.xyz[np.uint64(rows.cell[row]), 2]) - total / count if count else 0.0


@jit
def measure_angles(rows: Rows, place: PlaceArrays, out: Array) -> None:
    """Fill the least angle in degrees, seen from above, between a point's facing and the direction to the cell.

    Without points, or if no point has a facing: 180. At the point itself: 0.
    """
    for row in range(np.uint64(len(rows.cell))):
        cell, asker = np.uint64(rows.cell[row]), rows.asker[row]
        x, y = np.float64(rows.xyz[cell, 0]), np.float64(rows.xyz[cell, 1])
        first, last = span_of(place, asker)
        # Find the greatest cosine first, so that only one arc tangent is needed.
        best, ahead, aside = -2.0, -1.0, 0.0
        for point in range(first, last):
            fx, fy = place.facing[point, 0], place.facing[point, 1]
            if place.owner[point] == asker or math.isnan(fx):
                continue
            dx, dy = x - place.xyz[point, 0], y - place.xyz[point, 1]
            along = dx * fx + dy * fy
            length = math.sqrt(dx * dx + dy * dy)
            cosine = along / length if length > 0.0 else 1.0
            if cosine > best:
                best, ahead, aside = cosine, along, abs(dy * fx - dx * fy)
        out[row] = math.degrees(math.atan2(aside, ahead))


@jit
def nearest_of_ways(cells: CellArrays, reached: Array, metres: Array, here: Array, near: Array) -> None:
    """Fill `near` for each reached cell with the least value of `here` along the shortest path to it.

    Parameters
    ----------
    reached : (n,) int32, cells by walking distance from one source, nearest first.
    metres : (N,) float64, walking distance of every cell.
    here : (n,) float64, value of each reached cell, in the same order.
    near : (N,) float64, output; NaN for cells not reached yet.

    Notes
    -----
    Among equally short paths the one that stays farthest away counts, as an agent would choose it.
    """
    one = np.uint64(1)
    for position in range(np.uint64(len(reached))):
        cell = np.uint64(reached[position])
        # `near` already holds the best value of the paths up to this cell.
        near[cell] = here[position] if np.isnan(near[cell]) else min(near[cell], here[position])
        for link in range(np.uint64(cells.link_start[cell]), np.uint64(cells.link_start[cell + one])):
            other = np.uint64(cells.link_cell[link])
            if metres[cell] + np.float64(cells.link_length[link]) != metres[other]:
                continue
            if bit(cells.blocked, link) or bit(cells.disabled, other):
                continue
            if np.isnan(near[other]) or near[cell] > near[other]:
                near[other] = near[cell]
