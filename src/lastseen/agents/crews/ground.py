"""Ground: the level queries of crews."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ...cells.query import cells_at, nearest_cells
from ...conventions import Floats
from ...layers.spread import Spread
from ...reasoning.tactical.unreachable import UnreachableAreas
from ...reasoning.tactical.ways import CheapestWays
from ..brains.mind import Place
from ..brains.surroundings import Surroundings

__all__ = ["Ground"]

_ON_CELL = 1.5
"""Distance in metres from a cell within which a point counts as on it."""


class Ground:
    """Path lengths over the cells of a world with its doors in their present state, cheapest paths, abandoned areas.

    Attributes
    ----------
    given_up : areas that no flanker reached; all crews avoid them for a while.
    """

    def __init__(self, world: Surroundings):
        self._cells = world.cells
        self._spread = Spread(world.cells)
        self._metres = np.full(len(world.cells), np.inf)
        self.given_up = UnreachableAreas()

    @cached_property
    def ways(self) -> CheapestWays:
        """Cheapest paths; their work arrays are allocated on first use."""
        return CheapestWays(self._cells)

    def metres(self, place: Place, xyz: Floats, reach: float) -> Floats:
        """Return path lengths in metres from a place to each of xyz (n, 3), (n,); infinite if beyond `reach`."""
        source = nearest_cells(self._cells, np.asarray([place]), _ON_CELL)
        if source[0] < 0 or not len(xyz):
            return np.full(len(xyz), np.inf)
        ends = cells_at(self._cells, xyz)
        off = ends < 0
        if off.any():
            ends = ends.copy()
            ends[off] = nearest_cells(self._cells, xyz[off], _ON_CELL)
        found = self._spread.distances(source, reach=reach)
        self._metres[found.cells] = found.metres
        metres = np.where(ends < 0, np.inf, self._metres[ends])
        self._metres[found.cells] = np.inf
        return metres

    def near(self, xyz: Floats, reach: float) -> Floats:
        """Return the cells within path length `reach` of any of xyz (n, 3): positions (k, 3) float64, by cell."""
        source = nearest_cells(self._cells, xyz, _ON_CELL)
        source = np.unique(source[source >= 0])
        if not len(source):
            return np.zeros((0, 3))
        found = self._spread.distances(source, reach=reach)
        return self._cells.arrays.cell_xyz[np.sort(found.cells)].astype(np.float64)
