"""Find the points in view of moving guards, at which moments and how often."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import SightArrays
from ..jit import inner, jit
from ..sight.sight_line import is_clear

AROUND = -2.0
"""Value used as the cosine of half a full angle: every direction is inside it."""

_SAME = 1e-9  # moments: a walk that ends this little before a look is included in it


class ViewArrays(NamedTuple):
    """Fields of view of G guards at M moments: circle sectors in plan, limited by what blocks sight."""

    look: Array  # float64 (M, G, 5)  x, y, z of the eye; unit vector of its direction
    reach: Array  # float64 (G, 2)  view distance in metres; cosine of half the view angle, AROUND for 2 pi


@inner
def is_in_sector(dx: float, dy: float, ahead_x: float, ahead_y: float, reach: float, least: float) -> bool:
    """Return whether (dx, dy) from its centre is in a circle sector; `least`: cosine of half its angle, or AROUND."""
    apart2 = dx * dx + dy * dy
    return apart2 <= reach * reach and dx * ahead_x + dy * ahead_y >= least * math.sqrt(apart2)


@inner
def seen_by(sight: SightArrays, views: ViewArrays, moment: int, x: float, y: float, z: float) -> int:
    """Return the first guard that sees a point at a moment, or -1."""
    m = np.uint64(moment)
    for g in range(np.uint64(len(views.reach))):
        eye_x, eye_y = views.look[m, g, 0], views.look[m, g, 1]
        ahead_x, ahead_y = views.look[m, g, 3], views.look[m, g, 4]
        if not is_in_sector(x - eye_x, y - eye_y, ahead_x, ahead_y, views.reach[g, 0], views.reach[g, 1]):
            continue
        if is_clear(sight, eye_x, eye_y, views.look[m, g, 2], x, y, z):
            return np.int64(g)
    return -1


@inner
def first_look(
    sight: SightArrays,
    views: ViewArrays,
    first: float,
    last: float,
    start: tuple[float, float, float],
    end: tuple[float, float, float],
) -> tuple[int, int]:
    """Return the first moment at which an even walk from `start` to `end` is seen, and the guard; -1, -1: never.

    The moments tested are those after `first`, the time at `start`, up to `last`, the time at `end`; both times may be
    between moments.
    """
    x, y, z = start
    dx, dy, dz = end[0] - x, end[1] - y, end[2] - z
    for moment in range(np.int64(first + _SAME) + 1, np.int64(last + _SAME) + 1):
        share = min(1.0, (moment - first) / (last - first))
        guard = seen_by(sight, views, moment, x + share * dx, y + share * dy, z + share * dz)
        if guard >= 0:
            return moment, guard
    return -1, -1


@jit
def looks_at(sight: SightArrays, views: ViewArrays, points: Array, out: Array) -> None:
    """Write to `out` (n,) int32 the first guard that sees `points[i]` (n, 3) at moment i, or -1."""
    for i in range(len(points)):
        out[i] = seen_by(sight, views, i, points[i, 0], points[i, 1], points[i, 2])


@jit
def look_counts(sight: SightArrays, views: ViewArrays, points: Array, by_moment: Array, by_point: Array) -> None:
    """Count the points (n, 3) seen at each moment, and the moments at which each point is seen."""
    for moment in range(len(views.look)):
        for i in range(np.uint64(len(points))):
            if seen_by(sight, views, moment, points[i, 0], points[i, 1], points[i, 2]) >= 0:
                by_moment[moment] += 1
                by_point[i] += 1


@jit
def watch_share(
    sight: SightArrays, pose: Array, eye_height: float, angle: float, distance: float, place: Array, out: Array
) -> None:
    """Write the share of poses from which each `place` (n, 3) is seen to `out` (n,).

    `pose` (t, 5) holds x, y, z, heading, and the weight of each look; weights sum to 1.
    A place is in view if it is within `distance` metres in plan and within half the `angle` of the heading, and nothing
    is between it and the eye, `eye_height` metres above the feet.
    """
    out[:] = 0.0
    least = AROUND if angle >= 2.0 * math.pi else math.cos(0.5 * angle)
    for t in range(np.uint64(len(pose))):
        x, y, z = pose[t, 0], pose[t, 1], pose[t, 2] + eye_height
        ahead_x, ahead_y = math.cos(pose[t, 3]), math.sin(pose[t, 3])
        for n in range(np.uint64(len(place))):
            if not is_in_sector(place[n, 0] - x, place[n, 1] - y, ahead_x, ahead_y, distance, least):
                continue
            if is_clear(sight, x, y, z, place[n, 0], place[n, 1], place[n, 2]):
                out[n] += pose[t, 4]
