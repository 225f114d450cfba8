"""Doors that open during a search: from which cells can the wave go on?"""

from __future__ import annotations

import numpy as np

from ...conventions import Array, Ids
from ...kernels.cell_arrays import CellArrays

__all__ = ["opened_links"]


def opened_links(cells: CellArrays, blocked: Array, disabled: Array) -> Ids:
    """Return the cells with a link that was barred under the old bits and is open under those of `cells`, ascending."""
    links = _set_bits(blocked & ~cells.blocked)
    start = cells.link_start.astype(np.int64)
    from_links = np.searchsorted(start, links, side="right") - 1
    freed = _set_bits(disabled & ~cells.disabled)
    counts = start[freed + 1] - start[freed]
    # Of a cell that was disabled, its neighbours: all links but drops go both ways.
    ends = np.cumsum(counts)
    inner = np.arange(ends[-1] if len(ends) else 0) + np.repeat(start[freed] - (ends - counts), counts)
    return np.unique(np.concatenate([from_links, cells.link_cell[inner].astype(np.int64)])).astype(np.int32)


def _set_bits(field: Array) -> Array:
    """Return the numbers of the bits that are set."""
    changed = np.flatnonzero(field)
    bits = np.unpackbits(field[changed], bitorder="little").reshape(-1, 8)
    row, column = np.nonzero(bits)
    return changed[row] * 8 + column
