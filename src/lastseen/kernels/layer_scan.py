"""Horizontal traversal: run along one layer until a value fits."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..conventions import Array
from .bits import bit
from .jit import jit

__all__ = ["next_fitting"]


@jit
def next_fitting(values: Array, low: Any, high: Any, disabled: Array, start: int, skip_disabled: bool) -> int:
    """Return the first cell from `start` on with `low <= value <= high`, or -1.

    `low` and `high` have the dtype of `values`; `disabled` is a bit field.
    """
    count = np.uint64(len(values))
    cell = np.uint64(start)
    one = np.uint64(1)
    block = np.uint64(256)
    while cell < count:
        # Without an early exit the compiler compares a register full of values at once: 3.5 x on int8.
        while cell + block <= count:
            fitting = np.uint8(0)
            for other in range(cell, cell + block):
                fitting |= np.uint8(values[other] >= low) & np.uint8(values[other] <= high)
            if fitting:
                break
            cell += block
        end = min(cell + block, count)
        while cell < end:
            if low <= values[cell] <= high and not (skip_disabled and bit(disabled, cell)):
                return np.int64(cell)
            cell += one
    return -1
