"""Steering: the velocities agents want, and how they avoid one another.

Everything is computed from the present generation: no agent sees a velocity that another one is about to choose.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.agent_arrays import ACTIVE, ARRIVED, BodyArrays, OrderArrays, RouteArrays
from ..jit import jit
from .neighbours import Nearby
from .right_of_way import FIRST, SECOND, give_way, rank_all, retreat, stays_aside, waits_in_queue

_TURNS = np.array([0.0, 0.3, -0.3, 0.6, -0.6, 1.0, -1.0, 1.4, -1.4, 2.0, -2.0, 2.6, -2.6])
"""Turns of candidates from the wanted direction, in radians, right first: agents that meet both pass on the right."""
_PACES = np.array([1.0, 0.6, 0.25])


class SteerSettings(NamedTuple):
    """Values of `MoveSettings` in `agents/bodies/crowd.py`, in the same order."""

    arrive: float
    look: float
    horizon: float
    acceleration: float
    patience: float
    give_way: float


@jit
def _wish(i: int, bodies: BodyArrays, orders: OrderArrays, routes: RouteArrays, arrive: float) -> tuple[float, float]:
    """Return the velocity along the path at the wanted speed; advance to the next bend once one is reached."""
    x, y = bodies.xyz[i, 0], bodies.xyz[i, 1]
    if not orders.going[i] or routes.count[i] == 0:
        return 0.0, 0.0
    last = routes.count[i] - 1
    while routes.at[i] < last:
        at = routes.at[i]
        dx, dy = routes.points_xyz[i, at, 0] - x, routes.points_xyz[i, at, 1] - y
        along_x = routes.points_xyz[i, at + 1, 0] - routes.points_xyz[i, at, 0]
        along_y = routes.points_xyz[i, at + 1, 1] - routes.points_xyz[i, at, 1]
        near = dx * dx + dy * dy
        # A bend also counts as passed if it is near and behind, as seen along the next stretch.
        if near > arrive * arrive and not (near < 4.0 * arrive * arrive and dx * along_x + dy * along_y <= 0.0):
            break
        routes.at[i] += 1
    at = routes.at[i]
    dx, dy = routes.points_xyz[i, at, 0] - x, routes.points_xyz[i, at, 1] - y
    metres = np.sqrt(dx * dx + dy * dy)
    left = metres
    for k in range(at, last):
        ax = routes.points_xyz[i, k + 1, 0] - routes.points_xyz[i, k, 0]
        ay = routes.points_xyz[i, k + 1, 1] - routes.points_xyz[i, k, 1]
        left += np.sqrt(ax * ax + ay * ay)
    routes.left[i] = left
    if at == last and metres <= (arrive if routes.whole[i] else 2.0 * arrive):
        if routes.whole[i]:
            routes.status[i] = ARRIVED
        else:
            routes.count[i] = 0  # request the rest of the path
        return 0.0, 0.0
    if metres < 1e-9:
        return 0.0, 0.0
    # Slow down before the end, so as not to overshoot it.
    speed = min(orders.speed[i], 4.0 * left) if routes.whole[i] else orders.speed[i]
    return dx / metres * speed, dy / metres * speed


@jit
def _seconds_to_touch(px: float, py: float, vx: float, vy: float, reach: float) -> float:
    """Return the seconds until two bodies `(px, py)` apart touch when approaching at `(vx, vy)`; infinite: never."""
    apart = px * px + py * py - reach * reach
    closing = px * vx + py * vy
    if apart <= 0.0:
        return 0.0 if closing > 0.0 else np.inf
    if closing <= 0.0:
        return np.inf
    square = vx * vx + vy * vy
    root = closing * closing - square * apart
    if root < 0.0:
        return np.inf
    return apart / (closing + np.sqrt(root))


@jit
def _soonest(
    i: int,
    vx: float,
    vy: float,
    bodies: BodyArrays,
    orders: OrderArrays,
    near: Nearby,
    wish: Array,
    turns: Array,
) -> float:
    """Return the seconds until an agent at this velocity first touches a neighbour.

    Walking neighbours without right of way do half of the avoiding; the others leave all of it to the agent.
    """
    soonest = np.inf
    for k in range(near.start[i], near.start[i + 1]):
        j = np.int64(near.other[k])
        if j == orders.toward[i] or turns[k] == FIRST:
            continue
        share, ox, oy = 2.0 if orders.going[j] else 1.0, bodies.velocity_xy[j, 0], bodies.velocity_xy[j, 1]
        if turns[k] == SECOND:
            share, ox, oy = 1.0, wish[j, 0], wish[j, 1]  # the neighbour goes first, at the velocity it wants
        rx = share * vx - (share - 1.0) * bodies.velocity_xy[i, 0] - ox
        ry = share * vy - (share - 1.0) * bodies.velocity_xy[i, 1] - oy
        px, py = bodies.xyz[j, 0] - bodies.xyz[i, 0], bodies.xyz[j, 1] - bodies.xyz[i, 1]
        soonest = min(soonest, _seconds_to_touch(px, py, rx, ry, bodies.radius[i] + bodies.radius[j] + 0.05))
    return soonest


@jit
def _avoid(
    i: int,
    wx: float,
    wy: float,
    bodies: BodyArrays,
    orders: OrderArrays,
    near: Nearby,
    wish: Array,
    turns: Array,
    horizon: float,
) -> tuple[float, float]:
    """Return the velocity closest to the wanted one that collides with no neighbour soon."""
    if near.start[i] == near.start[i + 1] or _soonest(i, wx, wy, bodies, orders, near, wish, turns) >= horizon:
        return wx, wy
    speed = np.sqrt(wx * wx + wy * wy)
    if speed == 0.0:
        return wx, wy  # others walk around a standing agent, or it gives way
    best, best_x, best_y = np.inf, 0.0, 0.0
    for turn in range(len(_TURNS)):
        cosine, sine = np.cos(-_TURNS[turn]), np.sin(-_TURNS[turn])
        ux, uy = wx * cosine - wy * sine, wx * sine + wy * cosine
        for pace in range(len(_PACES)):
            vx, vy = ux * _PACES[pace], uy * _PACES[pace]
            soonest = _soonest(i, vx, vy, bodies, orders, near, wish, turns)
            off = np.sqrt((vx - wx) ** 2 + (vy - wy) ** 2) / speed
            swing = np.sqrt((vx - bodies.velocity_xy[i, 0]) ** 2 + (vy - bodies.velocity_xy[i, 1]) ** 2) / speed
            cost = off + 0.2 * swing + (0.0 if soonest >= horizon else 0.6 * (horizon / max(soonest, 0.05) - 1.0))
            if cost < best - 1e-9:
                best, best_x, best_y = cost, vx, vy
    return best_x, best_y


@jit
def set_wishes(bodies: BodyArrays, orders: OrderArrays, routes: RouteArrays, arrive: float, wish: Array) -> None:
    """Fill `wish` (n, 2) with velocities along the paths, and mark all agents as not queueing."""
    for i in range(len(bodies.mode)):
        wish[i, 0], wish[i, 1] = 0.0, 0.0
        if bodies.mode[i] == ACTIVE:
            routes.queues[i] = 0
            wish[i, 0], wish[i, 1] = _wish(i, bodies, orders, routes, arrive)


@jit
def keep_clear(
    bodies: BodyArrays,
    orders: OrderArrays,
    routes: RouteArrays,
    near: Nearby,
    settings: SteerSettings,
    seconds: float,
    rank: Array,
    turns: Array,
    wish: Array,
    velocity_xy: Array,
) -> None:
    """Fill `velocity_xy` (n, 2) with the wanted velocities, changed so that bodies avoid one another.

    `rank` (n,) int64 and `turns` (as long as `near.other`,) uint8 are work arrays with arbitrary content. If no agents
    are near one another or give way, the wanted velocities stay unchanged.
    """
    rank_all(bodies, routes, near, wish, settings.patience, rank, turns)
    for i in range(len(bodies.mode)):
        velocity_xy[i, 0], velocity_xy[i, 1] = 0.0, 0.0
        if bodies.mode[i] != ACTIVE:
            continue
        if routes.yields[i] > 0.0:
            routes.yields[i] -= seconds
            wx, wy = retreat(i, bodies, routes, wish, orders.speed[i])
            if routes.yields[i] <= 0.0 and not stays_aside(i, bodies, routes, near, wish, rank):
                routes.yields[i] = 0.0
                routes.count[i] = 0  # its path may begin elsewhere now
        else:
            give_way(i, bodies, orders, routes, near, wish, rank, settings.patience, settings.give_way)
            wx, wy = wish[i, 0], wish[i, 1]
        routes.queues[i] = waits_in_queue(i, bodies, orders, routes, near, wish)
        velocity_xy[i, 0], velocity_xy[i, 1] = _avoid(i, wx, wy, bodies, orders, near, wish, turns, settings.horizon)


@jit
def accelerate(mode: Array, present_xy: Array, most: float, velocity_xy: Array) -> None:
    """Limit the change of `velocity_xy` (n, 2) of active bodies from the present one to `most` metres per second."""
    for i in range(len(mode)):
        if mode[i] != ACTIVE:
            continue
        dx, dy = velocity_xy[i, 0] - present_xy[i, 0], velocity_xy[i, 1] - present_xy[i, 1]
        change = np.sqrt(dx * dx + dy * dy)
        if change > most:
            velocity_xy[i, 0] = present_xy[i, 0] + dx / change * most
            velocity_xy[i, 1] = present_xy[i, 1] + dy / change * most
