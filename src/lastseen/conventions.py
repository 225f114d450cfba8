"""Units, axes, dtypes and naming of coordinate spaces, defined once.

- World: metres, seconds, radians; right-handed, **z up**. A position is `(x, y, z)`; `(x, y)` means z = 0.
- Grid maps: x = column, y = row; the centre of tile `(column, row)` is `(column + 0.5, row + 0.5)`.
- Numbers turn from +x towards +y, on every level: a heading of 90° is +y, and *counter-clockwise* means that way round.
  Signed distances to a side, and y in the frame of a head or body, are positive on that side.
- Words are those of the picture: *left*, *right*, *up* and *down* are as on the map, and the left and right of an agent
  are those of a person who walks there. Most maps are drawn with y up: left is then 90° counter-clockwise of ahead.
  Tile maps are drawn with y down (`Level.is_drawn_down`): left is 90° clockwise. Only `left_turn` converts.
- Kernels, navmesh and sight say left and right of an edge as if drawn with y up.
- Faces run counter-clockwise when seen from above.
- Suffixes name the space: `_xyz` metres, `_cell` cell id, `_face` face id.
- "None" for an id is -1 in the API, whatever the width of the stored type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Ids = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

Progress = Callable[[str, float], None] | None
"""Called with the name of a stage and the fraction of it done, 0 … 1."""

NOWHERE = -1
"""Id that means "no such cell" or "no such face"."""

MOST_SLOTS = 0xFFFF
"""Most cells a layout may have along one axis."""
MOST_PIECES = 50_000_000
"""Most pieces the cell grid may cut faces into: about five times the ten million cells a layout is designed for."""
MOST_COLUMNS = 50_000_000
"""Largest grid of the voxel builder: about 1 GB of spans in a level with two storeys."""
FINEST_STEPS = 64
"""Fewest 32-bit positions a cell must span along each axis; with fewer, far from the origin, cells would merge."""


def left_turn(is_drawn_down: bool) -> float:
    """Return the sign of a turn to the left in numbers: -1 on levels that are drawn with y down, else 1."""
    return -1.0 if is_drawn_down else 1.0


def index_dtype(count: int) -> type[np.uint16] | type[np.uint32]:
    """Return the narrowest unsigned type for ids `0 … count - 1` that leaves its top value free for "none"."""
    return np.uint16 if count <= 0xFFFF else np.uint32
