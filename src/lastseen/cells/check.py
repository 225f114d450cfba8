"""Find floor the layout leaves out."""

from __future__ import annotations

import numpy as np

from ..conventions import Ids
from .layout import CellLayout

__all__ = ["faces_without_cell"]


def faces_without_cell(layout: CellLayout) -> Ids:
    """Return the faces that own no cell, as int32 face ids.

    Every slot such a face reaches into belongs to a neighbour (or, if `CellLayout.shadowed` is not 0, to a
    larger floor at nearly the same height), or the face is thinner than the rounding error.
    """
    return np.flatnonzero(np.diff(layout.face_cells.astype(np.int64)) == 0).astype(np.int32)
