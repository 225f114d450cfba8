"""Shortest paths in plan between two points: an exact any-angle search over faces and portals.

A search node is an interval on a portal seen from a root, the last point where the path bent. Its estimate is the
length up to the root plus the shortest line from there through the interval to the goal, so the first node popped in
the goal's face ends the search with the optimum. The idea is Polyanya's (Cui, Harabor, Grastien 2017).

Instead of the length of the shortest path to each corner, the search keeps for each portal upper bounds on the
distances of its two ends. A path may run along a portal, so an interval is dominated as a whole if its far end is
reached sooner through the near one: moving away from an end, the distance to it grows at least as fast as that to the
root.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..jit import inner, jit
from ..mesh.corner import touches_portal
from ..mesh.point_location import TOUCH
from .path_nodes import HEAD, OF, PLACE, more_nodes, more_records, push, record_of, sink

RIGHT, LEFT = 1, 2
GONE, ROOT_X, ROOT_Y, LOW, HIGH, OVER_RIGHT, OVER_LEFT = range(7)
"""Columns of a node. Its interval lies between fractions LOW and HIGH of the portal, from the right end; OVER_RIGHT
and OVER_LEFT are the distances of the portal's ends below which the node is dominated."""
LINK, PARENT, FACE, RECORD, NEXT = range(5)
SURELY = 1e-9
"""Metres by which another path must be shorter to dominate, as lengths are rounded."""
TIE = 1e-11
"""Metres within which two lengths from the same root count as equal."""


class LinkArrays(NamedTuple):
    """The arrays of `MeshArrays` that a search needs."""

    start: Array
    count: Array
    face: Array
    portal: Array
    wall: Array


class SearchArrays(NamedTuple):
    """Buffers for the nodes of a search, reused by the next search; nothing in them needs to be cleared."""

    numbers: Array  # float64 (n, 7)
    ids: Array  # int32 (n, 5)
    heap: Array  # int32 (n,)
    keys: Array  # float64 (n,)
    table: Array  # int32 (4 r,)
    records: Array  # int32 (r, 3)
    bounds: Array  # float64 (r, 2)


class Progress(NamedTuple):
    """How far a search is: the node to expand next (-1: a face at the start), and what its arrays hold."""

    at: int
    made: int
    waiting: int
    known: int
    seeded: int
    held: int
    held_key: float


@inner
def search_arrays() -> SearchArrays:
    """Return buffers for a few hundred nodes."""
    numbers, ids = np.empty((256, 7), np.float64), np.empty((256, 5), np.int32)
    heap, keys = np.empty(256, np.int32), np.empty(256, np.float64)
    table, records, bounds = np.empty(256, np.int32), np.empty((128, 3), np.int32), np.empty((128, 2), np.float64)
    return SearchArrays(numbers, ids, heap, keys, table, records, bounds)


@jit
def _length(x: float, y: float, px: float, py: float) -> float:
    return np.sqrt((px - x) * (px - x) + (py - y) * (py - y))


@inner
def on_line_of(x: float, y: float, rx: float, ry: float, lx: float, ly: float) -> int:
    """Return -1 if a point is off an interval's line, 0 if it is on the interval, else the end that it lies beyond."""
    ex, ey, dx, dy = lx - rx, ly - ry, x - rx, y - ry
    square, off, along = ex * ex + ey * ey, ex * dy - ey * dx, ex * dx + ey * dy
    slack = TOUCH * TOUCH * square
    if off * off > slack:
        return -1
    if along < 0.0:
        return RIGHT if along * along > slack else 0
    return LEFT if along > square and (along - square) * (along - square) > slack else 0


