"""Walks between neighbouring cells that do not leave the columns the two stand in."""

from __future__ import annotations

import math

import numpy as np

from ..conventions import Array
from .cell_arrays import CellArrays
from .jit import jit
from .locate import TOUCH, child_under
from .mesh_arrays import MeshArrays

__all__ = ["MOST_FACES", "column_box", "faces_in_box", "walks_in_columns"]

MOST_FACES = 1024
"""Faces looked at between two cells; a cell of one metre rarely meets ten. Ways through more are not found."""

_NARROW = 4.0 * TOUCH  # metres: a gap no wider than this is a touch, not a way


@jit
def _clip_portal(mesh: MeshArrays, link: int, box: Array) -> tuple[float, float]:
    """Which part of a portal lies in a box (x low, y low, x high, y high)? Fractions from its right end."""
    low = 0.0
    high = 1.0
    for axis in range(2):
        start = mesh.link_portal[link, 0, axis]
        way = mesh.link_portal[link, 1, axis] - start
        if way == 0.0:
            if start < box[axis] - TOUCH or start > box[axis + 2] + TOUCH:
                return 1.0, 0.0
        else:
            one = (box[axis] - start) / way
            other = (box[axis + 2] - start) / way
            low = max(low, min(one, other))
            high = min(high, max(one, other))
    return low, high


@jit
def _opens(mesh: MeshArrays, link: int, box: Array) -> bool:
    """Is the part of a portal within a box wide enough to pass?"""
    low, high = _clip_portal(mesh, link, box)
    if low >= high:
        return False
    wx = mesh.link_portal[link, 1, 0] - mesh.link_portal[link, 0, 0]
    wy = mesh.link_portal[link, 1, 1] - mesh.link_portal[link, 0, 1]
    return (high - low) * math.sqrt(wx * wx + wy * wy) > _NARROW


@jit
def column_box(cells: CellArrays, one: int, other: int, box: Array) -> None:
    """Write the rectangle that the columns of two cells span: x low, y low, x high, y high."""
    for axis in range(2):
        first = min(cells.cell_grid[one, axis], cells.cell_grid[other, axis])
        last = max(cells.cell_grid[one, axis], cells.cell_grid[other, axis])
        box[axis] = cells.origin_xyz[axis] + first * cells.size_xyz[axis]
        box[axis + 2] = cells.origin_xyz[axis] + (np.float64(last) + 1.0) * cells.size_xyz[axis]


@jit
def faces_in_box(mesh: MeshArrays, start_face: int, box: Array, faces: Array) -> int:
    """Which faces does one reach from a face through portals within a box? Into `faces`; returns their number."""
    faces[0] = start_face
    count = 1
    here = 0
    while here < count:
        first = np.int64(mesh.link_start[faces[here]])
        for link in range(first, first + np.int64(mesh.link_count[faces[here]])):
            other = np.int64(mesh.link_face[link])
            node = 0
            while node < count and faces[node] != other:
                node += 1
            if node == count and count < len(faces) and _opens(mesh, link, box):
                faces[count] = other
                count += 1
        here += 1
    return count


@jit
def _crossing(mesh: MeshArrays, link: int, low: float, high: float, x: float, y: float, ex: float, ey: float) -> float:
    """Where does a walker at (x, y) bound for (ex, ey) best cross a part of a portal? Fraction from its right end."""
    px = mesh.link_portal[link, 0, 0]
    py = mesh.link_portal[link, 0, 1]
    wx = mesh.link_portal[link, 1, 0] - px
    wy = mesh.link_portal[link, 1, 1] - py
    dx = ex - x
    dy = ey - y
    across = dx * wy - dy * wx
    best = 0.5 * (low + high)
    if across != 0.0:
        best = (dx * (y - py) - dy * (x - px)) / across
    # A little away from the ends, which may be corners of walls.
    margin = 0.1 * (high - low)
    return min(max(best, low + margin), high - margin)


