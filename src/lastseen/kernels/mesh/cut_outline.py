"""Remains of convex faces after convex cuts: the rings around them, found edge by edge.

Each corner of a ring is a corner of a polygon or an intersection of two edges, so the result depends only on the cuts
in force and not on earlier ones.
"""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Array
from ..jit import jit
from .adjacency import weld_points

ON_LINE = 1e-7
"""Metres within which an edge lies on a line; smaller than the distance at which corners are welded."""

FULL_TURN = 2.0 * math.pi


@jit
def _inside(
    side: Array, first: int, last: int, ax: float, ay: float, bx: float, by: float, along: bool, against: bool
) -> tuple[float, float]:
    """Return the range, 0 … 1, in which the edge from `a` to `b` lies inside a convex polygon.

    Rows of `side` are a corner of the polygon and the direction of its edge from there. `along`, `against`: whether an
    edge that lies on one of the polygon's own counts as inside if it runs in the same or the opposite direction. If
    nothing is inside, the end is not after the beginning.
    """
    low, high = 0.0, 1.0
    for k in range(first, last):
        x, y, ux, uy = side[k, 0], side[k, 1], side[k, 2], side[k, 3]
        begin, end = ux * (ay - y) - uy * (ax - x), ux * (by - y) - uy * (bx - x)
        if begin <= ON_LINE and end <= ON_LINE:
            same = ux * (bx - ax) + uy * (by - ay) > 0.0
            if begin < -ON_LINE or end < -ON_LINE or not (along if same else against):
                return 1.0, 0.0
        elif begin < -ON_LINE:
            low = max(low, begin / (begin - end))
        elif end < -ON_LINE:
            high = min(high, begin / (begin - end))
    return low, high


@jit
def _free_edges(side: Array, start: Array, box: Array, ends: Array) -> int:
    """List the edges around the remains of the first polygon without the others; return how many, or -1.

    `ends` receives beginnings and ends alternately, with the remaining floor on the left. Returns -1 if it is too
    short.
    """
    count, polygons = 0, len(start) - 1
    free = np.empty((polygons + 1, 2))
    for i in range(polygons):
        is_face = i == 0
        for k in range(start[i], start[i + 1]):
            onward = start[i] if k + 1 == start[i + 1] else k + 1
            ax, ay, bx, by = side[k, 0], side[k, 1], side[onward, 0], side[onward, 1]
            low, high = 0.0, 1.0
            if not is_face:
                low, high = _inside(side, 0, start[1], ax, ay, bx, by, False, False)
            free[0, 0], free[0, 1] = low, high
            parts = 1 if low < high else 0
            j = 0
            while parts > 0 and j + 1 < polygons:
                j += 1
                if j == i or min(ax, bx) > box[j, 2] or max(ax, bx) < box[j, 0]:
                    continue
                if min(ay, by) > box[j, 3] or max(ay, by) < box[j, 1]:
                    continue
                low, high = _inside(side, start[j], start[j + 1], ax, ay, bx, by, is_face or j < i, not is_face)
                p = 0
                while low < high and p < parts:
                    begin, end = free[p, 0], free[p, 1]
                    if begin < low and end > high:
                        free[p, 1] = low
                        free[parts, 0], free[parts, 1] = high, end
                        parts += 1
                        break
                    if begin >= low and end <= high:
                        parts -= 1
                        free[p, 0], free[p, 1] = free[parts, 0], free[parts, 1]
                        continue
                    if begin < low:
                        free[p, 1] = min(end, low)
                    else:
                        free[p, 0] = max(begin, high)
                    p += 1
            if 2 * (count + parts) > len(ends):
                return -1
            for p in range(parts):
                # The remaining floor is on the right of a cut's edges.
                here = 2 * count if is_face else 2 * count + 1
                there = 2 * count + 1 if is_face else 2 * count
                low, high = free[p, 0], free[p, 1]
                ends[here, 0] = ax if low == 0.0 else ax + low * (bx - ax)
                ends[here, 1] = ay if low == 0.0 else ay + low * (by - ay)
                ends[there, 0] = bx if high == 1.0 else ax + high * (bx - ax)
                ends[there, 1] = by if high == 1.0 else ay + high * (by - ay)
                count += 1
    return count


@jit
def _next_edge(ends: Array, place: Array, came: int, first: Array, following: Array) -> int:
    """Return the unused edge that continues from the end of `came`, the next one clockwise; -1: there is none.

    The remaining floor lies between the two.
    """
    node = place[2 * came + 1]
    best, least = -1, 10.0
    back = math.atan2(ends[2 * came, 1] - ends[2 * came + 1, 1], ends[2 * came, 0] - ends[2 * came + 1, 0])
    edge = first[node]
    while edge >= 0:
        onward = math.atan2(ends[2 * edge + 1, 1] - ends[2 * edge, 1], ends[2 * edge + 1, 0] - ends[2 * edge, 0])
        turn = back - onward if back > onward else back - onward + FULL_TURN
        if place[2 * edge] >= 0 and turn < least:
            best, least = edge, turn
        edge = following[edge]
    return best


