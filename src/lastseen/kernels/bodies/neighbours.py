"""Find bodies near one another and near doors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.agent_arrays import ACTIVE, BodyArrays
from ..jit import jit


class Nearby(NamedTuple):
    """Neighbours of agent i: `other[start[i]:start[i + 1]]`, ascending."""

    start: Array  # int32 (n + 1,)
    other: Array  # int32 (at least the number of pairs,)


@jit
def _bucket(column: int, row: int, mask: np.uint64) -> np.uint64:
    # By way of int64: as plain Python, NumPy refuses negative numbers otherwise.
    x, y = np.uint64(np.int64(column)), np.uint64(np.int64(row))
    return (x * np.uint64(73856093) ^ y * np.uint64(19349663)) & mask


@jit
def find_nearby(bodies: BodyArrays, reach: float, height: float, first: Array, following: Array, near: Nearby) -> int:
    """List active bodies within `reach` metres of one another in plan and `height` metres vertically.

    `first` (power of two,) and `following` (n,) int32 are work arrays with arbitrary content. Return the number of
    pairs found; if it exceeds the room in `near.other`, only the first ones are listed.
    """
    count = len(bodies.mode)
    mask = np.uint64(len(first) - 1)
    first[:] = -1
    for step in range(count):
        i = count - 1 - step
        if bodies.mode[i] == ACTIVE:
            slot = _bucket(int(np.floor(bodies.xyz[i, 0] / reach)), int(np.floor(bodies.xyz[i, 1] / reach)), mask)
            following[i] = first[slot]
            first[slot] = i
    found = 0
    for i in range(count):
        near.start[i] = min(found, len(near.other))
        if bodies.mode[i] != ACTIVE:
            continue
        column, row = int(np.floor(bodies.xyz[i, 0] / reach)), int(np.floor(bodies.xyz[i, 1] / reach))
        begin = found
        for down in range(-1, 2):
            for along in range(-1, 2):
                j = first[_bucket(column + along, row + down, mask)]
                while j >= 0:
                    dx, dy = bodies.xyz[j, 0] - bodies.xyz[i, 0], bodies.xyz[j, 1] - bodies.xyz[i, 1]
                    is_here = int(np.floor(bodies.xyz[j, 0] / reach)) == column + along
                    is_here = is_here and int(np.floor(bodies.xyz[j, 1] / reach)) == row + down
                    level = abs(bodies.xyz[j, 2] - bodies.xyz[i, 2]) <= height
                    if is_here and level and j != i and dx * dx + dy * dy <= reach * reach:
                        if found < len(near.other):
                            at = found  # insertion sort: neighbours are few
                            while at > begin and near.other[at - 1] > j:
                                near.other[at] = near.other[at - 1]
                                at -= 1
                            near.other[at] = j
                        found += 1
                    j = following[j]
    near.start[count] = min(found, len(near.other))
    return found


@jit
def find_near_doors(
    bodies: BodyArrays, going: Array, middles: Array, reach: float, walker: Array, nearest: Array
) -> None:
    """Fill for each door the first active body walking within `reach` of its middle, or -1, and the nearest distance.

    `middles` (d, 3), `going` (n,), `walker` and `nearest` (d,).
    """
    for door in range(len(middles)):
        walker[door], least = -1, np.inf
        for i in range(len(bodies.mode)):
            if bodies.mode[i] != ACTIVE:
                continue
            dx = bodies.xyz[i, 0] - middles[door, 0]
            dy = bodies.xyz[i, 1] - middles[door, 1]
            dz = bodies.xyz[i, 2] - middles[door, 2]
            square = dx * dx + dy * dy + dz * dz
            least = min(least, square)
            if square <= reach * reach and going[i] and walker[door] < 0:
                walker[door] = i
        nearest[door] = np.sqrt(least)
