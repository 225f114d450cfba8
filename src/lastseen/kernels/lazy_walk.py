"""Walking distances found only as far as they are asked for.

Two walks at once (row 0: from where the runner was seen, row 1: from the guard). Cells wait in buckets no wider than
the shortest link, so that a bucket needs no order within: what leaves it is final. A question settles buckets until
its own cell is settled or too far away, so its cost follows the answer and never the map.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..conventions import Array
from .bits import bit
from .cell_arrays import CellArrays
from .jit import jit

__all__ = ["Walks", "walk_end", "walk_from", "walk_to"]

_TOUCHED, _USED, _NOW, _WAITING = 0, 1, 2, 3


class Walks(NamedTuple):
    """Work arrays of two walks over N cells and K links; B buckets in a ring."""

    metres: Array  # float64 (2, N)  resting: inf
    touched: Array  # uint32 (2, N)
    entry_cell: Array  # uint32 (2, K + N)
    entry_metres: Array  # float64 (2, K + N)
    entry_next: Array  # int32 (2, K + N)
    head: Array  # int32 (2, B)  resting: -1
    count: Array  # int64 (2, 4)
    width: Array  # float64 (1,)  metres of a bucket


@jit
def _wait(walks: Walks, w: int, cell: np.uint64, metres: float) -> None:
    """Put a cell into the bucket of its distance."""
    entry = walks.count[w, _USED]
    if entry >= walks.entry_cell.shape[1]:
        return  # cannot happen while buckets are no wider than links
    slot = np.int64(metres / walks.width[0]) % walks.head.shape[1]
    walks.entry_cell[w, entry] = cell
    walks.entry_metres[w, entry] = metres
    walks.entry_next[w, entry] = walks.head[w, slot]
    walks.head[w, slot] = entry
    walks.count[w, _USED] += 1
    walks.count[w, _WAITING] += 1


@jit
def walk_from(walks: Walks, w: int, cell: int) -> None:
    """Begin walk `w` at a cell."""
    walks.metres[w, cell] = 0.0
    walks.touched[w, 0] = cell
    walks.count[w, _TOUCHED] = 1
    _wait(walks, w, np.uint64(cell), 0.0)


@jit
def walk_to(cells: CellArrays, walks: Walks, w: int, cell: int, bound: float) -> float:
    """How many metres is it to a cell? Infinite where no way is as short as `bound`."""
    target, one = np.uint64(cell), np.uint64(1)
    width, ring = walks.width[0], walks.head.shape[1]
    while True:
        now = walks.count[w, _NOW]
        known = walks.metres[w, target]
        if known < np.inf and np.int64(known / width) < now:
            return known
        if walks.count[w, _WAITING] == 0 or now * width > bound:
            return np.inf
        slot = now % ring
        while walks.head[w, slot] >= 0:
            entry = walks.head[w, slot]
            walks.head[w, slot] = walks.entry_next[w, entry]
            walks.count[w, _WAITING] -= 1
            here = np.uint64(walks.entry_cell[w, entry])
            metres = walks.entry_metres[w, entry]
            if metres != walks.metres[w, here]:
                continue  # a shorter way was found meanwhile
            for link in range(np.uint64(cells.link_start[here]), np.uint64(cells.link_start[here + one])):
                other = np.uint64(cells.link_cell[link])
                further = metres + np.float64(cells.link_length[link])
                before = walks.metres[w, other]
                if further >= before or bit(cells.blocked, link) or bit(cells.disabled, other):
                    continue
                if before == np.inf:
                    walks.touched[w, walks.count[w, _TOUCHED]] = other
                    walks.count[w, _TOUCHED] += 1
                walks.metres[w, other] = further
                _wait(walks, w, other, further)
        walks.count[w, _NOW] += 1


@jit
def walk_end(walks: Walks, w: int) -> None:
    """Put back the resting state of walk `w`."""
    for k in range(np.uint64(walks.count[w, _TOUCHED])):
        walks.metres[w, np.uint64(walks.touched[w, k])] = np.inf
    if walks.count[w, _WAITING]:
        for slot in range(walks.head.shape[1]):
            walks.head[w, slot] = -1
    for k in range(walks.count.shape[1]):
        walks.count[w, k] = 0
