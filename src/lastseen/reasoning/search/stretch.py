"""How much longer than the shortest way is a walk from cell to cell?"""

from __future__ import annotations

import numpy as np

from ...layers.layer import enabled_cells
from ...layers.spread import Spread
from ...navmesh.path import find_paths
from ..chase.layouts import MeshedLayout

__all__ = ["mean_stretch"]

_STARTS, _GOALS = 8, 32
_NEAREST = 3.0
"""Metres: nearer goals say more about where in a cell one stands than about ways."""


def mean_stretch(cells: MeshedLayout) -> float:
    """Return metres walked along links per metre of the shortest way, the mean of ways spread over the map; ≥ 1."""
    ids = np.flatnonzero(enabled_cells(cells))
    walk, where = Spread(cells), cells.arrays.cell_xyz.astype(np.float64)
    shares = []
    for start in ids[((np.arange(_STARTS) + 0.5) / _STARTS * len(ids)).astype(np.int64)] if len(ids) else ids:
        reached = walk.distances([start])
        far = np.flatnonzero(reached.metres >= _NEAREST)
        if len(far):
            far = far[((np.arange(_GOALS) + 0.5) / _GOALS * len(far)).astype(np.int64)]
            goals = where[reached.cells[far]]
            paths = find_paths(cells.mesh, np.broadcast_to(where[start], goals.shape).copy(), goals)
            sound = paths.reached & (paths.length > 0.0)
            shares.append(reached.metres[far][sound] / paths.length[sound])
    return max(float(np.mean(np.concatenate(shares))), 1.0) if shares else 1.0
