"""Work arrays of floods: made once, lent to one flood at a time, returned clean."""

from __future__ import annotations

import math
import threading
from functools import cached_property

import numpy as np

from ....cells.meshed_layout import MeshedLayout
from ....kernels.arrays.belief_arrays import Rays
from ....kernels.arrays.level_arrays import CellArrays
from ....kernels.flood.cell_sight import Sight
from ....kernels.flood.heat_flood import FloodWork
from ....kernels.flood.heat_look import LookRoom
from ....kernels.flood.lazy_walk import Walks
from ...look_arrays import empty_sight

LONGEST = 30_000
"""Maximum number of steps of a flood: steps are counted in 16 bits."""

_MOST_BUCKETS = 1024
_RAYS = 32
"""Lines of sight cast in one call."""


class Workspace:
    """Work arrays for one flood at a time; those that a plain flood does not need are made on first use."""

    def __init__(self, arrays: CellArrays):
        count = len(arrays.cell_grid)
        self._arrays = arrays
        self.flood = FloodWork(
            state=np.zeros(count, np.int16),
            lists=np.empty((5, count), np.uint32),
            count=np.zeros(8, np.int64),
            heading=np.zeros(3),
            per_step=np.zeros(LONGEST + 2, np.int32),
        )

    @cached_property
    def walks(self) -> Walks:
        """Work arrays of the two walks."""
        count, length = len(self._arrays.cell_grid), self._arrays.link_length
        longest = float(length.max(initial=0.0)) or 1.0
        width = max(float(length.min(initial=longest)), longest / _MOST_BUCKETS)
        return Walks(
            metres=np.full((2, count), np.inf),
            touched=np.empty((2, count), np.uint32),
            after=np.empty((2, count), np.int32),
            before=np.empty((2, count), np.int32),
            head=np.full((2, 1 << (int(longest / width) + 2).bit_length()), -1, np.int32),
            count=np.zeros((2, 3), np.int64),
            numbers=np.array([1.0 / width, math.sqrt(2.0) - 1.0 if _is_square(self._arrays) else 0.0]),
            reach=np.empty(count),
        )

    @cached_property
    def sight(self) -> Sight:
        """Work arrays of looking around."""
        return empty_sight(len(self._arrays.cell_grid))

    @cached_property
    def rays(self) -> Rays:
        """Work arrays of raycasts on the mesh."""
        return Rays(
            ends=np.zeros((2, _RAYS, 3)),
            face=np.zeros(_RAYS, np.int32),
            outcome=np.zeros(_RAYS, np.uint8),
            point=np.zeros((_RAYS, 3)),
            fraction=np.zeros(_RAYS),
            normal=np.zeros((_RAYS, 2)),
        )

    @cached_property
    def look(self) -> LookRoom:
        """Buffers for the cells, values and steps that a flood leaves."""
        count = len(self._arrays.cell_grid)
        return LookRoom(np.empty(count, np.int32), np.empty(count, np.int8), np.empty(count, np.int16))


def _is_square(arrays: CellArrays) -> bool:
    """Return whether all cells are at the centres of squares, so that links have eight directions."""
    size = arrays.size_xyz[:2]
    middle = arrays.origin_xyz[:2] + (arrays.cell_grid[:, :2] + 0.5) * size
    return bool(size[0] == size[1] and (middle.astype(np.float32) == arrays.cell_xyz[:, :2]).all())


class Workspaces:
    """Lends work arrays to concurrent floods, which return them clean."""

    def __init__(self, layout: MeshedLayout):
        self.layout = layout
        self._idle: list[Workspace] = []
        self._lock = threading.Lock()

    def lend(self) -> Workspace:
        """Return clean work arrays."""
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return Workspace(self.layout.arrays)

    def take_back(self, work: Workspace) -> None:
        """Keep clean work arrays for the next flood."""
        with self._lock:
            self._idle.append(work)
