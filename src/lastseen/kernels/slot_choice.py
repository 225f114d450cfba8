"""Places round targets: who takes which of the free ones?"""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .jit import inner, jit

__all__ = ["take_slots"]


@inner
def take_slots(
    free: Array,
    points: Array,
    targets: Array,
    turns: int,
    apart: float,
    avoid: Array,
    slot_xyz: Array,
    slot_turn: Array,
    slot_ring: Array,
    ring: int,
) -> None:
    """Give slots without a place one on this ring: at their own angle, or turned away from it by up to `turns`.

    `free` (r, c) tells which of the c angles of a ring are free, `points` (r, c, 3) where they are, for targets
    `targets` (r,). Angles are even, slot k of S has angle `k * c / S`. First every slot tries its own angle, then the
    rest theirs and the angles beside it in turn, left first. Places keep `apart` metres from one another and from
    `avoid` (a, 3). Fills `slot_xyz` (T, S, 3), `slot_turn` (T, S), `slot_ring` (T, S), -1 where there is none yet.
    """
    slots, angles = slot_ring.shape[1], free.shape[1]
    per_slot = angles // slots
    for r in range(len(targets)):
        target = targets[r]
        for first in range(2):
            for slot in range(slots):
                if slot_ring[target, slot] >= 0:
                    continue
                low, high = (0, 1) if first == 0 else (1, 2 * turns + 1)
                for k in range(low, high):
                    turn = (k + 1) // 2 if k % 2 == 1 else -(k // 2)
                    at = (slot * per_slot + turn) % angles
                    if free[r, at] and _is_apart(points[r, at], slot_xyz[target], slot_ring[target], avoid, apart):
                        for axis in range(3):
                            slot_xyz[target, slot, axis] = points[r, at, axis]
                        slot_turn[target, slot], slot_ring[target, slot] = turn, ring
                        break


@jit
def _is_apart(point: Array, slot_xyz: Array, slot_ring: Array, avoid: Array, apart: float) -> bool:
    nearest = np.inf
    for k in range(np.uint64(len(slot_ring))):
        if slot_ring[k] >= 0:
            nearest = min(nearest, _square(point, slot_xyz[k]))
    for k in range(np.uint64(len(avoid))):
        nearest = min(nearest, _square(point, avoid[k]))
    return nearest >= apart * apart


@jit
def _square(one: Array, other: Array) -> float:
    dx, dy, dz = one[0] - other[0], one[1] - other[1], one[2] - other[2]
    return dx * dx + dy * dy + dz * dz
