"""Find the cell a body stands in: the one at its position, unless a wall is between."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np

from ..checks import points_xyz, whole_number
from ..conventions import Floats, Ids
from ..kernels.arrays.level_arrays import CellArrays
from ..kernels.cells.standing_cells import stood_in
from ..navmesh.navmesh import AnyMesh

_MANY = 1024
"""Fewest positions worth starting threads for."""


class Meshed(Protocol):
    """Cells and the mesh they were cut from, frozen or live."""

    @property
    def arrays(self) -> CellArrays:
        """Every array a cell query touches."""

    @property
    def mesh(self) -> AnyMesh:
        """The mesh under the cells."""


def standing_cells(layout: Meshed, points: Any, *, include_disabled: bool = False, threads: int = 1) -> Ids:
    """Return the cell a body at each position (n, 3) stands in: (n,) int32, -1 for none.

    That is the cell at the position (see `cells_at`) if a straight walk leads there, else the nearest with such a walk.

    Notes
    -----
    A column of the grid has one cell per level. A strip of floor along a thin wall that fills less than a tenth of its
    column has no cell of its own: the column's cell may belong to the room behind the wall.
    """
    points, threads = points_xyz(points), whole_number(threads, "threads", low=1)
    if threads > 1 and len(points) >= _MANY:
        parts = np.array_split(points, threads)
        with ThreadPoolExecutor(threads) as pool:
            return np.concatenate(list(pool.map(lambda part: _stand(layout, part, include_disabled), parts)))
    return _stand(layout, points, include_disabled)


def _stand(layout: Meshed, points: Floats, include_disabled: bool) -> Ids:
    found = np.empty(len(points), np.int32)
    stood_in(layout.arrays, layout.mesh.arrays, points, np.full(len(points), -1.0), include_disabled, found)
    return found
