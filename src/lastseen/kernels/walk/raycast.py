"""Straight walks on the navmesh: how far a line can be followed."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import MeshArrays
from ..jit import jit
from ..mesh.corner import WALL_AHEAD, WALL_BEHIND, fan_about, walls_about
from ..mesh.point_location import TOUCH, child_under, contains, face_under

REACHED, WALL, OFF_MESH, OTHER_FLOOR = 0, 1, 2, 3


@jit
def _leaves_at(mesh: MeshArrays, face: int, x0: float, y0: float, x1: float, y1: float) -> tuple[float, int]:
    """Return the fraction of a line at which it leaves a convex face, and the edge it crosses.

    Returns 2.0 and -1 if it ends inside. An edge counts only if the end lies beyond it, so that the quotient is sound.
    """
    first = np.uint64(mesh.face_start[face])
    count = np.uint64(mesh.face_count[face])
    a = mesh.face_vertex[first]
    ax, ay = mesh.vertex_xyz[a, 0], mesh.vertex_xyz[a, 1]
    first_x, first_y = ax, ay
    least, edge = 2.0, np.int64(-1)
    for k in range(count):
        if k + np.uint64(1) < count:
            b = mesh.face_vertex[first + np.uint64(k) + np.uint64(1)]
            bx, by = mesh.vertex_xyz[b, 0], mesh.vertex_xyz[b, 1]
        else:
            bx, by = first_x, first_y
        ex, ey = bx - ax, by - ay
        beyond = ex * (y1 - ay) - ey * (x1 - ax)
        # The same tolerance as in `contains`, as the next line may begin where this one ends.
        if beyond < 0.0 and beyond * beyond > TOUCH * TOUCH * (ex * ex + ey * ey):
            before = ex * (y0 - ay) - ey * (x0 - ax)
            # before <= 0: the line is outside this edge from the start.
            fraction = before / (before - beyond) if before > 0.0 else 0.0
            if fraction < least:
                least, edge = fraction, np.int64(k)
        ax, ay = bx, by
    return least, edge


@jit
def _past_corner(
    mesh: MeshArrays,
    face: int,
    x: float,
    y: float,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    gone: float,
    strict: bool,
) -> int:
    """Return the face in which a line continues past a corner at `(x, y)` that it touches, or -1.

    A face that meets this one only in the corner, with walls on both sides, is not entered. A strict line does not pass
    a corner of a wall, but may slide along a straight one; its own ends may touch walls. The next face must lead beyond
    the fraction `gone` of the line, so the walk never goes in circles.
    """
    dx, dy = x1 - x0, y1 - y0
    length = np.sqrt(dx * dx + dy * dy)
    if length == 0.0:
        return -1
    fan, count = fan_about(mesh, face, x, y, np.empty(16, np.int64))
    here = ((x - x0) * dx + (y - y0) * dy) / (length * length)
    if strict and here * length > TOUCH and (1.0 - here) * length > TOUCH:
        walls = walls_about(mesh, fan, count, x, y, dx, dy)
        if walls != 0 and walls != (WALL_AHEAD | WALL_BEHIND):
            return -1
    best, chosen = max(here, gone) + 4.0 * TOUCH / length, -1
    for k in range(count):
        leaves, _ = _leaves_at(mesh, fan[k], x0, y0, x1, y1)
        if leaves > best or (leaves == best and chosen >= 0 and fan[k] < chosen):
            best, chosen = leaves, fan[k]
    return chosen


@jit
def _slides_into(
    mesh: MeshArrays, face: int, x0: float, y0: float, x1: float, y1: float, low: float, high: float
) -> float:
    """Return the fraction in `low … high` where a strict line along an edge of `face` hits a wall's corner, or 2.0."""
    dx, dy = x1 - x0, y1 - y0
    length = np.sqrt(dx * dx + dy * dy)
    least = 2.0
    if length == 0.0:
        return least
    fan = np.empty(16, np.int64)
    start = np.int64(mesh.link_start[face])
    for link in range(start, start + np.int64(mesh.link_count[face])):
        for end in range(2):
            if not mesh.link_wall[link] & (1 << end):
                continue
            x, y = mesh.link_portal[link, end, 0], mesh.link_portal[link, end, 1]
            if abs(dx * (y - y0) - dy * (x - x0)) > TOUCH * length:
                continue
            here = ((x - x0) * dx + (y - y0) * dy) / (length * length)
            inside = here > low + TOUCH / length and here < high - TOUCH / length
            if inside and here * length > TOUCH and (1.0 - here) * length > TOUCH and here < least:
                fan, count = fan_about(mesh, face, x, y, fan)
                walls = walls_about(mesh, fan, count, x, y, dx, dy)
                if walls != 0 and walls != (WALL_AHEAD | WALL_BEHIND):
                    least = here
    return least


