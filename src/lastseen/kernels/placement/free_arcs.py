"""Arcs and edges on which the centre of another circle fits, touching the edges and circles nearby.

Circles stand on a floor whose outline, shrunk by the new circle's radius, is given as straight edges. The centre of a
new circle that touches something lies on one of those edges, or on a circle around an earlier one whose radius is the
sum of both radii. Each of these lines is cut where others cross it; between two cuts it is entirely free or blocked.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..jit import inner, jit

SLACK = 1e-9
SHORTEST = 1e-7
"""Metres: shorter pieces of lines are discarded."""


@jit
def free_arcs(plan: PlanArrays, radius: float, only: int, out: Array) -> int:
    """Fill `out` (k, 5) with the free pieces of lines; return how many there are, which may be more than fit.

    A line without room for a circle has none for a larger one and none later; `closed` and `covered` record this.

    Parameters
    ----------
    radius : of the new circle; the plan's edges are already shrunk by it.
    only : number of the only circle whose surroundings are wanted, -1 for all circles and edges.
    out : rows of 1.0 for a circle or 0.0 for an edge, its number, where the piece begins and ends (radians on a
        circle, share of the length of an edge), its length in metres.
    """
    count = 0
    near = np.empty(len(plan.circle), np.uint32)
    cuts = np.empty(2 * (len(plan.circle) + len(plan.edge)) + 2)
    first, last = (only, only + 1) if only >= 0 else (0, len(plan.circle))
    for i in range(first, last):
        if radius >= plan.closed[i]:
            continue
        before = count
        found = _near_circle(plan, i, radius, near)
        if found >= 0:
            count = _round(plan, radius, i, near[:found], cuts, out, count)
        if count == before:
            plan.closed[i] = radius
    if only < 0:
        for e in range(len(plan.edge)):
            if plan.covered[e]:
                continue
            before = count
            count = _along(plan, radius, e, near, cuts, out, count)
            plan.covered[e] = count == before
    return count


@jit
def _near_circle(plan: PlanArrays, i: int, radius: float, near: Array) -> int:
    """List in `near` the circles that block part of the line around circle i; return how many, -1 if one blocks all."""
    found = 0
    circle, grid = plan.circle, plan.grid
    x, y, reach = circle[i, 0], circle[i, 1], circle[i, 2] + radius
    wide = reach + radius + grid[5]
    for row in range(field_along(grid, 1, y - wide), field_along(grid, 1, y + wide) + 1):
        for column in range(field_along(grid, 0, x - wide), field_along(grid, 0, x + wide) + 1):
            j = plan.head[row * int(grid[3]) + column]
            while j >= 0:
                other = circle[j, 2] + radius
                apart2 = (circle[j, 0] - x) ** 2 + (circle[j, 1] - y) ** 2
                if j != i and apart2 < (reach + other) ** 2:
                    if other > reach and apart2 <= (other - reach) ** 2:
                        return -1
                    near[found] = j
                    found += 1
                j = plan.following[j]
    return found


@jit
def _round(plan: PlanArrays, radius: float, i: int, near: Array, cuts: Array, out: Array, count: int) -> int:
    """Add the free pieces of the line around circle i."""
    circle = plan.circle
    x, y, reach = circle[i, 0], circle[i, 1], circle[i, 2] + radius
    found = 0
    for k in range(len(near)):
        j = near[k]
        other = circle[j, 2] + radius
        dx, dy = circle[j, 0] - x, circle[j, 1] - y
        apart = math.hypot(dx, dy)
        cosine = (reach * reach + apart * apart - other * other) / (2.0 * reach * apart) if apart > 0.0 else 2.0
        if abs(cosine) < 1.0:
            towards, half = math.atan2(dy, dx), math.acos(cosine)
            cuts[found], cuts[found + 1] = towards - half, towards + half
            found += 2
    found = _all_edge_cuts(plan, x, y, reach, cuts, found)
    for k in range(found):
        cuts[k] %= 2.0 * math.pi
    if found == 0:
        cuts[0] = 0.0
        found = 1
    some = np.sort(cuts[:found])
    for k in range(found):
        begin = some[k]
        end = some[k + 1] if k + 1 < found else some[0] + 2.0 * math.pi
        middle = 0.5 * (begin + end)
        px, py = x + reach * math.cos(middle), y + reach * math.sin(middle)
        if (end - begin) * reach < SHORTEST or _blocked(circle, near, radius, px, py) or not _inside(plan, px, py):
            continue
        count = _put(out, count, 1.0, i, begin, end, (end - begin) * reach)
    return count


@jit
def _all_edge_cuts(plan: PlanArrays, x: float, y: float, reach: float, cuts: Array, found: int) -> int:
    """Add the angles at which edges cross a circle; an edge in several fields is handled in the first of them."""
    grid, edge = plan.grid, plan.edge
    left, low = field_along(grid, 0, x - reach), field_along(grid, 1, y - reach)
    for row in range(low, field_along(grid, 1, y + reach) + 1):
        for column in range(left, field_along(grid, 0, x + reach) + 1):
            field = row * int(grid[3]) + column
            for k in range(plan.start[field], plan.start[field + 1]):
                e = plan.member[k]
                if column != max(left, field_along(grid, 0, min(edge[e, 0], edge[e, 2]))):
                    continue
                if row == max(low, field_along(grid, 1, min(edge[e, 1], edge[e, 3]))):
                    found = _edge_cuts(edge, e, x, y, reach, cuts, found)
    return found


@jit
def _edge_cuts(edge: Array, e: int, x: float, y: float, reach: float, cuts: Array, found: int) -> int:
    """Add the angles at which edge e crosses a circle."""
    ax, ay, bx, by = edge[e, 0] - x, edge[e, 1] - y, edge[e, 2] - x, edge[e, 3] - y
    if min(ax, bx) > reach or max(ax, bx) < -reach or min(ay, by) > reach or max(ay, by) < -reach:
        return found
    dx, dy = bx - ax, by - ay
    a, b, c = dx * dx + dy * dy, ax * dx + ay * dy, ax * ax + ay * ay - reach * reach
    under = b * b - a * c
    if a == 0.0 or under <= 0.0:
        return found
    root = math.sqrt(under)
    for share in ((-b - root) / a, (-b + root) / a):
        if 0.0 <= share <= 1.0:
            cuts[found] = math.atan2(ay + share * dy, ax + share * dx)
            found += 1
    return found


@jit
def _along(plan: PlanArrays, radius: float, e: int, near: Array, cuts: Array, out: Array, count: int) -> int:
    """Add the free pieces of edge e."""
    circle, grid = plan.circle, plan.grid
    ax, ay = plan.edge[e, 0], plan.edge[e, 1]
    dx, dy = plan.edge[e, 2] - ax, plan.edge[e, 3] - ay
    a = dx * dx + dy * dy
    if a == 0.0:
        return count
    cuts[0], cuts[1] = 0.0, 1.0
    found, some = 2, 0
    wide = radius + grid[5]
    left, right = field_along(grid, 0, min(ax, ax + dx) - wide), field_along(grid, 0, max(ax, ax + dx) + wide)
    low, high = field_along(grid, 1, min(ay, ay + dy) - wide), field_along(grid, 1, max(ay, ay + dy) + wide)
    for row in range(low, high + 1):
        for column in range(left, right + 1):
            j = plan.head[row * int(grid[3]) + column]
            while j >= 0:
                reach = circle[j, 2] + radius
                fx, fy = ax - circle[j, 0], ay - circle[j, 1]
                b, c = fx * dx + fy * dy, fx * fx + fy * fy - reach * reach
                under = b * b - a * c
                if under > 0.0:
                    root = math.sqrt(under)
                    begin, end = (-b - root) / a, (-b + root) / a
                    if begin < 1.0 and end > 0.0:
                        near[some] = j
                        some += 1
                        for share in (begin, end):
                            if 0.0 < share < 1.0:
                                cuts[found] = share
                                found += 1
                j = plan.following[j]
    shares = np.sort(cuts[:found])
    length = math.sqrt(a)
    for k in range(found - 1):
        begin, end = shares[k], shares[k + 1]
        middle = 0.5 * (begin + end)
        if (end - begin) * length < SHORTEST:
            continue
        if not _blocked(circle, near[:some], radius, ax + middle * dx, ay + middle * dy):
            count = _put(out, count, 0.0, e, begin, end, (end - begin) * length)
    return count


@jit
def _blocked(circle: Array, near: Array, radius: float, x: float, y: float) -> bool:
    for k in range(len(near)):
        j = near[k]
        reach = circle[j, 2] + radius - SLACK
        if (x - circle[j, 0]) ** 2 + (y - circle[j, 1]) ** 2 < reach * reach:
            return True
    return False


@jit
def _inside(plan: PlanArrays, x: float, y: float) -> bool:
    """Return whether a point lies inside the rings: an odd number of edges to its right, each counted once."""
    grid, edge = plan.grid, plan.edge
    row, left = field_along(grid, 1, y), field_along(grid, 0, x)
    odd = False
    for column in range(left, int(grid[3])):
        field = row * int(grid[3]) + column
        for k in range(plan.start[field], plan.start[field + 1]):
            e = plan.member[k]
            y0, y1 = edge[e, 1], edge[e, 3]
            if (y0 > y) == (y1 > y) or column != max(left, field_along(grid, 0, min(edge[e, 0], edge[e, 2]))):
                continue
            if x < edge[e, 0] + (y - y0) / (y1 - y0) * (edge[e, 2] - edge[e, 0]):
                odd = not odd
    return odd


@jit
def _put(out: Array, count: int, kind: float, number: int, begin: float, end: float, length: float) -> int:
    if count < len(out):
        out[count, 0], out[count, 1] = kind, number
        out[count, 2], out[count, 3], out[count, 4] = begin, end, length
    return count + 1


class PlanArrays(NamedTuple):
    """A plan shrunk by a radius, and the circles on it, both sorted into square fields. N circles, M edges, F fields.

    Circles of a field form a linked list: the first is in `head`, the one after circle i in `following[i]`; -1 ends it.
    """

    grid: Array  # float64 (6,)  low corner x, y; fields per metre; fields along x, along y; largest radius of a circle
    circle: Array  # float64 (N, 3)  x, y, radius
    closed: Array  # float64 (N,)  least radius that no longer fits next to each, initially infinite
    head: Array  # int32 (F,)
    following: Array  # int32 (N,)
    edge: Array  # float64 (M, 4)  x0, y0, x1, y1 of the rings
    covered: Array  # bool (M,)  edges without a free piece
    start: Array  # uint32 (F + 1,)  where the edges of a field begin in `member`
    member: Array  # uint32


@inner
def field_along(grid: Array, axis: int, value: float) -> int:
    """Return the column (axis 0) or row (axis 1) of a coordinate; the nearest one if it lies outside."""
    return min(max(int((value - grid[axis]) * grid[2]), 0), int(grid[3 + axis]) - 1)


@jit
def bin_edges(grid: Array, edge: Array, count: Array, member: Array) -> None:
    """Add to `count` (F,) the number of edges whose bounding box overlaps each field.

    If `member` is not empty, list the edges of each field there, from index `count` of the field on.
    """
    for e in range(len(edge)):
        left, right = (
            field_along(grid, 0, min(edge[e, 0], edge[e, 2])),
            field_along(grid, 0, max(edge[e, 0], edge[e, 2])),
        )
        low, high = field_along(grid, 1, min(edge[e, 1], edge[e, 3])), field_along(grid, 1, max(edge[e, 1], edge[e, 3]))
        for row in range(low, high + 1):
            for column in range(left, right + 1):
                field = row * int(grid[3]) + column
                if len(member):
                    member[count[field]] = e
                count[field] += 1
