"""Which cell does somebody stand in? The one of the place, unless a wall is between."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np

from ..checks import points_xyz, whole_number
from ..conventions import Floats, Ids
from ..kernels.cell_arrays import CellArrays
from ..navmesh.locate import heights_at
from ..navmesh.navmesh import AnyMesh
from ..navmesh.raycast import raycasts
from .query import cells_at, cells_within_many

__all__ = ["standing_cells"]

_REACH = 2.0
"""Cells so many sizes of a cell away are looked at for one that is on the same side of a wall."""

_MANY = 1024
"""Fewest places worth threads."""


class Meshed(Protocol):
    """Cells and the mesh they were cut from, frozen or live."""

    @property
    def arrays(self) -> CellArrays:
        """Every array a cell query touches."""

    @property
    def mesh(self) -> AnyMesh:
        """The mesh under the cells."""


def standing_cells(layout: Meshed, points: Any, *, include_disabled: bool = False, threads: int = 1) -> Ids:
    """Which cell does somebody at each position (n, 3) stand in? (n,) int32, -1: none.

    The cell at the position (see `cells_at`), if one can walk straight there; else the nearest one to which one can.

    Notes
    -----
    A column of the grid has one cell a level. A strip of floor along a thin wall that fills less than a tenth of its
    column has none of its own: the column's cell may be that of the room behind the wall.
    """
    points, threads = points_xyz(points), whole_number(threads, "threads", low=1)
    if threads > 1 and len(points) >= _MANY:
        parts = np.array_split(points, threads)
        with ThreadPoolExecutor(threads) as pool:
            return np.concatenate(list(pool.map(lambda part: _stand(layout, part, include_disabled), parts)))
    return _stand(layout, points, include_disabled)


def _stand(layout: Meshed, points: Floats, include_disabled: bool) -> Ids:
    found = cells_at(layout, points, include_disabled=include_disabled).copy()
    rows = np.flatnonzero(found >= 0)
    if len(rows) == 0:
        return found
    arrays, reach = layout.arrays, float(layout.arrays.size_xyz[2])
    spots = arrays.cell_xyz[found[rows]].astype(np.float64)
    walled = ~raycasts(layout.mesh, points[rows], spots, below=reach, above=reach).reached
    rows = rows[walled]
    # whoever is off the floor stands nowhere: the cell below or above it is as good as any
    rows = rows[~np.isnan(heights_at(layout.mesh, points[rows], below=reach, above=reach))] if len(rows) else rows
    if len(rows):
        found[rows] = _nearest_in_reach(layout, points[rows], found[rows], include_disabled)
    return found


def _nearest_in_reach(layout: Meshed, points: Floats, own: Ids, include_disabled: bool) -> Ids:
    """Return for each place the nearest cell one can walk straight to, or its own where there is none."""
    arrays, reach = layout.arrays, float(layout.arrays.size_xyz[2])
    near = cells_within_many(layout, points, _REACH * float(arrays.size_xyz[0]), include_disabled=include_disabled)
    owner = np.repeat(np.arange(len(points)), np.diff(near.start))
    spots = arrays.cell_xyz[near.cell].astype(np.float64)
    free = raycasts(layout.mesh, points[owner], spots, below=reach, above=reach).reached
    owner, cell = owner[free], near.cell[free]
    away = np.linalg.norm(points[owner] - spots[free], axis=1)
    order = np.lexsort((cell, away, owner))
    first, at = np.unique(owner[order], return_index=True)
    found = own.copy()
    found[first] = cell[order][at]
    return found
