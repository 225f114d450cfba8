"""Visibility of candidates from points, and cover that hides only a crouched body."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import SightArrays
from ..arrays.location_arrays import PlaceArrays, Rows
from ..jit import jit
from ..sight.sight_line import is_clear
from .location_measure import span_of


@jit
def measure_seen(
    rows: Rows, place: PlaceArrays, sight: SightArrays, eye: float, at: float, within: float, out: Array
) -> None:
    """Fill the share of points that see a body, from `eye` metres above the point to `at` metres above the cell.

    Nothing is seen beyond `within` metres. Without points: 0.
    """
    for row in range(np.uint64(len(rows.cell))):
        cell, asker = np.uint64(rows.cell[row]), rows.asker[row]
        x, y, z = np.float64(rows.xyz[cell, 0]), np.float64(rows.xyz[cell, 1]), np.float64(rows.xyz[cell, 2])
        first, last = span_of(place, asker)
        seen, count = 0.0, 0
        for point in range(first, last):
            if place.owner[point] == asker:
                continue
            count += 1
            px, py, pz = place.xyz[point, 0], place.xyz[point, 1], place.xyz[point, 2]
            near = (px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2 <= within * within
            if near and is_clear(sight, px, py, pz + eye, x, y, z + at):
                seen += 1.0
        out[row] = seen / count if count else 0.0


@jit
def measure_cover(
    rows: Rows, place: PlaceArrays, sight: SightArrays, eye: float, crouched: float, standing: float, out: Array
) -> None:
    """Fill the share of points that see a body standing in the cell but not crouched there. Without points: 0."""
    for row in range(np.uint64(len(rows.cell))):
        cell, asker = np.uint64(rows.cell[row]), rows.asker[row]
        x, y, z = np.float64(rows.xyz[cell, 0]), np.float64(rows.xyz[cell, 1]), np.float64(rows.xyz[cell, 2])
        first, last = span_of(place, asker)
        covered, count = 0.0, 0
        for point in range(first, last):
            if place.owner[point] == asker:
                continue
            count += 1
            px, py, pz = place.xyz[point, 0], place.xyz[point, 1], place.xyz[point, 2] + eye
            if not is_clear(sight, px, py, pz, x, y, z + crouched) and is_clear(sight, px, py, pz, x, y, z + standing):
                covered += 1.0
        out[row] = covered / count if count else 0.0