@jit
def _trace(ends: Array, count: int, place: Array, corner: Array, ring: Array) -> int:
    """Join edges into rings that visit no place twice; return how many there are, or -1 if one does not close.

    Ring `r` gets the edges `corner[ring[r]] … corner[ring[r + 1]]`, each with its beginning as a corner.
    """
    first, following = np.empty(2 * count, np.int64), np.empty(count, np.int64)
    path, position = np.empty(count, np.int64), np.empty(2 * count, np.int64)
    for node in range(2 * count):
        first[node] = position[node] = -1
    for edge in range(count):
        if place[2 * edge] != place[2 * edge + 1]:
            following[edge] = first[place[2 * edge]]
            first[place[2 * edge]] = edge
    rings, size = 0, 0
    ring[0] = 0
    for begin in range(count):
        if place[2 * begin] < 0 or place[2 * begin] == place[2 * begin + 1]:
            continue
        edge, steps = begin, 0
        while edge >= 0:
            path[steps] = edge
            position[place[2 * edge]] = steps
            # Minus one marks a used edge; its place is still stored as the end of the previous edge.
            node, place[2 * edge] = place[2 * edge + 1], -1
            steps += 1
            if position[node] >= 0:
                low = position[node]
                for at in range(low, steps):
                    corner[size] = path[at]
                    size += 1
                    position[place[2 * path[at] + 1]] = -1
                rings += 1
                ring[rings] = size
                steps = low
            if steps == 0:
                break
            edge = _next_edge(ends, place, path[steps - 1], first, following)
        if steps > 0:
            return -1
    return rings


@jit
def _shell_around(xy: Array, start: Array, rings: int, area: Array, hole: int) -> int:
    """Return the smallest shell around a hole, or -1; a shell is a ring with an area above zero."""
    k = start[hole]
    x, y = (xy[k, 0] + xy[k + 1, 0]) / 2.0, (xy[k, 1] + xy[k + 1, 1]) / 2.0
    best = -1
    for shell in range(rings):
        if area[shell] <= 0.0 or (best >= 0 and area[shell] >= area[best]):
            continue
        is_inside = False
        bx, by = xy[start[shell + 1] - 1, 0], xy[start[shell + 1] - 1, 1]
        for k in range(start[shell], start[shell + 1]):
            ax, ay = bx, by
            bx, by = xy[k, 0], xy[k, 1]
            if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
                is_inside = not is_inside
        if is_inside:
            best = shell
    return best


@jit
def rings_left(
    xy: Array, start: Array, weld: float, splinter: float, ring_xy: Array, ring_start: Array, shell: Array
) -> int:
    """Write the rings around the remains of the first convex polygon without the others; return how many there are.

    Polygon `i` has the corners `start[i] … start[i + 1]` of `xy`, counter-clockwise. Ring `r` gets the corners
    `ring_start[r] … ring_start[r + 1]` of `ring_xy`, and in `shell[r]` the ring in which it is a hole, or itself.
    Returns -1 if rings do not close to within `weld` metres or there is no room for them.
    """
    polygons = len(start) - 1
    box, side = np.empty((polygons, 4)), np.empty((len(xy), 4))
    for i in range(polygons):
        box[i, 0] = box[i, 1] = np.inf
        box[i, 2] = box[i, 3] = -np.inf
        for k in range(start[i], start[i + 1]):
            box[i, 0], box[i, 1] = min(box[i, 0], xy[k, 0]), min(box[i, 1], xy[k, 1])
            box[i, 2], box[i, 3] = max(box[i, 2], xy[k, 0]), max(box[i, 3], xy[k, 1])
            onward = start[i] if k + 1 == start[i + 1] else k + 1
            ux, uy = xy[onward, 0] - xy[k, 0], xy[onward, 1] - xy[k, 1]
            length = math.sqrt(ux * ux + uy * uy)
            side[k, 0], side[k, 1], side[k, 2], side[k, 3] = xy[k, 0], xy[k, 1], ux / length, uy / length
    room = len(ring_xy)
    ends = np.empty((2 * room, 2))
    count = _free_edges(side, start, box, ends)
    if count < 0:
        return -1
    ends = ends[: 2 * count]
    place = weld_points(ends, weld)
    corner, loop = np.empty(count, np.int64), np.empty(count + 1, np.int64)
    loops = _trace(ends, count, place, corner, loop)
    area = np.empty(count)
    rings, size = 0, 0
    ring_start[0] = 0
    for each in range(loops):
        twice = 0.0
        x, y = ends[place[2 * corner[loop[each]] + 1], 0], ends[place[2 * corner[loop[each]] + 1], 1]
        begin = size
        for k in range(loop[each], loop[each + 1]):
            node = place[2 * corner[k] + 1]
            ring_xy[size, 0], ring_xy[size, 1] = ends[node, 0], ends[node, 1]
            if size > begin:
                twice += (ring_xy[size - 1, 0] - x) * (ends[node, 1] - y) - (ring_xy[size - 1, 1] - y) * (
                    ends[node, 0] - x
                )
            size += 1
        if size - begin < 3 or 0.0 <= twice <= 2.0 * splinter:
            size = begin
            continue
        area[rings] = twice / 2.0
        rings += 1
        ring_start[rings] = size
    for ring in range(rings):
        shell[ring] = ring if area[ring] > 0.0 else _shell_around(ring_xy, ring_start, rings, area, ring)
        if shell[ring] < 0:
            return -1
    return rings if loops >= 0 else -1
