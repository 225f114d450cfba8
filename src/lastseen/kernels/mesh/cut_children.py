"""Remains of cut faces: triangles are merged into convex children that know their neighbour across each edge."""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import MeshArrays
from ..jit import jit
from .adjacency import weld_points
from .convex_merge import merge_triangles
from .corner import GAP


@jit
def _outgoing(begin: Array, count: int, places: int) -> tuple[Array, Array]:
    """Return the first edge that begins at each place, and for each edge the next one from the same place; -1: none."""
    first, following = np.empty(places, np.int64), np.empty(count, np.int64)
    for each in range(places):
        first[each] = -1
    for each in range(count):
        following[each] = first[begin[each]]
        first[begin[each]] = each
    return first, following


@jit
def _solid(points: Array, place: Array, weld: float, corner: Array) -> int:
    """Write the welded corners of the triangles with a positive area; return the number of corners."""
    count = 0
    for first in range(0, len(place), 3):
        a, b, c = place[first], place[first + 1], place[first + 2]
        abx, aby = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
        bcx, bcy = points[c, 0] - points[b, 0], points[c, 1] - points[b, 1]
        cax, cay = points[a, 0] - points[c, 0], points[a, 1] - points[c, 1]
        girth = math.sqrt(abx * abx + aby * aby) + math.sqrt(bcx * bcx + bcy * bcy) + math.sqrt(cax * cax + cay * cay)
        if abx * bcy - aby * bcx > weld * girth:
            corner[count], corner[count + 1], corner[count + 2] = a, b, c
            count += 3
    return count


@jit
def _diagonals(points: Array, corner: Array, twin: Array, order: Array) -> int:
    """Pair the half-edges of triangles; list one of each pair, longest first, and return how many there are."""
    count = len(corner)
    first, following = _outgoing(corner, count, len(points))
    length = np.empty(count)
    for h in range(count):
        a, b = corner[h], corner[h - 2 if h % 3 == 2 else h + 1]
        dx, dy = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
        length[h] = math.sqrt(dx * dx + dy * dy)
        twin[h] = -1
        t = first[b]
        while t >= 0:
            if corner[t - 2 if t % 3 == 2 else t + 1] == a:
                twin[h] = t
            t = following[t]
    diagonals = 0
    for h in range(count):
        if twin[h] >= 0 and twin[twin[h]] != h:
            twin[h] = -1
        if twin[h] > h:
            order[diagonals] = h
            diagonals += 1
    # Shell's sort; equal lengths stay in the order of the half-edges.
    gap = diagonals // 2
    while gap > 0:
        for here in range(gap, diagonals):
            h = order[here]
            at = here - gap
            while at >= 0 and (length[order[at]] < length[h] or (length[order[at]] == length[h] and order[at] > h)):
                order[at + gap] = order[at]
                at -= gap
            order[at + gap] = h
        gap //= 2
    return diagonals


@jit
def _stretches(
    mesh: MeshArrays,
    face: int,
    points: Array,
    begin: int,
    end: int,
    close: float,
    made: int,
    stretch: Array,
    span: Array,
) -> int:
    """List the edges of a base face that contain the line between two points, from row `made` on; return the row count.

    `stretch` receives the base edge, `span` the metres from its first corner.
    """
    px, py, qx, qy = points[begin, 0], points[begin, 1], points[end, 0], points[end, 1]
    first, corners = np.int64(mesh.face_start[face]), np.int64(mesh.face_count[face])
    b = mesh.face_vertex[first]
    for k in range(corners):
        a, b = b, mesh.face_vertex[first + (k + 1) % corners]
        ax, ay = mesh.vertex_xyz[a, 0], mesh.vertex_xyz[a, 1]
        ux, uy = mesh.vertex_xyz[b, 0] - ax, mesh.vertex_xyz[b, 1] - ay
        length = math.sqrt(ux * ux + uy * uy)
        ux, uy = ux / length, uy / length
        if abs(ux * (py - ay) - uy * (px - ax)) >= close or abs(ux * (qy - ay) - uy * (qx - ax)) >= close:
            continue
        low = max((px - ax) * ux + (py - ay) * uy, 0.0)
        high = min((qx - ax) * ux + (qy - ay) * uy, length)
        if high - low > close:
            stretch[made, 0] = k
            span[made, 0] = low
            span[made, 1] = high
            made += 1
    return made


@jit
def convex_children(
    mesh: MeshArrays,
    faces: Array,
    triangle_xy: Array,
    first: Array,
    weld: float,
    close: float,
    kids: Array,
    start: Array,
    corner_xyz: Array,
    across: Array,
    wall: Array,
    held: Array,
    stretch: Array,
    span: Array,
) -> None:
    """Merge the remains of each face, triangles `first[i] … first[i + 1]` of `triangle_xy`, into convex children.

    Face `faces[i]` gets children `kids[i] … kids[i + 1]`, child `c` corners `start[c] … start[c + 1]`. Each corner has
    `corner_xyz`, the child of the same face `across` the edge that begins there (-1: none), and whether a `wall` of the
    cut touches it. Rows `held[i] … held[i + 1]` of `stretch` (base edge, child, edge of the child) and `span` (metres
    along the base edge) describe what remains of the face's own edges; children count from 0 in each face.
    """
    kids[0] = start[0] = held[0] = 0
    walled = np.empty(len(triangle_xy), np.uint8)
    for i in range(len(faces)):
        face = faces[i]
        points = triangle_xy[3 * first[i] : 3 * first[i + 1]]
        place = weld_points(points, weld)
        corner = np.empty(len(points), np.int64)
        corner = corner[: _solid(points, place, weld, corner)]
        twin, order = np.empty(len(corner), np.int64), np.empty(len(corner), np.int64)
        order = order[: _diagonals(points, corner, twin, order)]
        ends, following = np.empty(len(corner) + 1, np.int64), np.empty(len(corner), np.int64)
        made = merge_triangles(points, corner, twin, order, ends, place, following)
        child, edges, rows = kids[i], start[kids[i]], held[i]
        out, onward = _outgoing(place, ends[made], len(points))
        for c in range(made):
            start[child + c + 1] = edges + ends[c + 1]
            for k in range(ends[c], ends[c + 1]):
                # From here on `twin` holds the child of an edge.
                twin[k] = c
                following[k] = place[ends[c] if k + 1 == ends[c + 1] else k + 1]
        for k in range(len(points)):
            walled[k] = 0
        for k in range(ends[made]):
            a, b, at = place[k], following[k], edges + k
            x, y = points[a, 0], points[a, 1]
            corner_xyz[at, 0] = x
            corner_xyz[at, 1] = y
            corner_xyz[at, 2] = mesh.face_plane[face, 0] * x + mesh.face_plane[face, 1] * y + mesh.face_plane[face, 2]
            across[at] = -1
            other = out[b]
            while other >= 0:
                if following[other] == a:
                    across[at] = twin[other]
                other = onward[other]
            if across[at] >= 0:
                continue
            more = _stretches(mesh, face, points, a, b, close, rows, stretch, span)
            for row in range(rows, more):
                stretch[row, 1] = twin[k]
                stretch[row, 2] = k - ends[twin[k]]
            if more == rows and abs(points[b, 0] - x) + abs(points[b, 1] - y) > 4.0 * GAP:
                walled[a] = 1
                walled[b] = 1
            rows = more
        for k in range(ends[made]):
            wall[edges + k] = walled[place[k]]
        kids[i + 1] = child + made
        held[i + 1] = rows
