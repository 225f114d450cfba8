"""Right of way: which of two agents that block each other goes first, and where the other one goes.

Agents close together that head in the same direction form a file. A file passes before or after an oncoming file as a
whole: one side passes a door, then the other. Everything is computed from the present generation.
"""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.agent_arrays import WALKING, BodyArrays, OrderArrays, RouteArrays
from ..jit import inner, jit
from .neighbours import Nearby

FIRST, SECOND = 1, 2
"""Values of `turns`: an agent goes before a neighbour, or after it; with 0 both do half of the avoiding."""
_ABREAST = 0.1
"""Metres by which an agent may be ahead of another and still count as abreast of it: then the rank decides."""
_FILE = 0.8
_BLOCK = 0.5
_PRESS = 0.3
"""Gaps between two bodies, in metres, within which they form a file, block each other, or are about to touch."""
_ASIDE = 1.5
_LANE = 0.8
"""Metres ahead and to the side within which an oncoming agent still needs the room."""
_AGAIN = 0.3
"""Seconds for which an agent stays aside before it checks again."""


@jit
def _own_ranks(routes: RouteArrays, rank: Array) -> None:
    """Fill `rank` (n,), lower first; an agent that gives way takes the rank of the agent it yields to, if lower."""
    for i in range(len(rank)):
        rank[i] = i
    for i in range(len(rank)):
        j, hops = i, 0
        while routes.yields[j] > 0.0 and hops < 16:
            j = np.int64(routes.yields_to[j])
            hops += 1
        rank[i] = min(rank[i], j)


@jit
def _take_turns(
    bodies: BodyArrays, routes: RouteArrays, near: Nearby, wish: Array, rank: Array, patience: float, turns: Array
) -> None:
    """Fill `turns` (as long as `near.other`) for agents that head the same way and hinder each other.

    The one ahead goes first; of two abreast, the one of lower rank. Otherwise, two agents side by side at a door would
    both wait.
    """
    turns[: near.start[len(rank)]] = 0
    for i in range(len(rank)):
        pace = np.sqrt(wish[i, 0] ** 2 + wish[i, 1] ** 2)
        if pace == 0.0 or routes.yields[i] > 0.0:
            continue
        for k in range(near.start[i], near.start[i + 1]):
            j = np.int64(near.other[k])
            if max(routes.slow[i], routes.slow[j]) < 0.5 * patience or routes.yields[j] > 0.0:
                continue
            px, py = bodies.xyz[j, 0] - bodies.xyz[i, 0], bodies.xyz[j, 1] - bodies.xyz[i, 1]
            reach = bodies.radius[i] + bodies.radius[j] + _PRESS
            other = np.sqrt(wish[j, 0] ** 2 + wish[j, 1] ** 2)
            if other == 0.0 or px * px + py * py > reach * reach:
                continue
            if wish[i, 0] * wish[j, 0] + wish[i, 1] * wish[j, 1] <= 0.0:
                continue
            ux, uy = wish[i, 0] / pace + wish[j, 0] / other, wish[i, 1] / pace + wish[j, 1] / other
            ahead = 0.5 * (px * ux + py * uy)
            if abs(ahead) <= _ABREAST:
                turns[k] = SECOND if rank[j] < rank[i] else FIRST
            else:
                turns[k] = SECOND if ahead > 0.0 else FIRST


@jit
def _join_files(bodies: BodyArrays, routes: RouteArrays, near: Nearby, wish: Array, rank: Array) -> None:
    """Give every agent the lowest rank in its file; agents that give way belong to no file."""
    for _ in range(2):
        for i in range(len(rank)):
            if routes.yields[i] > 0.0:
                continue
            for k in range(near.start[i], near.start[i + 1]):
                j = np.int64(near.other[k])
                if rank[j] >= rank[i] or routes.yields[j] > 0.0:
                    continue
                px, py = bodies.xyz[j, 0] - bodies.xyz[i, 0], bodies.xyz[j, 1] - bodies.xyz[i, 1]
                reach = bodies.radius[i] + bodies.radius[j] + _FILE
                same_way = wish[i, 0] * wish[j, 0] + wish[i, 1] * wish[j, 1] > 0.0
                if same_way and px * px + py * py < reach * reach:
                    rank[i] = rank[j]


@inner
def rank_all(
    bodies: BodyArrays, routes: RouteArrays, near: Nearby, wish: Array, patience: float, rank: Array, turns: Array
) -> None:
    """Fill `rank` (n,), lower first, and `turns`. Costs next to nothing if no agent is held up."""
    _own_ranks(routes, rank)
    for i in range(len(rank)):
        if routes.slow[i] >= 0.5 * patience or routes.yields[i] > 0.0:
            _take_turns(bodies, routes, near, wish, rank, patience, turns)
            _join_files(bodies, routes, near, wish, rank)
            return
    turns[: near.start[len(rank)]] = 0


