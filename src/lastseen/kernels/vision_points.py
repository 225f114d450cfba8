"""Which points of the world does each observer see: doors, lights, things left lying?"""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .body_arrays import ACTIVE, BodyArrays
from .jit import jit
from .sight_arrays import SightArrays
from .sight_line import is_clear
from .vision_rays import in_smoke
from .vision_shapes import ShapeArrays, shape_about

__all__ = ["see_points"]


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
    """Fill `seen` (n, k) bool: point (k, 3) is in a shape of the observer and in sight; `eye` heights by stance."""
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
