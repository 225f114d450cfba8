"""Places and cells: where a flood starts, and where on the floor its answer lies."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from ...cells.query import cells_at, nearest_cell, nearest_cells
from ...cells.standing import standing_cells
from ...conventions import Array, Floats, Ids
from ...errors import QueryError
from ...kernels.cell_arrays import CellArrays
from ...navmesh.locate import heights_at, nearest_many
from ...navmesh.navmesh import AnyMesh
from ...navmesh.raycast import raycasts

__all__ = ["MeshedLayout", "on_floor", "start_cells"]


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
    found = standing_cells(layout, points, include_disabled=True)
    arrays = layout.arrays
    disabled = arrays.disabled[np.maximum(found, 0) >> 3] >> (np.maximum(found, 0) & 7) & 1
    barred = (found >= 0) & (disabled == 1)
    if barred.any():
        row = int(np.flatnonzero(barred)[0])
        raise QueryError(
            f"{_where(points, row, name)} lies in cell {found[row]}, which is disabled (a closed door or a cut covers "
            "it); lift the cut, or give a place beside it"
        )
    missing = found < 0
    if missing.any():
        found[missing] = nearest_cells(layout, points[missing], radius[missing])
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


def on_floor(layout: MeshedLayout, points: Floats, cells: Ids, inside: Array) -> tuple[Floats, Ids]:
    """Where on the floor is each point, and in which cell? Where not `inside` its cell, the cell's own position.

    A cell is a square of which the floor may fill a part only: the floor nearest to a point may be of another cell.
    Where that one is disabled or behind a wall, the point's own cell stands in.
    """
    arrays = layout.arrays
    placed, found = arrays.cell_xyz[cells].astype(np.float64), np.array(cells, np.int32)
    if inside.any():
        rows = np.flatnonzero(inside)
        spots = np.column_stack([points[rows, :2], placed[rows, 2]])
        reach = float(arrays.size_xyz[2])
        height = heights_at(layout.mesh, spots, below=reach, above=reach)
        off = np.isnan(height)
        spots[:, 2] = np.where(off, spots[:, 2], height)
        if off.any():
            spots[off] = nearest_many(layout.mesh, spots[off]).xyz
        here = cells_at(layout, spots)
        # not where a thin wall parts the point from its cell: that floor is of another room
        fine = (here >= 0) & raycasts(layout.mesh, placed[rows], spots, below=reach, above=reach).reached
        placed[rows[fine]], found[rows[fine]] = spots[fine], here[fine]
    return placed, found
