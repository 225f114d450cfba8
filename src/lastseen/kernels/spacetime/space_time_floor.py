"""Straight walks on the floor: whether they are possible, how long they take, and which guard sees them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import MeshArrays, SightArrays
from ..jit import inner, jit
from ..walk.raycast import OTHER_FLOOR, REACHED, cast_rays
from .space_time_views import ViewArrays, first_look, look_at

Point = tuple[float, float, float]

_PIECE = 1.0  # metres between two samples of the floor's height
_PARTS = 4  # parts of a piece, each sampled for its slope
_BUMP = 0.1  # metres by which the floor may deviate from a straight line
_EVEN = 0.01  # metres by which an even floor may deviate from its plane
_CLOSE = 0.05  # metres from a bend within which it counts as reached


class AskArrays(NamedTuple):
    """The query: start, goal and pace, which stay the same from tree to tree."""

    ends: Array  # float64 (2, 3)  start and goal, on the floor
    faces: Array  # int32 (2,)  base faces they stand on
    pace: Array  # float64 (4,)  metres per step; height at which agents are seen; floor may be this far below, above
    steps: Array  # int64 (4,)  moments per step; the last step; tries to leave for the goal, and steps between them
    flat: bool  # the whole floor has one height, so heights are not sampled


class RayRoom(NamedTuple):
    """Work arrays for one ray; see `ray_room`."""

    start: Array
    end: Array
    face: Array
    outcome: Array
    point: Array
    fraction: Array
    normal: Array
    stop: Array


@inner
def ray_room() -> RayRoom:
    """Return work arrays for one ray."""
    return RayRoom(
        np.empty((1, 3)),
        np.empty((1, 3)),
        np.empty(1, np.int32),
        np.empty(1, np.uint8),
        np.empty((1, 3)),
        np.empty(1),
        np.empty((1, 2)),
        np.empty(1, np.int32),
    )


@inner
def cast(mesh: MeshArrays, ask: AskArrays, ray: RayRoom, start: Point, face: int, end: Point) -> float:
    """Return the share of a straight line that can be walked; 1.0 only if the walk arrives on the floor of its end."""
    ray.start[0, 0], ray.start[0, 1], ray.start[0, 2] = start
    ray.end[0, 0], ray.end[0, 1], ray.end[0, 2] = end
    ray.face[0] = face
    cast_rays(
        mesh,
        ray.start,
        ray.end,
        ray.face,
        ask.pace[2],
        ask.pace[3],
        False,
        ray.outcome,
        ray.point,
        ray.fraction,
        ray.normal,
        ray.stop,
    )
    if ray.outcome[0] == REACHED:
        return 1.0
    return min(ray.fraction[0], 0.999999)


@inner
def length(start: Point, end: Point) -> float:
    """Return the length of a straight line."""
    return math.sqrt((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2 + (end[2] - start[2]) ** 2)


@jit
def _between(start: Point, end: Point, share: float) -> Point:
    return (
        start[0] + share * (end[0] - start[0]),
        start[1] + share * (end[1] - start[1]),
        start[2] + share * (end[2] - start[2]),
    )


@jit
def _stop(ray: RayRoom) -> Point:
    return ray.point[0, 0], ray.point[0, 1], ray.point[0, 2]


@jit
def _rise(mesh: MeshArrays, face: int, start: Point, end: Point) -> float:
    """Return the height difference of a face's floor between start and end."""
    return abs(mesh.face_plane[face, 0] * (end[0] - start[0]) + mesh.face_plane[face, 1] * (end[1] - start[1]))


@jit
def _parts(start: Point, end: Point) -> int:
    """Return the number of parts into which a line is divided for sampling: `_PARTS` for each piece."""
    return _PARTS * max(1, np.int64(math.ceil(math.hypot(end[0] - start[0], end[1] - start[1]) / _PIECE)))


