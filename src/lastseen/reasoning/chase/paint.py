"""A flood as values of a layer: warm cells above 0, the barrier -1, closed cells -2."""

from __future__ import annotations

import numpy as np

from ...conventions import Ids
from ...errors import QueryError
from ...kernels.heat_flood import BARRIER, CLOSED
from ...layers.layer import Layer
from .prediction import Flood

__all__ = ["paint"]


def paint(layer: Layer, flood: Flood) -> Ids:
    """Write a flood into an int8 layer; return the cells written, so that `layer.clear(cells)` undoes it.

    Only the cells of the flood are written: warm ones get what is left of their heat, barrier cells -1, closed -2.
    """
    if layer.dtype != np.int8 or layer.low > CLOSED or layer.high < 127:
        raise QueryError(
            f"layer {layer.name!r} holds {layer.dtype} from {layer.low:g} to {layer.high:g}; a flood needs int8 with "
            f"{CLOSED} … 127"
        )
    if flood.cell_count != len(layer.values):
        raise QueryError(
            f"layer {layer.name!r} has {len(layer.values)} cells, the flood is of {flood.cell_count}: of another "
            "layout; give a layer of the cells that were flooded"
        )
    cells = np.concatenate([flood.warm, flood.barrier, flood.closed])
    layer.values[flood.warm] = flood.values
    layer.values[flood.barrier] = BARRIER
    layer.values[flood.closed] = CLOSED
    return cells
