"""Where a path search keeps its nodes: a heap of the most promising, a table of the shortest ways to each corner,
and one of all nodes made, so that none is made twice.

Everything grows with the nodes made, so a search costs what it touches.
"""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .jit import jit

__all__ = ["ESTIMATE", "node_slot", "rehashed", "rehashed_nodes", "rise", "sink", "slot_of", "twice_the_room"]

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


@jit
def node_slot(table: Array, numbers: Array, ids: Array, node: int) -> int:
    """Return where in a table of nodes the one with the same link, root and interval stands, or the free place (-1)."""
    mask = len(table) - 1
    mixed = ids[node, 0] * 73856093 + ids[node, 3] * 19349663
    for k in range(4, 8):
        mixed = mixed * 31 + np.int64(numbers[node, k] * 65536.0)
    slot = (mixed ^ (mixed >> 17)) & mask
    while table[slot] >= 0:
        other = table[slot]
        same = ids[other, 0] == ids[node, 0] and ids[other, 3] == ids[node, 3]
        for k in range(2, 8):
            same = same and numbers[other, k] == numbers[node, k]
        if same:
            break
        slot = (slot + 1) & mask
    return slot


@jit
def rehashed_nodes(table: Array, numbers: Array, ids: Array) -> Array:
    """Return a table of nodes twice as long."""
    larger = np.full(2 * len(table), -1, np.int64)
    for k in range(len(table)):
        if table[k] >= 0:
            larger[node_slot(larger, numbers, ids, table[k])] = table[k]
    return larger
