"""From search nodes to a way along the floor."""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .flood import closest_reachable
from .jit import jit
from .locate import TOUCH, face_under
from .mesh_arrays import MeshArrays
from .path_search import FACE, LEFT_X, LEFT_Y, LINK, PARENT, RIGHT_X, RIGHT_Y, ROOT_X, ROOT_Y, bend_towards, search

__all__ = ["FOUND", "GOAL_OFF", "NO_WAY", "START_OFF", "find_ways"]

FOUND, NO_WAY, START_OFF, GOAL_OFF = 0, 1, 2, 3


@jit
def _portal_height(mesh: MeshArrays, link: int, x: float, y: float) -> float:
    right, left = mesh.link_portal[link, 0], mesh.link_portal[link, 1]
    ex, ey = left[0] - right[0], left[1] - right[1]
    along = ((x - right[0]) * ex + (y - right[1]) * ey) / (ex * ex + ey * ey)
    return right[2] + min(max(along, 0.0), 1.0) * (left[2] - right[2])


@jit
def _height_beyond(mesh: MeshArrays, face: int, link: int, x: float, y: float, z: float) -> float:
    """Return the floor's height at `(x, y)` on the far side of a link of `face`; `z` where none leads back there."""
    other = np.int64(mesh.link_face[link])
    start = np.int64(mesh.link_start[other])
    for back in range(start, start + np.int64(mesh.link_count[other])):
        if np.int64(mesh.link_face[back]) != face:
            continue
        right, left = mesh.link_portal[back, 0], mesh.link_portal[back, 1]
        ex, ey = left[0] - right[0], left[1] - right[1]
        along = ((x - right[0]) * ex + (y - right[1]) * ey) / (ex * ex + ey * ey)
        if -TOUCH <= along <= 1.0 + TOUCH:
            return right[2] + min(max(along, 0.0), 1.0) * (left[2] - right[2])
    return z


@jit
def _trace(
    mesh: MeshArrays, numbers: Array, ids: Array, final: int, ends: Array, start_face: int
) -> tuple[Array, Array, Array]:
    """Return points on the floor (n, 3), whether the way bends there (n,), and the faces passed.

    There is a point wherever the way crosses a portal, two where there is a step. `ends` (2, 3): start and goal.
    """
    size = 0
    node = final
    while node >= 0:
        size += 1
        node = ids[node, PARENT]
    chain = np.empty(size, np.int64)
    node = final
    for k in range(size):
        chain[size - 1 - k] = node
        node = ids[node, PARENT]
    # Where the way heads for after passing each portal: the next bend, or the goal.
    target = np.empty((size, 2), np.float64)
    tx, ty = ends[1, 0], ends[1, 1]
    if size > 0:
        last = numbers[final]
        _, bend = bend_towards(
            last[ROOT_X], last[ROOT_Y], last[RIGHT_X], last[RIGHT_Y], last[LEFT_X], last[LEFT_Y], tx, ty
        )
        if bend == 1:
            tx, ty = last[RIGHT_X], last[RIGHT_Y]
        elif bend == 2:
            tx, ty = last[LEFT_X], last[LEFT_Y]
    for k in range(size - 1, -1, -1):
        target[k, 0], target[k, 1] = tx, ty
        if k > 0:
            x, y = numbers[chain[k], ROOT_X], numbers[chain[k], ROOT_Y]
            if x != numbers[chain[k - 1], ROOT_X] or y != numbers[chain[k - 1], ROOT_Y]:
                tx, ty = x, y
    points, bends = np.empty((2 * size + 2, 3), np.float64), np.zeros(2 * size + 2, np.bool_)
    faces = np.empty(size + 1, np.int64)
    faces[0] = start_face
    points[0] = ends[0]
    bends[0] = True
    made = 1
    for k in range(size):
        link, face = ids[chain[k], LINK], ids[chain[k], FACE]
        faces[k + 1] = mesh.link_face[link]
        x, y = numbers[chain[k], ROOT_X], numbers[chain[k], ROOT_Y]
        dx, dy = target[k, 0] - x, target[k, 1] - y
        px, py = mesh.link_portal[link, 0, 0], mesh.link_portal[link, 0, 1]
        ex, ey = mesh.link_portal[link, 1, 0] - px, mesh.link_portal[link, 1, 1] - py
        across = dx * ey - dy * ex
        if abs(across) > TOUCH * (abs(ex) + abs(ey)):
            along = (dx * (y - py) - dy * (x - px)) / across
        else:
            along = ((x - px) * ex + (y - py) * ey) / (ex * ex + ey * ey)
        along = min(max(along, 0.0), 1.0)
        cx, cy = px + along * ex, py + along * ey
        if along == 1.0:
            cx, cy = mesh.link_portal[link, 1, 0], mesh.link_portal[link, 1, 1]
        bend = abs(cx - target[k, 0]) + abs(cy - target[k, 1]) <= TOUCH
        bend = bend and abs(cx - ends[1, 0]) + abs(cy - ends[1, 1]) > TOUCH
        near = _portal_height(mesh, link, cx, cy)
        far = _height_beyond(mesh, face, link, cx, cy, near)
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
        points[made] = ends[1]
        made += 1
    bends[made - 1] = True
    return points[:made], bends[:made], faces


