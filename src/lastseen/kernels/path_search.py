"""The shortest way in plan from a point to another: an exact any-angle search over faces and portals.

A search node is an interval on a portal seen from a root, the last point where the way bent. Its estimate is the
length up to the root plus the shortest line from there through the interval to the goal, so the first node popped in
the goal's face ends the search with the optimum. The idea is Polyanya's (Cui, Harabor, Grastien 2017).
"""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .corner import touches_portal
from .jit import jit
from .locate import TOUCH
from .mesh_arrays import MeshArrays
from .search_store import ESTIMATE, node_slot, rehashed, rehashed_nodes, rise, sink, slot_of, twice_the_room

__all__ = ["bend_towards", "search"]

RIGHT_CORNER, LEFT_CORNER = 1, 2
GONE, ROOT_X, ROOT_Y, RIGHT_X, RIGHT_Y, LEFT_X, LEFT_Y = range(1, 8)
LINK, PARENT, CORNERS, KEY, FACE = range(5)
SAME = 1e-9
UNKNOWN = np.int64(-2)


@jit
def bend_towards(
    x: float, y: float, rx: float, ry: float, lx: float, ly: float, gx: float, gy: float
) -> tuple[float, int]:
    """Return the length from a root through an interval to the goal, and where it bends (0 not, 1 right, 2 left).

    Everything behind the interval counts as lying before it, mirrored: no way to it through the interval is shorter.
    """
    ex, ey = lx - rx, ly - ry
    side = ex * (gy - ry) - ey * (gx - rx)
    if side > 0.0:
        scale = 2.0 * side / (ex * ex + ey * ey)
        gx, gy = gx + scale * ey, gy - scale * ex
    if (rx - x) * (gy - y) - (ry - y) * (gx - x) < 0.0:
        first = np.sqrt((rx - x) ** 2 + (ry - y) ** 2)
        return first + np.sqrt((gx - rx) ** 2 + (gy - ry) ** 2), 1
    if (lx - x) * (gy - y) - (ly - y) * (gx - x) > 0.0:
        first = np.sqrt((lx - x) ** 2 + (ly - y) ** 2)
        return first + np.sqrt((gx - lx) ** 2 + (gy - ly) ** 2), 2
    return np.sqrt((gx - x) ** 2 + (gy - y) ** 2), 0


@jit
def _link_ending(mesh: MeshArrays, face: int, end: int, x: float, y: float) -> int:
    """Return the link of `face` whose right (0) or left (1) end lies at `(x, y)`, or -1."""
    start = np.int64(mesh.link_start[face])
    for link in range(start, start + np.int64(mesh.link_count[face])):
        dx, dy = mesh.link_portal[link, end, 0] - x, mesh.link_portal[link, end, 1] - y
        if dx * dx + dy * dy <= TOUCH * TOUCH:
            return link
    return -1


@jit
def _corner_key(mesh: MeshArrays, face: int, link: int, end: int) -> int:
    """Return one number for all portal ends that meet at the same side of the same wall corner.

    Faces about the corner are walked clockwise up to the wall. The point alone would not do: walls may part it into
    sides between which there is no way.
    """
    x, y = mesh.link_portal[link, end, 0], mesh.link_portal[link, end, 1]
    here = face if end == 1 else np.int64(mesh.link_face[link])
    for _ in range(1024):  # Stopping early makes more keys than corners: more to search, the same answer.
        onward = _link_ending(mesh, here, 0, x, y)
        if onward < 0 or np.int64(mesh.link_face[onward]) == face:
            break
        here = np.int64(mesh.link_face[onward])
    back = _link_ending(mesh, here, 1, x, y)
    return back if back >= 0 else link


