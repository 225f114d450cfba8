"""Walks between neighbouring cells: straight, or bent once on their common border."""

from __future__ import annotations

import numpy as np

from ..conventions import Array, Bools, Floats
from ..kernels.cell_arrays import CellArrays
from ..kernels.locate import faces_under
from ..kernels.mesh_arrays import MeshArrays
from ..kernels.raycast import OTHER_FLOOR, REACHED, cast_rays

__all__ = ["bent_lengths", "straight_walks"]

BENDS = (0.0731, 0.1873, 0.2917, 0.3989, 0.5127, 0.6113, 0.7219, 0.8231, 0.9279)
"""Where along a common border a bend is tried; odd fractions, so that none falls on a wall's corner by design."""

FLOOR_TOLERANCE = 0.05
"""Metres by which the floor under a line's end may miss the height it was drawn to."""


def straight_walks(
    mesh: MeshArrays, cells: CellArrays, cell_face: Array, start_cell: Array, end_cell: Array
) -> tuple[Bools, Bools]:
    """Can one walk straight from cell to cell, and if not, does the line end on another floor at the same place?

    Cell ids (n,) each. A walk that touches a corner of a wall does not count.
    """
    start, end = cells.cell_xyz[start_cell], cells.cell_xyz[end_cell]
    outcome = _outcomes(mesh, start, end, cell_face[start_cell])
    return outcome == REACHED, outcome == OTHER_FLOOR


def bent_lengths(mesh: MeshArrays, cells: CellArrays, cell_face: Array, start_cell: Array, end_cell: Array) -> Floats:
    """How far is it from cell to cell along a line bent once on their common border? (n,) metres, infinite: no way."""
    best = np.full(len(start_cell), np.inf)
    if not len(start_cell):
        return best
    start = cells.cell_xyz[start_cell].astype(np.float64)
    end = cells.cell_xyz[end_cell].astype(np.float64)
    bends = _bends(cells, start_cell, end_cell)
    bends[:, :, 2] = 0.5 * (start[:, 2] + end[:, 2])[:, None]
    face = np.empty(bends.shape[:2], np.int32)
    reach = float(cells.size_xyz[2])
    faces_under(mesh, bends.reshape(-1, 3), reach, reach, face.reshape(-1), bends.reshape(-1, 3)[:, 2])
    pair, bend = np.nonzero(face >= 0)
    via = bends[pair, bend]
    # Both halves end in the bend: from the cells' own faces on, which are known.
    there = _outcomes(mesh, start[pair], via, cell_face[start_cell[pair]]) == REACHED
    pair, via = pair[there], via[there]
    back = _outcomes(mesh, end[pair], via, cell_face[end_cell[pair]]) == REACHED
    pair, via = pair[back], via[back]
    length = np.linalg.norm(via - start[pair], axis=1) + np.linalg.norm(end[pair] - via, axis=1)
    np.minimum.at(best, pair, length)
    return best


def _bends(cells: CellArrays, start_cell: Array, end_cell: Array) -> Floats:
    """Return places to bend at, (n, 9, 3): along the common border, or across the column where there is none."""
    one = cells.cell_grid[start_cell, :2].astype(np.float64)
    other = cells.cell_grid[end_cell, :2].astype(np.float64)
    along = np.asarray(BENDS)
    step = other - one
    border = 0.5 * (one + other + 1.0)
    bends = np.empty((len(one), len(along), 3))
    for axis in (0, 1):
        across = 1.0 - np.abs(step[:, axis])
        bends[:, :, axis] = border[:, axis, None] + across[:, None] * (along - 0.5)
    # Above one another: a scatter over the column instead of its diagonal.
    stacked = ~step.any(axis=1)
    bends[stacked, :, 1] = one[stacked, 1, None] + np.roll(along, 4)
    bends[:, :, :2] = cells.origin_xyz[:2] + bends[:, :, :2] * cells.size_xyz[:2]
    return bends


def _outcomes(mesh: MeshArrays, start: Array, end: Array, face: Array) -> Array:
    count = len(start)
    outcome = np.empty(count, np.uint8)
    cast_rays(
        mesh,
        start.astype(np.float64),
        end.astype(np.float64),
        face.astype(np.int32),
        FLOOR_TOLERANCE,
        FLOOR_TOLERANCE,
        True,
        outcome,
        np.empty((count, 3)),
        np.empty(count),
        np.empty((count, 2)),
        np.empty(count, np.int32),
    )
    return outcome
