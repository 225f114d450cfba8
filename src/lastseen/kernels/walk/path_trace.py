"""Conversion of search nodes to paths along the floor."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import MeshArrays
from ..jit import inner, jit
from ..mesh.corner import fan_about
from ..mesh.point_location import TOUCH, face_under
from .path_search import (
    FACE,
    HIGH,
    LEFT,
    LINK,
    LOW,
    PARENT,
    RIGHT,
    ROOT_X,
    ROOT_Y,
    LinkArrays,
    bend_towards,
    interval,
    on_line_of,
    search,
    search_arrays,
)

FOUND, NO_WAY, START_OFF, GOAL_OFF, GAVE_UP = 0, 1, 2, 3, 4


class Ways(NamedTuple):
    """Paths of n pairs; points and faces may have spare room at the end."""

    status: Array  # uint8 (n,)
    length: Array  # float64 (n,)  metres along the floor
    point_start: Array  # int64 (n + 1,)
    points: Array  # float64 (p, 3)
    bends: Array  # bool (p,)  whether the path bends at a point
    face_start: Array  # int64 (n + 1,)
    faces: Array  # int32 (q,)  base faces


@jit
def _height_at_portal(portal: Array, link: int, x: float, y: float) -> tuple[float, float]:
    """Return the floor's height on a link's own side at `(x, y)`, and the fraction of the portal there, 0 … 1."""
    px, py, pz = portal[link, 0, 0], portal[link, 0, 1], portal[link, 0, 2]
    ex, ey = portal[link, 1, 0] - px, portal[link, 1, 1] - py
    along = ((x - px) * ex + (y - py) * ey) / (ex * ex + ey * ey)
    return pz + min(max(along, 0.0), 1.0) * (portal[link, 1, 2] - pz), along


@jit
def _trace(
    links: LinkArrays, numbers: Array, ids: Array, final: int, ends: Array, start_face: int
) -> tuple[Array, Array, int, Array]:
    """Return points on the floor (n, 3), whether the path bends there (n,), how many, and the faces passed.

    There is a point wherever the path crosses a portal, two at a step. `ends` (2, 3): start and goal.
    """
    portal = links.portal
    size = 0
    node = final
    while node >= 0:
        size += 1
        node = np.int64(ids[node, PARENT])
    chain = np.empty(size, np.int64)
    node = final
    for k in range(size):
        chain[size - 1 - k] = node
        node = np.int64(ids[node, PARENT])
    # The target of the path after each portal: the next bend, or the goal.
    target = np.empty((size, 2), np.float64)
    tx, ty = ends[1, 0], ends[1, 1]
    if size > 0:
        x, y = numbers[final, ROOT_X], numbers[final, ROOT_Y]
        link = np.int64(ids[final, LINK])
        rx, ry, lx, ly = portal[link, 0, 0], portal[link, 0, 1], portal[link, 1, 0], portal[link, 1, 1]
        rx, ry, lx, ly = interval(rx, ry, lx, ly, numbers[final, LOW], numbers[final, HIGH])
        _, turn = bend_towards(x, y, rx, ry, lx, ly, tx, ty, on_line_of(x, y, rx, ry, lx, ly))
        if turn == RIGHT:
            tx, ty = rx, ry
        elif turn == LEFT:
            tx, ty = lx, ly
    for k in range(size - 1, -1, -1):
        target[k, 0], target[k, 1] = tx, ty
        if k > 0:
            x, y = numbers[chain[k], ROOT_X], numbers[chain[k], ROOT_Y]
            if x != numbers[chain[k - 1], ROOT_X] or y != numbers[chain[k - 1], ROOT_Y]:
                tx, ty = x, y
    points, bends = np.empty((2 * size + 2, 3), np.float64), np.zeros(2 * size + 2, np.bool_)
    faces = np.empty(size + 1, np.int64)
    faces[0] = start_face if size == 0 else ids[chain[0], FACE]
    points[0, 0], points[0, 1], points[0, 2] = ends[0, 0], ends[0, 1], ends[0, 2]
    bends[0] = True
    made = 1
    for k in range(size):
        link, face = np.int64(ids[chain[k], LINK]), np.int64(ids[chain[k], FACE])
        faces[k + 1] = links.face[link]
        x, y = numbers[chain[k], ROOT_X], numbers[chain[k], ROOT_Y]
        dx, dy = target[k, 0] - x, target[k, 1] - y
        px, py = portal[link, 0, 0], portal[link, 0, 1]
        ex, ey = portal[link, 1, 0] - px, portal[link, 1, 1] - py
        across = dx * ey - dy * ex
        if abs(across) > TOUCH * (abs(ex) + abs(ey)):
            along = (dx * (y - py) - dy * (x - px)) / across
        else:
            along = ((x - px) * ex + (y - py) * ey) / (ex * ex + ey * ey)
        along = min(max(along, 0.0), 1.0)
        cx, cy = px + along * ex, py + along * ey
        if along == 1.0:
            cx, cy = portal[link, 1, 0], portal[link, 1, 1]
        bend = abs(cx - target[k, 0]) + abs(cy - target[k, 1]) <= TOUCH
        bend = bend and abs(cx - ends[1, 0]) + abs(cy - ends[1, 1]) > TOUCH
        near, _ = _height_at_portal(portal, link, cx, cy)
        far = near  # if no link leads back
        first = np.int64(links.start[faces[k + 1]])
        for back in range(first, first + np.int64(links.count[faces[k + 1]])):
            if np.int64(links.face[back]) == face:
                behind, share = _height_at_portal(portal, back, cx, cy)
                if -TOUCH <= share <= 1.0 + TOUCH:
                    far = behind
                    break
        for side in range(2):
            z = near if side == 0 else far
            ahead = abs(cx - points[made - 1, 0]) + abs(cy - points[made - 1, 1])
            if ahead <= TOUCH and abs(z - points[made - 1, 2]) <= TOUCH:
                bends[made - 1] |= bend and side == 0
                continue
            points[made, 0], points[made, 1], points[made, 2] = cx, cy, z
            bends[made] = bend and side == 0
            made += 1
    away = abs(points[made - 1, 0] - ends[1, 0]) + abs(points[made - 1, 1] - ends[1, 1])
    if away > TOUCH or abs(points[made - 1, 2] - ends[1, 2]) > TOUCH:
        points[made, 0], points[made, 1], points[made, 2] = ends[1, 0], ends[1, 1], ends[1, 2]
        made += 1
    bends[made - 1] = True
    return points, bends, made, faces


@inner
def no_ways(count: int) -> Ways:
    """Return arrays for `count` paths that are not found yet."""
    point_start, face_start = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
    points, bends, faces = np.empty((64, 3)), np.empty(64, np.bool_), np.empty(64, np.int32)
    return Ways(np.zeros(count, np.uint8), np.zeros(count), point_start, points, bends, face_start, faces)


@jit
def _more_room(ways: Ways, needed: int) -> Ways:
    """Return the same paths with room for at least `needed` points and faces."""
    points, bends, faces = ways.points, ways.bends, ways.faces
    size = len(bends)
    room = max(2 * size, needed)
    more_points, more_bends, more_faces = np.empty((room, 3)), np.empty(room, np.bool_), np.empty(room, np.int32)
    for k in range(size):
        more_points[k, 0], more_points[k, 1], more_points[k, 2] = points[k, 0], points[k, 1], points[k, 2]
        more_bends[k], more_faces[k] = bends[k], faces[k]
    return Ways(ways.status, ways.length, ways.point_start, more_points, more_bends, ways.face_start, more_faces)


@inner
def comes_first(ends: Array) -> bool:
    """Return whether the goal precedes the start in the order of x, then y, then z."""
    for axis in range(3):
        if ends[0, axis] != ends[1, axis]:
            return ends[1, axis] < ends[0, axis]
    return False


@inner
def swap(ends: Array) -> None:
    """Swap start and goal."""
    for axis in range(3):
        ends[0, axis], ends[1, axis] = ends[1, axis], ends[0, axis]


@inner
def pair_faces(mesh: MeshArrays, component: Array, ends: Array, below: float, above: float) -> tuple[int, int, int]:
    """Return whether a pair can be connected (`FOUND`) or why not, and the faces under its start and goal."""
    start_face, goal_face = np.int64(-1), np.int64(-1)
    for k in range(2):
        start_face, goal_face = goal_face, face_under(mesh, ends[k, 0], ends[k, 1], ends[k, 2], below, above)
    status = FOUND
    if start_face < 0:
        status = START_OFF
    elif goal_face < 0:
        status = GOAL_OFF
    elif component[mesh.face_parent[start_face]] != component[mesh.face_parent[goal_face]]:
        status = NO_WAY
    return status, start_face, goal_face


@inner
def write_way(
    mesh: MeshArrays,
    links: LinkArrays,
    numbers: Array,
    ids: Array,
    final: int,
    ends: Array,
    start_face: int,
    goal_face: int,
    flip: bool,
    i: int,
    ways: Ways,
) -> Ways:
    """Write path `i`, reversed if `flip`; return the paths, in longer arrays if necessary."""
    for k in range(2):
        face = start_face if k == 0 else goal_face
        plane = mesh.face_plane
        ends[k, 2] = plane[face, 0] * ends[k, 0] + plane[face, 1] * ends[k, 1] + plane[face, 2]
    way, way_bends, size, way_faces = _trace(links, numbers, ids, final, ends, start_face)
    first, made = ways.point_start[i], ways.face_start[i]
    if max(first + size, made + len(way_faces)) > len(ways.bends):
        ways = _more_room(ways, max(first + size, made + len(way_faces)))
    length, points, bends, faces = ways.length, ways.points, ways.bends, ways.faces
    for k in range(size):
        to = first + (size - 1 - k if flip else k)
        for axis in range(3):
            points[to, axis] = way[k, axis]
        bends[to] = way_bends[k]
        if k > 0:
            dx, dy, dz = way[k, 0] - way[k - 1, 0], way[k, 1] - way[k - 1, 1], way[k, 2] - way[k - 1, 2]
            length[i] += np.sqrt(dx * dx + dy * dy + dz * dz)
    ways.point_start[i + 1] = first + size
    for k in range(len(way_faces)):
        base = mesh.face_parent[way_faces[len(way_faces) - 1 - k if flip else k]]
        if made == ways.face_start[i] or faces[made - 1] != base:
            faces[made] = base
            made += 1
    ways.face_start[i + 1] = made
    return ways


@jit
def find_ways(
    mesh: MeshArrays, component: Array, starts: Array, goals: Array, below: float, above: float, most: int
) -> Ways:
    """Find the shortest path for each pair that can be connected, if the search needs at most about `most` nodes.

    Pairs whose status is not `FOUND` have no points; see `find_other_ways`.
    """
    links = LinkArrays(mesh.link_start, mesh.link_count, mesh.link_face, mesh.link_portal, mesh.link_wall)
    ways = no_ways(len(starts))
    status = ways.status
    room = search_arrays()
    ends = np.empty((2, 3), np.float64)
    fan = np.empty(16, np.int64)
    for i in range(len(starts)):
        ways.point_start[i + 1], ways.face_start[i + 1] = ways.point_start[i], ways.face_start[i]
        for k in range(3):
            ends[0, k], ends[1, k] = starts[i, k], goals[i, k]
        status[i], start_face, goal_face = pair_faces(mesh, component, ends, below, above)
        if status[i] != FOUND:
            continue
        # Search both directions the same way, so that both take the same one of several equally long paths.
        flip = comes_first(ends)
        if flip:
            start_face, goal_face = goal_face, start_face
            swap(ends)
        fan, touched = fan_about(mesh, start_face, ends[0, 0], ends[0, 1], fan)
        for k in range(touched):
            if fan[k] == goal_face:
                start_face = goal_face
        final = np.int64(-1)
        if start_face != goal_face:
            room, final = search(
                links, room, ends[0, 0], ends[0, 1], fan, touched, ends[1, 0], ends[1, 1], goal_face, most
            )
            if final < 0:
                status[i] = GAVE_UP
                continue
        ways = write_way(mesh, links, room.numbers, room.ids, final, ends, start_face, goal_face, flip, i, ways)
    return ways