@jit
def _walked(mesh: MeshArrays, ask: AskArrays, ray: RayRoom, start: Point, face: int, end: Point) -> tuple[float, float]:
    """Return the length of a straight walk in metres at top speed, -1.0 for walls, and the floor's largest deviation.

    The walk is even in plan, so its steepest part sets the pace; a step up or down takes no time. The floor's deviation
    from the line is sampled once per metre: a short walk may cross any edge.
    """
    if cast(mesh, ask, ray, start, face, end) < 1.0:
        return -1.0, math.inf
    if ask.flat or ray.stop[0] == face:
        return length(start, end), abs(ray.point[0, 2] - end[2])
    parts, here, on, off = _parts(start, end), start, face, 0.0
    rise = _rise(mesh, face, start, end) if face >= 0 else 0.0
    for part in range(1, parts + 1):
        there = _between(start, end, part / parts)
        reached = cast(mesh, ask, ray, here, on, there) == 1.0
        if not reached and (part == parts or ray.outcome[0] != OTHER_FLOOR):
            return -1.0, math.inf
        here, on = _stop(ray), np.int64(ray.stop[0])
        rise = max(rise, _rise(mesh, on, start, end))
        if part % _PARTS == 0:
            off = max(off, abs(here[2] - there[2]))
    return math.sqrt((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2 + rise * rise), off


@inner
def metres_straight(mesh: MeshArrays, ask: AskArrays, ray: RayRoom, start: Point, face: int, end: Point) -> float:
    """Return the length of a straight walk in metres at top speed, -1.0 if walls or the floor do not allow it.

    The floor follows the line, neither above nor below it; a walk over a bump has to be divided in two.
    """
    metres, off = _walked(mesh, ask, ray, start, face, end)
    return metres if off <= _BUMP else -1.0


@inner
def floor_at(mesh: MeshArrays, face: int, x: float, y: float) -> float:
    """Return the height of a face's plane at (x, y)."""
    return mesh.face_plane[face, 0] * x + mesh.face_plane[face, 1] * y + mesh.face_plane[face, 2]


@inner
def bend_share(mesh: MeshArrays, one: int, other: int, start: Point, end: Point) -> float:
    """Return the share of a line at which the planes of two faces meet, or -1.0 if they do not meet on it."""
    first = floor_at(mesh, other, start[0], start[1]) - floor_at(mesh, one, start[0], start[1])
    last = floor_at(mesh, other, end[0], end[1]) - floor_at(mesh, one, end[0], end[1])
    share = first / (first - last) if first != last else -1.0
    # An end may be on the bend itself, up to rounding.
    return min(1.0, max(0.0, share)) if -1e-6 < share < 1.0 + 1e-6 else -1.0


@inner
def even_part(mesh: MeshArrays, ask: AskArrays, ray: RayRoom, start: Point, face: int, end: Point) -> Point:
    """Return the point at which the floor bends on a walkable line, or the end of one piece over a step.

    A bend right at the start does not count. `ray` is left as by `cast` to that point.
    """
    parts, here, on, plane = _parts(start, end), start, face, face
    far = math.hypot(end[0] - start[0], end[1] - start[1])
    gone = 1.0
    for part in range(1, parts + 1):
        cast(mesh, ask, ray, here, on, _between(start, end, part / parts))
        before, here, on = here, _stop(ray), np.int64(ray.stop[0])
        if on < 0:
            break
        if abs(floor_at(mesh, plane, here[0], here[1]) - here[2]) <= _EVEN:
            continue
        share = bend_share(mesh, plane, on, before, here)
        gone = (part - 1 + share) / parts
        if share >= 0.0 and gone * far > _CLOSE:
            break
        if share < 0.0:
            gone = max(part - 1, _PARTS) / parts
            break
        plane, gone = on, 1.0
    cast(mesh, ask, ray, start, face, _between(start, end, gone))
    return _stop(ray)


@inner
def look_on_floor(
    sight: SightArrays,
    views: ViewArrays,
    mesh: MeshArrays,
    ask: AskArrays,
    ray: RayRoom,
    face: int,
    first: float,
    last: float,
    start: Point,
    end: Point,
) -> tuple[int, int]:
    """Return `first_look` for feet that follow the floor along a walkable line; `first` and `last` are moments."""
    up = ask.pace[1]
    if ask.flat or (start[0] == end[0] and start[1] == end[1]):
        return first_look(sight, views, first, last, (start[0], start[1], start[2] + up), (end[0], end[1], end[2] + up))
    here, on = start, face
    moment, until = np.int64(first + 1e-9) + 1, np.int64(last + 1e-9)
    walk = math.hypot(end[0] - start[0], end[1] - start[1]) / (last - first)
    while moment <= until:
        there = _between(start, end, min(1.0, (moment - first) / (last - first)))
        if cast(mesh, ask, ray, here, on, there) == 1.0 or ray.outcome[0] == OTHER_FLOOR:
            here, on = _stop(ray), np.int64(ray.stop[0])
        else:
            here, on = there, np.int64(-1)
        guard, free = look_at(sight, views, moment, here[0], here[1], here[2] + up, walk)
        if guard >= 0:
            return moment, guard
        moment += 1 + free
    return -1, -1
