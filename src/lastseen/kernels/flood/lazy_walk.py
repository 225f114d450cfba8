"""Walking distances computed lazily, only up to the cells requested.

There are two walks (row 0: from where the runner was seen, row 1: from the guard). Cells wait in buckets by distance,
each in at most one. If a bucket is no wider than the shortest link, cells leaving it are final; in wider buckets a cell
may return once or twice before the bucket is empty. A query settles buckets until its own cells are settled or too far
away, so its cost depends on the answer and never on the size of the map.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.bits import bit
from ..arrays.level_arrays import CellArrays
from ..jit import inner

_TOUCHED, _NOW, _WAITING = 0, 1, 2
_NOT_WAITING = -2
_BEYOND = 2**62
"""Number of a bucket that no walk reaches."""


class Walks(NamedTuple):
    """Work arrays of two walks over N cells; B buckets in a ring, a power of two."""

    metres: Array  # float64 (2, N)  resting: inf
    touched: Array  # uint32 (2, N)
    after: Array  # int32 (2, N)  next cell in the same bucket, -1: last
    before: Array  # int32 (2, N)  previous cell in it, -1: first, -2: not waiting; valid for touched cells only
    head: Array  # int32 (2, B)  resting: -1
    count: Array  # int64 (2, 3)
    numbers: Array  # float64 (2,)  buckets per metre; least length that a metre along the shorter axis adds to a walk
    reach: Array  # float64 (N,)  upper bound of the runner's metres; valid only for cells a flood has reached


@inner
def walk_from(walks: Walks, w: int, cell: int) -> None:
    """Start walk `w` at a cell."""
    walks.metres[w, cell] = 0.0
    walks.touched[w, 0] = cell
    walks.after[w, cell] = -1
    walks.before[w, cell] = -1
    walks.head[w, 0] = cell
    walks.count[w, _TOUCHED] = 1
    walks.count[w, _NOW] = 0
    walks.count[w, _WAITING] = 1


@inner
def at_least(cells: CellArrays, walks: Walks, here: np.uint64, other: np.uint64) -> float:
    """Return a lower bound in metres for walks between two cells, with a margin for rounding.

    This is the horizontal distance, or the longer one along eight directions on a grid of squares.
    """
    dx = abs(np.float64(cells.cell_xyz[here, 0]) - np.float64(cells.cell_xyz[other, 0]))
    dy = abs(np.float64(cells.cell_xyz[here, 1]) - np.float64(cells.cell_xyz[other, 1]))
    return max(np.sqrt(dx * dx + dy * dy), max(dx, dy) + walks.numbers[1] * min(dx, dy)) * (1.0 - 1e-6)


@inner
def walk_to_all(
    cells: CellArrays, walks: Walks, walk: int, targets: Array, row: int, count: int, limits: Array, most: float
) -> None:
    """Make `metres` of a walk final for the first `count` cells of a row of `targets`.

    This applies to cells whose distance is at most `limits` (N,) plus `most`; all other distances exceed that.
    """
    w, one, mask, per_metre = np.uint64(walk), np.uint64(1), np.int64(walks.head.shape[1] - 1), walks.numbers[0]
    now, waiting = walks.count[w, _NOW], walks.count[w, _WAITING]
    touched = np.uint64(walks.count[w, _TOUCHED])
    for k in range(np.uint64(count)):
        target = np.uint64(targets[np.uint64(row), k])
        bound, limit = np.int64(_BEYOND), (limits[target] + most) * per_metre
        if limit < _BEYOND:
            bound = np.int64(limit)
        while waiting > 0 and now <= bound:
            known = walks.metres[w, target]
            if known < np.inf and np.int64(known * per_metre) < now:
                break
            slot = np.uint64(now & mask)
            while walks.head[w, slot] >= 0:
                here = np.uint64(walks.head[w, slot])
                onward = walks.after[w, here]
                walks.head[w, slot] = onward
                if onward >= 0:
                    walks.before[w, np.uint64(onward)] = -1
                walks.before[w, here] = _NOT_WAITING
                waiting -= 1
                metres = walks.metres[w, here]
                for link in range(np.uint64(cells.link_start[here]), np.uint64(cells.link_start[here + one])):
                    other = np.uint64(cells.link_cell[link])
                    further = metres + np.float64(cells.link_length[link])
                    known = walks.metres[w, other]
                    if further >= known or bit(cells.blocked, link) or bit(cells.disabled, other):
                        continue
                    walks.metres[w, other] = further
                    bucket = np.int64(further * per_metre)
                    if known == np.inf:
                        walks.touched[w, touched] = other
                        touched += one
                    elif walks.before[w, other] != _NOT_WAITING:
                        # Remove it from its current bucket, unless the new one is the same.
                        if np.int64(known * per_metre) == bucket:
                            continue
                        before, after = walks.before[w, other], walks.after[w, other]
                        if before >= 0:
                            walks.after[w, np.uint64(before)] = after
                        else:
                            walks.head[w, np.uint64(np.int64(known * per_metre) & mask)] = after
                        if after >= 0:
                            walks.before[w, np.uint64(after)] = before
                        waiting -= 1
                    ahead = np.uint64(bucket & mask)
                    after = walks.head[w, ahead]
                    walks.after[w, other] = after
                    walks.before[w, other] = -1
                    if after >= 0:
                        walks.before[w, np.uint64(after)] = np.int32(other)
                    walks.head[w, ahead] = np.int32(other)
                    waiting += 1
            now += 1
    walks.count[w, _NOW], walks.count[w, _WAITING], walks.count[w, _TOUCHED] = now, waiting, touched


@inner
def walk_end(walks: Walks, w: int) -> None:
    """Reset walk `w`."""
    for k in range(np.uint64(walks.count[w, _TOUCHED])):
        walks.metres[w, np.uint64(walks.touched[w, k])] = np.inf
    if walks.count[w, _WAITING]:
        for slot in range(walks.head.shape[1]):
            walks.head[w, slot] = -1
    for k in range(walks.count.shape[1]):
        walks.count[w, k] = 0