@inner
def bend_towards(
    x: float, y: float, rx: float, ry: float, lx: float, ly: float, gx: float, gy: float, line: int
) -> tuple[float, int]:
    """Return the length from a root through an interval to the goal, and where it bends (0: nowhere, RIGHT or LEFT).

    A goal on the root's side of the interval is mirrored, which gives a lower bound for paths through the interval.
    `line` is the result of `on_line_of` for the root.
    """
    ex, ey = lx - rx, ly - ry
    square, side = ex * ex + ey * ey, ex * (gy - ry) - ey * (gx - rx)
    if line > 0:
        # Both rays coincide, so rounding would decide on which side the goal lies. The nearer end is passed first.
        px, py = (rx, ry) if line == RIGHT else (lx, ly)
        ahead = (gx - px) * (px - x) + (gy - py) * (py - y) >= 0.0
        if not ahead or side * side > TOUCH * TOUCH * square:
            return _length(x, y, px, py) + _length(px, py, gx, gy), line
    elif line < 0:
        if side > 0.0:
            scale = 2.0 * side / square
            gx, gy = gx + scale * ey, gy - scale * ex
        if (rx - x) * (gy - y) - (ry - y) * (gx - x) < 0.0:
            return _length(x, y, rx, ry) + _length(rx, ry, gx, gy), RIGHT
        if (lx - x) * (gy - y) - (ly - y) * (gx - x) > 0.0:
            return _length(x, y, lx, ly) + _length(lx, ly, gx, gy), LEFT
    return _length(x, y, gx, gy), 0


@inner
def interval(ax: float, ay: float, bx: float, by: float, low: float, high: float) -> tuple[float, float, float, float]:
    """Return the right and left end of a stretch of the portal from `a` to `b`."""
    rx, ry = ax + low * (bx - ax), ay + low * (by - ay)
    if high < 1.0:
        bx, by = ax + high * (bx - ax), ay + high * (by - ay)
    return rx, ry, bx, by


@jit
def _sight(
    x: float, y: float, rx: float, ry: float, lx: float, ly: float, ax: float, ay: float, bx: float, by: float
) -> tuple[float, float]:
    """Return the fractions of the portal from `a` to `b` between which a root off an interval sees it through that.

    The part before the first fraction is right of the view, the part after the second is left of it.
    """
    # Left of the line to the interval's right end, right of the line to its left end.
    a_right = (rx - x) * (ay - y) - (ry - y) * (ax - x)
    b_right = (rx - x) * (by - y) - (ry - y) * (bx - x)
    a_left = (lx - x) * (ay - y) - (ly - y) * (ax - x)
    b_left = (lx - x) * (by - y) - (ly - y) * (bx - x)
    slack_right, slack_left = TOUCH * (abs(rx - x) + abs(ry - y)), TOUCH * (abs(lx - x) + abs(ly - y))
    if (abs(a_right) <= slack_right and abs(b_right) <= slack_right) or (
        abs(a_left) <= slack_left and abs(b_left) <= slack_left
    ):
        return 0.0, 1.0  # On the edge of the view: a path can run along the portal without a bend, so all is seen.
    if (bx - ax) * (y - ay) - (by - ay) * (x - ax) <= 0.0:
        # Seen from outside: the portal lies entirely on one side.
        return (1.0, 1.0) if a_right + b_right <= slack_right else (0.0, 0.0)
    if b_right <= slack_right:
        return 1.0, 1.0
    if a_left >= -slack_left:
        return 0.0, 0.0
    low = a_right / (a_right - b_right) if a_right < -slack_right else 0.0
    high = a_left / (a_left - b_left) if b_left > slack_left else 1.0
    return low, max(low, high)


@jit
def _known_before(
    numbers: Array, ids: Array, node: int, x: float, y: float, length: float, low: float, high: float
) -> bool:
    """Return whether `node` or an earlier one at the same link sees as much from the same root at no greater length."""
    while node >= 0:
        one = np.uint64(node)
        if (
            numbers[one, ROOT_X] == x
            and numbers[one, ROOT_Y] == y
            and numbers[one, LOW] <= low
            and numbers[one, HIGH] >= high
            and numbers[one, GONE] <= length + TIE
        ):
            return True
        node = np.int64(ids[one, NEXT])
    return False


