"""The cell layout as kernels see it."""

from __future__ import annotations

from typing import NamedTuple

from ..conventions import Array

__all__ = ["CellArrays"]


class CellArrays(NamedTuple):
    """All arrays a cell query touches. N cells, K links; ids are uint16 up to 65,535 cells, uint32 beyond.

    `disabled` and `blocked` are bit fields (bit `i & 7` of byte `i >> 3`) that follow the navmesh's cuts.
    Exactly one of the two access tables is used: `dense` when it is not empty, else `hash_cell`, which holds
    ids only: the key of a cell is its `cell_grid`, so the table costs two bytes a slot instead of ten.
    """

    origin_xyz: Array  # float64 (3,)  minimum corner of the navmesh's bounding box
    size_xyz: Array  # float64 (3,)  cell edges: x, y and level height
    shape: Array  # uint32 (3,)  grid extent: columns, rows, levels
    cell_grid: Array  # uint16 (N, 3)  column, row, level
    cell_xyz: Array  # float32 (N, 3)  position on the floor
    link_start: Array  # uint32 (N + 1,)
    link_cell: Array  # uint16 | uint32 (K,)
    link_length: Array  # float32 (K,)  metres walked along the link
    dense: Array  # uint16 | uint32 (levels * rows * columns or 0,)  cell id, top value: none; column runs fastest
    hash_cell: Array  # uint16 | uint32 (power of two or 0,)  cell id, top value: free slot
    disabled: Array  # uint8 ((N + 7) // 8,)
    blocked: Array  # uint8 ((K + 7) // 8,)
