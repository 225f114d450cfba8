"""Work arrays of floods: made once, lent to one flood at a time, put back clean."""

from __future__ import annotations

import threading

import numpy as np

from ...kernels.cell_arrays import CellArrays
from ...kernels.heat_flood import FloodWork

__all__ = ["Workspaces", "flood_work"]

LONGEST = 30_000
"""Most steps a flood may make: steps are counted in 16 bits."""


def flood_work(cell_count: int) -> FloodWork:
    """Return work arrays for one flood at a time over so many cells."""
    return FloodWork(
        state=np.zeros(cell_count, np.int16),
        lists=np.empty((5, cell_count), np.uint32),
        count=np.zeros(8, np.int64),
        heading=np.zeros(3),
        per_step=np.zeros(LONGEST + 2, np.int32),
    )


class Workspaces:
    """Lends work arrays to floods that run at the same time; each gives them back clean."""

    def __init__(self, arrays: CellArrays):
        self._cells = len(arrays.cell_grid)
        self._idle: list[FloodWork] = []
        self._lock = threading.Lock()

    def lend(self) -> FloodWork:
        """Take work arrays in their resting state."""
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return flood_work(self._cells)

    def take_back(self, work: FloodWork) -> None:
        """Keep work arrays, in their resting state again, for the next flood."""
        with self._lock:
            self._idle.append(work)
