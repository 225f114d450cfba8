"""Work arrays of looking around, for floods and searches."""

from __future__ import annotations

import numpy as np

from ..kernels.flood.cell_sight import Sight


def empty_sight(count: int) -> Sight:
    """Return work arrays for looking around among `count` cells."""
    return Sight(
        stamp=np.zeros((4, count), np.uint32),
        number=np.zeros(4, np.uint32),
        found=np.empty((3, count), np.uint32),
        missing=np.zeros(count, np.uint16),
        window=np.zeros((64, 64), np.uint32),
        planes=np.zeros((2, 10, 64), np.uint64),
        place=np.zeros(3, np.int64),
        span=np.zeros((2, 24), np.int64),
    )
