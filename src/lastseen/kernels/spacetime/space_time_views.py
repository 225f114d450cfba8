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
_EVER = 1e12  # moments without a look, if nothing moves
_STILL = 1e-12  # metres or radians per moment: as good as none
_SLIGHT = 1e-6  # moments: an area entered this little after a look counts as entered at it
_ARC = math.pi / 3.0  # asin(u) <= _ARC u for u up to 1/2


class ViewArrays(NamedTuple):
    """What G guards notice at M moments: circle sectors in plan and circles around them, limited by what blocks sight.

    `pace` allows to leave out looks that cannot see anyone: see `look_at`.
    """

    look: Array  # float64 (M, G, 5)  x, y, z of the eye; unit vector of its direction
    reach: Array  # float64 (G, 3)  view distance in metres; cosine of half the view angle, AROUND for 2 pi; radius in
    # which it notices anyone, < 0: none
    pace: Array  # float64 (G, 3)  metres in plan and radians it moves at most between two moments; half its view angle


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
        dx, dy, near = x - eye_x, y - eye_y, views.reach[g, 2]
        if not (
            (near >= 0.0 and dx * dx + dy * dy <= near * near)
            or is_in_sector(dx, dy, ahead_x, ahead_y, views.reach[g, 0], views.reach[g, 1])
        ):
            continue
        if is_clear(sight, eye_x, eye_y, views.look[m, g, 2], x, y, z):
            return np.int64(g)
    return -1


@inner
def look_at(
    sight: SightArrays, views: ViewArrays, moment: int, x: float, y: float, z: float, walk: float
) -> tuple[int, int]:
    """Return the first guard that sees a point at a moment, or -1, and for how many moments after it none can.

    `walk` is the distance in plan that the point moves at most between two moments. A guard cannot see it while it is
    too far away, or outside of the sector whichever way both move and the guard turns. In a sector behind a wall the
    number is 0.
    """
    m, free = np.uint64(moment), float(_EVER)
    for g in range(np.uint64(len(views.reach))):
        dx, dy = x - views.look[m, g, 0], y - views.look[m, g, 1]
        reach, near = views.reach[g, 0], max(views.reach[g, 2], 0.0)
        apart, pace = math.sqrt(dx * dx + dy * dy), max(walk + views.pace[g, 0], _STILL)
        outside = apart - max(reach, near)
        if outside > 0.0 and outside >= free * pace:
            continue
        ahead = dx * views.look[m, g, 3] + dy * views.look[m, g, 4]
        if (apart <= near and views.reach[g, 2] >= 0.0) or (apart <= reach and ahead >= views.reach[g, 1] * apart):
            if is_clear(sight, views.look[m, g, 0], views.look[m, g, 1], views.look[m, g, 2], x, y, z):
                return np.int64(g), 0
            free = 0.0
        elif free > 0.0:
            beside = math.acos(min(1.0, max(-1.0, ahead / apart))) - views.pace[g, 2]
            turned = beside / max(views.pace[g, 1] + _ARC * pace / apart, _STILL)
            free = min(free, max(outside / pace, min(turned, min(apart - near, 0.5 * apart) / pace)))
    return -1, np.int64(max(0.0, free - _SLIGHT))


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
    moment, until = np.int64(first + _SAME) + 1, np.int64(last + _SAME)
    walk = math.sqrt(dx * dx + dy * dy) / (last - first) if last > first else 0.0
    while moment <= until:
        share = min(1.0, (moment - first) / (last - first))
        guard, free = look_at(sight, views, moment, x + share * dx, y + share * dy, z + share * dz, walk)
        if guard >= 0:
            return moment, guard
        moment += 1 + free
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
