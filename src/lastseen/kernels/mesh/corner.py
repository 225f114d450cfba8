"""Surroundings of a point of the mesh: the faces linked around it, and the walls that touch it."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import MeshArrays
from ..jit import inner, jit
from .point_location import TOUCH

WALL_ACROSS, WALL_AHEAD, WALL_BEHIND = 1, 2, 4

GAP = 2.0 * TOUCH
"""Metres: narrower gaps between portals are rounding errors, not walls."""


@inner
def touches_portal(ax: float, ay: float, bx: float, by: float, x: float, y: float) -> bool:
    """Return whether `(x, y)` lies on the portal from `a` to `b`."""
    ex, ey = bx - ax, by - ay
    along = ((x - ax) * ex + (y - ay) * ey) / (ex * ex + ey * ey)
    along = min(max(along, 0.0), 1.0)
    off_x, off_y = x - ax - along * ex, y - ay - along * ey
    return off_x * off_x + off_y * off_y <= GAP * GAP


@jit
def _is_far(ax: float, ay: float, bx: float, by: float, x: float, y: float) -> bool:
    """Return whether `(x, y)` lies clear of the box around `a` and `b`: most points do and need no exact test."""
    clear = 2.0 * GAP
    return x > max(ax, bx) + clear or x < min(ax, bx) - clear or y > max(ay, by) + clear or y < min(ay, by) - clear


@inner
def fan_about(mesh: MeshArrays, face: int, x: float, y: float, fan: Array) -> tuple[Array, int]:
    """Return the faces around `(x, y)` that portals touching it connect to `face`, and how many there are.

    They are written to `fan` (n,), or to a longer array that replaces it if it becomes too short.
    """
    portal = mesh.link_portal
    fan[0] = face
    count = 1
    done = 0
    while done < count:
        start = np.int64(mesh.link_start[fan[done]])
        for link in range(start, start + np.int64(mesh.link_count[fan[done]])):
            ax, ay, bx, by = portal[link, 0, 0], portal[link, 0, 1], portal[link, 1, 0], portal[link, 1, 1]
            if _is_far(ax, ay, bx, by, x, y) or not touches_portal(ax, ay, bx, by, x, y):
                continue
            other = np.int64(mesh.link_face[link])
            known = False
            for k in range(count):
                known |= fan[k] == other
            if not known:
                if count == len(fan):
                    longer = np.empty(2 * count, np.int64)
                    for k in range(count):
                        longer[k] = fan[k]
                    fan = longer
                fan[count] = other
                count += 1
        done += 1
    return fan, count


@jit
def _covered(mesh: MeshArrays, face: int, edge: int, low: float, high: float) -> bool:
    """Return whether a portal on `edge` extends from below `low` to above `high` metres along it."""
    first = np.int64(mesh.face_start[face])
    a = mesh.face_vertex[first + edge]
    b = mesh.face_vertex[first + (edge + 1) % np.int64(mesh.face_count[face])]
    ax, ay = mesh.vertex_xyz[a, 0], mesh.vertex_xyz[a, 1]
    ex, ey = mesh.vertex_xyz[b, 0] - ax, mesh.vertex_xyz[b, 1] - ay
    length = np.sqrt(ex * ex + ey * ey)
    start = np.int64(mesh.link_start[face])
    for link in range(start, start + np.int64(mesh.link_count[face])):
        if np.int64(mesh.link_edge[link]) != edge:
            continue
        right = ((mesh.link_portal[link, 0, 0] - ax) * ex + (mesh.link_portal[link, 0, 1] - ay) * ey) / length
        left = ((mesh.link_portal[link, 1, 0] - ax) * ex + (mesh.link_portal[link, 1, 1] - ay) * ey) / length
        if right < low and left > high:
            return True
    return False


@inner
def walls_about(mesh: MeshArrays, fan: Array, count: int, x: float, y: float, dx: float, dy: float) -> int:
    """Return the walls that start at `(x, y)` among the faces of `fan`, as bits seen when walking along `d`.

    WALL_AHEAD and WALL_BEHIND run along `d`; any other is WALL_ACROSS. 0: no wall touches the point.
    """
    walls = 0
    stride = np.sqrt(dx * dx + dy * dy)
    for k in range(count):
        face = fan[k]
        first, corners = np.int64(mesh.face_start[face]), np.int64(mesh.face_count[face])
        for edge in range(corners):
            a = mesh.face_vertex[first + edge]
            b = mesh.face_vertex[first + (edge + 1) % corners]
            ax, ay, bx, by = mesh.vertex_xyz[a, 0], mesh.vertex_xyz[a, 1], mesh.vertex_xyz[b, 0], mesh.vertex_xyz[b, 1]
            if _is_far(ax, ay, bx, by, x, y):
                continue
            ex, ey = bx - ax, by - ay
            length = np.sqrt(ex * ex + ey * ey)
            at = ((x - ax) * ex + (y - ay) * ey) / length
            off = abs(ex * (y - ay) - ey * (x - ax)) / length
            if off > GAP or at < -GAP or at > length + GAP:
                continue
            forward = length - at > GAP and not _covered(mesh, face, edge, at + GAP, at + GAP)
            backward = at > GAP and not _covered(mesh, face, edge, at - GAP, at - GAP)
            if not forward and not backward:
                continue
            across = abs(ex * dy - ey * dx) > 1e-6 * length * stride
            same = ex * dx + ey * dy > 0.0
            if across or stride == 0.0:
                walls |= WALL_ACROSS
            elif forward == backward:
                walls |= WALL_AHEAD | WALL_BEHIND
            else:
                walls |= WALL_AHEAD if forward == same else WALL_BEHIND
    return walls


@jit
def mark_walls(mesh: MeshArrays, link_wall: Array, faces: Array, links: Array) -> None:
    """Add to `link_wall` the bits of portal ends that touch a wall; link `links[i]` leaves face `faces[i]`."""
    fan = np.empty(16, np.int64)
    for i in range(len(links)):
        for end in range(2):
            if (link_wall[links[i]] >> end) & 1:
                continue
            x, y = mesh.link_portal[links[i], end, 0], mesh.link_portal[links[i], end, 1]
            fan, count = fan_about(mesh, faces[i], x, y, fan)
            if walls_about(mesh, fan, count, x, y, 0.0, 0.0):
                link_wall[links[i]] |= np.uint8(1 << end)


@jit
def faces_about_links(mesh: MeshArrays, faces: Array, links: Array) -> tuple[Array, Array]:
    """Return the faces around both ends of links, and for each the face that its link leaves, as in `mark_walls`."""
    fan = np.empty(16, np.int64)
    about, leaving = np.empty(64, np.int64), np.empty(64, np.int64)
    made = 0
    for i in range(len(links)):
        for end in range(2):
            x, y = mesh.link_portal[links[i], end, 0], mesh.link_portal[links[i], end, 1]
            fan, count = fan_about(mesh, faces[i], x, y, fan)
            if made + count > len(about):
                more_about, more_leaving = np.empty(2 * made + count, np.int64), np.empty(2 * made + count, np.int64)
                for k in range(made):
                    more_about[k], more_leaving[k] = about[k], leaving[k]
                about, leaving = more_about, more_leaving
            for k in range(count):
                about[made], leaving[made] = fan[k], faces[i]
                made += 1
    return about[:made], leaving[:made]
