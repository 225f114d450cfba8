"""Take detours out of a way through space and time, where going straight is not seen either."""

from __future__ import annotations

from .jit import jit
from .mesh_arrays import MeshArrays
from .sight_arrays import SightArrays
from .space_time_floor import AskArrays, RayRoom, length, metres_straight, ray_room
from .space_time_nodes import TreeArrays, add_node, look_from_node, node_at, steps_needed
from .space_time_views import ViewArrays

__all__ = ["shorten_way"]


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
    """Append the straight way from node i to node j, which is there no later; return how many nodes `out` has then."""
    here, there = node_at(way, i), node_at(way, j)
    left, due = way.step[i], way.step[j]
    if left + steps_needed(ask, length(here, there)) > due:
        return count
    metres = metres_straight(mesh, ask, ray, here, way.face[i], there)
    need = steps_needed(ask, metres)
    if metres < 0.0 or left + need > due:
        return count
    at_once = look_from_node(sight, views, mesh, ask, ray, way, i, left, left + need, there)[0] < 0
    if at_once and (left + need == due or j == len(way.step) - 1):
        return add_node(out, count, there, left + need, count - 1, way.face[j])
    if left + need == due:
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
    """Write to `out`, with room for 2 a node, a way from the first node of `way` to the last; return its length.

    From each node it goes straight to the last node it can: evenly, or at once and then waiting, or waiting first; at
    the very end as soon as it can. Nodes it keeps are passed when they were.
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
