"""Sorting walls and triangles into a grid of columns."""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .jit import jit

__all__ = ["fill_columns"]

MARGIN = 1e-3
"""Share of a column by which things reach beyond themselves: more than the walk along a line rounds."""


@jit
def _apart(shape: Array, x: float, y: float, reach: float) -> bool:
    """Return whether an edge of a shape (k, 2) parts it from the square about (x, y) that reaches so far."""
    count = len(shape)
    for k in range(count):
        ax, ay = shape[k, 0], shape[k, 1]
        bx, by = shape[(k + 1) % count, 0], shape[(k + 1) % count, 1]
        nx, ny = by - ay, ax - bx
        far = reach * (abs(nx) + abs(ny))
        middle = nx * (x - ax) + ny * (y - ay)
        low, high = 0.0, 0.0
        for m in range(count):
            side = nx * (shape[m, 0] - ax) + ny * (shape[m, 1] - ay)
            low, high = min(low, side), max(high, side)
        if middle - far > high or middle + far < low:
            return True
    return False


@jit
def fill_columns(shapes: Array, columns: int, rows: int, count: Array, item: Array) -> None:
    """Count the shapes that meet each column, or write their numbers.

    `shapes` (n, k, 2) float64 are segments or triangles seen from above, in columns. With `item` empty, `count`
    (columns * rows,) is raised for each; else it holds where the next number of a column goes, and moves on.
    """
    for n in range(len(shapes)):
        shape = shapes[n]
        low_x, high_x, low_y, high_y = shape[0, 0], shape[0, 0], shape[0, 1], shape[0, 1]
        for k in range(1, len(shape)):
            low_x, high_x = min(low_x, shape[k, 0]), max(high_x, shape[k, 0])
            low_y, high_y = min(low_y, shape[k, 1]), max(high_y, shape[k, 1])
        for row in range(max(np.int64(low_y - MARGIN), 0), min(np.int64(high_y + MARGIN), rows - 1) + 1):
            for column in range(max(np.int64(low_x - MARGIN), 0), min(np.int64(high_x + MARGIN), columns - 1) + 1):
                if _apart(shape, column + 0.5, row + 0.5, 0.5 + MARGIN):
                    continue
                place = row * columns + column
                if len(item):
                    item[count[place]] = n
                count[place] += 1
