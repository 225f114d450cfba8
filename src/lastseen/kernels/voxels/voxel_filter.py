"""Open spans on which a body can stand, their connections, and their distance to the border."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..jit import jit

SLACK = np.float32(1e-4)
"""Rounding tolerance of height limits, in metres."""

NONE = np.int32(-1)


@jit
def _flag_low_obstacles(start: Array, spans: Array, walkable: Array, climb: float) -> None:
    """Mark spans as walkable that are at most one step above the walkable span below them."""
    for column in range(len(start) - 1):
        was_walkable = False
        for s in range(start[np.uint32(column)], start[np.uint32(column + 1)]):
            i = np.uint32(s)
            now = walkable[i]
            if was_walkable and not now and spans[i, 2] - spans[i - np.uint32(1), 2] <= climb:
                walkable[i] = True
            was_walkable = now


@jit
def _is_ledge(
    start: Array, spans: Array, ceiling: Array, s: int, x: int, y: int, width: int, depth: int,
    height: float, climb: float, steepest: float,
) -> bool:  # fmt: skip
    """Return whether the floor next to span `s` drops by more than a step or varies by more than `steepest`."""
    floor, roof = spans[s, 2], ceiling[s]
    lowest = highest = floor
    for direction in range(4):
        nx = x + (1, 0, -1, 0)[direction]
        ny = y + (0, 1, 0, -1)[direction]
        if nx < 0 or ny < 0 or nx >= width or ny >= depth:
            return True
        begin, end = start[np.uint32(ny * width + nx)], start[np.uint32(ny * width + nx + 1)]
        # The space below the lowest span counts as a bottomless drop.
        if begin == end or min(roof, spans[begin, 0]) - floor >= height:
            return True
        for n in range(begin, end):
            i = np.uint32(n)
            if min(roof, ceiling[i]) - max(floor, spans[i, 2]) < height:
                continue
            step = spans[i, 2] - floor
            if step < -climb:
                return True
            if step <= climb:
                lowest, highest = min(lowest, spans[i, 2]), max(highest, spans[i, 2])
    return highest - lowest > steepest


@jit
def flag_walkable(
    start: Array, spans: Array, width: int, depth: int, height: float, climb: float, steepest: float
) -> tuple[Array, Array, Array]:
    """Find the spans a body can stand on.

    Parameters
    ----------
    start : (columns + 1,) uint32; spans : (S, 4) float32, from `rasterise`.
    height, climb : metres. steepest : largest height difference of the floor across three columns, in metres.

    Returns
    -------
    walkable : (S,) bool. ceiling : (S,) float32, bottom of the span above, inf under the sky.
    tally : (4,) int64, number of walkable spans at first, after low obstacles, after ledges, after clearance.
    """
    height, climb = np.float32(height) - SLACK, np.float32(climb) + SLACK
    steepest = np.float32(steepest) + SLACK
    walkable = np.empty(len(spans), np.bool_)
    ceiling = np.full(len(spans), np.inf, np.float32)
    tally = np.zeros(4, np.int64)
    for column in range(len(start) - 1):
        for s in range(start[np.uint32(column)], start[np.uint32(column + 1)]):
            i = np.uint32(s)
            walkable[i] = spans[i, 3] >= spans[i, 1] - climb
            if i + np.uint32(1) < start[np.uint32(column + 1)]:
                ceiling[i] = spans[i + np.uint32(1), 0]
    tally[0] = walkable.sum()
    _flag_low_obstacles(start, spans, walkable, climb)
    tally[1] = walkable.sum()
    for y in range(depth):
        for x in range(width):
            column = np.uint32(y * width + x)
            for s in range(start[column], start[column + np.uint32(1)]):
                i = np.uint32(s)
                if walkable[i] and _is_ledge(start, spans, ceiling, i, x, y, width, depth, height, climb, steepest):
                    walkable[i] = False
    tally[2] = walkable.sum()
    for s in range(len(spans)):
        i = np.uint32(s)
        if ceiling[i] - spans[i, 2] < height:
            walkable[i] = False
    tally[3] = walkable.sum()
    return walkable, ceiling, tally


@jit
def connect(
    start: Array, column_of: Array, floor: Array, ceiling: Array, width: int, depth: int, height: float, climb: float
) -> Array:
    """Return the open span reached by a step to the east, north, west and south, (N, 4) int32; -1 means none.

    Among several candidates, the nearest in height is taken. A step counts only if it also leads back.
    """
    height, climb = np.float32(height) - SLACK, np.float32(climb) + SLACK
    link = np.full((len(floor), 4), NONE, np.int32)
    for s in range(len(floor)):
        i = np.uint32(s)
        x, y = int(column_of[i]) % width, int(column_of[i]) // width
        for direction in range(4):
            nx = x + (1, 0, -1, 0)[direction]
            ny = y + (0, 1, 0, -1)[direction]
            if nx < 0 or ny < 0 or nx >= width or ny >= depth:
                continue
            best = climb
            column = np.uint32(ny * width + nx)
            for n in range(start[column], start[column + np.uint32(1)]):
                j = np.uint32(n)
                step = abs(floor[j] - floor[i])
                if step <= best and min(ceiling[i], ceiling[j]) - max(floor[i], floor[j]) >= height:
                    best = step
                    link[i, direction] = np.int32(n)
    for s in range(len(floor)):
        i = np.uint32(s)
        for direction in range(4):
            n = link[i, direction]
            if n >= 0 and link[np.uint32(n), direction ^ 2] != s:
                link[i, direction] = NONE
    return link


@jit
def keep_spans(keep: Array, start: Array, link: Array) -> tuple[Array, Array, Array]:
    """Drop open spans and renumber the rest.

    Return the old ids of the kept spans, (M,) uint32, the new `start` and the new `link`.
    """
    renamed = np.full(len(keep), NONE, np.int32)
    kept = np.empty(keep.sum(), np.uint32)
    new_start = np.empty_like(start)
    count = np.uint32(0)
    for column in range(len(start) - 1):
        new_start[np.uint32(column)] = count
        for s in range(start[np.uint32(column)], start[np.uint32(column + 1)]):
            if keep[np.uint32(s)]:
                renamed[np.uint32(s)] = np.int32(count)
                kept[count] = np.uint32(s)
                count += np.uint32(1)
    new_start[len(start) - 1] = count
    new_link = np.empty((len(kept), 4), np.int32)
    for m in range(len(kept)):
        for direction in range(4):
            n = link[kept[np.uint32(m)], direction]
            new_link[np.uint32(m), direction] = renamed[np.uint32(n)] if n >= 0 else NONE
    return kept, new_start, new_link


FAR = np.uint16(0xFFFF)
EAST, NORTH, WEST, SOUTH = 0, 1, 2, 3


@jit
def _relax(link: Array, distance: Array, s: int, side: int, onward: int) -> None:
    """Shorten the distance of `s` through its neighbour at `side` and the neighbour of that one at `onward`."""
    n = link[s, side]
    if n < 0:
        return
    i = np.uint32(n)
    if distance[i] + 2 < distance[s]:
        distance[s] = distance[i] + np.uint16(2)
    n = link[i, onward]
    if n >= 0 and distance[np.uint32(n)] + 3 < distance[s]:
        distance[s] = distance[np.uint32(n)] + np.uint16(3)


@jit
def border_distance(link: Array) -> Array:
    """Return the distance to the border in half voxels, (N,) uint16: 2 per straight step, 3 per diagonal step.

    Two sweeps over the spans in row order (Borgefors' chamfer distance), as in Recast. Border spans have distance 0.
    """
    distance = np.full(len(link), FAR - np.uint16(3), np.uint16)
    for s in range(len(link)):
        i = np.uint32(s)
        for direction in range(4):
            if link[i, direction] < 0:
                distance[i] = 0
        if distance[i]:
            _relax(link, distance, i, WEST, SOUTH)
            _relax(link, distance, i, SOUTH, EAST)
    for s in range(len(link) - 1, -1, -1):
        i = np.uint32(s)
        if distance[i]:
            _relax(link, distance, i, EAST, NORTH)
            _relax(link, distance, i, NORTH, WEST)
    return distance
