"""Links of faces that were cut open, and of their neighbours: stretches of the links the base has."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from ..conventions import Floats
from ..kernels.mesh_arrays import MeshArrays
from .growing import GrowingMesh, LinkRow
from .remainder import CLOSE, Remainder, Stretch

__all__ = ["links_of_pieces"]

Shared = tuple[Stretch, Stretch, float, float]
"""A piece on this side, a piece on the other, and which metres of the portal they share, from its right end."""


def links_of_pieces(
    growing: GrowingMesh, cut_open: Mapping[int, Remainder], face: int, changed: Collection[int]
) -> dict[int, list[LinkRow]]:
    """Return the links of the pieces that stand for a base face: all if it is `changed`, else those beside such."""
    base = growing.base
    pieces = growing.pieces(face)
    chosen = range(len(pieces)) if face in changed else _beside(base, cut_open, face, changed)
    rows: dict[int, list[LinkRow]] = {pieces[child]: [] for child in chosen}
    if face in cut_open:
        _inner_links(cut_open[face], pieces, rows)
    for link in _links(base, face):
        other = int(base.link_face[link])
        if face not in cut_open and other not in cut_open:
            metres = _metres_along(base, face, link)
            portal, wall = base.link_portal[link], int(base.link_wall[link])
            rows[face].append((int(base.link_edge[link]), metres, other, portal, wall))
            continue
        back = _back_link(base, face, link)
        if back is None:
            continue
        if link < back:
            shared = _shared(base, cut_open, face, link, other, back)
        else:
            length = _length(base, back)
            shared = [
                (mine, theirs, length - high, length - low)
                for theirs, mine, low, high in _shared(base, cut_open, other, back, face, link)
            ]
        before, there = _metres_along(base, face, link), growing.pieces(other)
        for mine, theirs, low, high in shared:
            if pieces[mine[0]] not in rows:
                continue
            portal, wall = _part_of_portal(base, link, low, high)
            rows[pieces[mine[0]]].append((mine[1], before + low, there[theirs[0]], portal, wall))
    return rows


def _beside(base: MeshArrays, cut_open: Mapping[int, Remainder], face: int, changed: Collection[int]) -> list[int]:
    """Return which pieces of a base face hold part of a portal to a changed one."""
    links = [link for link in _links(base, face) if int(base.link_face[link]) in changed]
    return sorted({stretch[0] for link in links for stretch in _held(base, cut_open, face, link)})


def _inner_links(remainder: Remainder, pieces: range, rows: dict[int, list[LinkRow]]) -> None:
    """Link children across the edges they share; their wall bits are found afterwards."""
    for child, edge, other in remainder.inner:
        if pieces[child] not in rows:
            continue
        first, last = int(remainder.start[child]), int(remainder.start[child + 1])
        portal = remainder.corner_xyz[[first + edge, first + (edge + 1) % (last - first)]]
        rows[pieces[child]].append((edge, 0.0, pieces[other], portal, 0))


def _links(base: MeshArrays, face: int) -> range:
    first = int(base.link_start[face])
    return range(first, first + int(base.link_count[face]))


def _back_link(base: MeshArrays, face: int, link: int) -> int | None:
    """Return the link that leads back through the same portal."""
    rows = _links(base, int(base.link_face[link]))
    there = slice(rows.start, rows.stop)
    apart = np.abs(base.link_portal[there, ::-1, :2] - base.link_portal[link, :, :2]).max(axis=(1, 2))
    found = np.flatnonzero((base.link_face[there] == face) & (apart <= CLOSE))
    return rows.start + int(found[0]) if len(found) else None


def _length(base: MeshArrays, link: int) -> float:
    return float(np.hypot(*(base.link_portal[link, 1, :2] - base.link_portal[link, 0, :2])))


def _metres_along(base: MeshArrays, face: int, link: int) -> float:
    """Return how far from the first corner of its edge a portal begins."""
    corner = base.face_vertex[int(base.face_start[face]) + int(base.link_edge[link])]
    return float(np.hypot(*(base.link_portal[link, 0, :2] - base.vertex_xyz[corner, :2])))


def _held(base: MeshArrays, cut_open: Mapping[int, Remainder], face: int, link: int) -> list[Stretch]:
    """Return which pieces of a face hold which metres of a portal, from its right end."""
    edge, length = int(base.link_edge[link]), _length(base, link)
    if face not in cut_open:
        return [(0, edge, 0.0, length)]
    before = _metres_along(base, face, link)
    return [
        (child, own_edge, max(low - before, 0.0), min(high - before, length))
        for child, own_edge, low, high in cut_open[face].outer.get(edge, ())
        if min(high - before, length) - max(low - before, 0.0) > CLOSE
    ]


def _shared(
    base: MeshArrays, cut_open: Mapping[int, Remainder], face: int, link: int, other: int, back: int
) -> list[Shared]:
    """Return the stretches of a portal that a piece on either side holds, snapped to the portal's own ends."""
    length = _length(base, link)
    shared = []
    for mine in _held(base, cut_open, face, link):
        for theirs in _held(base, cut_open, other, back):
            low, high = max(mine[2], length - theirs[3]), min(mine[3], length - theirs[2])
            if high - low > CLOSE:
                low, high = (0.0 if low < CLOSE else low), (length if high > length - CLOSE else high)
                shared.append((mine, theirs, low, high))
    return shared


def _part_of_portal(base: MeshArrays, link: int, low: float, high: float) -> tuple[Floats, int]:
    """Return the portal between `low` and `high` metres from its right end, and the wall bits it inherits."""
    right, left = base.link_portal[link]
    length, wall = _length(base, link), int(base.link_wall[link])
    portal = np.array([right + low / length * (left - right), right + high / length * (left - right)])
    kept = 0
    if low <= 1e-9:
        portal[0], kept = right, kept | (wall & 1)
    if high >= length - 1e-9:
        portal[1], kept = left, kept | (wall & 2)
    return portal, kept