@jit
def _walk(
    mesh: MeshArrays,
    start_face: int,
    end_face: int,
    start: Array,
    end: Array,
    box: Array,
    faces: Array,
    points: Array,
    costs: Array,
    done: Array,
) -> float:
    """How far is it from face to face through portals within a box? Infinite: no way. The last four are scratch."""
    faces[0] = start_face
    points[0, 0], points[0, 1], points[0, 2] = start[0], start[1], start[2]
    costs[0] = 0.0
    done[0] = False
    count = 1
    while True:
        here = -1
        for node in range(count):
            if not done[node] and (here < 0 or costs[node] < costs[here]):
                here = node
        if here < 0:
            return np.inf
        done[here] = True
        face = faces[here]
        if face == end_face:
            return costs[here] + math.sqrt(
                (end[0] - points[here, 0]) ** 2 + (end[1] - points[here, 1]) ** 2 + (end[2] - points[here, 2]) ** 2
            )
        first = np.int64(mesh.link_start[face])
        for link in range(first, first + np.int64(mesh.link_count[face])):
            if not _opens(mesh, link, box):
                continue
            low, high = _clip_portal(mesh, link, box)
            wx = mesh.link_portal[link, 1, 0] - mesh.link_portal[link, 0, 0]
            wy = mesh.link_portal[link, 1, 1] - mesh.link_portal[link, 0, 1]
            at = _crossing(mesh, link, low, high, points[here, 0], points[here, 1], end[0], end[1])
            x = mesh.link_portal[link, 0, 0] + at * wx
            y = mesh.link_portal[link, 0, 1] + at * wy
            z = mesh.face_plane[face, 0] * x + mesh.face_plane[face, 1] * y + mesh.face_plane[face, 2]
            cost = costs[here] + math.sqrt(
                (x - points[here, 0]) ** 2 + (y - points[here, 1]) ** 2 + (z - points[here, 2]) ** 2
            )
            other = np.int64(mesh.link_face[link])
            node = 0
            while node < count and faces[node] != other:
                node += 1
            if node == count:
                if count == MOST_FACES:
                    continue
                faces[node] = other
                costs[node] = np.inf
                done[node] = False
                count += 1
            if not done[node] and cost < costs[node]:
                costs[node] = cost
                points[node, 0], points[node, 1], points[node, 2] = x, y, z


@jit
def walks_in_columns(
    mesh: MeshArrays, cells: CellArrays, cell_face: Array, start_cell: Array, end_cell: Array, lengths: Array
) -> None:
    """How far is it between two cells without leaving the box of their columns? Into `lengths` (n,); infinite: no way.

    Whether there is a way is exact (faces and columns are convex) as far as it needs at most `MOST_FACES` faces; the
    length is that of a taut but not shortest line.
    """
    faces = np.empty(MOST_FACES, np.int64)
    points = np.empty((MOST_FACES, 3))
    costs = np.empty(MOST_FACES)
    done = np.empty(MOST_FACES, np.bool_)
    start = np.empty(3)
    end = np.empty(3)
    box = np.empty(4)
    for pair in range(len(lengths)):
        one = start_cell[pair]
        other = end_cell[pair]
        for axis in range(3):
            start[axis] = cells.cell_xyz[one, axis]
            end[axis] = cells.cell_xyz[other, axis]
        column_box(cells, one, other, box)
        start_face = np.int64(cell_face[one])
        end_face = np.int64(cell_face[other])
        if mesh.face_cut[start_face]:
            start_face = child_under(mesh, start_face, start[0], start[1])
        if mesh.face_cut[end_face]:
            end_face = child_under(mesh, end_face, end[0], end[1])
        if start_face < 0 or end_face < 0:
            lengths[pair] = np.inf
        else:
            lengths[pair] = _walk(mesh, start_face, end_face, start, end, box, faces, points, costs, done)
