"""Storage of path search nodes: a heap ordered by estimate, and a record of what is known about each portal.

Arrays grow with the nodes created and nothing is cleared beforehand, so a search costs only what it touches.
"""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..jit import inner

OF, PLACE, HEAD = range(3)
"""Columns of a record: its link, its position in the table, the last node created there (-1 for none)."""


@inner
def push(heap: Array, keys: Array, size: int, node: int, key: float) -> None:
    """Add a node to a heap of `size` nodes; the least key comes first."""
    one = np.uint64(1)
    at = np.uint64(size)
    while at > np.uint64(0):
        above = (at - one) >> one
        if keys[above] <= key:
            break
        heap[at], keys[at] = heap[above], keys[above]
        at = above
    heap[at], keys[at] = node, key


@inner
def sink(heap: Array, keys: Array, size: int, node: int, key: float) -> None:
    """Replace the first node of a heap of `size` nodes."""
    one, end = np.uint64(1), np.uint64(size)
    at = np.uint64(0)
    while True:
        below = (at << one) + one
        if below >= end:
            break
        if below + one < end and keys[below + one] < keys[below]:
            below += one
        if keys[below] >= key:
            break
        heap[at], keys[at] = heap[below], keys[below]
        at = below
    heap[at], keys[at] = node, key


@inner
def more_nodes(numbers: Array, ids: Array, heap: Array, keys: Array) -> tuple[Array, Array, Array, Array]:
    """Return nodes and heap in arrays twice as long."""
    # Plain loops: numba takes seconds longer to compile slices.
    size = len(heap)
    more_numbers, more_ids = np.empty((2 * size, 7), np.float64), np.empty((2 * size, 5), np.int32)
    more_heap, more_keys = np.empty(2 * size, np.int32), np.empty(2 * size, np.float64)
    for k in range(size):
        for j in range(7):
            more_numbers[k, j] = numbers[k, j]
        for j in range(5):
            more_ids[k, j] = ids[k, j]
        more_heap[k], more_keys[k] = heap[k], keys[k]
    return more_numbers, more_ids, more_heap, more_keys


@inner
def record_of(table: Array, records: Array, count: int, link: int) -> int:
    """Return the record of a link, or `-1 - place` with the place in the table where it belongs.

    A place is taken only if one of the `count` records refers to it: all other table entries are stale.
    """
    mask = np.uint64(len(table) - 1)
    place = (np.uint64(link) * np.uint64(40503)) & mask
    while True:
        record = np.int64(table[place])
        if record < 0 or record >= count or np.uint64(records[np.uint64(record), PLACE]) != place:
            return -1 - np.int64(place)
        if np.uint64(records[np.uint64(record), OF]) == np.uint64(link):
            return record
        place = (place + np.uint64(1)) & mask


@inner
def more_records(records: Array, bounds: Array, count: int) -> tuple[Array, Array, Array]:
    """Return a table, records and bounds twice as long."""
    size = 2 * len(records)
    table, more, more_bounds = np.empty(2 * size, np.int32), np.empty((size, 3), np.int32), np.empty((size, 2))
    for k in range(count):
        link = np.int64(records[k, OF])
        place = -1 - record_of(table, more, k, link)
        table[place] = k
        more[k, OF], more[k, PLACE], more[k, HEAD] = link, place, records[k, HEAD]
        more_bounds[k, 0], more_bounds[k, 1] = bounds[k, 0], bounds[k, 1]
    return table, more, more_bounds