@jit
def _floor(mesh: MeshArrays, face: int, x: float, y: float) -> float:
    return mesh.face_plane[face, 0] * x + mesh.face_plane[face, 1] * y + mesh.face_plane[face, 2]


@jit
def find_ways(
    mesh: MeshArrays, component: Array, starts: Array, goals: Array, below: float, above: float
) -> tuple[Array, Array, Array, Array, Array, Array, Array]:
    """Find a way for each pair.

    Returns status (n,), length (n,) in metres along the floor, point_start (n + 1,), points (p, 3), bends (p,),
    face_start (n + 1,), faces (q,): base faces. Where the goal cannot be had, the way leads to the reachable point
    nearest to it.
    """
    count = len(starts)
    status, length = np.zeros(count, np.uint8), np.zeros(count, np.float64)
    point_start, face_start = np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
    points, bends = np.empty((64, 3), np.float64), np.empty(64, np.bool_)
    faces = np.empty(64, np.int32)
    numbers, ids = np.empty((0, 8), np.float64), np.empty((0, 5), np.int64)
    ends = np.empty((2, 3), np.float64)
    for i in range(count):
        point_start[i + 1], face_start[i + 1] = point_start[i], face_start[i]
        start_face = np.int64(face_under(mesh, starts[i, 0], starts[i, 1], starts[i, 2], below, above))
        if start_face < 0:
            status[i] = START_OFF
            continue
        ends[0], ends[1] = starts[i], goals[i]
        goal_face = np.int64(face_under(mesh, goals[i, 0], goals[i, 1], goals[i, 2], below, above))
        final = np.int64(-1)
        if goal_face < 0:
            status[i] = GOAL_OFF
        elif component[mesh.face_parent[start_face]] != component[mesh.face_parent[goal_face]]:
            status[i] = NO_WAY
        elif start_face != goal_face:
            numbers, ids, final = search(mesh, ends[0, 0], ends[0, 1], start_face, ends[1, 0], ends[1, 1], goal_face)
            if final < 0:
                status[i] = NO_WAY
        if status[i] != FOUND:
            goal_face, gx, gy, gz = closest_reachable(mesh, start_face, goals[i, 0], goals[i, 1], goals[i, 2])
            ends[1, 0], ends[1, 1], ends[1, 2] = gx, gy, gz
            final = np.int64(-1)
            if start_face != goal_face:
                numbers, ids, final = search(mesh, ends[0, 0], ends[0, 1], start_face, gx, gy, goal_face)
        ends[0, 2] = _floor(mesh, start_face, ends[0, 0], ends[0, 1])
        ends[1, 2] = _floor(mesh, goal_face, ends[1, 0], ends[1, 1])
        way, way_bends, way_faces = _trace(mesh, numbers, ids, final, ends, start_face)
        first, size = point_start[i], len(way)
        while first + size > len(points):
            more, more_bends = np.empty((2 * len(points), 3), np.float64), np.empty(2 * len(bends), np.bool_)
            more[: len(points)], more_bends[: len(bends)] = points, bends
            points, bends = more, more_bends
        points[first : first + size], bends[first : first + size] = way, way_bends
        point_start[i + 1] = first + size
        for k in range(1, size):
            step = way[k] - way[k - 1]
            length[i] += np.sqrt(step[0] ** 2 + step[1] ** 2 + step[2] ** 2)
        made = face_start[i]
        while made + len(way_faces) > len(faces):
            more_faces = np.empty(2 * len(faces), np.int32)
            more_faces[: len(faces)] = faces
            faces = more_faces
        for k in range(len(way_faces)):
            base = mesh.face_parent[way_faces[k]]
            if made == face_start[i] or faces[made - 1] != base:
                faces[made] = base
                made += 1
        face_start[i + 1] = made
    return (
        status,
        length,
        point_start,
        points[: point_start[count]],
        bends[: point_start[count]],
        face_start,
        faces[: face_start[count]],
    )
