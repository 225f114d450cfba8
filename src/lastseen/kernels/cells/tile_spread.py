"""Spreading over tiles: cells of a grid with up to four straight and four diagonal neighbours.

Tiles are expanded in order of distance, so tiles reached over links of one length are in order too, and two queues
suffice. Most of the time is spent waiting for memory, so each tile has a row of neighbours that takes a quarter of the
space of its links.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.bits import bit
from ..jit import inner, jit

SIDES = 8
_STRAIGHT = 4


class Links(NamedTuple):
    """The arrays of a layout that spreading needs (see `CellArrays`)."""

    start: Array  # uint32 (N + 1,)
    cell: Array  # uint16 | uint32 (K,)
    length: Array  # float32 (K,)  metres
    disabled: Array  # uint8, a bit per cell
    blocked: Array  # uint8, a bit per link; empty if no link can be blocked


class SpreadArrays(NamedTuple):
    """Work arrays for N cells, all in their resting state between calls.

    Cells of a bucket form a doubly linked list: `following` and `previous` hold ids plus one, 0 ends a list.
    """

    distance: Array  # float64 (N,)  metres; resting: inf
    origin: Array  # int32 (N,)  number of the source a cell was reached from, if there are several; resting: -1
    following: Array  # uint32 (N or 0 on tiles,)  any
    previous: Array  # uint32 (N or 0,)  any
    bucket: Array  # uint32 (power of two,)  first cell of each bucket plus one; resting: 0
    width: Array  # float64 (3,)  metres of a bucket (less than the shortest link), of the shortest and longest link
    neighbour: Array  # int16 | int32 (N or 0 if not tiles, SIDES)  fixed: see `list_neighbours`
    queue_cell: Array  # uint32 (2, N + 1 or 0)  waiting tiles that were reached straight, and diagonally; any
    queue_metres: Array  # float64 (2, N + 1 or 0)  any
    ahead: Array  # int64 (1,)  sink for prefetched values, so that the compiler keeps the reads; any
    reached: Array  # uint32 (N,)  cells in order of distance; any
    total: Array  # float64 (N,)  influence so far, where marked; any
    touched: Array  # uint32 (N,)  cells with influence; any
    marked: Array  # uint8 (N,)  1: is in touched; resting: 0


@jit
def list_neighbours(start: Array, cell: Array, length: Array, shorter: float, neighbour: Array) -> int:
    """Fill a row per cell with the id offsets of its straight neighbours, then of its diagonal ones.

    Unused entries stay 0, the cell itself. Returns the largest offset, or -1 if a cell has more than four neighbours of
    either kind. A table without rows is not filled, to find the integer width needed first.
    """
    furthest = np.int64(0)
    for here in range(len(start) - 1):
        straight, slanted = 0, _STRAIGHT
        for link in range(start[here], start[here + 1]):
            away = np.int64(cell[link]) - here
            furthest = max(furthest, abs(away))
            if length[link] == shorter:
                side = straight
                straight += 1
            else:
                side = slanted
                slanted += 1
            if straight > _STRAIGHT or slanted > SIDES:
                return -1
            if len(neighbour):
                neighbour[here, side] = away
    return furthest


@jit
def _has_blocked(links: Links, cell: np.uint64) -> bool:
    """Return whether a link of a tile may be blocked; the bits of its links, at most eight, lie in two bytes."""
    last, three = np.uint64(len(links.cell) - 1), np.uint64(3)
    first = min(np.uint64(links.start[cell]), last)  # a tile without links may be the last
    eighth = min(first + np.uint64(7), last)
    return (links.blocked[first >> three] | links.blocked[eighth >> three]) != 0


@jit
def _relax_links(
    links: Links, cell: np.uint64, reach: float, work: SpreadArrays, straight_end: np.uint64, slanted_end: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Queue the neighbours of a tile whose links are not blocked; return the new ends of the queues."""
    one = np.uint64(1)
    for link in range(np.uint64(links.start[cell]), np.uint64(links.start[cell + one])):
        other = np.uint64(links.cell[link])
        length = np.float64(links.length[link])
        further = work.distance[cell] + length
        if further >= work.distance[other] or further > reach:
            continue
        if bit(links.blocked, link) or bit(links.disabled, other):
            continue
        work.distance[other] = further
        if length == work.width[1]:
            work.queue_cell[0, straight_end] = other
            work.queue_metres[0, straight_end] = further
            straight_end += one
        else:
            work.queue_cell[1, slanted_end] = other
            work.queue_metres[1, slanted_end] = further
            slanted_end += one
    return straight_end, slanted_end


@inner
def spread_over_tiles(links: Links, sources: Array, reach: float, work: SpreadArrays) -> int:
    """Walk from all `sources` at once, nearest first; see `spread_from` in `layer_spread.py`."""
    distance, origin, reached, neighbour = work.distance, work.origin, work.reached, work.neighbour
    queue_cell, queue_metres = work.queue_cell, work.queue_metres
    zero, one = np.uint64(0), np.uint64(1)
    shorter, longer = work.width[1], work.width[2]
    several = len(sources) > 1
    may_block = len(links.blocked) > 0
    straight, slanted, straight_end, slanted_end = zero, zero, zero, zero
    for number in range(len(sources)):
        cell = np.uint64(sources[number])
        if distance[cell] != 0.0 and not bit(links.disabled, cell):
            distance[cell] = 0.0
            if several:
                origin[cell] = number
            queue_cell[zero, straight_end] = cell
            queue_metres[zero, straight_end] = 0.0
            straight_end += one
    count = zero
    # A tile's neighbours are read once when it is queued, to have them cached when its turn comes: saves a tenth.
    ahead = np.int64(0)
    while True:
        # A sentinel at the end of each queue.
        queue_metres[zero, straight_end] = np.inf
        queue_metres[one, slanted_end] = np.inf
        metres, other_metres = queue_metres[zero, straight], queue_metres[one, slanted]
        if other_metres < metres:
            metres = other_metres
            cell = np.uint64(queue_cell[one, slanted])
            slanted += one
        elif metres < np.inf:
            cell = np.uint64(queue_cell[zero, straight])
            straight += one
        else:
            break
        if metres != distance[cell]:
            continue  # a shorter path was found meanwhile
        reached[count] = cell
        count += one
        straight_before, slanted_before = straight_end, slanted_end
        if may_block and _has_blocked(links, cell):
            straight_end, slanted_end = _relax_links(links, cell, reach, work, straight_end, slanted_end)
        else:
            further = metres + shorter
            if further <= reach:
                for side in range(_STRAIGHT):
                    other = np.uint64(np.int64(cell) + np.int64(neighbour[cell, side]))
                    if further < distance[other] and not bit(links.disabled, other):
                        distance[other] = further
                        queue_cell[zero, straight_end] = other
                        queue_metres[zero, straight_end] = further
                        straight_end += one
                        ahead += np.int64(neighbour[other, zero])
            further = metres + longer
            if further <= reach:
                for side in range(_STRAIGHT, SIDES):
                    other = np.uint64(np.int64(cell) + np.int64(neighbour[cell, side]))
                    if further < distance[other] and not bit(links.disabled, other):
                        distance[other] = further
                        queue_cell[one, slanted_end] = other
                        queue_metres[one, slanted_end] = further
                        slanted_end += one
                        ahead += np.int64(neighbour[other, zero])
        if several:
            for place in range(straight_before, straight_end):
                origin[np.uint64(queue_cell[zero, place])] = origin[cell]
            for place in range(slanted_before, slanted_end):
                origin[np.uint64(queue_cell[one, place])] = origin[cell]
    work.ahead[0] = ahead
    return np.int64(count)
