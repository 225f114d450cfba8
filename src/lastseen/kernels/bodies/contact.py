"""Settle bodies: keep them from overlapping and on the floor; turn heads and bodies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.agent_arrays import ACTIVE, STUCK, WALKING, BodyArrays, OrderArrays, RouteArrays
from ..arrays.level_arrays import MeshArrays
from ..jit import jit
from ..walk.raycast import REACHED, cast_rays
from .neighbours import Nearby

_TOUCH = 1e-9
"""Overlap in metres that is ignored, so that bodies just pushed apart are not pushed again because of rounding."""

_QUEUING = 0.2
"""Weight of a second spent in a queue, relative to a second of being held up otherwise."""


class SettleWork(NamedTuple):
    """Work arrays for n bodies, with arbitrary content."""

    wanted: Array  # float64 (n, 3)  position of each body if there were no walls
    who: Array  # int32 (n,)  bodies for which a ray is cast
    starts: Array  # float64 (n, 3)
    ends: Array  # float64 (n, 3)
    face: Array  # int32 (n,)
    outcome: Array  # uint8 (n,)
    point: Array  # float64 (n, 3)
    fraction: Array  # float64 (n,)
    normal: Array  # float64 (n, 2)
    stopped: Array  # int32 (n,)


@jit
def _push_apart(
    bodies: BodyArrays, orders: OrderArrays, near: Nearby, place: Array, walked: bool, work: SettleWork
) -> int:
    """Write to `wanted` the positions that separate overlapping bodies; standing bodies move less than walking ones.

    List these bodies in `who`, ascending; with `walked`, also list the bodies that moved. Return how many are listed.
    """
    count = 0
    for i in range(len(place)):
        px, py = 0.0, 0.0
        moves = walked and (place[i, 0] != bodies.xyz[i, 0] or place[i, 1] != bodies.xyz[i, 1])
        for k in range(near.start[i], near.start[i + 1]):
            j = np.int64(near.other[k])
            dx, dy = place[i, 0] - place[j, 0], place[i, 1] - place[j, 1]
            metres = np.sqrt(dx * dx + dy * dy)
            inside = bodies.radius[i] + bodies.radius[j] - metres
            if inside <= _TOUCH:
                continue
            moves = True
            if metres < 1e-6:
                dx, dy, metres = (1.0 if i < j else -1.0), 0.0, 1.0
            share = 0.5
            if orders.going[i] != orders.going[j]:
                share = 0.8 if orders.going[i] else 0.2
            px += dx / metres * inside * share
            py += dy / metres * inside * share
        if moves:
            work.wanted[i, 0], work.wanted[i, 1], work.wanted[i, 2] = place[i, 0] + px, place[i, 1] + py, place[i, 2]
            work.who[count] = i
            count += 1
    return count


@jit
def _cast(mesh: MeshArrays, work: SettleWork, count: int, below: float, above: float) -> None:
    """Cast the first `count` rays."""
    work.face[:count] = -1
    cast_rays(
        mesh,
        work.starts[:count],
        work.ends[:count],
        work.face[:count],
        below,
        above,
        False,
        work.outcome,
        work.point,
        work.fraction,
        work.normal,
        work.stopped,
    )


@jit
def _slide(
    mesh: MeshArrays, bodies: BodyArrays, work: SettleWork, count: int, below: float, above: float, place: Array
) -> None:
    """Move the `count` bodies listed in `who` to their wanted positions, sliding along walls they hit."""
    for k in range(count):
        i = np.int64(work.who[k])
        for axis in range(3):
            work.starts[k, axis], work.ends[k, axis] = bodies.xyz[i, axis], work.wanted[i, axis]
    _cast(mesh, work, count, below, above)
    walls = 0
    for k in range(count):
        i = np.int64(work.who[k])
        # The rest of the movement goes along the wall that was hit.
        rx, ry = work.ends[k, 0] - work.point[k, 0], work.ends[k, 1] - work.point[k, 1]
        across = rx * work.normal[k, 0] + ry * work.normal[k, 1]
        for axis in range(3):
            place[i, axis] = work.point[k, axis]
        if work.outcome[k] == REACHED:
            continue
        # Filled from the front, behind the read position: no ray is overwritten before it is read.
        work.who[walls] = i
        for axis in range(3):
            work.starts[walls, axis] = place[i, axis]
        work.ends[walls, 0] = place[i, 0] + rx - across * work.normal[k, 0]
        work.ends[walls, 1] = place[i, 1] + ry - across * work.normal[k, 1]
        work.ends[walls, 2] = place[i, 2]
        walls += 1
    if walls:
        _cast(mesh, work, walls, below, above)
        for k in range(walls):
            for axis in range(3):
                place[np.int64(work.who[k]), axis] = work.point[k, axis]


@jit
def settle(
    mesh: MeshArrays,
    bodies: BodyArrays,
    orders: OrderArrays,
    near: Nearby,
    velocity_xy: Array,
    below: float,
    above: float,
    seconds: float,
    place: Array,
    work: SettleWork,
) -> int:
    """Fill `place` (n, 3) with positions after walking for `seconds`, separating bodies and sliding along walls.

    Rays are cast for walking bodies, and again for overlapping ones; a body that stands alone costs none. Return the
    number of bodies for which rays were cast, counted once per round.
    """
    for i in range(len(place)):
        for axis in range(3):
            place[i, axis] = bodies.xyz[i, axis]
        if bodies.mode[i] == ACTIVE:
            place[i, 0] += velocity_xy[i, 0] * seconds
            place[i, 1] += velocity_xy[i, 1] * seconds
    cast = 0
    for rounds in range(3):
        moving = _push_apart(bodies, orders, near, place, rounds == 0, work)
        if not moving:
            break
        _slide(mesh, bodies, work, moving, below, above, place)
        cast += moving
    return cast


@jit
def _turned(angle: float, goal: float, most: float) -> float:
    """Return `angle` turned towards `goal` by at most `most` radians, within -pi … pi."""
    off = (goal - angle + np.pi) % (2.0 * np.pi) - np.pi
    return (angle + min(max(off, -most), most) + np.pi) % (2.0 * np.pi) - np.pi


@jit
def turn(
    bodies: BodyArrays,
    following: BodyArrays,
    orders: OrderArrays,
    routes: RouteArrays,
    wish: Array,
    turn_speed: Array,
    head_speed: float,
    head_reach: float,
    seconds: float,
    patience: float,
) -> None:
    """Write velocity, heading, gaze and stance of the next generation, and the progress of each body on its path.

    `following.xyz` already holds the next positions; `turn_speed` (n,) is in radians per second.
    """
    for i in range(len(bodies.mode)):
        if bodies.mode[i] != ACTIVE:
            continue
        vx = (following.xyz[i, 0] - bodies.xyz[i, 0]) / seconds
        vy = (following.xyz[i, 1] - bodies.xyz[i, 1]) / seconds
        following.velocity_xy[i, 0], following.velocity_xy[i, 1] = vx, vy
        following.stance[i] = orders.stance[i]
        wanted = np.sqrt(wish[i, 0] ** 2 + wish[i, 1] ** 2)
        goal = bodies.heading[i]
        if not np.isnan(orders.face[i]):
            goal = orders.face[i]
        elif wanted > 0.05:
            goal = np.arctan2(wish[i, 1], wish[i, 0])
        following.heading[i] = _turned(bodies.heading[i], goal, turn_speed[i] * seconds)
        look = following.heading[i] if np.isnan(orders.gaze[i]) else orders.gaze[i]
        off = (look - following.heading[i] + np.pi) % (2.0 * np.pi) - np.pi
        look = following.heading[i] + min(max(off, -head_reach), head_reach)
        following.gaze[i] = _turned(bodies.gaze[i], look, head_speed * seconds)
        gained = 0.0 if wanted == 0.0 else (vx * wish[i, 0] + vy * wish[i, 1]) / wanted
        if wanted > 0.0 and gained < 0.3 * wanted:
            routes.slow[i] += seconds
            routes.held[i] += _QUEUING * seconds if routes.queues[i] else seconds
            # A body pushed off its path would walk against a wall: request a new path now and then.
            if routes.slow[i] > 2.0 * patience and routes.yields[i] <= 0.0:
                routes.count[i] = 0
        else:
            routes.slow[i] = max(0.0, routes.slow[i] - 2.0 * seconds)
            routes.held[i] = max(0.0, routes.held[i] - 2.0 * seconds)
        if routes.status[i] == WALKING and routes.held[i] > 8.0 * patience:
            routes.status[i] = STUCK
