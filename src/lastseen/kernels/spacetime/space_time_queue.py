"""A growing heap of future arrivals, the earliest first."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..jit import inner, jit


@inner
def with_room(rows: Array, count: int) -> Array:
    """Return rows (n, 4) with room for one more than `count`: the same array, or a larger copy if it is full."""
    if count < len(rows):
        return rows
    wider = np.empty((2 * count + 8, 4))
    wider[:count] = rows[:count]
    return wider


@jit
def _before(heap: Array, i: int, j: int) -> bool:
    if heap[i, 0] != heap[j, 0]:
        return heap[i, 0] < heap[j, 0]
    return heap[i, 1] < heap[j, 1]


@jit
def _swap(heap: Array, i: int, j: int) -> None:
    for column in range(4):
        heap[i, column], heap[j, column] = heap[j, column], heap[i, column]


@inner
def push_arrival(heap: Array, size: int) -> None:
    """Move the last of `size` rows, (n, 4) with the time first and the place next, to its position in the heap."""
    i = size - 1
    while i > 0 and _before(heap, i, (i - 1) // 2):
        _swap(heap, i, (i - 1) // 2)
        i = (i - 1) // 2


@inner
def pop_arrival(heap: Array, size: int) -> None:
    """Move the earliest of `size` rows to the end, to row `size - 1`."""
    last = size - 1
    _swap(heap, 0, last)
    i = 0
    while 2 * i + 1 < last:
        child = 2 * i + 1
        if child + 1 < last and _before(heap, child + 1, child):
            child += 1
        if not _before(heap, child, i):
            return
        _swap(heap, i, child)
        i = child
