"""Slow and obvious versions of what tactical questions compute."""

from __future__ import annotations

import heapq
import itertools
import math

import numpy as np

from lastseen.level.sight.query import sees
from lastseen.navmesh.query import raycast
from oracles.layers import links_of


def crosses(a, b, c, d):
    """Do the closed segments ab and cd meet, seen from above?"""

    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    one, two, three, four = side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)
    return one * two <= 0 and three * four <= 0


def cheapest(layout, cost_at, start, goal, bars=()):
    """Dijkstra with a heap of pairs: cost of the cheapest way, inf where there is none. `cost_at(cell)` per metre."""
    ways = links_of(layout)
    xyz = layout.arrays.cell_xyz.astype(float)
    waiting, done = [(0.0, start)] if start in ways and goal in ways else [], set()
    while waiting:
        cost, cell = heapq.heappop(waiting)
        if cell == goal:
            return cost
        if cell in done:
            continue
        done.add(cell)
        for other, length in ways[cell]:
            if not any(crosses(xyz[cell], xyz[other], bar[0], bar[1]) for bar in bars):
                heapq.heappush(waiting, (cost + length * (1.0 + (cost_at(cell) + cost_at(other)) / 2.0), other))
    return math.inf


def line_value(x, y, origin, direction, half_width, ahead, behind, strength):
    """What the line of combat costs at a place, in the words of the class."""
    angle = math.atan2(direction[1], direction[0])
    dx, dy = x - origin[0], y - origin[1]
    along = dx * math.cos(-angle) - dy * math.sin(-angle)
    aside = abs(dx * math.sin(-angle) + dy * math.cos(-angle))
    across = max(0.0, 1.0 - aside / half_width)
    if along < 0.0:
        fade = max(0.0, 1.0 + along / behind)
    elif along > ahead:
        fade = max(0.0, 1.0 - (along - ahead) / half_width)
    else:
        fade = 1.0
    return strength * across * fade


def slots(layout, target, count, radius, heading=0.0, apart=0.8, rings=3, widening=0.75, turn=math.pi, avoid=()):
    """Places of slots, or None, in the words of `slots_around`; the target stands on the mesh."""
    angles = 4 * count
    most = min(int(turn / (2.0 * math.pi / angles) + 1e-9), angles // 2)
    orders = [0] + [sign * k for k in range(1, most + 1) for sign in (1, -1)]
    taken = [None] * count
    for ring in range(rings):
        reach = radius + ring * widening
        place = {}
        for k in range(angles):
            way = heading + 2.0 * math.pi * k / angles
            end = (target[0] + reach * math.cos(way), target[1] + reach * math.sin(way), target[2])
            hit = raycast(layout.mesh, target, end)
            place[k] = hit.xyz if hit.outcome in ("reached", "other_floor") else None
        for shifts in ([0], orders[1:]):
            for slot in range(count):
                for shift in shifts if taken[slot] is None else ():
                    point = place[(4 * slot + shift) % angles]
                    others = [one for one in taken if one is not None] + list(avoid)
                    if point is not None and all(math.dist(point, one) >= apart for one in others):
                        taken[slot] = point
                        break
    return taken


def seen_from(layout, sight, eye, reach, at):
    """Cells an eye sees, as a set."""
    seen = set()
    for cell, xyz in enumerate(layout.arrays.cell_xyz.astype(float)):
        disabled = layout.arrays.disabled[cell >> 3] >> (cell & 7) & 1
        if not disabled and math.dist(xyz, eye) <= reach and sees(sight, eye, xyz + np.array([0.0, 0.0, at]))[0]:
            seen.add(cell)
    return seen


def fewest_cells(start, other, source, sink):
    """The least number of cells, neither source nor sink, that part them: by trying all sets, smallest first."""
    count = len(source)
    free = [cell for cell in range(count) if not source[cell] and not sink[cell]]
    for size in range(len(free) + 1):
        for closed in itertools.combinations(free, size):
            if not _joined(start, other, source, sink, set(closed)):
                return size
    return None


def _joined(start, other, source, sink, closed):
    waiting = [cell for cell in range(len(source)) if source[cell]]
    seen = set(waiting)
    while waiting:
        cell = waiting.pop()
        if sink[cell]:
            return True
        for link in range(start[cell], start[cell + 1]):
            to = int(other[link])
            if to not in seen and to not in closed:
                seen.add(to)
                waiting.append(to)
    return False


def fewest_posts(sees_table):
    """The least number of rows of a table (posts, points) that together have every point some row has."""
    table = np.asarray(sees_table, bool)
    wanted = table.any(axis=0)
    for size in range(len(table) + 1):
        for rows in itertools.combinations(range(len(table)), size):
            if (table[list(rows)].any(axis=0) == wanted).all():
                return size
    return None
