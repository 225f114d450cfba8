"""Cast rays from heads to bodies and points, within a ray budget, and from targets back to watchers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.agent_arrays import ACTIVE, BodyArrays
from ..arrays.level_arrays import SightArrays
from ..jit import jit
from ..sight.sight_line import is_clear
from .vision_shapes import DEFERRED, OCCLUDED, SEEN, SMOKE, ShapeArrays, find_shapes, shape_about


class PointArrays(NamedTuple):
    """Points of bodies that rays are cast to: s stances with p points each."""

    eye: Array  # float64 (s,)  metres above the feet
    point: Array  # float64 (s, p, 3)  radii ahead, radii counter-clockwise of it, metres above the feet
    needed: Array  # uint8 (s,)  number of points that must be in sight
    first: Array  # uint8 (3,)  points first … last - 1 are tested, by the alert of the observer
    last: Array  # uint8 (3,)


@jit
def in_smoke(clouds: Array, ax: float, ay: float, az: float, bx: float, by: float, bz: float) -> bool:
    """Return whether a line passes through any cloud (k, 4: x, y, z, radius)."""
    dx, dy, dz = bx - ax, by - ay, bz - az
    squared = dx * dx + dy * dy + dz * dz
    for k in range(len(clouds)):
        cx, cy, cz = clouds[k, 0] - ax, clouds[k, 1] - ay, clouds[k, 2] - az
        at = (cx * dx + cy * dy + cz * dz) / squared if squared > 0.0 else 0.0
        at = min(max(at, 0.0), 1.0)
        cx, cy, cz = cx - at * dx, cy - at * dy, cz - at * dz
        if cx * cx + cy * cy + cz * cz <= clouds[k, 3] * clouds[k, 3]:
            return True
    return False


@jit
def look_at_bodies(
    bodies: BodyArrays,
    sight: SightArrays,
    clouds: Array,
    observers: Array,
    targets: Array,
    alert: Array,
    shapes: ShapeArrays,
    furthest: float,
    points: PointArrays,
    budget: int,
    cursor: Array,
    visible: Array,
    shape: Array,
    metres: Array,
    reason: Array,
) -> int:
    """Fill the arrays of `find_shapes`, and `visible` for pairs in a shape; return the number of rays cast.

    With a `budget` (negative: none) pairs take turns: the first pair over budget goes first in the next step
    (`cursor`); until then it keeps its last result in `visible`. A pair stops as soon as its result is certain.
    """
    find_shapes(bodies, observers, targets, shapes, furthest, shape, metres, reason)
    height, width = shape.shape
    total = height * width
    begin = cursor[0] if cursor[0] < total else 0
    cast = 0
    is_spent = False
    i, j = begin // max(width, 1), begin % max(width, 1)
    for _ in range(total):
        if shape[i, j] < 0:
            visible[i, j] = 0
        else:
            one, other = observers[i], targets[j]
            first, last = np.int64(points.first[alert[i]]), np.int64(points.last[alert[i]])
            if not is_spent and budget >= 0 and cast + last - first > budget:
                is_spent = True
                cursor[0] = i * width + j
            if is_spent:
                reason[i, j] = DEFERRED
            else:
                ax, ay = bodies.xyz[one, 0], bodies.xyz[one, 1]
                az = bodies.xyz[one, 2] + points.eye[bodies.stance[one]]
                stance = bodies.stance[other]
                radius = bodies.radius[other]
                face_x, face_y = np.cos(bodies.heading[other]) * radius, np.sin(bodies.heading[other]) * radius
                needed = min(np.int64(points.needed[stance]), last - first)
                passed = 0
                reason[i, j] = OCCLUDED
                for p in range(first, last):
                    if passed >= needed or passed + last - p < needed:
                        break
                    ahead, left = points.point[stance, p, 0], points.point[stance, p, 1]
                    bx = bodies.xyz[other, 0] + ahead * face_x - left * face_y
                    by = bodies.xyz[other, 1] + ahead * face_y + left * face_x
                    bz = bodies.xyz[other, 2] + points.point[stance, p, 2]
                    if len(clouds) and in_smoke(clouds, ax, ay, az, bx, by, bz):
                        reason[i, j] = SMOKE
                        continue
                    cast += 1
                    passed += np.int64(is_clear(sight, ax, ay, az, bx, by, bz))
                visible[i, j] = passed >= needed
                if passed >= needed:
                    reason[i, j] = SEEN
        j += 1
        if j == width:
            j = 0
            i = i + 1 if i + 1 < height else 0
    return cast


@jit
def see_points(
    bodies: BodyArrays,
    sight: SightArrays,
    clouds: Array,
    observers: Array,
    eye: Array,
    shapes: ShapeArrays,
    furthest: float,
    points: Array,
    seen: Array,
) -> None:
    """Fill `seen` (n, k) bool: whether a point (k, 3) is in a shape of an observer and in sight.

    `eye` (s,) holds eye heights by stance.
    """
    for i in range(len(observers)):
        one = observers[i]
        x, y = bodies.xyz[one, 0], bodies.xyz[one, 1]
        z = bodies.xyz[one, 2] + eye[bodies.stance[one]]
        face_x, face_y = np.cos(bodies.gaze[one]), np.sin(bodies.gaze[one])
        for k in range(len(points)):
            seen[i, k] = False
            dx, dy, dz = points[k, 0] - x, points[k, 1] - y, points[k, 2] - z
            away = np.sqrt(dx * dx + dy * dy + dz * dz)
            if bodies.mode[one] != ACTIVE or away > furthest:
                continue
            ahead, aside = dx * face_x + dy * face_y, abs(dy * face_x - dx * face_y)
            if shape_about(shapes, ahead, aside, away) < 0:
                continue
            if not in_smoke(clouds, x, y, z, points[k, 0], points[k, 1], points[k, 2]):
                seen[i, k] = is_clear(sight, x, y, z, points[k, 0], points[k, 1], points[k, 2])


@jit
def find_spotted(
    bodies: BodyArrays, sight: SightArrays, targets: Array, watchers: Array, eyes: Array, within: float, spotted: Array
) -> None:
    """Fill `spotted` (targets, watchers): whether a watcher's head is in sight of a target within `within` metres.

    The direction the target faces does not matter. `eyes` (stances,): metres above the feet; both must be active.
    """
    for t in range(len(targets)):
        one = np.int64(targets[t])
        x, y = bodies.xyz[one, 0], bodies.xyz[one, 1]
        z = bodies.xyz[one, 2] + eyes[bodies.stance[one]]
        for w in range(len(watchers)):
            other = np.int64(watchers[w])
            spotted[t, w] = False
            if bodies.mode[one] != ACTIVE or bodies.mode[other] != ACTIVE:
                continue
            dx, dy = x - bodies.xyz[other, 0], y - bodies.xyz[other, 1]
            head = bodies.xyz[other, 2] + eyes[bodies.stance[other]]
            if np.sqrt(dx * dx + dy * dy + (z - head) * (z - head)) <= within:
                spotted[t, w] = is_clear(sight, x, y, z, bodies.xyz[other, 0], bodies.xyz[other, 1], head)
