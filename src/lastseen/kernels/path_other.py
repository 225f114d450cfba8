"""Ways that are not simply the shortest: to goals that cannot be had, and where the exact search gives up."""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .corner import fan_about
from .flood import closest_reachable
from .jit import jit
from .mesh_arrays import MeshArrays
from .path_corridor import search_faces
from .path_search import LinkArrays, search
from .path_trace import FOUND, NO_WAY, START_OFF, Ways, comes_first, no_ways, pair_faces, swap, write_way

__all__ = ["find_other_ways"]


@jit
def find_other_ways(
    mesh: MeshArrays, component: Array, starts: Array, goals: Array, below: float, above: float, most: int
) -> Ways:
    """Find a way for each pair that `find_ways` left open.

    Where the goal cannot be had, the way leads to the reachable point nearest to it. Where the exact search gave up, a
    plainer one stands in.
    """
    links = LinkArrays(mesh.link_start, mesh.link_count, mesh.link_face, mesh.link_portal, mesh.link_wall)
    ways = no_ways(len(starts))
    status = ways.status
    numbers, ids = np.empty((0, 7), np.float64), np.empty((0, 5), np.int32)
    ends = np.empty((2, 3), np.float64)
    fan = np.empty(16, np.int64)
    for i in range(len(starts)):
        ways.point_start[i + 1], ways.face_start[i + 1] = ways.point_start[i], ways.face_start[i]
        for k in range(3):
            ends[0, k], ends[1, k] = starts[i, k], goals[i, k]
        status[i], start_face, goal_face = pair_faces(mesh, component, ends, below, above)
        if status[i] == START_OFF:
            continue
        flip = status[i] == FOUND and comes_first(ends)
        if flip:
            start_face, goal_face = goal_face, start_face
            swap(ends)
        final = np.int64(-1)
        if status[i] == FOUND:
            numbers, ids, final = search_faces(
                mesh, ends[0, 0], ends[0, 1], start_face, ends[1, 0], ends[1, 1], goal_face
            )
            if final < 0:  # cuts part what hangs together without them
                status[i] = NO_WAY
                if flip:
                    start_face, flip = goal_face, False
                    swap(ends)
        if status[i] != FOUND:
            goal_face, x, y, z = closest_reachable(mesh, start_face, ends[1, 0], ends[1, 1], ends[1, 2])
            ends[1, 0], ends[1, 1], ends[1, 2] = x, y, z
            fan, touched = fan_about(mesh, start_face, ends[0, 0], ends[0, 1], fan)
            for k in range(touched):
                if fan[k] == goal_face:
                    start_face = goal_face
            if start_face != goal_face:
                numbers, ids, final = search(
                    links, ends[0, 0], ends[0, 1], fan, touched, ends[1, 0], ends[1, 1], goal_face, most
                )
                if final < 0:
                    numbers, ids, final = search_faces(
                        mesh, ends[0, 0], ends[0, 1], start_face, ends[1, 0], ends[1, 1], goal_face
                    )
        ways = write_way(mesh, links, numbers, ids, final, ends, start_face, goal_face, flip, i, ways)
    return ways
