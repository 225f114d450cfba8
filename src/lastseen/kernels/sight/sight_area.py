"""The part of a level that an eye sees at its own height, from rays towards corners.

Rays go to every corner of the obstacles at that height, and just past it on either side (`sight_line.LEFT`, `RIGHT`):
the outline is exact, not sampled. Only the arc at the far end of the view is approximated.
"""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import SightArrays
from ..jit import inner, jit
from .sight_trace import trace

SMALLEST = 1e-9
"""Radians between rays, and metres between points of the outline, below which they are merged."""
CLEARLY = 1e-3
"""Share of the distance by which a corner must be behind a wall to be left out."""


@jit
def view_outline(
    sight: SightArrays,
    crossing: Array,
    seen: Array,
    stamp: int,
    eye: tuple[float, float, float],
    heading: float,
    angle: float,
    distance: float,
    arc: float,
) -> Array:
    """Return the outline of the area an eye sees at its height, (k, 2) float64, counter-clockwise.

    `crossing` (n, 4) are points where walls cross: x, y, bottom, top; `seen` (W + T,) uint32 is a work array that must
    contain neither `stamp` nor `stamp + 1`; `arc` is the largest angle between points along the far end.
    """
    face, half = (math.cos(heading), math.sin(heading)), min(angle / 2.0, math.pi + 1.0)
    full = half >= math.pi
    steps = max(np.int64(math.ceil(min(angle, 2.0 * math.pi) / arc)), 3)
    most = corner_rays(sight, crossing, eye, face, half, distance, seen, stamp, np.empty((0, 4)))
    rays = np.empty((most + steps + 2, 4))
    count = corner_rays(sight, crossing, eye, face, half, distance, seen, stamp + 1, rays)
    for k in range(steps + 1):
        turn = heading - min(half, math.pi) + min(angle, 2.0 * math.pi) * k / steps
        border = not full and (k == 0 or k == steps)
        kind = BORDER if border else ARC
        count = add_ray(rays, count, math.cos(turn), math.sin(turn), kind, face, half)
        if border:
            rays[count - 1, 0] = -half if k == 0 else half
    return _walk(sight, eye, _sorted(rays, count), distance, full)


@jit
def _sorted(rays: Array, count: int) -> Array:
    """Return the first `count` rows, sorted stably by their first column; `rays` is overwritten.

    A hand-written merge sort: compiling numba's own sort takes five times as long.
    """
    spare, width = np.empty((len(rays), 4)), 1
    while width < count:
        for low in range(0, count, 2 * width):
            middle, high = min(low + width, count), min(low + 2 * width, count)
            left, right = low, middle
            for at in range(low, high):
                is_left = left < middle and (right >= high or rays[left, 0] <= rays[right, 0])
                source = left if is_left else right
                left += is_left
                right += not is_left
                for column in range(4):
                    spare[at, column] = rays[source, column]
        rays, spare = spare, rays
        width *= 2
    return rays[:count]


@jit
def _walk(sight: SightArrays, eye: tuple[float, float, float], rays: Array, distance: float, full: bool) -> Array:
    """Return the outline along rays sorted from right to left."""
    outline = np.empty((2 * len(rays) + 1, 2))
    count = 0
    if not full:
        outline[0, 0], outline[0, 1] = eye[0], eye[1]
        count = 1
    first = 0
    while first < len(rays):
        last, one, exact, nearest = first, first, True, math.inf
        while last < len(rays) and rays[last, 0] - rays[first, 0] < SMALLEST:
            if rays[last, 3] != ARC:
                if rays[one, 3] == ARC:
                    one = last
                exact = exact and rays[one, 1] * rays[last, 2] == rays[one, 2] * rays[last, 1]
                nearest = min(nearest, math.hypot(rays[last, 1], rays[last, 2]))
            last += 1
        x, y = rays[one, 1], rays[one, 2]
        other_x, other_y = x, y
        if exact:
            left, right = _reaches(sight, eye, x, y, distance)
        else:
            # Corners are almost in line: cast rays past all of them.
            x, y = rays[first, 1], rays[first, 2]
            other_x, other_y = rays[last - 1, 1], rays[last - 1, 2]
            right = _reaches(sight, eye, x + SMALLEST * y, y - SMALLEST * x, distance)[1]
            left = _reaches(sight, eye, other_x - SMALLEST * other_y, other_y + SMALLEST * other_x, distance)[0]
        # Skip corners behind a wall, and points of the far end that are not reached.
        hidden = left == right and left < (distance if rays[one, 3] == ARC else nearest * (1.0 - CLEARLY))
        if not (hidden and (full or (first > 0 and last < len(rays)))):
            if full or first > 0:
                count = _put(outline, count, eye, x, y, right)
            if full or last < len(rays):
                count = _put(outline, count, eye, other_x, other_y, left)
        first = last
    return outline[:count]


