"""Places and cells: which cell stands for a place in a search?"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...cells.query import cells_at, nearest_cells
from ...checks import points_xyz
from ...conventions import Ids
from ..chase.layouts import MeshedLayout, start_cells

__all__ = ["cells_near"]


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
