"""Paths between neighbouring cells that stay within the columns of the two cells."""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import CellArrays, MeshArrays
from ..jit import inner, jit
from ..mesh.point_location import TOUCH, child_under

MOST_FACES = 1024
"""Maximum of faces examined between two cells; a cell of one metre rarely overlaps ten. Longer paths are missed."""

_NARROW = 4.0 * TOUCH  # metres: a gap no wider than this cannot be passed

BLOCKED, CLEAR, UNCERTAIN = 0, 1, 2
_MARGIN = 1e-4  # metres: a line that passes a corner at a smaller distance is left to `cast_rays`
_MOST_STEPS = 64  # faces that a line between neighbours may cross


@jit
def clear_walks(
    mesh: MeshArrays,
    cell_xyz: Array,
    cell_face: Array,
    start_cell: Array,
    end_cell: Array,
    tolerance: float,
    out: Array,
) -> None:
    """Fill `out` (n,) with whether a straight walk joins two cells, if this can be decided without testing corners.

    `CLEAR`: the line crosses portals away from their ends, and the floor at its end is within `tolerance` metres of
    the cell. `BLOCKED`: it runs into a wall away from corners. `UNCERTAIN`: anything else, which `cast_rays` decides.
    """
    vertex_xyz, face_vertex, portal = mesh.vertex_xyz, mesh.face_vertex, mesh.link_portal
    for pair in range(len(out)):
        one, other = start_cell[pair], end_cell[pair]
        x0, y0 = np.float64(cell_xyz[one, 0]), np.float64(cell_xyz[one, 1])
        x1, y1 = np.float64(cell_xyz[other, 0]), np.float64(cell_xyz[other, 1])
        dx, dy = x1 - x0, y1 - y0
        margin = _MARGIN * math.sqrt(dx * dx + dy * dy)
        face, goal = np.int64(cell_face[one]), np.int64(cell_face[other])
        out[pair] = UNCERTAIN
        for _ in range(_MOST_STEPS):
            onward = np.int64(-1)
            is_clear = True
            first = np.int64(mesh.link_start[face])
            for link in range(first, first + np.int64(mesh.link_count[face])):
                right = dx * (portal[link, 0, 1] - y0) - dy * (portal[link, 0, 0] - x0)
                left = dx * (portal[link, 1, 1] - y0) - dy * (portal[link, 1, 0] - x0)
                is_clear &= (abs(right) > margin) & (abs(left) > margin)
                if (right < 0.0) & (left > 0.0):
                    onward = np.int64(mesh.link_face[link])
            if not is_clear:
                break
            if face == goal:
                z = mesh.face_plane[face, 0] * x1 + mesh.face_plane[face, 1] * y1 + mesh.face_plane[face, 2]
                if abs(z - cell_xyz[other, 2]) <= tolerance:
                    out[pair] = CLEAR
                break
            if onward < 0:
                # A wall if the line ends beyond it and does not leave the face at a corner.
                is_beyond = False
                corner = np.int64(mesh.face_start[face])
                last = corner + np.int64(mesh.face_count[face])
                ax, ay = vertex_xyz[face_vertex[last - 1], 0], vertex_xyz[face_vertex[last - 1], 1]
                while corner < last:
                    bx, by = vertex_xyz[face_vertex[corner], 0], vertex_xyz[face_vertex[corner], 1]
                    ex, ey = bx - ax, by - ay
                    is_clear &= abs(dx * (by - y0) - dy * (bx - x0)) > margin
                    is_beyond |= ey * (x1 - ax) - ex * (y1 - ay) > _MARGIN * math.sqrt(ex * ex + ey * ey)
                    ax, ay = bx, by
                    corner += 1
                if is_clear & is_beyond:
                    out[pair] = BLOCKED
                break
            face = onward


@jit
def _clip_portal(link_portal: Array, link: int, box: Array) -> tuple[float, float]:
    """Return the part of a portal that lies in a box (x low, y low, x high, y high), as fractions from its right end.

    Reversed if the part in the box is too narrow to pass.
    """
    low = 0.0
    high = 1.0
    square = 0.0
    for axis in range(2):
        start = link_portal[link, 0, axis]
        way = link_portal[link, 1, axis] - start
        square += way * way
        if way == 0.0:
            if start < box[axis] - TOUCH or start > box[axis + 2] + TOUCH:
                return 1.0, 0.0
        else:
            one = (box[axis] - start) / way
            other = (box[axis + 2] - start) / way
            low = max(low, min(one, other))
            high = min(high, max(one, other))
    if (high - low) * math.sqrt(square) > _NARROW:
        return low, high
    return 1.0, 0.0


@inner
def column_box(cells: CellArrays, one: int, other: int, box: Array) -> None:
    """Fill `box` with the rectangle spanned by the columns of two cells: x low, y low, x high, y high."""
    for axis in range(2):
        first = np.float64(cells.cell_grid[one, axis])
        last = np.float64(cells.cell_grid[other, axis])
        box[axis] = cells.origin_xyz[axis] + min(first, last) * cells.size_xyz[axis]
        box[axis + 2] = cells.origin_xyz[axis] + (max(first, last) + 1.0) * cells.size_xyz[axis]