@jit
def _reaches(
    sight: SightArrays, eye: tuple[float, float, float], x: float, y: float, distance: float
) -> tuple[float, float]:
    """Return the lengths in metres of the left and the right neighbour of a level ray."""
    length = math.hypot(x, y)
    # A power of two keeps the corner on the line to the last bit.
    scale = 2.0 ** math.ceil(math.log2(2.0 * distance / length))
    left, right = trace(sight, eye, (x * scale, y * scale, 0.0))
    return min(left * length * scale, distance), min(right * length * scale, distance)


@jit
def _put(outline: Array, count: int, eye: tuple[float, float, float], x: float, y: float, reach: float) -> int:
    """Add the end of a ray to the outline unless it repeats the last point; return the number of points."""
    share = reach / math.hypot(x, y)
    px, py = eye[0] + share * x, eye[1] + share * y
    if count and abs(px - outline[count - 1, 0]) + abs(py - outline[count - 1, 1]) < SMALLEST:
        return count
    outline[count, 0], outline[count, 1] = px, py
    return count + 1


CORNER, LEAVING, ARC, BORDER = 0.0, 1.0, 2.0, 3.0
"""Kinds of rays: to a corner, to the point where a wall leaves the view distance, to the far end, along the sides."""
ASIDE = 1e-7
"""Share of the distance by which two rays pass a corner whose position is subject to rounding."""


@jit
def _slice_wall(wall: Array, w: int, z: float) -> tuple[bool, float, float]:
    """Return whether a wall exists at height z, and the shares of its length between which it does."""
    first, last = 0.0, 1.0
    bottom, top = z - wall[w, 4], wall[w, 5] - z
    bottom_end, top_end = z - wall[w, 6], wall[w, 7] - z
    for k in range(2):
        one, other = (bottom, bottom_end) if k == 0 else (top, top_end)
        if one < 0.0 and other < 0.0:
            return False, 0.0, 0.0
        if one < 0.0:
            first = max(first, one / (one - other))
        elif other < 0.0:
            last = min(last, one / (one - other))
    if max(top, top_end) <= 0.0 or first >= last:
        return False, 0.0, 0.0
    return True, first, last


@jit
def _slice_triangle(triangle: Array, t: int, z: float, ends: Array) -> bool:
    """Write to `ends` (2, 2) where a triangle intersects the plane at height z; return whether it does."""
    count = 0
    for k in range(3):
        p, q = 7 + 3 * k, 7 + 3 * ((k + 1) % 3)
        one, other = triangle[t, p + 2] - z, triangle[t, q + 2] - z
        if (one > 0.0) != (other > 0.0) and count < 2:
            share = one / (one - other)
            ends[count, 0] = triangle[t, p] + share * (triangle[t, q] - triangle[t, p])
            ends[count, 1] = triangle[t, p + 1] + share * (triangle[t, q + 1] - triangle[t, p + 1])
            count += 1
    return count == 2


@inner
def add_ray(rays: Array, count: int, dx: float, dy: float, kind: float, face: tuple[float, float], half: float) -> int:
    """Add a ray towards (dx, dy) if it is within the view; return the number of rays."""
    if dx == 0.0 and dy == 0.0:
        return count
    turn = math.atan2(face[0] * dy - face[1] * dx, face[0] * dx + face[1] * dy)
    if abs(turn) < half or (kind == BORDER and half < math.pi):
        rays[count, 0] = turn
        rays[count, 1], rays[count, 2], rays[count, 3] = dx, dy, kind
        return count + 1
    return count