@jit
def cast_rays(
    mesh: MeshArrays,
    starts: Array,
    ends: Array,
    start_faces: Array,
    below: float,
    above: float,
    strict: bool,
    outcomes: Array,
    points: Array,
    fractions: Array,
    normals: Array,
    faces: Array,
) -> None:
    """Follow every line through the faces it crosses; fill where and why it stops, in which face, and any wall normal.

    `start_faces[i]` is a base face known to contain the start, or -1 to look for one.
    """
    limit, under = 2 * len(mesh.face_start) + 64, np.int64(-1)
    for i in range(len(starts)):
        x0, y0 = starts[i, 0], starts[i, 1]
        x1, y1 = ends[i, 0], ends[i, 1]
        dx, dy = x1 - x0, y1 - y0
        points[i, 0], points[i, 1], points[i, 2] = x0, y0, starts[i, 2]
        normals[i, 0], normals[i, 1] = 0.0, 0.0
        fractions[i], faces[i] = 0.0, -1
        face = np.int64(start_faces[i])
        if face < 0:
            # Rays from one point, as of a guard that looks at many cells, start in one face.
            is_same = i > 0 and x0 == starts[i - 1, 0] and y0 == starts[i - 1, 1] and starts[i, 2] == starts[i - 1, 2]
            if not is_same or under < 0:
                under = face_under(mesh, x0, y0, starts[i, 2], below, above)
            face = under
        else:
            under = -1
            if mesh.face_cut[face]:
                face = child_under(mesh, face, x0, y0)
            elif not contains(mesh, face, x0, y0):
                face = -1
        if face < 0:
            outcomes[i] = OFF_MESH
            continue
        outcome, fraction, edge = WALL, 0.0, np.int64(-1)
        touch = TOUCH * (abs(dx) + abs(dy))
        for _ in range(limit):
            leaves, edge = _leaves_at(mesh, face, x0, y0, x1, y1)
            if strict:
                bump = _slides_into(mesh, face, x0, y0, x1, y1, fraction, min(leaves, 1.0))
                if bump < 2.0:
                    fraction = bump
                    break
            if edge < 0:
                outcome, fraction = REACHED, 1.0
                break
            fraction = max(leaves, fraction)
            x, y = x0 + fraction * dx, y0 + fraction * dy
            onward, corner_x, corner_y, nearest = np.int64(-1), 0.0, 0.0, np.inf
            start = np.uint64(mesh.link_start[face])
            first, count = np.int64(mesh.face_start[face]), np.int64(mesh.face_count[face])
            for _ in range(count):
                for link in range(start, start + np.uint64(mesh.link_count[face])):
                    if np.int64(mesh.link_edge[link]) != edge:
                        continue
                    right_x, right_y = mesh.link_portal[link, 0, 0], mesh.link_portal[link, 0, 1]
                    left_x, left_y = mesh.link_portal[link, 1, 0], mesh.link_portal[link, 1, 1]
                    right = dx * (right_y - y0) - dy * (right_x - x0)
                    left = dx * (left_y - y0) - dy * (left_x - x0)
                    if right < -touch and left > touch:
                        onward = np.int64(mesh.link_face[link])
                        break
                    if abs(right) <= touch and abs(right_x - x) + abs(right_y - y) < nearest:
                        corner_x, corner_y, nearest = right_x, right_y, abs(right_x - x) + abs(right_y - y)
                    if abs(left) <= touch and abs(left_x - x) + abs(left_y - y) < nearest:
                        corner_x, corner_y, nearest = left_x, left_y, abs(left_x - x) + abs(left_y - y)
                if onward >= 0 or nearest < np.inf:
                    break
                a, b = mesh.face_vertex[first + edge], mesh.face_vertex[first + (edge + 1) % count]
                ax, ay, bx, by = (
                    mesh.vertex_xyz[a, 0],
                    mesh.vertex_xyz[a, 1],
                    mesh.vertex_xyz[b, 0],
                    mesh.vertex_xyz[b, 1],
                )
                right = dx * (ay - y0) - dy * (ax - x0)
                left = dx * (by - y0) - dy * (bx - x0)
                # Edges may be collinear: then the first one found need not be the one that the line crosses.
                if left < -touch:
                    edge = (edge + 1) % count
                elif right > touch:
                    edge = (edge + count - 1) % count
                else:
                    # Through a corner of the face: the line may continue beyond the next edge.
                    if abs(right) <= touch:
                        corner_x, corner_y, nearest = ax, ay, abs(ax - x) + abs(ay - y)
                    if abs(left) <= touch and abs(bx - x) + abs(by - y) < nearest:
                        corner_x, corner_y, nearest = bx, by, abs(bx - x) + abs(by - y)
                    break
            if onward >= 0:
                face = onward
                continue
            if nearest == np.inf:
                break
            onward = _past_corner(mesh, face, corner_x, corner_y, x0, y0, x1, y1, fraction, strict)
            if onward < 0:
                break
            face = onward
        x, y = x0 + fraction * dx, y0 + fraction * dy
        if fraction == 1.0:
            x, y = x1, y1
        z = mesh.face_plane[face, 0] * x + mesh.face_plane[face, 1] * y + mesh.face_plane[face, 2]
        if outcome == REACHED and not (ends[i, 2] - below - TOUCH <= z <= ends[i, 2] + above + TOUCH):
            outcome = OTHER_FLOOR
        if outcome == WALL and edge >= 0:
            first = np.int64(mesh.face_start[face])
            a = mesh.face_vertex[first + edge]
            b = mesh.face_vertex[first + (edge + 1) % np.int64(mesh.face_count[face])]
            ex = mesh.vertex_xyz[b, 0] - mesh.vertex_xyz[a, 0]
            ey = mesh.vertex_xyz[b, 1] - mesh.vertex_xyz[a, 1]
            length = np.sqrt(ex * ex + ey * ey)
            normals[i, 0], normals[i, 1] = -ey / length, ex / length
        outcomes[i] = outcome
        points[i, 0], points[i, 1], points[i, 2] = x, y, z
        fractions[i], faces[i] = fraction, mesh.face_parent[face]
