"""Links of faces that were cut open, and of their neighbours: stretches of the links the base has."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..conventions import Array
from .jit import jit
from .mesh_arrays import MeshArrays

__all__ = ["ROW", "ChildArrays", "links_of_pieces"]

ROW = 11
"""Numbers of a row of links: piece, edge, metres along it, face on the other side, wall bits, portal (6)."""


SAME = 1e-9
"""Metres within which a part of a portal ends where the whole does."""


class ChildArrays(NamedTuple):
    """What is known of cut faces beyond the mesh itself; see `convex_children`."""

    across: Array  # int32  by corner behind those of the base: child across the edge, -1: none
    wall: Array  # uint8  by corner likewise: whether a wall of the cut touches it
    held_start: Array  # int64 (F,)  by base face: its first row of `stretch` and `span`
    held_count: Array  # int64 (F,)
    stretch: Array  # int32 (S, 3)  base edge, child, edge of the child
    span: Array  # float64 (S, 2)  metres from the first corner of the base edge


@jit
def _length(mesh: MeshArrays, link: int) -> float:
    dx = mesh.link_portal[link, 1, 0] - mesh.link_portal[link, 0, 0]
    dy = mesh.link_portal[link, 1, 1] - mesh.link_portal[link, 0, 1]
    return math.sqrt(dx * dx + dy * dy)


@jit
def _metres_along(base: MeshArrays, face: int, link: int) -> float:
    """Return how far from the first corner of its edge a portal begins."""
    corner = base.face_vertex[np.int64(base.face_start[face]) + np.int64(base.link_edge[link])]
    dx = base.link_portal[link, 0, 0] - base.vertex_xyz[corner, 0]
    dy = base.link_portal[link, 0, 1] - base.vertex_xyz[corner, 1]
    return math.sqrt(dx * dx + dy * dy)


@jit
def _back_link(base: MeshArrays, face: int, link: int, close: float) -> int:
    """Return the link that leads back through the same portal, or -1."""
    other = base.link_face[link]
    first = np.int64(base.link_start[other])
    for back in range(first, first + np.int64(base.link_count[other])):
        apart = 0.0
        for end in range(2):
            for axis in range(2):
                apart = max(apart, abs(base.link_portal[back, 1 - end, axis] - base.link_portal[link, end, axis]))
        if np.int64(base.link_face[back]) == face and apart <= close:
            return back
    return -1


@jit
def _held(
    base: MeshArrays, mesh: MeshArrays, child: ChildArrays, face: int, link: int, close: float, found: Array
) -> int:
    """List which pieces of a face hold which metres of a portal, from its right end: piece, edge, low, high."""
    edge = np.int64(base.link_edge[link])
    length = _length(base, link)
    if not mesh.face_cut[face]:
        found[0, 0], found[0, 1], found[0, 2], found[0, 3] = face, edge, 0.0, length
        return 1
    before = _metres_along(base, face, link)
    count = 0
    for row in range(child.held_start[face], child.held_start[face] + child.held_count[face]):
        if child.stretch[row, 0] != edge:
            continue
        low, high = max(child.span[row, 0] - before, 0.0), min(child.span[row, 1] - before, length)
        if high - low > close:
            found[count, 0] = np.int64(mesh.child_start[face]) + child.stretch[row, 1]
            found[count, 1] = child.stretch[row, 2]
            found[count, 2], found[count, 3] = low, high
            count += 1
    return count


@jit
def _is_beside_cut(base: MeshArrays, mesh: MeshArrays, face: int) -> bool:
    """Return whether a base face or one of its neighbours is cut."""
    found = mesh.face_cut[face] > 0
    first = np.int64(base.link_start[face])
    for link in range(first, first + np.int64(base.link_count[face])):
        found |= mesh.face_cut[base.link_face[link]] > 0
    return found


@jit
def _choose(
    base: MeshArrays, mesh: MeshArrays, child: ChildArrays, face: int, changed: Array, close: float, work: Array
) -> Array:
    """Return which pieces of a base face get new links: all if it is `changed` or whole, else those next to changed."""
    if changed[face] or not mesh.face_cut[face]:
        return np.ones(max(np.int64(mesh.child_count[face]), 1), np.bool_)
    chosen = np.zeros(np.int64(mesh.child_count[face]), np.bool_)
    first = np.int64(base.link_start[face])
    for link in range(first, first + np.int64(base.link_count[face])):
        if changed[base.link_face[link]]:
            for k in range(_held(base, mesh, child, face, link, close, work)):
                chosen[np.int64(work[k, 0]) - np.int64(mesh.child_start[face])] = True
    return chosen


@jit
def _inner_links(
    base: MeshArrays, mesh: MeshArrays, child: ChildArrays, face: int, chosen: Array, rows: Array, made: int
) -> tuple[Array, int]:
    """Add links between the children of a face."""
    start, behind = np.int64(mesh.child_start[face]), len(base.face_vertex)
    for each in range(np.int64(mesh.child_count[face])):
        first, corners = np.int64(mesh.face_start[start + each]), np.int64(mesh.face_count[start + each])
        if not chosen[each]:
            continue
        if made + corners > len(rows):
            rows = np.concatenate((rows, np.empty((made + corners, ROW))))
        for k in range(corners):
            at, onward = first + k, first + (k + 1) % corners
            if child.across[at - behind] < 0:
                continue
            row = rows[made]
            row[0], row[1], row[2], row[3] = start + each, k, 0.0, start + child.across[at - behind]
            row[4] = child.wall[at - behind] + 2 * child.wall[onward - behind]
            for axis in range(3):
                row[5 + axis] = mesh.vertex_xyz[mesh.face_vertex[at], axis]
                row[8 + axis] = mesh.vertex_xyz[mesh.face_vertex[onward], axis]
            made += 1
    return rows, made


@jit
def _write_part(base: MeshArrays, link: int, low: float, high: float, row: Array) -> None:
    """Write the wall bits and the portal of the part of a link between `low` and `high` metres from its right end."""
    length = _length(base, link)
    row[4] = 0.0
    for axis in range(3):
        right, left = base.link_portal[link, 0, axis], base.link_portal[link, 1, axis]
        row[5 + axis] = right if low <= SAME else right + low / length * (left - right)
        row[8 + axis] = left if high >= length - SAME else right + high / length * (left - right)
    if low <= SAME:
        row[4] += base.link_wall[link] & 1
    if high >= length - SAME:
        row[4] += base.link_wall[link] & 2


@jit
def _outer_links(
    base: MeshArrays,
    mesh: MeshArrays,
    child: ChildArrays,
    face: int,
    link: int,
    chosen: Array,
    close: float,
    mine: Array,
    theirs: Array,
    rows: Array,
    made: int,
) -> tuple[Array, int]:
    """Add links between the pieces on both sides of a base link that share part of its portal."""
    other = np.int64(base.link_face[link])
    back = _back_link(base, face, link, close)
    if back < 0:
        # Leads one way only: such links are not cut, and go with either face.
        if mesh.face_cut[face] or mesh.face_cut[other]:
            return rows, made
        back = link
    # Both directions are worked out from the side of the lower link, so that they agree to the last bit.
    length, before = _length(base, min(link, back)), _metres_along(base, face, link)
    whole = not mesh.face_cut[face] and not mesh.face_cut[other]
    start = np.int64(mesh.child_start[face]) if mesh.face_cut[face] else face
    count = _held(base, mesh, child, face, link, close, mine)
    across = _held(base, mesh, child, other, back, close, theirs)
    if made + count * across > len(rows):
        rows = np.concatenate((rows, np.empty((made + count * across, ROW))))
    for one in range(count):
        for two in range(across):
            low = (
                max(mine[one, 2], length - theirs[two, 3])
                if link < back
                else max(theirs[two, 2], length - mine[one, 3])
            )
            high = (
                min(mine[one, 3], length - theirs[two, 2])
                if link < back
                else min(theirs[two, 3], length - mine[one, 2])
            )
            if not chosen[np.int64(mine[one, 0]) - start] or (high - low <= close and not whole):
                continue
            low, high = 0.0 if low < close or whole else low, length if high > length - close or whole else high
            if link > back:
                low, high = length - high, length - low
            row = rows[made]
            row[0], row[1], row[2], row[3] = mine[one, 0], mine[one, 1], before + low, theirs[two, 0]
            _write_part(base, link, low, high, row)
            made += 1
    return rows, made


@jit
def links_of_pieces(
    base: MeshArrays, mesh: MeshArrays, child: ChildArrays, faces: Array, changed: Array, close: float
) -> tuple[Array, Array, Array]:
    """Return new links for the pieces that stand for base faces: all pieces of `changed` ones, else those next to such.

    `changed` holds one mark per base face. Returns which of `faces` have no cut about them and get their own links
    back, the pieces to be given links, and the links (n, `ROW`), unsorted.
    """
    restored = np.zeros(len(faces), np.bool_)
    most, room = np.int64(1), 0
    for i in range(len(faces)):
        room += max(np.int64(mesh.child_count[faces[i]]), 1)
        most = max(most, child.held_count[faces[i]])
        first = np.int64(base.link_start[faces[i]])
        for link in range(first, first + np.int64(base.link_count[faces[i]])):
            most = max(most, child.held_count[base.link_face[link]])
    mine, theirs = np.empty((most, 4)), np.empty((most, 4))
    pieces, rows = np.empty(room, np.int64), np.empty((64, ROW))
    found, made = 0, 0
    for i in range(len(faces)):
        face = faces[i]
        if not _is_beside_cut(base, mesh, face):
            restored[i] = True
            continue
        chosen = _choose(base, mesh, child, face, changed, close, mine)
        start = np.int64(mesh.child_start[face]) if mesh.face_cut[face] else face
        for each in range(np.int64(mesh.child_count[face]) if mesh.face_cut[face] else 1):
            if chosen[each]:
                pieces[found] = start + each
                found += 1
        rows, made = _inner_links(base, mesh, child, face, chosen, rows, made)
        first = np.int64(base.link_start[face])
        for link in range(first, first + np.int64(base.link_count[face])):
            rows, made = _outer_links(base, mesh, child, face, link, chosen, close, mine, theirs, rows, made)
    return restored, pieces[:found], rows[:made]
