"""The shortest path in plan from a point to another: an exact any-angle search over faces and portals.

A search node is an interval on a portal seen from a root, the last point where the path bent. Its estimate is the
length up to the root plus the shortest line from there through the interval to the goal, so the first node popped in
the goal's face ends the search with the optimum. The idea is Polyanya's (Cui, Harabor, Grastien 2017).

Instead of the length of the shortest path to each corner, the search keeps for each portal how far its two ends are at
most. One may walk along a portal, so that the whole interval is dominated if the far end is reached sooner by way of
the near one: moving away from an end, the distance to it grows at least as fast as that to the root.
"""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .corner import touches_portal
from .jit import jit
from .locate import TOUCH
from .mesh_arrays import MeshArrays
from .search_store import HEAD, OF, PLACE, more_nodes, more_records, push, record_of, sink

__all__ = ["bend_towards", "interval", "on_line_of", "search"]

RIGHT, LEFT = 1, 2
GONE, ROOT_X, ROOT_Y, LOW, HIGH, OVER_RIGHT, OVER_LEFT = range(7)
"""Numbers of a node. Its interval lies between fractions LOW and HIGH of the portal, from the right end on; OVER_RIGHT
and OVER_LEFT are the distances of the portal's ends below which the node is dominated."""
LINK, PARENT, FACE, RECORD, NEXT = range(5)
SURELY = 1e-9
"""Metres by which another path must be shorter to dominate: lengths are rounded."""
TIE = 1e-11
"""Metres within which two lengths from the same root are one."""


@jit
def on_line_of(x: float, y: float, rx: float, ry: float, lx: float, ly: float) -> int:
    """Return -1 where a point is off an interval's line, 0 where it is on the interval, else the end it is beyond."""
    ex, ey, dx, dy = lx - rx, ly - ry, x - rx, y - ry
    square, off, along = ex * ex + ey * ey, ex * dy - ey * dx, ex * dx + ey * dy
    slack = TOUCH * TOUCH * square
    if off * off > slack:
        return -1
    if along < 0.0:
        return RIGHT if along * along > slack else 0
    return LEFT if along > square and (along - square) ** 2 > slack else 0


@jit
def bend_towards(
    x: float, y: float, rx: float, ry: float, lx: float, ly: float, gx: float, gy: float, line: int
) -> tuple[float, int]:
    """Return the length from a root through an interval to the goal, and where it bends (0 not, or RIGHT or LEFT).

    Everything behind the interval counts as lying before it, mirrored: no path to it through the interval is shorter.
    `line` is what `on_line_of` says of the root.
    """
    ex, ey = lx - rx, ly - ry
    square, side = ex * ex + ey * ey, ex * (gy - ry) - ey * (gx - rx)
    if line > 0:
        # Both rays are one: rounding would decide on which side of them the goal lies. The nearer end is passed first.
        px, py = (rx, ry) if line == RIGHT else (lx, ly)
        ahead = (gx - px) * (px - x) + (gy - py) * (py - y) >= 0.0
        if not ahead or side * side > TOUCH * TOUCH * square:
            first = np.sqrt((px - x) ** 2 + (py - y) ** 2)
            return first + np.sqrt((gx - px) ** 2 + (gy - py) ** 2), line
    elif line < 0:
        if side > 0.0:
            scale = 2.0 * side / square
            gx, gy = gx + scale * ey, gy - scale * ex
        if (rx - x) * (gy - y) - (ry - y) * (gx - x) < 0.0:
            first = np.sqrt((rx - x) ** 2 + (ry - y) ** 2)
            return first + np.sqrt((gx - rx) ** 2 + (gy - ry) ** 2), RIGHT
        if (lx - x) * (gy - y) - (ly - y) * (gx - x) > 0.0:
            first = np.sqrt((lx - x) ** 2 + (ly - y) ** 2)
            return first + np.sqrt((gx - lx) ** 2 + (gy - ly) ** 2), LEFT
    return np.sqrt((gx - x) ** 2 + (gy - y) ** 2), 0


@jit
def interval(mesh: MeshArrays, link: int, low: float, high: float) -> tuple[float, float, float, float]:
    """Return the right and left end of a stretch of a link's portal."""
    ax, ay = mesh.link_portal[link, 0, 0], mesh.link_portal[link, 0, 1]
    bx, by = mesh.link_portal[link, 1, 0], mesh.link_portal[link, 1, 1]
    rx, ry = ax + low * (bx - ax), ay + low * (by - ay)
    if high < 1.0:
        bx, by = ax + high * (bx - ax), ay + high * (by - ay)
    return rx, ry, bx, by


