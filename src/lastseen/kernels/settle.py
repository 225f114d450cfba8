"""Settling: bodies do not overlap and stay on the floor; heads and bodies turn."""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .body_arrays import ACTIVE, BodyArrays
from .jit import jit
from .mesh_arrays import MeshArrays
from .neighbours import Nearby
from .order_arrays import OrderArrays, RouteArrays
from .raycast import cast_rays
from .steer import STUCK, WALKING

__all__ = ["settle", "turn"]


@jit
def _push_apart(bodies: BodyArrays, orders: OrderArrays, near: Nearby, place: Array, moved: Array) -> bool:
    """Move overlapping bodies apart, half each; who only stands gives way less. Returns whether any did overlap."""
    overlap = False
    moved[:] = place
    for i in range(len(place)):
        for k in range(near.start[i], near.start[i + 1]):
            j = np.int64(near.other[k])
            dx, dy = place[i, 0] - place[j, 0], place[i, 1] - place[j, 1]
            metres = np.sqrt(dx * dx + dy * dy)
            inside = bodies.radius[i] + bodies.radius[j] - metres
            if inside <= 0.0:
                continue
            overlap = True
            if metres < 1e-6:
                dx, dy, metres = (1.0 if i < j else -1.0), 0.0, 1.0
            share = 0.5
            if orders.going[i] != orders.going[j]:
                share = 0.8 if orders.going[i] else 0.2
            moved[i, 0] += dx / metres * inside * share
            moved[i, 1] += dy / metres * inside * share
    return overlap


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
    rays: tuple[Array, Array, Array, Array, Array, Array, Array],
) -> None:
    """Fill `place` (n, 3): everybody walked on for `seconds`, pushed apart, slid along walls.

    `rays` are work arrays for n rays: ends, start faces, outcomes, points, fractions, normals, faces.
    """
    ends, faces_before, outcomes, points, fractions, normals, faces = rays
    count = len(place)
    for i in range(count):
        for axis in range(3):
            place[i, axis] = bodies.xyz[i, axis]
        if bodies.mode[i] == ACTIVE:
            place[i, 0] += velocity_xy[i, 0] * seconds
            place[i, 1] += velocity_xy[i, 1] * seconds
    for _ in range(3):
        if not _push_apart(bodies, orders, near, place, ends):
            ends[:] = place
        faces_before[:] = -1
        cast_rays(
            mesh, bodies.xyz, ends, faces_before, below, above, False, outcomes, points, fractions, normals, faces
        )
        for i in range(count):
            # What is left of the way goes along the wall it met.
            rx, ry = ends[i, 0] - points[i, 0], ends[i, 1] - points[i, 1]
            across = rx * normals[i, 0] + ry * normals[i, 1]
            place[i, 0], place[i, 1], place[i, 2] = points[i, 0], points[i, 1], points[i, 2]
            ends[i, 0] = points[i, 0] + rx - across * normals[i, 0]
            ends[i, 1] = points[i, 1] + ry - across * normals[i, 1]
        faces_before[:] = -1
        cast_rays(mesh, place, ends, faces_before, below, above, False, outcomes, points, fractions, normals, faces)
        place[:] = points


@jit
def _turned(angle: float, goal: float, most: float) -> float:
    """Return `angle` turned towards `goal` by at most so much, within -pi … pi."""
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
    """Write velocity, heading, gaze and stance of the next generation, and how everybody gets on.

    `following.xyz` already holds the next places; `turn_speed` (n,) are radians per second.
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
        else:
            routes.slow[i] = max(0.0, routes.slow[i] - 2.0 * seconds)
        if routes.status[i] == WALKING and routes.slow[i] > 8.0 * patience:
            routes.status[i] = STUCK
