"""Spreading along links: shortest distances from sources, and the influence of a source at a distance.

The work arrays have an entry per cell, but only touched entries are written and reset, so the cost of a call depends
on the cells it reaches, never on the size of the map. Cells wait in a ring of buckets narrower than the shortest link:
cells in the nearest bucket are final, and only a few at a time need sorting. Tiles wait in queues (`tile_spread.py`).
"""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.bits import bit
from ..jit import inner, jit
from .tile_spread import Links, SpreadArrays, spread_over_tiles


@inner
def spread_from(
    links: Links,
    sources: Array,
    reach: float,
    work: SpreadArrays,
) -> int:
    """Walk from all `sources` (cell ids) at once, nearest first, up to `reach` metres; return how many were reached.

    Afterwards `work.reached` lists the cells by distance; `work.distance` and (if there are several sources)
    `work.origin` are valid for them and must be reset by the caller. Disabled cells and blocked links are not used.
    """
    if len(work.neighbour):
        return spread_over_tiles(links, sources, reach, work)
    distance, origin, reached = work.distance, work.origin, work.reached
    following, previous, bucket = work.following, work.previous, work.bucket
    one, none = np.uint64(1), np.uint64(0)
    mask = np.uint64(len(bucket) - 1)
    is_one_source = len(sources) == 1
    may_block = len(links.blocked) > 0
    per_metre = 1.0 / work.width[0]
    waiting = 0
    for number in range(len(sources)):
        cell = np.uint64(sources[number])
        if distance[cell] != 0.0 and not bit(links.disabled, cell):
            distance[cell] = 0.0
            if not is_one_source:
                origin[cell] = number
            following[cell] = bucket[0]
            if bucket[0] != 0:
                previous[np.uint64(bucket[0]) - one] = cell + one
            previous[cell] = 0
            bucket[0] = cell + one
            waiting += 1
    now, count = none, none
    while waiting > 0:
        chain = np.uint64(bucket[now & mask])
        if chain == none:
            now += one
            continue
        bucket[now & mask] = 0
        first = count
        while chain != none:
            # Insertion sort from the back: few cells share a bucket, and many of those have equal distances.
            cell = chain - one
            metres = distance[cell]
            at = count
            while at > first and distance[np.uint64(reached[at - one])] > metres:
                reached[at] = reached[at - one]
                at -= one
            reached[at] = cell
            count += one
            waiting -= 1
            chain = np.uint64(following[cell])
        for position in range(first, count):
            cell = np.uint64(reached[position])
            for link in range(np.uint64(links.start[cell]), np.uint64(links.start[cell + one])):
                other = np.uint64(links.cell[link])
                metres = distance[cell] + links.length[link]
                before = distance[other]
                if metres > reach or metres >= before:
                    continue
                if (may_block and bit(links.blocked, link)) or bit(links.disabled, other):
                    continue
                if before < np.inf:  # it leaves its bucket for a nearer one
                    ahead, behind = np.uint64(previous[other]), np.uint64(following[other])
                    if ahead != none:
                        following[ahead - one] = behind
                    else:
                        bucket[np.uint64(before * per_metre) & mask] = behind
                    if behind != none:
                        previous[behind - one] = ahead
                else:
                    waiting += 1
                distance[other] = metres
                if not is_one_source:
                    origin[other] = origin[cell]
                slot = np.uint64(metres * per_metre) & mask
                behind = np.uint64(bucket[slot])
                following[other] = behind
                previous[other] = 0
                if behind != none:
                    previous[behind - one] = other + one
                bucket[slot] = other + one
        now += one
    return np.int64(count)


@jit
def distances_from(links: Links, sources: Array, reach: float, work: SpreadArrays) -> tuple[Array, Array, Array]:
    """Return the cells within `reach` metres of the sources, nearest first: int32 ids, float64 metres, int32 source."""
    count = np.uint64(spread_from(links, sources, reach, work))
    cells = np.empty(count, np.int32)
    metres = np.empty(count, np.float64)
    origin = np.zeros(count, np.int32)
    for number in range(count):
        cell = np.uint64(work.reached[number])
        cells[number] = cell
        metres[number] = work.distance[cell]
        work.distance[cell] = np.inf
    if len(sources) > 1:
        for number in range(count):
            cell = np.uint64(work.reached[number])
            origin[number] = work.origin[cell]
            work.origin[cell] = -1
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
    """Spread each source separately and combine their influence in `work.total`; return the number of cells affected.

    A source of strength `s` has the influence `s * (1 - (d / reach) ** exponent)` at distance d, or
    `s * 0.5 ** (d / halving)` if `halving` is positive. `summed`: values add up, else the highest counts.
    """
    touched = np.uint64(0)
    one = np.uint64(1)
    for number in range(len(sources)):
        alone = sources[number : number + 1]
        count = spread_from(links, alone, reach, work)
        strength = strengths[number]
        for position in range(np.uint64(count)):
            cell = np.uint64(work.reached[position])
            metres = work.distance[cell]
            work.distance[cell] = np.inf
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
    return np.int64(touched)
