"""Paths by A* over faces, for unreachable goals and where the exact search gives up.

They are not always the shortest, but are found whenever faces are connected, in time proportional to the links visited.
"""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import MeshArrays
from ..jit import inner, jit
from ..mesh.corner import fan_about
from .path_nodes import more_nodes, push, sink
from .path_search import (
    FACE,
    GONE,
    HIGH,
    LEFT,
    LINK,
    LOW,
    PARENT,
    RIGHT,
    ROOT_X,
    ROOT_Y,
    LinkArrays,
    on_line_of,
    search,
    search_arrays,
)
from .path_trace import FOUND, NO_WAY, START_OFF, Ways, comes_first, no_ways, pair_faces, swap, write_way
from .reachability import closest_reachable


@inner
def search_faces(
    mesh: MeshArrays, sx: float, sy: float, start_face: int, gx: float, gy: float, goal_face: int
) -> tuple[Array, Array, int]:
    """Return nodes (numbers, ids) like `search`, and the one that enters the goal's face; -1: not connected.

    Costs between faces are measured from portal middle to portal middle.
    """
    numbers, ids = np.empty((256, 7), np.float64), np.empty((256, 5), np.int32)
    heap, keys = np.empty(256, np.int32), np.empty(256, np.float64)
    closed = np.zeros(len(mesh.face_start), np.bool_)
    made, waiting = 0, 0
    at, face, gone, x, y = np.int64(-1), np.int64(start_face), 0.0, sx, sy
    while True:
        closed[face] = True
        first, count = np.int64(mesh.link_start[face]), np.int64(mesh.link_count[face])
        while made + count >= len(heap):
            numbers, ids, heap, keys = more_nodes(numbers, ids, heap, keys)
        for link in range(first, first + count):
            if closed[np.int64(mesh.link_face[link])]:
                continue
            mx = (mesh.link_portal[link, 0, 0] + mesh.link_portal[link, 1, 0]) / 2.0
            my = (mesh.link_portal[link, 0, 1] + mesh.link_portal[link, 1, 1]) / 2.0
            length = gone + np.sqrt((mx - x) ** 2 + (my - y) ** 2)
            numbers[made, GONE], numbers[made, ROOT_X], numbers[made, ROOT_Y] = length, mx, my
            ids[made, LINK], ids[made, PARENT], ids[made, FACE] = link, at, face
            push(heap, keys, waiting, made, length + np.sqrt((gx - mx) ** 2 + (gy - my) ** 2))
            waiting += 1
            made += 1
        while True:
            if waiting == 0:
                return numbers, ids, -1
            at = np.int64(heap[0])
            waiting -= 1
            if waiting > 0:
                sink(heap, keys, waiting, np.int64(heap[waiting]), keys[waiting])
            face = np.int64(mesh.link_face[ids[at, LINK]])
            if not closed[face]:
                break
        if face == goal_face:
            _pull_taut(mesh, numbers, ids, at, sx, sy, gx, gy)
            return numbers, ids, at
        gone, x, y = numbers[at, GONE], numbers[at, ROOT_X], numbers[at, ROOT_Y]


@jit
def _turn(ax: float, ay: float, bx: float, by: float, cx: float, cy: float) -> float:
    """Return twice the area of a triangle: positive where `c` lies left of the line from `a` to `b`."""
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)


@jit
def _pull_taut(
    mesh: MeshArrays, numbers: Array, ids: Array, final: int, sx: float, sy: float, gx: float, gy: float
) -> None:
    """Set the root of each node on the path to `final`: the last bend of the taut path before the node's portal.

    The funnel algorithm: the view from the last bend narrows from portal to portal; where its sides cross, the path
    bends.
    """
    size, node = 0, final
    while node >= 0:
        size += 1
        node = np.int64(ids[node, PARENT])
    chain, node = np.empty(size, np.int64), final
    for k in range(size - 1, -1, -1):
        chain[k] = node
        node = np.int64(ids[node, PARENT])
    ax, ay, bent = sx, sy, np.int64(-1)
    rx, ry, lx, ly, right_at, left_at = sx, sy, sx, sy, bent, bent
    k = 0
    while k <= size:
        px, py, qx, qy = gx, gy, gx, gy
        if k < size:
            link = np.int64(ids[chain[k], LINK])
            px, py = mesh.link_portal[link, 0, 0], mesh.link_portal[link, 0, 1]
            qx, qy = mesh.link_portal[link, 1, 0], mesh.link_portal[link, 1, 1]
            line = on_line_of(ax, ay, px, py, qx, qy)
            if line == 0 and k == bent + 1:
                # The path starts on the portal. View sides that point in opposite directions would seem to cross.
                numbers[chain[k], ROOT_X], numbers[chain[k], ROOT_Y] = ax, ay
                bent = k
                k += 1
                continue
            if line == RIGHT:  # The portal lies on one ray, so the path always passes its nearer end.
                qx, qy = px, py
            elif line == LEFT:
                px, py = qx, qy
        bend = np.int64(-1)
        if _turn(ax, ay, rx, ry, px, py) >= 0.0:
            if (rx == ax and ry == ay) or _turn(ax, ay, lx, ly, px, py) < 0.0:
                rx, ry, right_at = px, py, k
            else:
                bend, nx, ny = left_at, lx, ly
        if bend < 0 and _turn(ax, ay, lx, ly, qx, qy) <= 0.0:
            if (lx == ax and ly == ay) or _turn(ax, ay, rx, ry, qx, qy) > 0.0:
                lx, ly, left_at = qx, qy, k
            else:
                bend, nx, ny = right_at, rx, ry
        if bend < 0:
            k += 1
            continue
        if bend == size:  # Both sides of the view have closed on the goal.
            break
        for passed in range(bent + 1, bend + 1):
            numbers[chain[passed], ROOT_X], numbers[chain[passed], ROOT_Y] = ax, ay
        ax, ay, bent = nx, ny, bend
        rx, ry, lx, ly, right_at, left_at = ax, ay, ax, ay, bent, bent
        k = bent + 1
    for passed in range(bent + 1, size):
        numbers[chain[passed], ROOT_X], numbers[chain[passed], ROOT_Y] = ax, ay
    numbers[final, LOW], numbers[final, HIGH] = 0.0, 1.0


@jit
def find_other_ways(
    mesh: MeshArrays, component: Array, starts: Array, goals: Array, below: float, above: float, most: int
) -> Ways:
    """Find a path for each pair that `find_ways` left unsolved.

    If the goal is unreachable, the path leads to the reachable point nearest to it. If the exact search gave up, the
    search over faces replaces it.
    """
    links = LinkArrays(mesh.link_start, mesh.link_count, mesh.link_face, mesh.link_portal, mesh.link_wall)
    ways = no_ways(len(starts))
    status = ways.status
    room = search_arrays()
    numbers, ids = room.numbers, room.ids
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
            if final < 0:  # cuts separate what is connected without them
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
                room, final = search(
                    links, room, ends[0, 0], ends[0, 1], fan, touched, ends[1, 0], ends[1, 1], goal_face, most
                )
                numbers, ids = room.numbers, room.ids
                if final < 0:
                    numbers, ids, final = search_faces(
                        mesh, ends[0, 0], ends[0, 1], start_face, ends[1, 0], ends[1, 1], goal_face
                    )
        ways = write_way(mesh, links, numbers, ids, final, ends, start_face, goal_face, flip, i, ways)
    return ways
