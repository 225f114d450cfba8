"""Nodes of a tree through space and time, and shortcuts along its paths."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import MeshArrays, SightArrays
from ..jit import inner, jit
from .space_time_floor import (
    AskArrays,
    Point,
    RayRoom,
    cast,
    even_part,
    length,
    look_on_floor,
    metres_straight,
    ray_room,
)
from .space_time_views import ViewArrays

BRIEF = 1e-6
"""Steps: times this close to each other are the same."""
_SHORT = 0.01  # metres: a shorter walk is not worth a node
_AWAY = 0.01  # metres kept from a wall that was hit
_LATE = 0.1  # cost of a metre that could have been walked in the time, when a parent is chosen
_EARLY = 4.0  # cost of a metre beyond reach
_WITHIN = (1.0 + 1e-9) / (1.0 - _LATE)  # metres that cost one at least, and a little for rounding


class TreeArrays(NamedTuple):
    """Nodes of a tree in order of growth; node 0 is the start. Needs room for at least 2 per sample plus 3."""

    xyz: Array  # float64 (n, 3)  on the floor
    step: Array  # float64 (n,)  time in steps, not whole
    parent: Array  # int64 (n,)
    face: Array  # int32 (n,)


@inner
def node_at(tree: TreeArrays, n: int) -> Point:
    """Return the position of a node on the floor."""
    return tree.xyz[n, 0], tree.xyz[n, 1], tree.xyz[n, 2]


@inner
def add_node(tree: TreeArrays, count: int, place: Point, step: float, parent: int, face: int) -> int:
    """Append a node; return the new number of nodes."""
    tree.xyz[count, 0], tree.xyz[count, 1], tree.xyz[count, 2] = place
    tree.step[count], tree.parent[count], tree.face[count] = step, parent, face
    return count + 1


@jit
def _plan(start: Point, end: Point) -> float:
    return math.hypot(end[0] - start[0], end[1] - start[1])


@inner
def steps_needed(ask: AskArrays, metres: float) -> float:
    """Return the steps that `metres` take at top speed, more than 0."""
    return max(BRIEF, metres / ask.pace[0])


@inner
def look_from_node(
    sight: SightArrays,
    views: ViewArrays,
    mesh: MeshArrays,
    ask: AskArrays,
    ray: RayRoom,
    tree: TreeArrays,
    n: int,
    first: float,
    last: float,
    end: Point,
) -> tuple[int, int]:
    """Return `look_on_floor` for a walk from a node, between two times in steps."""
    each = ask.steps[0]
    return look_on_floor(
        sight,
        views,
        mesh,
        ask,
        ray,
        tree.face[n],
        first * each,
        last * each,
        node_at(tree, n),
        end,
    )


@jit
def _cost(far: float, could: float) -> float:
    """Return the cost of a walk of `far` metres in the time of `could` metres at top speed."""
    return far + _LATE * (could - far) if far <= could else far + _EARLY * (far - could)


@inner
def nearest_node(ask: AskArrays, tree: TreeArrays, count: int, place: Point, step: float) -> int:
    """Return the node nearest to a sample in space and time, or -1 if no node is earlier than the sample."""
    best, chosen = math.inf, -1
    for n in range(np.uint64(count)):
        could = (step - tree.step[n]) * ask.pace[0]
        if could <= 0.0:
            continue
        # Most nodes cost more than the best however far they are, or lie too far: no root is taken for them.
        within = (best - _LATE * could) * _WITHIN
        across, along = place[0] - tree.xyz[n, 0], place[1] - tree.xyz[n, 1]
        if within < 0.0 or across * across + along * along > within * within:
            continue
        cost = _cost(math.hypot(across, along), could)
        if cost < best:
            best, chosen = cost, np.int64(n)
    return chosen


@inner
def nearest_at_bend(
    ask: AskArrays, tree: TreeArrays, count: int, place: Point, step: float, stands: Array, sees: Array
) -> int:
    """Return the nearest node to a bend among the nodes at bends with a straight walk to it, or -1.

    As `nearest_node`, but without walls or floors in between.

    Parameters
    ----------
    stands : (n,) int64, bend at which each node is, -1: none.
    sees : (m,) uint8, whether a straight walk leads from each bend to this one.
    """
    best, chosen = math.inf, -1
    for n in range(np.uint64(count)):
        if tree.step[n] >= step or stands[n] < 0 or not sees[stands[n]]:
            continue
        cost = _cost(length(node_at(tree, np.int64(n)), place), (step - tree.step[n]) * ask.pace[0])
        if cost < best:
            best, chosen = cost, np.int64(n)
    return chosen


@inner
def aim(
    mesh: MeshArrays, ask: AskArrays, ray: RayRoom, tree: TreeArrays, n: int, place: Point, step: float
) -> tuple[Point, int, float, bool]:
    """Return the end of a walk from node n towards a sample: within reach, before any wall, up to a bend of the floor.

    Also return the face there, or -1 if no walk is possible; its length in metres at top speed; and whether it ends at
    a bend of the floor.
    """
    here = node_at(tree, n)
    far = _plan(here, place)
    could = (step - tree.step[n] + BRIEF) * ask.pace[0]
    share = min(1.0, could / far) if far > 0.0 else 1.0
    there = (here[0] + share * (place[0] - here[0]), here[1] + share * (place[1] - here[1]), place[2])
    gone = cast(mesh, ask, ray, here, tree.face[n], there)
    if gone < 1.0:
        gone = max(0.0, gone - _AWAY / max(far * share, _AWAY))
        if gone * far * share < _SHORT:
            return here, -1, 0.0, False
        stop = (here[0] + gone * (there[0] - here[0]), here[1] + gone * (there[1] - here[1]), ray.point[0, 2])
        if cast(mesh, ask, ray, here, tree.face[n], stop) < 1.0:
            return here, -1, 0.0, False
    elif far * share < _SHORT:
        return here, -1, 0.0, False
    there, face = (ray.point[0, 0], ray.point[0, 1], ray.point[0, 2]), np.int64(ray.stop[0])
    if ask.flat:
        return there, face, _plan(here, there), False
    metres, cut = metres_straight(mesh, ask, ray, here, tree.face[n], there), False
    if metres < 0.0:
        there, cut = even_part(mesh, ask, ray, here, tree.face[n], there), True
        face = np.int64(ray.stop[0])
        metres = metres_straight(mesh, ask, ray, here, tree.face[n], there)
    return there, face if metres >= 0.0 else -1, metres, cut


@jit
def _straight(
    sight: SightArrays,
    views: ViewArrays,
    mesh: MeshArrays,
    ask: AskArrays,
    ray: RayRoom,
    way: TreeArrays,
    i: int,
    j: int,
    out: TreeArrays,
    count: int,
) -> int:
    """Append a straight walk from node i to node j that is not late; return the number of nodes in `out`."""
    here, there = node_at(way, i), node_at(way, j)
    left, due = way.step[i], way.step[j]
    if left + steps_needed(ask, length(here, there)) > due + BRIEF:
        return count
    metres = metres_straight(mesh, ask, ray, here, way.face[i], there)
    need = steps_needed(ask, metres)
    if metres < 0.0 or left + need > due + BRIEF:
        return count
    hurries = left + need >= due - BRIEF
    at_once = look_from_node(sight, views, mesh, ask, ray, way, i, left, left + need, there)[0] < 0
    if at_once and (hurries or j == len(way.step) - 1):
        return add_node(out, count, there, left + need, count - 1, way.face[j])
    if hurries:
        return count
    if look_from_node(sight, views, mesh, ask, ray, way, i, left, due, there)[0] < 0:
        return add_node(out, count, there, due, count - 1, way.face[j])
    if at_once and look_from_node(sight, views, mesh, ask, ray, way, j, left + need, due, there)[0] < 0:
        count = add_node(out, count, there, left + need, count - 1, way.face[j])
        return add_node(out, count, there, due, count - 1, way.face[j])
    waits = look_from_node(sight, views, mesh, ask, ray, way, i, left, due - need, here)[0] < 0
    if waits and look_from_node(sight, views, mesh, ask, ray, way, i, due - need, due, there)[0] < 0:
        count = add_node(out, count, here, due - need, count - 1, way.face[i])
        return add_node(out, count, there, due, count - 1, way.face[j])
    return count


@jit
def shorten_way(
    sight: SightArrays, views: ViewArrays, mesh: MeshArrays, ask: AskArrays, way: TreeArrays, out: TreeArrays
) -> int:
    """Write to `out`, with room for 2 per node, a path from the first node of `way` to the last; return its length.

    From each node the path goes straight to the last node it can reach: evenly, at once and then waiting, or after
    waiting; the goal is reached as early as possible. Nodes that are kept are passed at the same steps as before.
    """
    ray = ray_room()
    last = len(way.step) - 1
    count = add_node(out, 0, node_at(way, 0), way.step[0], -1, way.face[0])
    i = 0
    while i < last:
        j = last
        grown = _straight(sight, views, mesh, ask, ray, way, i, j, out, count)
        while grown == count and j > i + 1:
            j -= 1
            grown = _straight(sight, views, mesh, ask, ray, way, i, j, out, count) if j > i + 1 else count
        if grown == count:
            grown = add_node(out, count, node_at(way, j), way.step[j], count - 1, way.face[j])
        count = grown
        i = j
    return count
