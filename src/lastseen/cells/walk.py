"""Walks between neighbouring cells: straight, or bent within their two columns."""

from __future__ import annotations

import numpy as np

from ..conventions import Array, Bools, Floats
from ..kernels.cell_arrays import CellArrays
from ..kernels.cell_walk import MOST_FACES, walks_in_columns
from ..kernels.mesh_arrays import MeshArrays
from ..kernels.raycast import REACHED, cast_rays

__all__ = ["bent_lengths", "straight_walks"]

FLOOR_TOLERANCE = 0.05
"""Metres by which the floor under a line's end may differ from the height it was aimed at."""


def straight_walks(mesh: MeshArrays, cells: CellArrays, cell_face: Array, start_cell: Array, end_cell: Array) -> Bools:
    """Return whether a straight walk joins each pair of cells (ids, (n,) each) without touching a wall corner."""
    count = len(start_cell)
    outcome = np.empty(count, np.uint8)
    cast_rays(
        mesh,
        cells.cell_xyz[start_cell].astype(np.float64),
        cells.cell_xyz[end_cell].astype(np.float64),
        cell_face[start_cell].astype(np.int32),
        FLOOR_TOLERANCE,
        FLOOR_TOLERANCE,
        True,
        outcome,
        np.empty((count, 3)),
        np.empty(count),
        np.empty((count, 2)),
        np.empty(count, np.int32),
    )
    return outcome == REACHED


def bent_lengths(mesh: MeshArrays, cells: CellArrays, cell_face: Array, start_cell: Array, end_cell: Array) -> Floats:
    """Return the metres from cell to cell within their two columns, (n,); infinite if there is no path."""
    length = np.empty(len(start_cell))
    if len(length):  # on most tile maps there are none, and no kernel is compiled
        scratch = np.empty(MOST_FACES, np.int64), np.empty((MOST_FACES, 5)), np.empty(4)
        faces = cell_face[start_cell].astype(np.int32), cell_face[end_cell].astype(np.int32)
        walks_in_columns(mesh, cells, *faces, start_cell, end_cell, *scratch, length)
    return length