@jit
def _add_corner(
    rays: Array, count: int, dx: float, dy: float, exact: bool, face: tuple[float, float], half: float, distance: float
) -> int:
    """Add a ray to a corner within reach, or two rays past an inexact one; return the number of rays."""
    if dx * dx + dy * dy > distance * distance:
        return count
    if exact:
        return add_ray(rays, count, dx, dy, CORNER, face, half)
    count = add_ray(rays, count, dx + ASIDE * dy, dy - ASIDE * dx, CORNER, face, half)
    return add_ray(rays, count, dx - ASIDE * dy, dy + ASIDE * dx, CORNER, face, half)


@jit
def _add_leaving(
    rays: Array, count: int, x: float, y: float, ends: Array, face: tuple[float, float], half: float, distance: float
) -> int:
    """Add rays to the points where a segment leaves the view distance; return the number of rays."""
    ax, ay = ends[0, 0] - x, ends[0, 1] - y
    ex, ey = ends[1, 0] - ends[0, 0], ends[1, 1] - ends[0, 1]
    length2 = ex * ex + ey * ey
    middle = -(ax * ex + ay * ey)
    within = middle * middle - length2 * (ax * ax + ay * ay - distance * distance)
    if length2 > 0.0 and within > 0.0:
        for root in (-math.sqrt(within), math.sqrt(within)):
            share = (middle + root) / length2
            if 0.0 < share < 1.0:
                count = add_ray(rays, count, ax + share * ex, ay + share * ey, LEAVING, face, half)
    return count


@inner
def corner_rays(
    sight: SightArrays,
    crossing: Array,
    eye: tuple[float, float, float],
    face: tuple[float, float],
    half: float,
    distance: float,
    seen: Array,
    stamp: int,
    rays: Array,
) -> int:
    """Write the rays to all corners within reach; return their number, or an upper bound if `rays` is empty."""
    x, y, z = eye
    grid = sight.grid
    low_x = max(np.int64(math.floor((x - distance - grid[0]) * grid[2])), 0)
    low_y = max(np.int64(math.floor((y - distance - grid[1]) * grid[2])), 0)
    high_x = min(np.int64(math.floor((x + distance - grid[0]) * grid[2])), np.int64(grid[3]) - 1)
    high_y = min(np.int64(math.floor((y + distance - grid[1]) * grid[2])), np.int64(grid[4]) - 1)
    ends = np.empty((2, 2))
    walls = np.uint64(len(sight.wall))
    count, write = 0, len(rays) > 0
    for row in range(low_y, high_y + 1):
        for column in range(low_x, high_x + 1):
            place = np.uint64(2 * (row * np.int64(grid[3]) + column))
            middle = np.uint64(sight.column[place + np.uint64(1)])
            for k in range(np.uint64(sight.column[place]), np.uint64(sight.column[place + np.uint64(2)])):
                item = np.uint64(sight.column[np.uint64(k)])
                number = item if np.uint64(k) < middle else item + walls
                if seen[number] == stamp:
                    continue
                seen[number] = stamp
                if np.uint64(k) < middle:
                    stands, first, last = _slice_wall(sight.wall, item, z)
                    exact = (first == 0.0, last == 1.0)
                    for c in range(2):
                        begin, end = sight.wall[item, c], sight.wall[item, 2 + c]
                        ends[0, c] = begin if first == 0.0 else begin + first * (end - begin)
                        ends[1, c] = end if last == 1.0 else begin + last * (end - begin)
                else:
                    exact = (False, False)
                    inside = sight.triangle[item, 0] <= z <= sight.triangle[item, 1]
                    stands = inside and _slice_triangle(sight.triangle, item, z, ends)
                if not stands:
                    continue
                if not write:
                    count += 6
                    continue
                for c in range(2):
                    dx, dy = ends[c, 0] - x, ends[c, 1] - y
                    count = _add_corner(rays, count, dx, dy, exact[c], face, half, distance)
                count = _add_leaving(rays, count, x, y, ends, face, half, distance)
    for k in range(len(crossing)):
        dx, dy = crossing[k, 0] - x, crossing[k, 1] - y
        if crossing[k, 2] <= z < crossing[k, 3]:
            count = _add_corner(rays, count, dx, dy, False, face, half, distance) if write else count + 2
    return count
