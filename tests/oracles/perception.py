"""Slow, obvious versions of what perception kernels compute."""

from __future__ import annotations

import math

import numpy as np

from lastseen.agents.bodies.bodies import STANCES
from lastseen.agents.senses.vision.shapes import Narrowing, Outline, Sector
from lastseen.kernels.sight.sight_line import is_clear


def in_shape(shape, bodies, observer: int, target: int) -> bool:
    """Is the target in a shape of the observer's head? By angles."""
    dx, dy, dz = bodies.xyz[target] - bodies.xyz[observer]
    flat, metres = math.hypot(dx, dy), math.sqrt(dx * dx + dy * dy + dz * dz)
    off = 0.0 if flat == 0.0 else abs(math.remainder(math.atan2(dy, dx) - bodies.gaze[observer], 2.0 * math.pi))
    if metres > shape.far or math.atan2(abs(dz) - 1.5, flat) > math.radians(60.0):
        return False
    if isinstance(shape, Sector):
        return metres >= shape.near and off <= shape.half_angle
    if isinstance(shape, Narrowing):
        return off <= shape.half_angle(metres)
    assert isinstance(shape, Outline)
    ahead, aside = flat * math.cos(off), flat * math.sin(off)
    return shape.knots[0][0] <= ahead <= shape.knots[-1][0] and aside <= shape.half_width(ahead)


def sees_chest(bodies, sight, observer: int, target: int) -> bool:
    eye = bodies.xyz[observer] + (0.0, 0.0, STANCES[bodies.stance[observer]].eye)
    chest = bodies.xyz[target] + (0.0, 0.0, STANCES[bodies.stance[target]].chest)
    return bool(is_clear(sight, *eye, *chest))


def newest(times: np.ndarray, tellers: list[int]) -> int:
    """Row with the newest record among tellers, the first of equals; -1: nobody knows."""
    best = -1
    for row in tellers:
        if times[row] > -np.inf and (best < 0 or times[row] > times[best]):
            best = row
    return best