@jit
def faces_in_box(mesh: MeshArrays, start_face: int, box: Array, faces: Array) -> int:
    """Fill `faces` with the faces reached from a face through portals within a box; return how many."""
    link_start, link_count, link_face = mesh.link_start, mesh.link_count, mesh.link_face
    faces[0] = start_face
    count = 1
    here = 0
    while here < count:
        first = np.int64(link_start[faces[here]])
        for link in range(first, first + np.int64(link_count[faces[here]])):
            other = np.int64(link_face[link])
            node = 0
            while node < count and faces[node] != other:
                node += 1
            if node == count and count < len(faces):
                low, high = _clip_portal(mesh.link_portal, link, box)
                if low < high:
                    faces[count] = other
                    count += 1
        here += 1
    return count


@jit
def walks_in_columns(
    mesh: MeshArrays,
    cells: CellArrays,
    start_faces: Array,
    end_faces: Array,
    start_cell: Array,
    end_cell: Array,
    faces: Array,
    nodes: Array,
    box: Array,
    lengths: Array,
) -> None:
    """Fill `lengths` (n,) with the walking distance between two cells in the box of their columns; infinite: no path.

    Whether there is a path is exact (faces and columns are convex) if it needs at most `len(faces)` faces; the length
    is that of a nearly straight but not necessarily shortest path. `start_faces` and `end_faces` (n,) are the base
    faces the cells stand on; `faces` (m,), `nodes` (m, 5) and `box` (4,) are scratch.
    """
    link_start, link_count, link_face, portal = mesh.link_start, mesh.link_count, mesh.link_face, mesh.link_portal
    face_plane, cell_xyz = mesh.face_plane, cells.cell_xyz
    for pair in range(len(lengths)):
        one = start_cell[pair]
        other_cell = end_cell[pair]
        lengths[pair] = np.inf
        start_face = np.int64(start_faces[pair])
        end_face = np.int64(end_faces[pair])
        start_x, start_y = np.float64(cell_xyz[one, 0]), np.float64(cell_xyz[one, 1])
        end_x, end_y = np.float64(cell_xyz[other_cell, 0]), np.float64(cell_xyz[other_cell, 1])
        if mesh.face_cut[start_face]:
            start_face = child_under(mesh, start_face, start_x, start_y)
        if mesh.face_cut[end_face]:
            end_face = child_under(mesh, end_face, end_x, end_y)
        if start_face < 0 or end_face < 0:
            continue
        column_box(cells, one, other_cell, box)
        # Columns of nodes: position, metres walked to it, 1.0 once that is final.
        faces[0] = start_face
        nodes[0, 0], nodes[0, 1], nodes[0, 2] = start_x, start_y, cell_xyz[one, 2]
        nodes[0, 3], nodes[0, 4] = 0.0, 0.0
        count = 1
        while True:
            here = -1
            for node in range(count):
                if nodes[node, 4] == 0.0 and (here < 0 or nodes[node, 3] < nodes[here, 3]):
                    here = node
            if here < 0:
                break
            nodes[here, 4] = 1.0
            face = faces[here]
            hx, hy, hz = nodes[here, 0], nodes[here, 1], nodes[here, 2]
            if face == end_face:
                dz = np.float64(cell_xyz[other_cell, 2]) - hz
                square = (end_x - hx) * (end_x - hx) + (end_y - hy) * (end_y - hy) + dz * dz
                lengths[pair] = nodes[here, 3] + math.sqrt(square)
                break
            first = np.int64(link_start[face])
            for link in range(first, first + np.int64(link_count[face])):
                low, high = _clip_portal(portal, link, box)
                if low >= high:
                    continue
                # The point where the line to the end crosses the portal, kept slightly away from wall corners.
                px, py = portal[link, 0, 0], portal[link, 0, 1]
                wx, wy = portal[link, 1, 0] - px, portal[link, 1, 1] - py
                dx, dy = end_x - hx, end_y - hy
                across = dx * wy - dy * wx
                at = 0.5 * (low + high)
                if across != 0.0:
                    at = (dx * (hy - py) - dy * (hx - px)) / across
                margin = 0.1 * (high - low)
                at = min(max(at, low + margin), high - margin)
                x = px + at * wx
                y = py + at * wy
                z = face_plane[face, 0] * x + face_plane[face, 1] * y + face_plane[face, 2]
                cost = nodes[here, 3] + math.sqrt((x - hx) * (x - hx) + (y - hy) * (y - hy) + (z - hz) * (z - hz))
                other = np.int64(link_face[link])
                node = 0
                while node < count and faces[node] != other:
                    node += 1
                if node == count:
                    if count == len(faces):
                        continue
                    faces[node] = other
                    nodes[node, 3], nodes[node, 4] = np.inf, 0.0
                    count += 1
                if nodes[node, 4] == 0.0 and cost < nodes[node, 3]:
                    nodes[node, 0], nodes[node, 1], nodes[node, 2], nodes[node, 3] = x, y, z, cost
