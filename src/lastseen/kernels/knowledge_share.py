"""Who tells whom: the newest knowledge of each target, taken over by those in reach of who has it."""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .body_arrays import ACTIVE, BodyArrays
from .jit import jit
from .knowledge_arrays import NOTHING, TOLD, KnowledgeArrays

__all__ = ["share_newest"]


@jit
def _newest_of_team(know: KnowledgeArrays, bodies: BodyArrays, observers: Array, teller: Array) -> None:
    """Fill `teller` with the row of everybody's team that knows the newest; ties: the first row."""
    best = np.full((256, teller.shape[1]), -1, np.int32)
    for i in range(len(observers)):
        if bodies.mode[observers[i]] != ACTIVE:
            continue
        team = np.int64(bodies.team[observers[i]])
        for j in range(teller.shape[1]):
            held = best[team, j]
            if know.source[i, j] != NOTHING and (held < 0 or know.time[i, j] > know.time[held, j]):
                best[team, j] = i
    for i in range(len(observers)):
        team = np.int64(bodies.team[observers[i]])
        for j in range(teller.shape[1]):
            teller[i, j] = best[team, j]


@jit
def _newest_in_reach(know: KnowledgeArrays, bodies: BodyArrays, observers: Array, reach: float, teller: Array) -> None:
    """Fill `teller` with the row within `reach` metres that knows the newest; ties: the first row."""
    teller[:] = -1
    # Sorted from west to east each looks only at those within reach of its own x.
    east = np.empty(len(observers))
    for i in range(len(observers)):
        east[i] = bodies.xyz[observers[i], 0]
    order = np.argsort(east)
    first = 0
    for at in range(len(order)):
        i = order[at]
        one = observers[i]
        while east[order[first]] < east[i] - reach:
            first += 1
        for place in range(first, len(order)):
            k = order[place]
            if east[k] > east[i] + reach:
                break
            other = observers[k]
            if k == i or bodies.mode[other] != ACTIVE or bodies.team[other] != bodies.team[one]:
                continue
            dx = bodies.xyz[one, 0] - bodies.xyz[other, 0]
            dy = bodies.xyz[one, 1] - bodies.xyz[other, 1]
            dz = bodies.xyz[one, 2] - bodies.xyz[other, 2]
            if dx * dx + dy * dy + dz * dz > reach * reach:
                continue
            for j in range(teller.shape[1]):
                if know.source[k, j] == NOTHING:
                    continue
                held = teller[i, j]
                newer = held < 0 or know.time[k, j] > know.time[held, j]
                if newer or (know.time[k, j] == know.time[held, j] and k < held):
                    teller[i, j] = k


@jit
def share_newest(know: KnowledgeArrays, bodies: BodyArrays, observers: Array, reach: float) -> int:
    """Let observers of a team take over what is newer than their own; return how many records were told.

    `reach` metres, infinite: the whole team. All tell what they knew before the call, so news travel one contact a
    call and the order of rows does not matter.
    """
    count, width = know.time.shape
    teller = np.empty((count, width), np.int32)
    if reach == np.inf:
        _newest_of_team(know, bodies, observers, teller)
    else:
        _newest_in_reach(know, bodies, observers, reach, teller)
    xyz, direction, speed, time = know.xyz.copy(), know.direction_xy.copy(), know.speed.copy(), know.time.copy()
    certainty, identified = know.certainty.copy(), know.identified.copy()
    told = 0
    for i in range(count):
        if bodies.mode[observers[i]] != ACTIVE:
            continue
        for j in range(width):
            k = teller[i, j]
            if k < 0 or k == i or time[k, j] <= time[i, j]:
                continue
            told += 1
            for axis in range(3):
                know.xyz[i, j, axis] = xyz[k, j, axis]
            know.direction_xy[i, j, 0], know.direction_xy[i, j, 1] = direction[k, j, 0], direction[k, j, 1]
            know.speed[i, j] = speed[k, j]
            know.time[i, j] = time[k, j]
            know.source[i, j] = TOLD
            know.certainty[i, j] = certainty[k, j]
            know.identified[i, j] = identified[k, j] | identified[i, j]
            for axis in range(3):
                know.from_xyz[i, j, axis] = bodies.xyz[observers[i], axis]
            know.from_gaze[i, j] = bodies.gaze[observers[i]]
    return told
