"""Moving in plain Python: obvious and slow."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

TURNS = (0.0, 0.3, -0.3, 0.6, -0.6, 1.0, -1.0, 1.4, -1.4, 2.0, -2.0, 2.6, -2.6)
PACES = (1.0, 0.6, 0.25)


def settled_in_room(
    xy: np.ndarray, velocity: np.ndarray, going: Sequence[int], radius: float, room: tuple[float, float], seconds: float
) -> np.ndarray:
    """Walk on, then three times: push apart and clamp to a room `(0, 0) … room`: sliding along its walls is that."""
    place = xy + velocity * seconds
    for _ in range(3):
        moved = place.copy()
        for i, j in itertools.permutations(range(len(place)), 2):
            apart = place[i] - place[j]
            metres = float(np.hypot(*apart))
            inside = 2.0 * radius - metres
            if inside > 0.0:
                way = apart / metres if metres >= 1e-6 else np.array([1.0 if i < j else -1.0, 0.0])
                share = 0.5 if going[i] == going[j] else 0.8 if going[i] else 0.2
                moved[i] += way * inside * share
        place = np.clip(moved, 0.0, room)
    return place


def wish(xy: np.ndarray, bends: np.ndarray, speed: float, arrive: float) -> tuple[np.ndarray, int]:
    """Return the velocity wanted along bends, and the bend gone to: the first that is neither reached nor passed."""
    at = 0
    while at < len(bends) - 1:
        to, along = bends[at] - xy, bends[at + 1] - bends[at]
        reached = np.hypot(*to) <= arrive
        if not reached and not (np.hypot(*to) < 2.0 * arrive and to @ along <= 0.0):
            break
        at += 1
    to = bends[at] - xy
    left = float(np.hypot(*to)) + sum(float(np.hypot(*(b - a))) for a, b in itertools.pairwise(bends[at:]))
    if at == len(bends) - 1 and np.hypot(*to) <= arrive:
        return np.zeros(2), at
    return to / np.hypot(*to) * min(speed, 4.0 * left), at


def seconds_to_touch(apart: np.ndarray, closing: np.ndarray, reach: float) -> float:
    """Return when two touch that are `apart` and come nearer by `closing` a second: the first root of a square."""
    if apart @ apart <= reach * reach:
        return 0.0 if apart @ closing > 0.0 else math.inf
    roots = np.roots([closing @ closing, -2.0 * (apart @ closing), apart @ apart - reach * reach])
    real = [float(root.real) for root in roots if abs(root.imag) < 1e-12 and root.real > 0.0]
    return min(real, default=math.inf)


Other = tuple[np.ndarray, np.ndarray, bool]
"""Somebody near: how far apart, its velocity, whether it walks."""


def soonest(velocity: np.ndarray, own: np.ndarray, others: Sequence[Other], reach: float) -> float:
    """Return when one first touches anybody at this velocity; two who walk do half of the avoiding each."""
    relative = [2.0 * velocity - own - theirs if going else velocity - theirs for _, theirs, going in others]
    touches = [seconds_to_touch(other[0], closing, reach) for other, closing in zip(others, relative)]
    return min(touches, default=math.inf)


def cost_of(
    velocity: np.ndarray, wanted: np.ndarray, own: np.ndarray, others: Sequence[Other], reach: float, horizon: float
) -> float:
    """Return how bad a velocity is: how far from the one wanted, from the present one, and how soon it touches."""
    speed, late = float(np.hypot(*wanted)), soonest(velocity, own, others, reach)
    off, swing = float(np.hypot(*(velocity - wanted))) / speed, float(np.hypot(*(velocity - own))) / speed
    return off + 0.2 * swing + (0.0 if late >= horizon else 0.6 * (horizon / max(late, 0.05) - 1.0))


def avoiding(
    wanted: np.ndarray, own: np.ndarray, others: Sequence[Other], reach: float, horizon: float
) -> tuple[np.ndarray, float]:
    """Return the cheapest velocity and its cost; the one wanted where that touches nobody soon."""
    if not wanted.any() or soonest(wanted, own, others, reach) >= horizon:
        return wanted, 0.0
    candidates = []
    for turn, pace in itertools.product(TURNS, PACES):
        cosine, sine = math.cos(-turn), math.sin(-turn)
        way = np.array([wanted[0] * cosine - wanted[1] * sine, wanted[0] * sine + wanted[1] * cosine])
        candidates.append(way * pace)
    costs = [cost_of(one, wanted, own, others, reach, horizon) for one in candidates]
    return candidates[int(np.argmin(costs))], min(costs)
