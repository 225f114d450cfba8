"""Cells with their mesh: the cell of a position, and the floor under a point."""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np

from ..checks import points_xyz
from ..conventions import Bools, Floats, Ids
from ..errors import QueryError
from ..kernels.arrays.level_arrays import CellArrays
from ..kernels.cells.standing_cells import places_on_floor, stood_in
from ..navmesh.navmesh import AnyMesh
from .query import cells_at, nearest_cell, nearest_cells


class MeshedLayout(Protocol):
    """Cells and the mesh they were cut from: a `CellLayout`, or a `LiveLayout` whose doors open and close."""

    @property
    def arrays(self) -> CellArrays:
        """Every array a cell query touches."""

    @property
    def mesh(self) -> AnyMesh:
        """The mesh under the cells."""


def start_cells(layout: MeshedLayout, points: Floats, radius: Floats, name: str) -> Ids:
    """Which cell is at each position, or nearest within `radius` (n,)? An error says which is too far, and how far.

    Where a thin wall parts a place from the cell of its column, the nearest cell on its own side (`standing_cells`).
    """
    arrays = layout.arrays
    found = np.empty(len(points), np.int32)
    stood_in(arrays, layout.mesh.arrays, points, radius, True, found)
    # The usual case of one place in a tenth of the time.
    if len(found) == 1 and found[0] >= 0 and not arrays.disabled[found[0] >> 3] >> (found[0] & 7) & 1:
        return found
    disabled = arrays.disabled[np.maximum(found, 0) >> 3] >> (np.maximum(found, 0) & 7) & 1
    barred = (found >= 0) & (disabled == 1)
    if barred.any():
        row = int(np.flatnonzero(barred)[0])
        raise QueryError(
            f"{_where(points, row, name)} lies in cell {found[row]}, which is disabled (a closed door or a cut covers "
            "it); lift the cut, or give a place beside it"
        )
    if (found < 0).any():
        row = int(np.flatnonzero(found < 0)[0])
        raise QueryError(_too_far(layout, points, row, float(radius[row]), name))
    return found


def _where(points: Floats, row: int, name: str) -> str:
    x, y, z = points[row].tolist()
    return f"{name}{f'[{row}]' if len(points) > 1 else ''} ({x:g}, {y:g}, {z:g})"


def _too_far(layout: MeshedLayout, points: Floats, row: int, radius: float, name: str) -> str:
    cell = nearest_cell(layout, points[row])
    if cell < 0:
        return f"{_where(points, row, name)} finds no cell: the layout has none that is not disabled"
    away = math.dist(layout.arrays.cell_xyz[cell].tolist(), points[row].tolist())
    metres = f"{away:.2f}" if away < 1e6 else f"{away:.3g}"
    return (
        f"{_where(points, row, name)} is off the mesh: the nearest cell is {metres} m away, at most {radius:g} m are "
        "allowed; give a place on the floor"
    )


def on_floor(layout: MeshedLayout, points: Floats, cells: Ids, inside: Bools) -> tuple[Floats, Ids]:
    """Return each point on the floor and its cell; the cell's own position where it is not `inside` its cell."""
    placed, found = np.empty((len(points), 3)), np.array(cells, np.int32)
    places_on_floor(layout.arrays, layout.mesh.arrays, points, inside, found, placed)
    return placed, found


def cells_near(layout: MeshedLayout, places: Any, radius: float, name: str) -> Ids:
    """Which cell is at each place, or nearest within `radius` metres? (n,) int32; an error says which is too far.

    Disabled cells are passed over: who stands in a closing door is sought beside it.
    """
    points = points_xyz(np.atleast_2d(places), name)
    found = cells_at(layout, points).copy()
    missing = found < 0
    if missing.any():
        found[missing] = nearest_cells(layout, points[missing], radius)
        missing = found < 0
    if missing.any():
        start_cells(layout, points[missing], np.full(int(missing.sum()), radius), name)
    return found
