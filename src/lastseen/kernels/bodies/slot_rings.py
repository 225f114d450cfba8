"""Places on rings around targets: which can be reached by a straight walk, and which slot takes which."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import MeshArrays
from ..jit import inner, jit
from ..walk.raycast import OFF_MESH, OTHER_FLOOR, REACHED, cast_rays

PLACED, TURNED, WIDENED, WALLED, CROWDED, OFF = range(6)


@jit
def walks_to(
    mesh: MeshArrays, start: Array, row: int, ends: Array, below: float, above: float, free: Array, where: Array
) -> bool:
    """Write to `free` (n,) bool whether there is a straight walk from `start[row]` (t, 3) to each of `ends` (n, 3).

    `where` (n, 3) receives the end of each walk, on the floor. Arriving on another floor counts, as it was reached on
    foot. Return whether the start is on the mesh.
    """
    count = len(ends)
    starts, unknown = np.empty((count, 3)), np.full(count, -1, np.int32)
    for k in range(count):
        for axis in range(3):
            starts[k, axis] = start[row, axis]
    outcome, fraction = np.empty(count, np.uint8), np.empty(count)
    normal, face = np.empty((count, 2)), np.empty(count, np.int32)
    cast_rays(mesh, starts, ends, unknown, below, above, False, outcome, where, fraction, normal, face)
    for k in range(count):
        free[k] = outcome[k] == REACHED or outcome[k] == OTHER_FLOOR
    return count == 0 or outcome[0] != OFF_MESH


@jit
def _poll(
    mesh: MeshArrays,
    floor: Array,
    target: int,
    way: Array,
    stride: int,
    metres: float,
    below: float,
    above: float,
    free: Array,
    points: Array,
) -> None:
    """Fill which angles of a ring are free (1, c), and their positions (1, c, 3), for every `stride`-th angle."""
    count = free.shape[1] // stride
    ends, where, found = np.empty((count, 3)), np.empty((count, 3)), np.empty(count, np.bool_)
    for k in range(count):
        for axis in range(3):
            ends[k, axis] = floor[target, axis] + metres * way[target, k * stride, axis]
    walks_to(mesh, floor, target, ends, below, above, found, where)
    for angle in range(free.shape[1]):
        free[0, angle] = False
    for k in range(count):
        free[0, k * stride] = found[k]
        for axis in range(3):
            points[0, k * stride, axis] = where[k, axis]


@jit
def poll_rings(
    mesh: MeshArrays,
    floor: Array,
    on_mesh: Array,
    way: Array,
    radius: float,
    widening: float,
    rings: int,
    turns: int,
    apart: float,
    avoid: Array,
    below: float,
    above: float,
    slot_xyz: Array,
    reason: Array,
) -> None:
    """Place the slots of all targets where a straight walk leads, on the first ring that has room.

    Parameters
    ----------
    floor, on_mesh : (T, 3), positions of targets on the floor; (T,) bool, whether they are on the mesh.
    way : (T, c, 3), unit vectors to the c evenly spaced angles; slot k of S has angle `k * c / S`.
    radius, widening : radius of the first ring, and by how much each of the `rings` is wider than the last, in metres.
    turns, apart, avoid : see `take_slots`.
    slot_xyz, reason : (T, S, 3) metres, NaN for slots without a place; (T, S) uint8, why; written.
    """
    angles, slots = way.shape[1], reason.shape[1]
    per_slot = angles // slots
    slot_turn, slot_ring = np.zeros(reason.shape, np.int64), np.full(reason.shape, -1, np.int64)
    free, points, row = np.zeros((1, angles), np.bool_), np.zeros((1, angles, 3)), np.zeros(1, np.int64)
    for target in range(len(floor)):
        for slot in range(slots):
            reason[target, slot] = WALLED if on_mesh[target] else OFF
            for axis in range(3):
                slot_xyz[target, slot, axis] = np.nan
        row[0] = target
        for step in range(2 * rings if on_mesh[target] else 0):
            # On most rings the slots' own angles are all free; then the other angles are not tested.
            stride, most = (per_slot, 0) if step % 2 == 0 else (1, turns)
            ring = step // 2
            _poll(mesh, floor, target, way, stride, radius + ring * widening, below, above, free, points)
            take_slots(free, points, row, most, apart, avoid, slot_xyz, slot_turn, slot_ring, ring)
            missing = 0
            for slot in range(slots):
                if slot_ring[target, slot] < 0:
                    missing += 1
                for turn in range(-most, most + 1):
                    if free[0, (slot * per_slot + turn) % angles]:
                        reason[target, slot] = CROWDED
            if missing == 0:
                break
        for slot in range(slots):
            if slot_ring[target, slot] > 0:
                reason[target, slot] = WIDENED
            elif slot_ring[target, slot] == 0:
                reason[target, slot] = PLACED if slot_turn[target, slot] == 0 else TURNED


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
    """Place slots that have no place yet on this ring: at their own angle, or turned from it by up to `turns` angles.

    `free` (r, c) tells which of the c angles of a ring are free and `points` (r, c, 3) where they are, for the targets
    in `targets` (r,). Angles are evenly spaced; slot k of S has angle `k * c / S`. First every slot tries its own
    angle; then the remaining slots try the angles next to theirs in turn, left first. Places keep `apart` metres from
    one another and from `avoid` (a, 3). Fills `slot_xyz` (T, S, 3), `slot_turn` (T, S) and `slot_ring` (T, S), which is
    -1 for slots without a place.
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
