"""Where a path search keeps its nodes: a heap of the most promising, a table of the shortest ways to each corner.

Everything grows with the nodes made, so a search costs what it touches.
"""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .jit import jit

__all__ = ["ESTIMATE", "rehashed", "rise", "sink", "slot_of", "twice_the_room"]

ESTIMATE = 0
"""Column of a node's numbers by which the heap is ordered."""


@jit
def slot_of(keys: Array, key: int) -> int:
    """Return where a key stands in an open table, or the free place (-1) for it."""
    mask = len(keys) - 1
    slot = (key * 40503) & mask
    while keys[slot] >= 0 and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@jit
def rise(heap: Array, numbers: Array, at: int) -> None:
    """Move the node at a place of the heap up to where it belongs."""
    node = heap[at]
    value = numbers[node, ESTIMATE]
    while at > 0:
        above = (at - 1) >> 1
        if numbers[heap[above], ESTIMATE] <= value:
            break
        heap[at] = heap[above]
        at = above
    heap[at] = node


@jit
def sink(heap: Array, numbers: Array, size: int) -> None:
    """Move the node at the top of the heap down to where it belongs."""
    node = heap[0]
    value = numbers[node, ESTIMATE]
    at = 0
    while True:
        below = 2 * at + 1
        if below >= size:
            break
        if below + 1 < size and numbers[heap[below + 1], ESTIMATE] < numbers[heap[below], ESTIMATE]:
            below += 1
        if numbers[heap[below], ESTIMATE] >= value:
            break
        heap[at] = heap[below]
        at = below
    heap[at] = node


@jit
def twice_the_room(numbers: Array, ids: Array, heap: Array) -> tuple[Array, Array, Array]:
    """Return nodes and heap in arrays twice as long."""
    # Plain loops: numba takes seconds longer to compile slices.
    size = len(heap)
    more_numbers, more_ids = np.empty((2 * size, 8), np.float64), np.empty((2 * size, 5), np.int64)
    more_heap = np.empty(2 * size, np.int64)
    for k in range(size):
        for j in range(8):
            more_numbers[k, j] = numbers[k, j]
        for j in range(5):
            more_ids[k, j] = ids[k, j]
        more_heap[k] = heap[k]
    return more_numbers, more_ids, more_heap


@jit
def rehashed(keys: Array, values: Array) -> tuple[Array, Array]:
    """Return a table twice as long."""
    larger = np.full(2 * len(keys), -1, np.int64)
    moved = np.empty(2 * len(keys), np.float64)
    for k in range(len(keys)):
        if keys[k] >= 0:
            slot = slot_of(larger, keys[k])
            larger[slot], moved[slot] = keys[k], values[k]
    return larger, moved
