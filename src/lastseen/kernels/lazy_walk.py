"""Walking distances found only as far as they are asked for.

Two walks at once (row 0: from where the runner was seen, row 1: from the guard). Cells wait in buckets by distance,
each in one at most. Where a bucket is no wider than the shortest link what leaves it is final; in wider ones a cell may
come back once or twice before the bucket is empty. A question settles buckets until its own cell is settled or too far
away, so its cost follows the answer and never the map.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..conventions import Array
from .bits import bit
from .cell_arrays import CellArrays
from .jit import jit

__all__ = ["Walks", "walk_end", "walk_from", "walk_to"]

_TOUCHED, _NOW, _WAITING = 0, 1, 2
_NOT_WAITING = -2


class Walks(NamedTuple):
    """Work arrays of two walks over N cells; B buckets in a ring."""

    metres: Array  # float64 (2, N)  resting: inf
    touched: Array  # uint32 (2, N)
    after: Array  # int32 (2, N)  next cell in the same bucket, -1: last
    before: Array  # int32 (2, N)  the one before it, -1: first, -2: not waiting; only of touched cells
    head: Array  # int32 (2, B)  resting: -1
    count: Array  # int64 (2, 3)
    width: Array  # float64 (1,)  metres of a bucket


@jit
def _wait(walks: Walks, w: int, cell: np.uint64, metres: float) -> None:
    """Put a cell into the bucket of its distance."""
    slot = np.int64(metres / walks.width[0]) % walks.head.shape[1]
    first = walks.head[w, slot]
    walks.after[w, cell] = first
    walks.before[w, cell] = -1
    if first >= 0:
        walks.before[w, np.uint64(first)] = np.int32(cell)
    walks.head[w, slot] = np.int32(cell)
    walks.count[w, _WAITING] += 1


@jit
def _leave(walks: Walks, w: int, cell: np.uint64, metres: float) -> None:
    """Take a cell that waits out of the bucket of its distance."""
    before, after = walks.before[w, cell], walks.after[w, cell]
    if before >= 0:
        walks.after[w, np.uint64(before)] = after
    else:
        walks.head[w, np.int64(metres / walks.width[0]) % walks.head.shape[1]] = after
    if after >= 0:
        walks.before[w, np.uint64(after)] = before
    walks.before[w, cell] = _NOT_WAITING
    walks.count[w, _WAITING] -= 1


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
            here = np.uint64(walks.head[w, slot])
            metres = walks.metres[w, here]
            _leave(walks, w, here, metres)
            for link in range(np.uint64(cells.link_start[here]), np.uint64(cells.link_start[here + one])):
                other = np.uint64(cells.link_cell[link])
                further = metres + np.float64(cells.link_length[link])
                before = walks.metres[w, other]
                if further >= before or bit(cells.blocked, link) or bit(cells.disabled, other):
                    continue
                if before == np.inf:
                    walks.touched[w, walks.count[w, _TOUCHED]] = other
                    walks.count[w, _TOUCHED] += 1
                elif walks.before[w, other] != _NOT_WAITING:
                    _leave(walks, w, other, before)
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
