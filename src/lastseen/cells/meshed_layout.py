"""Cells with their mesh: the cell a body stands in, and the floor under a point."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np

from ..checks import points_xyz, whole_number
from ..conventions import Bools, Floats, Ids
from ..errors import QueryError
from ..kernels.arrays.level_arrays import CellArrays
from ..kernels.cells.standing_cells import places_on_floor, stood_in
from ..navmesh.cut import CutMesh
from ..navmesh.navmesh import AnyMesh
from ..navmesh.query import faces_at
from .layout import cell_arrays
from .query import cells_at, nearest_cell, nearest_cells

_MANY = 1024
"""Fewest positions worth starting threads for."""


class MeshedLayout(Protocol):
    """Cells and the mesh they were cut from: a `CellLayout`, or a `LiveLayout` whose doors open and close."""

    @property
    def arrays(self) -> CellArrays:
        """Every array a cell query touches."""

    @property
    def mesh(self) -> AnyMesh:
        """The mesh under the cells."""


def standing_cells(layout: MeshedLayout, points: Any, *, include_disabled: bool = False, threads: int = 1) -> Ids:
    """Return the cell a body at each position (n, 3) stands in: (n,) int32, -1 for none.

    That is the cell at the position (see `cells_at`) if a straight walk leads there, else the nearest with such a walk.

    Notes
    -----
    A column of the grid has one cell per level. A strip of floor along a thin wall that fills less than a tenth of its
    column has no cell of its own: the column's cell may belong to the room behind the wall.
    """
    cell_arrays(layout)
    points, threads = points_xyz(points), whole_number(threads, "threads", low=1)

    def stand(part: Floats) -> Ids:
        return _stood_in(layout, part, np.full(len(part), -1.0), include_disabled)

    if threads > 1 and len(points) >= _MANY:
        with ThreadPoolExecutor(threads) as pool:
            return np.concatenate(list(pool.map(stand, np.array_split(points, threads))))
    return stand(points)


def _stood_in(layout: MeshedLayout, points: Floats, radius: Floats, include_disabled: bool) -> Ids:
    found = np.empty(len(points), np.int32)
    stood_in(layout.arrays, layout.mesh.arrays, points, radius, include_disabled, found)
    return found


def start_cells(layout: MeshedLayout, points: Floats, radius: Floats, name: str) -> Ids:
    """Return the cell at each position, or the nearest within `radius` (n,).

    If a thin wall separates a position from the cell of its column, the nearest cell on its own side is returned, as
    in `standing_cells`. An error names the first position that is disabled or too far away, and its distance.
    """
    arrays = layout.arrays
    found = _stood_in(layout, points, radius, include_disabled=True)
    # The usual case, a single position, takes a tenth of the time.
    if len(found) == 1 and found[0] >= 0 and not arrays.disabled[found[0] >> 3] >> (found[0] & 7) & 1:
        return found
    disabled = arrays.disabled[np.maximum(found, 0) >> 3] >> (np.maximum(found, 0) & 7) & 1
    barred = (found >= 0) & (disabled == 1)
    if barred.any() and isinstance(layout.mesh, CutMesh):
        # Next to a cut there may be floor in a column whose cell it covers; the next cell stands for it.
        free = barred & (faces_at(layout.mesh, points) >= 0)
        found[free] = nearest_cells(layout, points[free], radius[free] + 1.5 * float(arrays.size_xyz[0]))
        barred &= ~free
    if barred.any():
        row = int(np.flatnonzero(barred)[0])
        raise QueryError(
            f"{_where(points, row, name)} lies in cell {found[row]}, which is disabled (a closed door or a cut covers "
            "it); lift the cut, or give a place next to it"
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
        return f"{_where(points, row, name)} finds no cell: every cell of the layout is disabled"
    away = math.dist(layout.arrays.cell_xyz[cell].tolist(), points[row].tolist())
    metres = f"{away:.2f}" if away < 1e6 else f"{away:.3g}"
    return (
        f"{_where(points, row, name)} is off the mesh: the nearest cell is {metres} m away, at most {radius:g} m are "
        "allowed; give a place on the floor"
    )


def on_floor(layout: MeshedLayout, points: Floats, cells: Ids, inside: Bools) -> tuple[Floats, Ids]:
    """Return each point on the floor and its cell; a point not `inside` its cell becomes the cell's own position."""
    placed, found = np.empty((len(points), 3)), np.array(cells, np.int32)
    places_on_floor(layout.arrays, layout.mesh.arrays, points, inside, found, placed)
    return placed, found


def cells_near(layout: MeshedLayout, places: Any, radius: float, name: str) -> Ids:
    """Return the cell at each place, or the nearest within `radius` metres, (n,) int32.

    Disabled cells are skipped: for an agent in a closing door, a cell next to the door is found. An error names the
    first place that is too far away.
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