@inner
def retreat(i: int, bodies: BodyArrays, routes: RouteArrays, wish: Array, speed: float) -> tuple[float, float]:
    """Return the velocity at which an agent gives way: along with the other agent, and to the side."""
    j = np.int64(routes.yields_to[i])
    pace = np.sqrt(wish[j, 0] ** 2 + wish[j, 1] ** 2)
    if pace == 0.0:
        return 0.0, 0.0
    ux, uy = wish[j, 0] / pace, wish[j, 1] / pace
    px, py = bodies.xyz[i, 0] - bodies.xyz[j, 0], bodies.xyz[i, 1] - bodies.xyz[j, 1]
    side = ux * py - uy * px
    hand = 1.0 if side >= 0.0 else -1.0
    vx, vy = ux - 0.7 * hand * uy, uy + 0.7 * hand * ux
    scale = max(speed, 1.0) / np.sqrt(vx * vx + vy * vy)
    return vx * scale, vy * scale


@jit
def _is_ahead(i: int, j: int, wx: float, wy: float, gap: float, bodies: BodyArrays) -> bool:
    """Return whether `i` blocks `j`, which wants to go along `(wx, wy)`, with at most `gap` metres between them."""
    px, py = bodies.xyz[i, 0] - bodies.xyz[j, 0], bodies.xyz[i, 1] - bodies.xyz[j, 1]
    metres = np.sqrt(px * px + py * py)
    speed = np.sqrt(wx * wx + wy * wy)
    if speed == 0.0 or metres > bodies.radius[i] + bodies.radius[j] + gap:
        return False
    return px * wx + py * wy >= 0.3 * metres * speed


@inner
def give_way(
    i: int,
    bodies: BodyArrays,
    orders: OrderArrays,
    routes: RouteArrays,
    near: Nearby,
    wish: Array,
    rank: Array,
    patience: float,
    seconds: float,
) -> None:
    """Make agent `i` yield if it blocks a stuck agent that goes first, or an agent that backs off."""
    stands = not orders.going[i] or routes.status[i] != WALKING
    for k in range(near.start[i], near.start[i + 1]):
        j = np.int64(near.other[k])
        if bodies.team[i] != bodies.team[j]:
            continue
        # Let an agent that backs off through at once, by yielding to the agent it yields to.
        backs = routes.yields[j] > 0.0
        first = np.int64(routes.yields_to[j]) if backs else j
        if first == i or not (backs or routes.slow[j] >= patience):
            continue
        opposed = wish[i, 0] * wish[first, 0] + wish[i, 1] * wish[first, 1] < 0.0
        if not (stands or (opposed and rank[first] < rank[i])):
            continue
        wx, wy = retreat(j, bodies, routes, wish, 1.0) if backs else (wish[j, 0], wish[j, 1])
        if _is_ahead(i, j, wx, wy, _PRESS if backs else _BLOCK, bodies):
            routes.yields[i] = seconds
            routes.yields_to[i] = first
            return


@inner
def stays_aside(i: int, bodies: BodyArrays, routes: RouteArrays, near: Nearby, wish: Array, rank: Array) -> bool:
    """Return whether an agent whose time to yield is over stays aside because another one comes along the same lane."""
    for k in range(near.start[i], near.start[i + 1]):
        j = np.int64(near.other[k])
        if routes.yields[j] > 0.0 or bodies.team[i] != bodies.team[j] or rank[j] > rank[i]:
            continue
        px, py = bodies.xyz[j, 0] - bodies.xyz[i, 0], bodies.xyz[j, 1] - bodies.xyz[i, 1]
        ahead = px * wish[i, 0] + py * wish[i, 1] > 0.0 and px * wish[j, 0] + py * wish[j, 1] < 0.0
        if not ahead or wish[i, 0] * wish[j, 0] + wish[i, 1] * wish[j, 1] >= 0.0:
            continue
        pace = np.sqrt(wish[j, 0] ** 2 + wish[j, 1] ** 2)
        if px * px + py * py < _ASIDE * _ASIDE and abs(px * wish[j, 1] - py * wish[j, 0]) < _LANE * pace:
            routes.yields[i], routes.yields_to[i] = _AGAIN, j
            return True
    return False


@inner
def waits_in_queue(
    i: int, bodies: BodyArrays, orders: OrderArrays, routes: RouteArrays, near: Nearby, wish: Array
) -> bool:
    """Return whether an agent waits behind others that move, rather than being stuck."""
    if routes.yields[i] > 0.0:
        return True
    for k in range(near.start[i], near.start[i + 1]):
        j = np.int64(near.other[k])
        if not orders.going[j] or (routes.status[j] != WALKING and routes.yields[j] <= 0.0):
            continue
        px, py = bodies.xyz[j, 0] - bodies.xyz[i, 0], bodies.xyz[j, 1] - bodies.xyz[i, 1]
        reach = bodies.radius[i] + bodies.radius[j] + _BLOCK
        if px * px + py * py < reach * reach and px * wish[i, 0] + py * wish[i, 1] > 0.0:
            return True
    return False
