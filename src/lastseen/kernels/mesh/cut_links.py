"""Links of cut faces and of their neighbours: parts of the links of the base mesh."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import MeshArrays
from ..jit import jit

ROW = 11
"""Columns of a row of links: piece, edge, metres along it, face on the other side, wall bits, portal (6)."""


SAME = 1e-9
"""Metres within which the end of a part of a portal counts as the end of the whole portal."""


class ChildArrays(NamedTuple):
    """Data on cut faces in addition to the mesh itself; see `convex_children`."""

    across: Array  # int32  by corner, counted after those of the base: child across the edge, -1: none
    wall: Array  # uint8  by corner, likewise: whether a wall of the cut touches it
    held_start: Array  # int64 (F,)  by base face: its first row of `stretch` and `span`
    held_count: Array  # int64 (F,)
    stretch: Array  # int32 (S, 3)  base edge, child, edge of the child
    span: Array  # float64 (S, 2)  metres from the first corner of the base edge


@jit
def _back_link(mesh: MeshArrays, start: Array, count: Array, face: int, link: int, close: float) -> int:
    """Return the base link that leads back through the same portal, or -1."""
    portal, other = mesh.link_portal, mesh.link_face[link]
    for back in range(start[other], start[other] + count[other]):
        if mesh.link_face[back] == face:
            apart = 0.0
            for axis in range(2):
                apart = max(apart, abs(portal[back, 1, axis] - portal[link, 0, axis]))
                apart = max(apart, abs(portal[back, 0, axis] - portal[link, 1, axis]))
            if apart <= close:
                return np.int64(back)
    return -1


@jit
def _apart(mesh: MeshArrays, link: int, x: float, y: float) -> float:
    """Return the distance of a portal's right end from a point."""
    dx, dy = mesh.link_portal[link, 0, 0] - x, mesh.link_portal[link, 0, 1] - y
    return math.sqrt(dx * dx + dy * dy)


@jit
def _held(
    mesh: MeshArrays, child: ChildArrays, face: int, link: int, close: float, found: Array
) -> tuple[int, float, float]:
    """List the pieces of a face that cover parts of a portal: piece, edge, low, high, in metres from its right end.

    Returns their number, the distance of the portal from the first corner of its edge, and its length.
    """
    edge = mesh.link_edge[link]
    corner = mesh.face_vertex[mesh.face_start[face] + edge]
    before = _apart(mesh, link, mesh.vertex_xyz[corner, 0], mesh.vertex_xyz[corner, 1])
    length = _apart(mesh, link, mesh.link_portal[link, 1, 0], mesh.link_portal[link, 1, 1])
    count = 0
    if not mesh.face_cut[face]:
        found[0, 0] = face
        found[0, 1] = edge
        found[0, 2] = 0.0
        found[0, 3] = length
        count = 1
    for row in range(child.held_start[face], child.held_start[face] + child.held_count[face]):
        low, high = max(child.span[row, 0] - before, 0.0), min(child.span[row, 1] - before, length)
        if child.stretch[row, 0] == edge and high - low > close:
            found[count, 0] = mesh.child_start[face] + child.stretch[row, 1]
            found[count, 1] = child.stretch[row, 2]
            found[count, 2] = low
            found[count, 3] = high
            count += 1
    return count, before, length


@jit
def _inner_links(
    mesh: MeshArrays, child: ChildArrays, piece: int, start: int, behind: int, rows: Array, made: int
) -> int:
    """Add the links from a child to the other children of its face, the first of them `start`; return the row count."""
    first, corners = np.int64(mesh.face_start[piece]), np.int64(mesh.face_count[piece])
    for k in range(corners):
        at, onward = first + k, first + (k + 1) % corners
        if child.across[at - behind] < 0:
            continue
        if made < len(rows):
            rows[made, 0] = piece
            rows[made, 1] = k
            rows[made, 2] = 0.0
            rows[made, 3] = start + child.across[at - behind]
            rows[made, 4] = child.wall[at - behind] + 2 * child.wall[onward - behind]
            for axis in range(3):
                rows[made, 5 + axis] = mesh.vertex_xyz[mesh.face_vertex[at], axis]
                rows[made, 8 + axis] = mesh.vertex_xyz[mesh.face_vertex[onward], axis]
        made += 1
    return made


