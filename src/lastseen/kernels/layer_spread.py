"""Spreading along links: shortest distance from sources, and what a source is worth at that distance.

The work arrays are as long as the cells, but only touched entries are written and put back, so that the cost of a
call follows the cells it reaches and never the size of the map.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..conventions import Array
from .bits import bit
from .jit import jit

__all__ = ["Links", "SpreadArrays", "add_influence", "distances_from"]


class Links(NamedTuple):
    """The part of a layout's arrays that spreading follows (see `CellArrays`)."""

    start: Array  # uint32 (N + 1,)
    cell: Array  # uint16 | uint32 (K,)
    length: Array  # float32 (K,)  metres
    disabled: Array  # uint8, a bit per cell
    blocked: Array  # uint8, a bit per link


class SpreadArrays(NamedTuple):
    """Work arrays for N cells, all in their resting state between calls.

    The heap holds cells by distance; `place` is where a cell stands in it plus one (0: never seen).
    """

    distance: Array  # float64 (N,)  metres; resting: inf
    origin: Array  # int32 (N,)  number of the source a cell was reached from; resting: -1
    place: Array  # uint32 (N,)  resting: 0
    heap: Array  # uint32 (N,)  any
    key: Array  # float64 (N,)  distance of the cell in the heap, beside it: no second look-up; any
    reached: Array  # uint32 (N,)  cells in order of distance; any
    total: Array  # float64 (N,)  influence so far, where marked; any
    touched: Array  # uint32 (N,)  cells with influence; any
    marked: Array  # uint8 (N,)  1: is in touched; resting: 0


@jit
def _rise(work: SpreadArrays, slot: int, cell: int, metres: float) -> None:
    """Put a cell into the heap at `slot` or nearer to the top, below whatever is as near."""
    heap, key, place = work.heap, work.key, work.place
    one = np.uint64(1)
    at = np.uint64(slot)
    while at > 0:
        parent = (at - one) >> one
        if key[parent] <= metres:
            break
        heap[at] = heap[parent]
        key[at] = key[parent]
        place[np.uint64(heap[at])] = at + one
        at = parent
    heap[at] = cell
    key[at] = metres
    place[np.uint64(cell)] = at + one


@jit
def _take_nearest(work: SpreadArrays, size: int) -> int:
    """Take the top off a heap of `size` cells and put it in order again; return the cell."""
    heap, key, place = work.heap, work.key, work.place
    one = np.uint64(1)
    top = heap[0]
    count = np.uint64(size) - one
    cell = heap[count]
    metres = key[count]
    at = np.uint64(0)
    while True:
        child = at + at + one
        if child >= count:
            break
        if child + one < count and key[child + one] < key[child]:
            child += one
        if key[child] >= metres:
            break
        heap[at] = heap[child]
        key[at] = key[child]
        place[np.uint64(heap[at])] = at + one
        at = child
    heap[at] = cell
    key[at] = metres
    place[np.uint64(cell)] = at + one
    return np.uint64(top)


@jit
def _spread(
    links: Links,
    sources: Array,
    reach: float,
    work: SpreadArrays,
) -> int:
    """Walk from all `sources` (cell ids) at once, nearest first, up to `reach` metres; return how many were reached.

    Afterwards `work.reached` lists the cells by distance, `work.distance` and `work.origin` hold at them, and
    `_forget` must be called. Disabled cells are neither left nor entered, blocked links not used.
    """
    size = np.uint64(0)
    one = np.uint64(1)
    for number in range(len(sources)):
        cell = np.uint64(sources[number])
        if work.place[cell] == 0 and not bit(links.disabled, cell):
            work.distance[cell] = 0.0
            work.origin[cell] = number
            work.heap[size] = cell
            work.key[size] = 0.0
            size += one
            work.place[cell] = size
    count = np.uint64(0)
    while size > 0:
        cell = np.uint64(_take_nearest(work, size))
        size -= one
        work.reached[count] = cell
        count += one
        for link in range(np.uint64(links.start[cell]), np.uint64(links.start[cell + one])):
            other = np.uint64(links.cell[link])
            metres = work.distance[cell] + links.length[link]
            if metres > reach or metres >= work.distance[other]:
                continue
            if bit(links.blocked, link) or bit(links.disabled, other):
                continue
            slot = np.uint64(work.place[other])
            if slot == 0:
                size += one
                slot = size
            work.distance[other] = metres
            work.origin[other] = work.origin[cell]
            _rise(work, slot - one, other, metres)
    return np.int64(count)


@jit
def _forget(work: SpreadArrays, count: int) -> None:
    """Put back the resting state of the `count` cells the last `_spread` reached."""
    for number in range(np.uint64(count)):
        cell = np.uint64(work.reached[number])
        work.distance[cell] = np.inf
        work.origin[cell] = -1
        work.place[cell] = 0


@jit
def distances_from(links: Links, sources: Array, reach: float, work: SpreadArrays) -> tuple[Array, Array, Array]:
    """Return the cells within `reach` metres of the sources, nearest first: int32 ids, float64 metres, int32 source."""
    count = np.uint64(_spread(links, sources, reach, work))
    cells = np.empty(count, np.int32)
    metres = np.empty(count, np.float64)
    origin = np.empty(count, np.int32)
    for number in range(count):
        cell = np.uint64(work.reached[number])
        cells[number] = cell
        metres[number] = work.distance[cell]
        origin[number] = work.origin[cell]
    _forget(work, count)
    return cells, metres, origin


@jit
def add_influence(
    links: Links,
    sources: Array,
    strengths: Array,
    reach: float,
    exponent: float,
    halving: float,
    summed: bool,
    work: SpreadArrays,
) -> int:
    """Spread each source on its own and combine what they are worth in `work.total`; return how many cells got some.

    A source of strength `s` is worth `s * (1 - (d / reach) ** exponent)` at distance d; where `halving` is positive
    instead `s * 0.5 ** (d / halving)`. `summed`: values add up, else the highest holds.
    """
    touched = np.uint64(0)
    one = np.uint64(1)
    for number in range(len(sources)):
        alone = sources[number : number + 1]
        count = _spread(links, alone, reach, work)
        strength = strengths[number]
        for position in range(np.uint64(count)):
            cell = np.uint64(work.reached[position])
            metres = work.distance[cell]
            if halving > 0.0:
                value = strength * 0.5 ** (metres / halving)
            elif exponent == 1.0:
                value = strength * (1.0 - metres / reach)
            else:
                value = strength * (1.0 - (metres / reach) ** exponent)
            if work.marked[cell] == 0:
                work.marked[cell] = 1
                work.touched[touched] = cell
                touched += one
                work.total[cell] = value
            elif summed:
                work.total[cell] += value
            elif value > work.total[cell]:
                work.total[cell] = value
        _forget(work, count)
    return np.int64(touched)
