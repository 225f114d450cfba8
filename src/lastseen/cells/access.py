"""The access table from grid coordinates to cells: a dense grid if that is small enough, else a hash table."""

from __future__ import annotations

import numpy as np

from ..checks import read_only
from ..conventions import Array, index_dtype
from ..kernels.cells.cell_access import fill_hash

LEAST_SLOTS = 4096
DENSE_SHARE = 2
"""A dense grid may take this many times the slots of a hash table: lookups take half the time."""


def access_table(shape: Array, cell_grid: Array) -> tuple[Array, Array]:
    """Return `(dense, hash_cell)` for cells at `cell_grid` (N, 3) in a grid of `shape`; one of the two is empty.

    Notes
    -----
    The number of hash slots is a power of two, at most half of them taken. Slots hold only ids: the coordinates of a
    cell are its key.
    """
    dtype = index_dtype(len(cell_grid))
    free = np.iinfo(dtype).max
    hash_slots = 1 << max(2 * len(cell_grid) - 1, 1).bit_length()
    dense_slots = int(np.prod(shape, dtype=np.uint64))
    if dense_slots <= max(LEAST_SLOTS, DENSE_SHARE * hash_slots):
        dense = np.full(dense_slots, free, dtype)
        columns, rows, _ = shape.tolist()
        column, row, level = cell_grid.T
        dense[(level * np.int64(rows) + row) * columns + column] = np.arange(len(cell_grid), dtype=dtype)
        return read_only(dense), read_only(np.empty(0, dtype))
    hash_cell = np.full(hash_slots, free, dtype)
    fill_hash(cell_grid, hash_cell, free)
    return read_only(np.empty(0, dtype)), read_only(hash_cell)