@jit
def search(
    mesh: MeshArrays, sx: float, sy: float, fan: Array, fan_size: int, gx: float, gy: float, goal_face: int, limit: int
) -> tuple[Array, Array, int]:
    """Return the search nodes (numbers, ids) and the one through which the shortest way enters the goal's face.

    `fan` holds the faces the start touches, none of them the goal's. -1 where there is no way or more than about
    `limit` nodes would be needed. Memory and time follow the nodes made, not the size of the mesh. A link seen from
    the same root through the same interval is looked at once: about a corner all faces may join, and ways of equal
    length meet again and again.
    """
    numbers, ids = np.empty((256, 8), np.float64), np.empty((256, 5), np.int64)
    heap = np.empty(256, np.int64)
    keys, best = np.full(64, -1, np.int64), np.empty(64, np.float64)
    made, waiting, roots = 0, 0, 0
    nodes = np.full(256, -1, np.int64)
    turn_keys = np.empty(2, np.int64)
    at, turned, seeded = -1, 0, 0
    # Each piece: part of a portal, between fractions `low` and `high` from its right end, and the root it is seen from.
    while True:
        dead = False
        if at < 0:
            face, origin, gone, x, y, whole = fan[seeded], np.int64(-1), 0.0, sx, sy, True
            seeded += 1
            rx, ry, lx, ly, corners, link, root_key = sx, sy, sx, sy, np.int64(0), np.int64(-1), np.int64(-1)
        else:
            link, corners, root_key = ids[at, LINK], ids[at, CORNERS], ids[at, KEY]
            origin, face = ids[at, FACE], np.int64(mesh.link_face[link])
            gone, x, y = numbers[at, GONE], numbers[at, ROOT_X], numbers[at, ROOT_Y]
            rx, ry, lx, ly = numbers[at, RIGHT_X], numbers[at, RIGHT_Y], numbers[at, LEFT_X], numbers[at, LEFT_Y]
            ex, ey = lx - rx, ly - ry
            width = np.sqrt(ex * ex + ey * ey)
            whole = abs(ex * (y - ry) - ey * (x - rx)) <= TOUCH * width
            if whole:
                # The root lies on the portal's own line. Outside the interval, the way bends at its nearer end, if that
                # is a corner of a wall; else it does not leave the line, and the face before the portal leads on.
                along = ((x - rx) * ex + (y - ry) * ey) / width
                end = 0 if along < -TOUCH else (1 if along > width + TOUCH else -1)
                if end >= 0:
                    px, py = (rx, ry) if end == 0 else (lx, ly)
                    gone += np.sqrt((px - x) ** 2 + (py - y) ** 2)
                    x, y = px, py
                    root_key, turned = UNKNOWN, end
                    dead = not corners & (1 << end)
        turn_keys[0], turn_keys[1] = UNKNOWN, UNKNOWN
        first, count = np.int64(mesh.link_start[face]), np.int64(mesh.link_count[face])
        if dead:
            count = np.int64(0)
        while made + 3 * count >= len(numbers):
            numbers, ids, heap = twice_the_room(numbers, ids, heap)
        while 2 * (roots + 3 * count) >= len(keys):
            keys, best = rehashed(keys, best)
        while 2 * (made + 3 * count) >= len(nodes):
            nodes = rehashed_nodes(nodes, numbers, ids)
        for onward in range(first, first + count):
            other = np.int64(mesh.link_face[onward])
            if other == origin or (mesh.link_count[other] == 1 and other != goal_face):
                continue
            ax, ay = mesh.link_portal[onward, 0, 0], mesh.link_portal[onward, 0, 1]
            bx, by = mesh.link_portal[onward, 1, 0], mesh.link_portal[onward, 1, 1]
            wall = np.int64(mesh.link_wall[onward])
            if at < 0 and touches_portal(mesh, onward, sx, sy):
                continue  # The faces beyond are in the fan themselves; going there would lead round in circles.
            low, high = 0.0, 1.0
            if not whole:
                # Sight through the interval: left of the line to its right end, right of the line to its left end.
                a_right = (rx - x) * (ay - y) - (ry - y) * (ax - x)
                b_right = (rx - x) * (by - y) - (ry - y) * (bx - x)
                a_left = (lx - x) * (ay - y) - (ly - y) * (ax - x)
                b_left = (lx - x) * (by - y) - (ly - y) * (bx - x)
                slack_right = TOUCH * (abs(rx - x) + abs(ry - y))
                slack_left = TOUCH * (abs(lx - x) + abs(ly - y))
                edge_on = b_right <= slack_right and a_right >= -slack_right and b_right >= -slack_right
                edge_on |= a_left >= -slack_left and a_left <= slack_left and b_left <= slack_left
                if edge_on:
                    pass  # Along an edge of the sight: seen whole. One may slide along it without a bend.
                elif (bx - ax) * (y - ay) - (by - ay) * (x - ax) <= 0.0:
                    # Seen from outside: the portal lies wholly to one side of the sight.
                    if a_right + b_right <= slack_right:
                        low = high = 1.0
                    else:
                        low = high = 0.0
                else:
                    if b_right <= slack_right:
                        low = 1.0
                    elif a_right < -slack_right:
                        low = a_right / (a_right - b_right)
                    if a_left >= -slack_left:
                        high = 0.0
                    elif b_left > slack_left:
                        high = a_left / (a_left - b_left)
                    high = max(low, high) if low < 1.0 else 1.0
            for part in range(3):
                if part == 0:
                    u, v = low, high
                elif part == 1:
                    u, v = 0.0, low
                    if not corners & RIGHT_CORNER:
                        continue
                else:
                    u, v = high, 1.0
                    if not corners & LEFT_CORNER:
                        continue
                if (v - u) * (abs(bx - ax) + abs(by - ay)) <= TOUCH:
                    continue
                root_x, root_y, length, key = x, y, gone, root_key
                if part > 0:
                    root_x, root_y = (rx, ry) if part == 1 else (lx, ly)
                    key = turn_keys[part - 1]
                    length = gone + np.sqrt((root_x - x) ** 2 + (root_y - y) ** 2)
                if key == UNKNOWN:
                    end = part - 1 if part > 0 else turned
                    key = turn_keys[end] = _corner_key(mesh, origin, link, end)
                    if part == 0:
                        root_key = key
                if key >= 0:
                    slot = slot_of(keys, key)
                    if keys[slot] < 0:
                        keys[slot], best[slot] = key, length
                        roots += 1
                    elif length > best[slot] + SAME:
                        continue
                    elif length < best[slot]:
                        best[slot] = length
                ur, vr = ax + u * (bx - ax), ay + u * (by - ay)
                ul, vl = ax + v * (bx - ax), ay + v * (by - ay)
                ends = np.int64(0)
                if u <= 0.0:
                    ends |= wall & RIGHT_CORNER
                if v >= 1.0:
                    ul, vl = bx, by
                    ends |= wall & LEFT_CORNER
                rest, _ = bend_towards(root_x, root_y, ur, vr, ul, vl, gx, gy)
                numbers[made, ESTIMATE], numbers[made, GONE] = length + rest, length
                numbers[made, ROOT_X], numbers[made, ROOT_Y] = root_x, root_y
                numbers[made, RIGHT_X], numbers[made, RIGHT_Y] = ur, vr
                numbers[made, LEFT_X], numbers[made, LEFT_Y] = ul, vl
                ids[made, LINK], ids[made, PARENT], ids[made, CORNERS] = onward, at, ends
                ids[made, KEY], ids[made, FACE] = key, face
                slot = node_slot(nodes, numbers, ids, made)
                if nodes[slot] >= 0 and numbers[nodes[slot], GONE] <= length:
                    continue
                nodes[slot] = made
                heap[waiting] = made
                rise(heap, numbers, waiting)
                waiting += 1
                made += 1
        if seeded < fan_size:
            continue
        while True:
            if waiting == 0 or made > limit:
                return numbers, ids, -1
            at = heap[0]
            waiting -= 1
            if waiting > 0:
                heap[0] = heap[waiting]
                sink(heap, numbers, waiting)
            key = ids[at, KEY]
            if key < 0 or numbers[at, GONE] <= best[slot_of(keys, key)] + SAME:
                break
        if np.int64(mesh.link_face[ids[at, LINK]]) == goal_face:
            return numbers, ids, at