@jit
def _expand(
    links: LinkArrays,
    room: SearchArrays,
    sx: float,
    sy: float,
    fan: Array,
    fan_size: int,
    gx: float,
    gy: float,
    goal_face: int,
    limit: int,
    progress: Progress,
) -> tuple[bool, Progress]:
    """Expand nodes until the search ends or the room is too small; return whether it ended, and how far it is."""
    portal, walls, faces_beyond, link_counts = links.portal, links.wall, links.face, links.count
    numbers, ids, heap, heap_keys = room.numbers, room.ids, room.heap, room.keys
    table, records, bounds = room.table, room.records, room.bounds
    at, made, waiting, known, seeded, held, held_key = progress
    while True:
        corners, whole, origin = np.int64(0), True, np.int64(-1)
        gone, x, y = 0.0, sx, sy
        rx, ry, lx, ly = sx, sy, sx, sy
        if at < 0:
            face = np.uint64(fan[seeded])
        else:
            node = np.uint64(at)
            link, origin = np.uint64(ids[node, LINK]), np.int64(ids[node, FACE])
            face = np.uint64(faces_beyond[link])
            gone, x, y = numbers[node, GONE], numbers[node, ROOT_X], numbers[node, ROOT_Y]
            rx, ry, lx, ly = portal[link, 0, 0], portal[link, 0, 1], portal[link, 1, 0], portal[link, 1, 1]
            rx, ry, lx, ly = interval(rx, ry, lx, ly, numbers[node, LOW], numbers[node, HIGH])
            if numbers[node, LOW] <= 0.0:
                corners = walls[link] & RIGHT
            if numbers[node, HIGH] >= 1.0:
                corners |= walls[link] & LEFT
            line = on_line_of(x, y, rx, ry, lx, ly)
            whole = line >= 0
            if line > 0:  # The view runs along the portal's own line: the path bends at its nearer end.
                px, py = (rx, ry) if line == RIGHT else (lx, ly)
                gone += _length(x, y, px, py)
                x, y = px, py
        first, count = np.uint64(links.start[face]), np.int64(link_counts[face])
        if made + 3 * count >= len(heap) or known + count >= len(records):
            return False, Progress(at, made, waiting, known, seeded, held, held_key)
        if at < 0:
            seeded += 1
        for onward in range(first, first + np.uint64(count)):
            other = np.int64(faces_beyond[onward])
            if other == origin or (link_counts[np.uint64(other)] == 1 and other != goal_face):
                continue
            ax, ay, bx, by = portal[onward, 0, 0], portal[onward, 0, 1], portal[onward, 1, 0], portal[onward, 1, 1]
            if at < 0 and touches_portal(ax, ay, bx, by, sx, sy):
                continue  # The faces beyond are themselves in the fan; entering them would lead in circles.
            low, high = 0.0, 1.0
            if not whole:
                low, high = _sight(x, y, rx, ry, lx, ly, ax, ay, bx, by)
            width = _length(ax, ay, bx, by)
            mark = np.int64(-1)
            for part in range(3):
                u, v, root_x, root_y, length = low, high, x, y, gone
                if part == RIGHT:
                    u, v, root_x, root_y = 0.0, low, rx, ry
                elif part == LEFT:
                    u, v, root_x, root_y = high, 1.0, lx, ly
                if (v - u) * width <= TOUCH or (part > 0 and not corners & part):
                    continue
                if part > 0:
                    length += _length(x, y, root_x, root_y)
                pr, qr, pl, ql = interval(ax, ay, bx, by, u, v)
                to_right, to_left = _length(root_x, root_y, pr, qr), _length(root_x, root_y, pl, ql)
                if mark < 0:
                    mark = record_of(table, records, known, np.int64(onward))
                    if mark < 0:
                        place, record = np.uint64(-1 - mark), np.uint64(known)
                        mark = np.int64(known)
                        known += 1
                        table[place] = mark
                        records[record, OF], records[record, PLACE], records[record, HEAD] = onward, place, -1
                        bounds[record, 0], bounds[record, 1] = np.inf, np.inf
                record = np.uint64(mark)
                over_right, over_left = length + to_left - v * width, length + to_right - (1.0 - u) * width
                if bounds[record, 0] + SURELY < over_right or bounds[record, 1] + SURELY < over_left:
                    continue
                line = on_line_of(root_x, root_y, pr, qr, pl, ql)
                if line > 0 and other != goal_face:
                    # Bending at an end that is not a corner is useless: the faces on this side lead along the line too.
                    at_end = u <= 0.0 if line == RIGHT else v >= 1.0
                    if not at_end or not walls[onward] & line:
                        continue
                before = np.int64(records[record, HEAD])
                # Paths of equal length often meet at corners, and all faces around a corner may be connected.
                turned = part > 0 or whole
                if turned and _known_before(numbers, ids, before, root_x, root_y, length, u, v):
                    continue
                bounds[record, 0] = min(bounds[record, 0], length + to_right + u * width)
                bounds[record, 1] = min(bounds[record, 1], length + to_left + (1.0 - v) * width)
                fresh = np.uint64(made)
                numbers[fresh, GONE], numbers[fresh, ROOT_X], numbers[fresh, ROOT_Y] = length, root_x, root_y
                numbers[fresh, LOW], numbers[fresh, HIGH] = u, v
                numbers[fresh, OVER_RIGHT], numbers[fresh, OVER_LEFT] = over_right, over_left
                ids[fresh, LINK], ids[fresh, PARENT], ids[fresh, FACE] = onward, at, face
                ids[fresh, RECORD], ids[fresh, NEXT] = mark, before
                if turned:
                    records[record, HEAD] = made
                rest, _ = bend_towards(root_x, root_y, pr, qr, pl, ql, gx, gy, line)
                # The most promising new node is held back, as it is often expanded next.
                other_node, key = np.int64(made), length + rest
                if key < held_key:
                    other_node, key, held, held_key = held, held_key, other_node, key
                if other_node >= 0:
                    push(heap, heap_keys, waiting, other_node, key)
                    waiting += 1
                made += 1
        if seeded < fan_size:
            continue
        while True:
            if (waiting == 0 and held < 0) or made > limit:
                return True, Progress(np.int64(-1), made, waiting, known, seeded, held, held_key)
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
            node = np.uint64(at)
            record = np.uint64(ids[node, RECORD])
            if (
                bounds[record, 0] + SURELY >= numbers[node, OVER_RIGHT]
                and bounds[record, 1] + SURELY >= numbers[node, OVER_LEFT]
            ):
                break
        if np.int64(faces_beyond[np.uint64(ids[node, LINK])]) == goal_face:
            return True, Progress(at, made, waiting, known, seeded, held, held_key)


@inner
def search(
    links: LinkArrays,
    room: SearchArrays,
    sx: float,
    sy: float,
    fan: Array,
    fan_size: int,
    gx: float,
    gy: float,
    goal_face: int,
    limit: int,
) -> tuple[SearchArrays, int]:
    """Return the search nodes and the one through which the shortest path enters the goal's face.

    `fan` holds the faces that the start touches, none of them the goal's. The node is -1 if there is no path or more
    than about `limit` nodes are needed. Memory and time depend on the nodes created, not on the size of the mesh.
    """
    progress = Progress(np.int64(-1), np.int64(0), np.int64(0), np.int64(0), np.int64(0), np.int64(-1), np.inf)
    while True:
        ended, progress = _expand(links, room, sx, sy, fan, fan_size, gx, gy, goal_face, limit, progress)
        if ended:
            return room, progress.at
        # Arrays grow out here: those assigned in the loop over nodes would count references on every round.
        nodes = more_nodes(room.numbers, room.ids, room.heap, room.keys)
        room = SearchArrays(*nodes, *more_records(room.records, room.bounds, progress.known))
