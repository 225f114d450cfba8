"""Merging passable tiles to rectangles."""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .jit import jit

__all__ = ["merge_tiles"]


@jit
def merge_tiles(passable: Array) -> Array:
    """Return disjoint rectangles (n, 4) int32 that cover exactly the passable tiles: column, row, width, height.

    Greedy from the first free tile in reading order: the larger of growing right first or down first.
    """
    rows, columns = passable.shape
    free = passable.astype(np.uint8)
    result = np.empty((rows * columns, 4), np.int32)
    count = 0
    for row in range(rows):
        for column in range(columns):
            if free[row, column] == 0:
                continue
            wide = _grow(free, row, column)
            tall = _grow(free.T, column, row)
            if wide[0] * wide[1] >= tall[0] * tall[1]:
                width, height = wide
            else:
                height, width = tall
            free[row : row + height, column : column + width] = 0
            result[count, 0] = column
            result[count, 1] = row
            result[count, 2] = width
            result[count, 3] = height
            count += 1
    return result[:count].copy()


@jit
def _grow(free: Array, row: int, column: int) -> tuple[int, int]:
    """Return (length, depth) of the free rectangle grown along the row first, then across."""
    rows, columns = free.shape
    length = 1
    while column + length < columns and free[row, column + length] != 0:
        length += 1
    depth = 1
    while row + depth < rows:
        for c in range(column, column + length):
            if free[row + depth, c] == 0:
                return length, depth
        depth += 1
    return length, depth
