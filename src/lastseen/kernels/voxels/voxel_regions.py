"""Divide open spans into regions: connected parts that never overlap themselves, so that each can be drawn flat."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..jit import jit

NONE = np.int32(-1)
BUCKETS = 256


@jit
def component_sizes(link: Array) -> Array:
    """Return for each open span the number of spans reachable from it, (N,) int32."""
    size = np.zeros(len(link), np.int32)
    queue = np.empty(len(link), np.uint32)
    for seed in range(len(link)):
        if size[np.uint32(seed)]:
            continue
        queue[0] = seed
        size[np.uint32(seed)] = 1
        begin, end = np.uint32(0), np.uint32(1)
        while begin < end:
            s = queue[begin]
            begin += np.uint32(1)
            for direction in range(4):
                n = link[s, direction]
                if n >= 0 and size[np.uint32(n)] == 0:
                    size[np.uint32(n)] = 1
                    queue[end] = n
                    end += np.uint32(1)
        for k in range(end):
            size[queue[np.uint32(k)]] = np.int32(end)
    return size


@jit
def _fits(
    link: Array,
    holder: Array,
    region: Array,
    floor: Array,
    own: int,
    s: int,
    column: int,
    width: int,
    depth: int,
    reach: float,
    near: int,
) -> bool:
    """Return whether span `s` may join region `own`.

    Its column must be free, it must be connected to every adjacent member, and no member a few columns away may be
    higher or lower than steps of `reach` allow: outlines are simplified by a few voxels, so a face would bridge a
    cliff between two parts of one region.
    """
    here = holder[column]
    if here >= 0 and region[np.uint32(here)] == own:
        return False
    x, y = int(column) % width, int(column) // width
    for ny in range(max(y - near, 0), min(y + near + 1, depth)):
        for nx in range(max(x - near, 0), min(x + near + 1, width)):
            member = holder[np.uint32(ny * width + nx)]
            if member < 0 or region[np.uint32(member)] != own:
                continue
            steps = abs(nx - x) + abs(ny - y)
            if abs(floor[np.uint32(member)] - floor[s]) > reach * steps:
                return False
            if steps == 1 and link[s, 0 if nx > x else 1 if ny > y else 2 if nx < x else 3] != member:
                return False
    return True


@jit
def grow_regions(
    link: Array, column_of: Array, floor: Array, width: int, depth: int, band: float, reach: float, near: int
) -> tuple[Array, int]:
    """Assign every open span a region with at most one span per column; return them, (N,) int32, and their number.

    A region grows from its first span in row order, level ground first (heights are grouped in bands of `band`
    metres), so storeys stay whole and are separated at their stairs. Adjacent spans of a region are always connected,
    and spans up to `near` columns apart differ in height by no more than steps of `reach` metres allow.
    """
    region = np.full(len(link), NONE, np.int32)
    holder = np.full(width * depth, NONE, np.int32)  # the last span of each column to join a region
    first, last = np.full(BUCKETS, NONE, np.int32), np.full(BUCKETS, NONE, np.int32)
    waiting = np.empty(4 * len(link) + 1, np.uint32)
    following = np.empty(4 * len(link) + 1, np.int32)
    own = np.int64(0)
    for seed in range(len(link)):
        if region[np.uint32(seed)] >= 0:
            continue
        waiting[0], following[0] = seed, NONE
        first[0] = last[0] = 0
        used, lowest = np.int32(1), 0
        while lowest < BUCKETS:
            entry = first[lowest]
            if entry < 0:
                lowest += 1
                continue
            first[lowest] = following[np.uint32(entry)]
            s = waiting[np.uint32(entry)]
            if region[s] >= 0 or not _fits(
                link, holder, region, floor, own, s, column_of[s], width, depth, reach, near
            ):
                continue
            region[s] = own
            holder[column_of[s]] = np.int32(s)
            for direction in range(4):
                n = link[s, direction]
                if n < 0 or region[np.uint32(n)] >= 0:
                    continue
                bucket = min(int(abs(floor[np.uint32(n)] - floor[np.uint32(seed)]) / band), BUCKETS - 1)
                waiting[np.uint32(used)], following[np.uint32(used)] = n, NONE
                if first[bucket] < 0:
                    first[bucket] = used
                else:
                    following[np.uint32(last[bucket])] = used
                last[bucket] = used
                used += np.int32(1)
                lowest = min(lowest, bucket)
        own += 1
    return region, own
