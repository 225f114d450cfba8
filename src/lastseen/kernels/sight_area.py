"""Which part of the level does an eye see, at its own height?

Looks go to every corner of what stands at that height, and just past it on either side (`sight_line.LEFT`, `RIGHT`):
the outline is exact, not sampled. Only along the far end of the view is it rounded off.
"""

from __future__ import annotations

import math

import numpy as np

from ..conventions import Array
from .jit import jit
from .sight_arrays import SightArrays
from .sight_corners import ARC, BORDER, add_ray, corner_rays
from .sight_trace import trace

__all__ = ["view_outline"]

SMALLEST = 1e-9
"""Radians between rays and metres between points of the outline that are taken for one."""
CLEARLY = 1e-3
"""Share of the way by which a corner must lie behind a wall to be left out."""


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
    """Return the outline of what an eye sees at its height, (k, 2) float64, counter-clockwise.

    `crossing` (n, 4) are places where walls cross: x, y, bottom, top; `seen` (W + T,) uint32 is for scratch and must
    hold neither `stamp` nor the number after it; `arc` is the largest angle between points along the far end.
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
    """Return the first rows sorted by their first column, equal ones in their order; `rays` is used up.

    Merged by hand: to compile numba's own sort takes five times as long.
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
            # Corners all but in line: look past all of them.
            x, y = rays[first, 1], rays[first, 2]
            other_x, other_y = rays[last - 1, 1], rays[last - 1, 2]
            right = _reaches(sight, eye, x + SMALLEST * y, y - SMALLEST * x, distance)[1]
            left = _reaches(sight, eye, other_x - SMALLEST * other_y, other_y + SMALLEST * other_x, distance)[0]
        # Nothing changes at a corner behind a wall, or at the far end where it is not reached.
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
    """Return how many metres the left and the right neighbour of a level ray go."""
    length = math.hypot(x, y)
    # A power of two: the corner stays on the line to the last bit.
    scale = 2.0 ** math.ceil(math.log2(2.0 * distance / length))
    left, right = trace(sight, eye, (x * scale, y * scale, 0.0))
    return min(left * length * scale, distance), min(right * length * scale, distance)


@jit
def _put(outline: Array, count: int, eye: tuple[float, float, float], x: float, y: float, reach: float) -> int:
    """Add the end of a ray to the outline unless it is there; return how many points there are."""
    share = reach / math.hypot(x, y)
    px, py = eye[0] + share * x, eye[1] + share * y
    if count and abs(px - outline[count - 1, 0]) + abs(py - outline[count - 1, 1]) < SMALLEST:
        return count
    outline[count, 0], outline[count, 1] = px, py
    return count + 1
