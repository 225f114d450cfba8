"""Shortcuts of paths over cells: straight lines where they are walkable and cost no more."""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Array
from ..arrays.belief_arrays import Rays
from ..arrays.level_arrays import CellArrays, MeshArrays
from ..cells.cell_access import slot_cell
from ..jit import inner, jit
from .cost_field import FieldArrays, crosses_bar, shape_cost
from .raycast import REACHED, cast_rays

_TRIES = 3
"""Number of consecutive points without a valid straight line after which the search stops."""


@jit
def _base_at(cells: CellArrays, field: FieldArrays, x: float, y: float, z: float, last: float) -> float:
    """Return the value of the cell at a point, or `last` if there is no cell."""
    column = np.int64((x - cells.origin_xyz[0]) / cells.size_xyz[0])
    row = np.int64((y - cells.origin_xyz[1]) / cells.size_xyz[1])
    level = np.int64(math.floor((z - cells.origin_xyz[2]) / cells.size_xyz[2] + 1e-6))
    if column < 0 or row < 0 or column >= np.int64(cells.shape[0]) or row >= np.int64(cells.shape[1]):
        return last
    for step in (0, -1, 1):
        if 0 <= level + step < np.int64(cells.shape[2]):
            cell = slot_cell(cells, column, row, level + step)
            if cell >= 0:
                return field.base[np.uint64(cell)]
    return last


@inner
def line_cost(cells: CellArrays, field: FieldArrays, start: Array, end: Array, step: float) -> float:
    """Return the cost of a straight walk between two points (3,), with the field sampled every `step` metres."""
    dx, dy, dz = end[0] - start[0], end[1] - start[1], end[2] - start[2]
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    parts = max(np.int64(math.ceil(length / step)), 1)
    total, base = 0.0, 0.0
    for k in range(parts):
        share = (k + 0.5) / parts
        x, y, z = start[0] + share * dx, start[1] + share * dy, start[2] + share * dz
        base = _base_at(cells, field, x, y, z, base)
        total += base + shape_cost(field.shape, x, y, z)
    return length * (1.0 + total / parts)


@jit
def _walkable(
    mesh: MeshArrays, field: FieldArrays, start: Array, end: Array, below: float, above: float, rays: Rays
) -> bool:
    for axis in range(3):
        rays.ends[0, 0, axis], rays.ends[1, 0, axis] = start[axis], end[axis]
    if crosses_bar(field.bar, start[0], start[1], start[2], end[0], end[1], end[2]):
        return False
    cast_rays(
        mesh,
        rays.ends[0],
        rays.ends[1],
        np.full(1, -1, np.int32),
        below,
        above,
        False,
        rays.outcome,
        rays.point,
        rays.fraction,
        rays.normal,
        rays.face,
    )
    return rays.outcome[0] == REACHED


@jit
def shorten_ways(
    mesh: MeshArrays,
    cells: CellArrays,
    field: FieldArrays,
    points: Array,
    start: Array,
    step: float,
    slack: float,
    below: float,
    above: float,
    rays: Rays,
    keep: Array,
) -> None:
    """Mark in `keep` (p,) the points (p, 3) of each path (`start` (n + 1,)) that remain after straightening.

    From each kept point the path goes straight to the farthest point for which the line is walkable and costs at most
    the share `slack` more than the stretch it replaces.
    """
    for i in range(len(start) - 1):
        first, last = start[i], start[i + 1] - 1
        for k in range(first, last + 1):
            keep[k] = False
        if last < first:
            continue
        here = first
        keep[here] = True
        while here < last:
            best, failed = here + 1, 0
            stretch = line_cost(cells, field, points[here], points[here + 1], step)
            k = here + 2
            while k <= last and failed < _TRIES:
                stretch += line_cost(cells, field, points[k - 1], points[k], step)
                straight = line_cost(cells, field, points[here], points[k], step)
                if straight <= stretch * (1.0 + slack) and _walkable(
                    mesh, field, points[here], points[k], below, above, rays
                ):
                    best, failed = k, 0
                else:
                    failed += 1
                k += 1
            here = best
            keep[here] = True
