"""Find the shape of a vision model that contains a target."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.agent_arrays import ACTIVE, BODY, GONE, HIDDEN, BodyArrays
from ..jit import inner, jit

SECTOR, OUTLINE, NARROWING = 0, 1, 2
"""Kinds of shapes: a circle sector, a width at each distance ahead, an angle that shrinks with distance."""

SEEN, ABSENT, FRIEND, OUT_OF_SIGHT, TOO_FAR, OUTSIDE, SMOKE, OCCLUDED, DARK, DEFERRED, BLENDED = range(11)
"""Reasons, in the order of `REASONS` in `agents/senses/vision/sightings.py`."""


_SHOULDERS = 1.5
"""Metres up or down within which height does not matter, for targets close by."""
_STEEP, _STEEPEST = 1.0, 1.7321
"""Slopes beyond which a target is seen only in peripheral vision, and not at all: 45 and 60 degrees, our choice."""


class ShapeArrays(NamedTuple):
    """Table of s shapes in the frame of the head, the best first; seen from above."""

    kind: Array  # uint8 (s,)
    near: Array  # float64 (s,)  metres
    far: Array  # float64 (s,)  metres
    angle: Array  # float64 (s, 3)  SECTOR: cosine of half the opening; NARROWING: metres times radians, least, most
    knot: Array  # float64 (s, k, 2)  OUTLINE: metres ahead, half the width there; the last knot repeats


@jit
def _is_within(knot: Array, number: int, ahead: float, aside: float) -> bool:
    """Return whether a point `ahead` and `aside` of the head, in metres, is within an outline."""
    last = knot.shape[1] - 1
    if ahead < knot[number, 0, 0] or ahead > knot[number, last, 0]:
        return False
    for k in range(last):
        start, end = knot[number, k, 0], knot[number, k + 1, 0]
        if ahead <= end:
            share = (ahead - start) / (end - start) if end > start else 1.0
            width = knot[number, k, 1]
            return aside <= width + share * (knot[number, k + 1, 1] - width)
    return False


@inner
def shape_about(shapes: ShapeArrays, ahead: float, aside: float, metres: float) -> int:
    """Return the first shape that contains a point `ahead` and `aside` (never negative) of the head, or -1.

    `metres` is the distance in space. For points steeply above or below, return the last shape that contains them, the
    least certain one; points straight above are never seen. One call tests all shapes: a call that passes arrays counts
    references, which took longer than the test itself.
    """
    flat = np.sqrt(ahead * ahead + aside * aside)
    rise = np.sqrt(max(metres * metres - flat * flat, 0.0)) - _SHOULDERS
    if rise > flat * _STEEPEST:
        return -1
    is_steep = rise > flat * _STEEP
    last = -1
    for number in range(len(shapes.kind)):
        if metres < shapes.near[number] or metres > shapes.far[number]:
            continue
        kind = shapes.kind[number]
        if kind == OUTLINE:
            is_inside = _is_within(shapes.knot, number, ahead, aside)
        elif kind == SECTOR:
            is_inside = ahead >= flat * shapes.angle[number, 0]
        else:
            half = shapes.angle[number, 2]
            if metres * half > shapes.angle[number, 0]:
                half = max(shapes.angle[number, 0] / metres, shapes.angle[number, 1])
            is_inside = ahead >= flat * np.cos(half)
        if is_inside:
            if not is_steep:
                return number
            last = number
    return last


@inner
def find_shapes(
    bodies: BodyArrays,
    observers: Array,
    targets: Array,
    shapes: ShapeArrays,
    furthest: float,
    shape: Array,
    metres: Array,
    reason: Array,
) -> None:
    """Fill for all pairs the first shape that contains the target (-1: none), the distance and why it is not seen.

    Pairs that still need rays get SEEN. The cheapest tests come first: most pairs fail the distance test.
    """
    for i in range(len(observers)):
        one = observers[i]
        x, y, z = bodies.xyz[one, 0], bodies.xyz[one, 1], bodies.xyz[one, 2]
        face_x, face_y = np.cos(bodies.gaze[one]), np.sin(bodies.gaze[one])
        is_there = bodies.mode[one] == ACTIVE
        for j in range(len(targets)):
            other = targets[j]
            shape[i, j] = -1
            metres[i, j] = np.inf
            if not is_there or one == other or bodies.mode[other] == GONE:
                reason[i, j] = ABSENT
                continue
            dx, dy, dz = bodies.xyz[other, 0] - x, bodies.xyz[other, 1] - y, bodies.xyz[other, 2] - z
            away = np.sqrt(dx * dx + dy * dy + dz * dz)
            metres[i, j] = away
            if bodies.team[one] == bodies.team[other] and bodies.mode[other] != BODY:
                reason[i, j] = FRIEND
            elif bodies.mode[other] == HIDDEN:
                reason[i, j] = OUT_OF_SIGHT
            elif away > furthest:
                reason[i, j] = TOO_FAR
            else:
                ahead, aside = dx * face_x + dy * face_y, abs(dy * face_x - dx * face_y)
                number = shape_about(shapes, ahead, aside, away)
                shape[i, j] = number
                reason[i, j] = OUTSIDE if number < 0 else SEEN