@jit
def search(
    mesh: MeshArrays, sx: float, sy: float, fan: Array, fan_size: int, gx: float, gy: float, goal_face: int, limit: int
) -> tuple[Array, Array, int]:
    """Return the search nodes (numbers, ids) and the one through which the shortest path enters the goal's face.

    `fan` holds the faces the start touches, none of them the goal's. -1 where there is no path or more than about
    `limit` nodes would be needed. Memory and time follow the nodes made, not the size of the mesh. A link seen from
    the same root through the same interval is looked at once: about a corner all faces may join, and paths of equal
    length meet again and again.
    """
    numbers, ids = np.empty((256, 7), np.float64), np.empty((256, 5), np.int32)
    heap, heap_keys = np.empty(256, np.int32), np.empty(256, np.float64)
    table, records, bounds = np.empty(256, np.int32), np.empty((128, 3), np.int32), np.empty((128, 2), np.float64)
    made, waiting, known, seeded = 0, 0, 0, 0
    at, held, held_key = np.int64(-1), np.int64(-1), np.inf
    while True:
        corners, whole = np.int64(0), True
        gone, x, y = 0.0, sx, sy
        rx, ry, lx, ly, to_right, to_left = sx, sy, sx, sy, 0.0, 0.0
        if at < 0:
            face, origin = np.int64(fan[seeded]), np.int64(-1)
            seeded += 1
        else:
            link, origin = np.int64(ids[at, LINK]), np.int64(ids[at, FACE])
            face = np.int64(mesh.link_face[link])
            gone, x, y = numbers[at, GONE], numbers[at, ROOT_X], numbers[at, ROOT_Y]
            rx, ry, lx, ly = interval(mesh, link, numbers[at, LOW], numbers[at, HIGH])
            wall = np.int64(mesh.link_wall[link])
            corners = (wall & RIGHT if numbers[at, LOW] <= 0.0 else 0) | (wall & LEFT if numbers[at, HIGH] >= 1.0 else 0)
            to_right, to_left = np.sqrt((rx - x) ** 2 + (ry - y) ** 2), np.sqrt((lx - x) ** 2 + (ly - y) ** 2)
            line = on_line_of(x, y, rx, ry, lx, ly)
            whole = line >= 0
            if line > 0:  # Sight along the portal's own line: the path bends at its nearer end.
                gone += to_right if line == RIGHT else to_left
                x, y = (rx, ry) if line == RIGHT else (lx, ly)
        first, count = np.int64(mesh.link_start[face]), np.int64(mesh.link_count[face])
        while made + 3 * count >= len(heap):
            numbers, ids, heap, heap_keys = more_nodes(numbers, ids, heap, heap_keys)
        while known + count >= len(records):
            table, records, bounds = more_records(records, bounds, known)
        for onward in range(first, first + count):
            other = np.int64(mesh.link_face[onward])
            if other == origin or (mesh.link_count[other] == 1 and other != goal_face):
                continue
            ax, ay = mesh.link_portal[onward, 0, 0], mesh.link_portal[onward, 0, 1]
            bx, by = mesh.link_portal[onward, 1, 0], mesh.link_portal[onward, 1, 1]
            if at < 0 and touches_portal(mesh, onward, sx, sy):
                continue  # The faces beyond are in the fan themselves; going there would lead round in circles.
            low, high = 0.0, 1.0
            if not whole:
                # Sight through the interval: left of the line to its right end, right of the line to its left end.
                a_right = (rx - x) * (ay - y) - (ry - y) * (ax - x)
                b_right = (rx - x) * (by - y) - (ry - y) * (bx - x)
                a_left = (lx - x) * (ay - y) - (ly - y) * (ax - x)
                b_left = (lx - x) * (by - y) - (ly - y) * (bx - x)
                slack_right, slack_left = TOUCH * to_right, TOUCH * to_left
                if (abs(a_right) <= slack_right and abs(b_right) <= slack_right) or (
                    abs(a_left) <= slack_left and abs(b_left) <= slack_left
                ):
                    pass  # On the edge of sight: one may slide along the portal without a bend, so it is seen whole.
                elif (bx - ax) * (y - ay) - (by - ay) * (x - ax) <= 0.0:
                    # Seen from outside: the portal lies wholly to one side of the sight.
                    low = high = 1.0 if a_right + b_right <= slack_right else 0.0
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
            width = np.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
            record = np.int64(-1)
            for part in range(3):
                u, v, root_x, root_y, length = low, high, x, y, gone
                if part == RIGHT:
                    u, v, root_x, root_y, length = 0.0, low, rx, ry, gone + to_right
                elif part == LEFT:
                    u, v, root_x, root_y, length = high, 1.0, lx, ly, gone + to_left
                if (v - u) * width <= TOUCH or (part > 0 and not corners & part):
                    continue
                pr, qr, pl, ql = interval(mesh, onward, u, v)
                right, left = (
                    np.sqrt((pr - root_x) ** 2 + (qr - root_y) ** 2),
                    np.sqrt((pl - root_x) ** 2 + (ql - root_y) ** 2),
                )
                if record < 0:
                    record = record_of(table, records, known, onward)
                    if record < 0:
                        place = -1 - record
                        record = known
                        known += 1
                        table[place] = record
                        records[record, OF], records[record, PLACE], records[record, HEAD] = onward, place, -1
                        bounds[record, 0], bounds[record, 1] = np.inf, np.inf
                over_right, over_left = length + left - v * width, length + right - (1.0 - u) * width
                if bounds[record, 0] + SURELY < over_right or bounds[record, 1] + SURELY < over_left:
                    continue
                line = on_line_of(root_x, root_y, pr, qr, pl, ql)
                if line > 0 and other != goal_face:
                    # Bending at an end that is no corner is of no use: the faces on this side lead along the line too.
                    at_end = u <= 0.0 if line == RIGHT else v >= 1.0
                    if not at_end or not np.int64(mesh.link_wall[onward]) & line:
                        continue
                rest, _ = bend_towards(root_x, root_y, pr, qr, pl, ql, gx, gy, line)
                twin = np.int64(records[record, HEAD])
                while twin >= 0:
                    same = numbers[twin, ROOT_X] == root_x and numbers[twin, ROOT_Y] == root_y
                    if same and numbers[twin, LOW] <= u and numbers[twin, HIGH] >= v:
                        if numbers[twin, GONE] <= length + TIE:
                            break
                    twin = np.int64(ids[twin, NEXT])
                if twin >= 0:
                    continue
                bounds[record, 0] = min(bounds[record, 0], length + right + u * width)
                bounds[record, 1] = min(bounds[record, 1], length + left + (1.0 - v) * width)
                numbers[made, GONE], numbers[made, ROOT_X], numbers[made, ROOT_Y] = length, root_x, root_y
                numbers[made, LOW], numbers[made, HIGH] = u, v
                numbers[made, OVER_RIGHT], numbers[made, OVER_LEFT] = over_right, over_left
                ids[made, LINK], ids[made, PARENT], ids[made, FACE] = onward, at, face
                ids[made, RECORD], ids[made, NEXT] = record, records[record, HEAD]
                records[record, HEAD] = made
                # The most promising new node is held back: it is often the next to be looked at.
                node, key = np.int64(made), length + rest
                if key < held_key:
                    node, key, held, held_key = held, held_key, node, key
                if node >= 0:
                    push(heap, heap_keys, waiting, node, key)
                    waiting += 1
                made += 1
        if seeded < fan_size:
            continue
        while True:
            if (waiting == 0 and held < 0) or made > limit:
                return numbers, ids, -1
            if held >= 0 and (waiting == 0 or held_key <= heap_keys[0]):
                at = held
            else:
                at = np.int64(heap[0])
                if held < 0:
                    waiting -= 1
                    held, held_key = np.int64(heap[waiting]), heap_keys[waiting]
                if waiting > 0:
                    sink(heap, heap_keys, waiting, held, held_key)
            held, held_key = np.int64(-1), np.inf
            record = np.int64(ids[at, RECORD])
            if (
                bounds[record, 0] + SURELY >= numbers[at, OVER_RIGHT]
                and bounds[record, 1] + SURELY >= numbers[at, OVER_LEFT]
            ):
                break
        if np.int64(mesh.link_face[ids[at, LINK]]) == goal_face:
            return numbers, ids, at