@jit
def _write_part(
    mesh: MeshArrays, wall: int, link: int, low: float, high: float, length: float, rows: Array, made: int
) -> None:
    """Write the wall bits and the portal of the part of a link between `low` and `high` metres from its right end."""
    begins, ends = low <= SAME, high >= length - SAME
    rows[made, 4] = (wall & 1 if begins else 0) + (wall & 2 if ends else 0)
    for axis in range(3):
        right, left = mesh.link_portal[link, 0, axis], mesh.link_portal[link, 1, axis]
        rows[made, 5 + axis] = right if begins else right + low / length * (left - right)
        rows[made, 8 + axis] = left if ends else right + high / length * (left - right)


@jit
def links_of_pieces(
    mesh: MeshArrays,
    child: ChildArrays,
    base_start: Array,
    base_count: Array,
    base_wall: Array,
    behind: int,
    faces: Array,
    changed: Array,
    close: float,
    restored: Array,
    pieces: Array,
    rows: Array,
) -> tuple[int, int]:
    """Find new links for the pieces of base faces: all pieces of `changed` faces, else those next to such faces.

    `base_start`, `base_count` and `base_wall` describe the links without cuts, `behind` is where corners of children
    begin; `changed` holds one mark per base face. `restored` receives which of `faces` have no cut next to them and
    regain their own links, `pieces` the pieces that need links, and `rows` (n, `ROW`) the links, unsorted. Returns the
    numbers of pieces and links; links beyond the end of `rows` are not written.
    """
    most, widest = np.int64(1), np.int64(1)
    for i in range(len(faces)):
        widest = max(widest, np.int64(mesh.child_count[faces[i]]))
        most = max(most, child.held_count[faces[i]])
        for link in range(base_start[faces[i]], base_start[faces[i]] + base_count[faces[i]]):
            most = max(most, child.held_count[mesh.link_face[link]])
    work, chosen = np.empty((2, most, 4)), np.empty(widest, np.uint8)
    mine, theirs = work[0], work[1]
    found, made = 0, 0
    for i in range(len(faces)):
        face = faces[i]
        is_cut = mesh.face_cut[face] > 0
        is_new = changed[face] > 0 or not is_cut
        start, count = np.int64(face), np.int64(1)
        if is_cut:
            start, count = np.int64(mesh.child_start[face]), np.int64(mesh.child_count[face])
        for each in range(count):
            chosen[each] = is_new
        is_near_cut = is_cut
        first = np.int64(base_start[face])
        last = first + np.int64(base_count[face])
        for link in range(first, last):
            other = np.int64(mesh.link_face[link])
            is_near_cut |= mesh.face_cut[other] > 0
            if not is_new and changed[other] > 0:
                held, _, _ = _held(mesh, child, face, link, close, mine)
                for k in range(held):
                    chosen[np.int64(mine[k, 0]) - start] = 1
        restored[i] = not is_near_cut
        if not is_near_cut:
            continue
        for each in range(count):
            if chosen[each]:
                pieces[found] = start + each
                found += 1
                if is_cut:
                    made = _inner_links(mesh, child, start + each, start, behind, rows, made)
        for link in range(first, last):
            other = np.int64(mesh.link_face[link])
            is_whole = not is_cut and not mesh.face_cut[other]
            back = _back_link(mesh, base_start, base_count, face, link, close)
            if back < 0 and not is_whole:
                # One-way links are not cut: they disappear if either face is cut.
                continue
            back = link if back < 0 else back
            held, before, own = _held(mesh, child, face, link, close, mine)
            across, _, length = _held(mesh, child, other, back, close, theirs)
            # Both directions are computed from the side of the lower link, so that they agree to the last bit.
            near, far = (0, 1) if link <= back else (1, 0)
            length = own if near == 0 else length
            for pair in range(held * across):
                one, two = pair // across, pair % across
                a, b = (one, two) if near == 0 else (two, one)
                low = max(work[near, a, 2], length - work[far, b, 3])
                high = min(work[near, a, 3], length - work[far, b, 2])
                if not chosen[np.int64(mine[one, 0]) - start] or (high - low <= close and not is_whole):
                    continue
                low = 0.0 if low < close or is_whole else low
                high = length if high > length - close or is_whole else high
                if near == 1:
                    low, high = length - high, length - low
                if made < len(rows):
                    rows[made, 0] = mine[one, 0]
                    rows[made, 1] = mine[one, 1]
                    rows[made, 2] = before + low
                    rows[made, 3] = theirs[two, 0]
                    _write_part(mesh, base_wall[link], link, low, high, own, rows, made)
                made += 1
    return found, made
