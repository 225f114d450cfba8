"""Merging passable tiles to rectangles."""

from __future__ import annotations

from ..conventions import Array
from .jit import jit

__all__ = ["merge_tiles"]


@jit
def merge_tiles(free: Array, widest: int, result: Array) -> int:
    """Cover the tiles marked in `free` with disjoint rectangles, clearing the marks; return how many there are.

    `free` (rows, columns) uint8; `result` (n, 4) int32 with n >= number of marked tiles takes column, row, width,
    height. None is longer than `widest` tiles. Greedy from the first free tile in reading order: the larger of
    growing right first or down first.
    """
    rows, columns = free.shape
    count = 0
    for row in range(rows):
        for column in range(columns):
            if free[row, column] == 0:
                continue
            width, depth = _grow(free, widest, row, column, 0, 1)
            height, breadth = _grow(free, widest, row, column, 1, 0)
            if width * depth >= height * breadth:
                height = depth
            else:
                width = breadth
            for r in range(row, row + height):
                for c in range(column, column + width):
                    free[r, c] = 0
            result[count, 0] = column
            result[count, 1] = row
            result[count, 2] = width
            result[count, 3] = height
            count += 1
    return count


@jit
def _grow(free: Array, widest: int, row: int, column: int, down: int, right: int) -> tuple[int, int]:
    """Return (length, depth) of the free rectangle grown along one direction first, then across."""
    rows, columns = free.shape
    length = 1
    while length < widest and row + length * down < rows and column + length * right < columns:
        if free[row + length * down, column + length * right] == 0:
            break
        length += 1
    depth = 1
    while depth < widest and row + depth * right < rows and column + depth * down < columns:
        for k in range(length):
            if free[row + k * down + depth * right, column + k * right + depth * down] == 0:
                return length, depth
        depth += 1
    return length, depth
