"""Find the links of a mesh: the stretches of edge through which one face leads to another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from ..conventions import Array, Floats

WELD = 1e-6
"""Distance in metres within which vertices are merged."""

EDGE_TOLERANCE = 5e-6
"""Distance in metres within which two edges count as one line; shorter stretches are neither portals nor walls."""


@dataclass(frozen=True)
class Edges:
    """All edges of all faces, one per corner: vertex ids `begin` and `end`, and `face`.

    `place` (V,) is the same for vertices above one another.
    """

    vertex_xyz: Floats
    place: Array
    begin: Array
    end: Array
    face: Array


@dataclass(frozen=True)
class Links:
    """Links sorted by edge, then along it.

    `edge` (L,) leads to edge `other` (L,) between `right_xyz` and `left_xyz` (L, 3), z on the side of `edge`;
    `right_wall`, `left_wall` (L,) say whether a wall touches that end.
    """

    edge: Array
    other: Array
    right_xyz: Floats
    left_xyz: Floats
    right_wall: Array
    left_wall: Array


@dataclass
class _Pairs:
    """Stretches that two edges share, as a struct of arrays.

    `lo`, `hi` are metres along edge `i` from its begin, `other_lo`, `other_hi` the same points along edge `j`
    (which runs the other way, so `other_lo > other_hi`). `lo_place`, `hi_place` identify the (x, y) of the ends;
    -1 if a stretch ends because the step exceeds the climb.
    """

    i: Array
    j: Array
    lo: Floats
    hi: Floats
    other_lo: Floats
    other_hi: Floats
    lo_place: Array
    hi_place: Array
    step: Floats

    def take(self, index: Array) -> _Pairs:
        return _Pairs(*(value[index] for value in vars(self).values()))

    @staticmethod
    def concatenate(parts: list[_Pairs]) -> _Pairs:
        return _Pairs(*(np.concatenate(columns) for columns in zip(*(vars(part).values() for part in parts))))


def find_links(edges: Edges, climb: float, barred: Array) -> Links:
    """Find the stretches at which edges of two faces meet within a step of `climb` metres; none at `barred` edges."""
    length = _lengths(edges)
    whole = _matching_edges(edges, length)
    whole = whole.take(np.flatnonzero(~barred[whole.i] & ~barred[whole.j]))
    free = ~barred
    free[whole.i] = free[whole.j] = False
    partial = _one_face_per_stretch(_meeting_edges(edges, length, np.flatnonzero(free), climb))
    return _both_ways(edges, length, _Pairs.concatenate([whole, partial]), climb)


def _lengths(edges: Edges) -> Floats:
    step = edges.vertex_xyz[edges.end, :2] - edges.vertex_xyz[edges.begin, :2]
    return np.hypot(step[:, 0], step[:, 1])


def _matching_edges(edges: Edges, length: Floats) -> _Pairs:
    """Pair edges between the same two vertices; edges shared by more than two faces are left to the general search."""
    low, high = np.minimum(edges.begin, edges.end), np.maximum(edges.begin, edges.end)
    key = low * np.int64(len(edges.vertex_xyz)) + high
    order = np.argsort(key, kind="stable")
    first = np.flatnonzero(np.r_[True, key[order][1:] != key[order][:-1]])
    size = np.diff(np.r_[first, len(order)])
    i, j = order[first[size == 2]], order[first[size == 2] + 1]
    opposite = (edges.begin[i] == edges.end[j]) & (edges.face[i] != edges.face[j])
    i, j = i[opposite], j[opposite]
    zero = np.zeros(len(i))
    return _Pairs(i, j, zero, length[i], length[j], zero, edges.place[edges.begin[i]], edges.place[edges.end[i]], zero)


def _meeting_edges(edges: Edges, length: Floats, free: Array, climb: float) -> _Pairs:
    """Return all stretches where two of the edges `free` run opposite ways on one line, within a step of `climb`."""
    i, j = _candidates(edges, free)
    longer = length[i] >= length[j]
    i, j = np.where(longer, i, j), np.where(longer, j, i)
    at = edges.vertex_xyz
    base = at[edges.begin[i], :2]
    along = (at[edges.end[i], :2] - base) / length[i, None]
    to_begin, to_end = at[edges.begin[j], :2] - base, at[edges.end[j], :2] - base
    t_begin, t_end = (to_begin * along).sum(axis=1), (to_end * along).sum(axis=1)
    lo, hi = np.maximum(0.0, t_end), np.minimum(length[i], t_begin)
    keep = hi - lo > EDGE_TOLERANCE
    # For pairs that overlap, `span` is far from zero.
    span = np.where(keep, t_end - t_begin, -1.0)
    off_begin, off_end = _cross(along, to_begin), _cross(along, to_end)
    for t in (lo, hi):
        keep &= np.abs(off_begin + (t - t_begin) / span * (off_end - off_begin)) <= EDGE_TOLERANCE
    lo_place = np.where(t_end > 0.0, edges.place[edges.end[j]], edges.place[edges.begin[i]])
    hi_place = np.where(t_begin < length[i], edges.place[edges.begin[j]], edges.place[edges.end[i]])
    other_lo, other_hi = (lo - t_begin) / span * length[j], (hi - t_begin) / span * length[j]
    pairs = _Pairs(i, j, lo, hi, other_lo, other_hi, lo_place, hi_place, np.zeros(len(i))).take(np.flatnonzero(keep))
    return _within_climb(edges, length, pairs, climb)


def _candidates(edges: Edges, free: Array) -> tuple[Array, Array]:
    """Return pairs of edges of different faces that run in opposite directions and whose bounding boxes meet."""
    one, other = edges.vertex_xyz[edges.begin[free], :2], edges.vertex_xyz[edges.end[free], :2]
    low, high = np.minimum(one, other) - EDGE_TOLERANCE, np.maximum(one, other) + EDGE_TOLERANCE
    boxes = shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1])
    left, right = shapely.STRtree(boxes).query(boxes)
    step = other - one
    keep = (left < right) & ((step[left] * step[right]).sum(axis=1) < 0.0)
    left, right = left[keep], right[keep]
    order = np.lexsort((right, left))
    i, j = free[left[order]], free[right[order]]
    apart = edges.face[i] != edges.face[j]
    return i[apart], j[apart]


def _cross(a: Floats, b: Floats) -> Floats:
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]


def _height(edges: Edges, length: Floats, edge: Array, metres: Floats) -> Floats:
    """Return z at `metres` along each edge."""
    begin, end = edges.vertex_xyz[edges.begin[edge], 2], edges.vertex_xyz[edges.end[edge], 2]
    return begin + np.clip(metres / length[edge], 0.0, 1.0) * (end - begin)


def _within_climb(edges: Edges, length: Floats, pairs: _Pairs, climb: float) -> _Pairs:
    """Shorten stretches to the part where the step between the two sides is at most `climb`."""
    limit = climb + EDGE_TOLERANCE
    at_lo = _height(edges, length, pairs.i, pairs.lo) - _height(edges, length, pairs.j, pairs.other_lo)
    at_hi = _height(edges, length, pairs.i, pairs.hi) - _height(edges, length, pairs.j, pairs.other_hi)
    change = np.where(at_hi == at_lo, 1.0, at_hi - at_lo)
    level = at_hi == at_lo
    down, up = (-limit - at_lo) / change, (limit - at_lo) / change
    u_lo = np.where(level, 0.0, np.maximum(0.0, np.minimum(down, up)))
    u_hi = np.where(level, np.where(np.abs(at_lo) <= limit, 1.0, 0.0), np.minimum(1.0, np.maximum(down, up)))
    lo, hi = pairs.lo, pairs.hi
    other_lo, other_hi = pairs.other_lo, pairs.other_hi
    pairs.lo, pairs.hi = lo + u_lo * (hi - lo), np.where(u_hi < 1.0, lo + u_hi * (hi - lo), hi)
    pairs.other_lo = other_lo + u_lo * (other_hi - other_lo)
    pairs.other_hi = np.where(u_hi < 1.0, other_lo + u_hi * (other_hi - other_lo), other_hi)
    pairs.lo_place = np.where(u_lo > 0.0, -1, pairs.lo_place)
    pairs.hi_place = np.where(u_hi < 1.0, -1, pairs.hi_place)
    pairs.step = np.maximum(np.abs(at_lo), np.abs(at_hi))
    return pairs.take(np.flatnonzero(pairs.hi - pairs.lo > EDGE_TOLERANCE))


def _one_face_per_stretch(pairs: _Pairs) -> _Pairs:
    """Keep only the face nearest in height at stretches shared by several; working on pairs keeps links symmetric."""
    disputed = _disputed(pairs)
    if not disputed.any():
        return pairs
    taken: dict[int, list[tuple[float, float, int, int]]] = {}
    rows: list[tuple[float, ...]] = []
    contested = np.flatnonzero(disputed)
    for k in contested[np.lexsort((pairs.j[contested], pairs.i[contested], pairs.step[contested]))]:
        i, j = int(pairs.i[k]), int(pairs.j[k])
        scale = (pairs.other_hi[k] - pairs.other_lo[k]) / (pairs.hi[k] - pairs.lo[k])
        pieces = [(float(pairs.lo[k]), float(pairs.hi[k]), int(pairs.lo_place[k]), int(pairs.hi_place[k]))]
        blocks = list(taken.get(i, ()))
        for begin, end, begin_place, end_place in taken.get(j, ()):
            there = [(pairs.lo[k] + (t - pairs.other_lo[k]) / scale) for t in (end, begin)]
            blocks.append((float(there[0]), float(there[1]), end_place, begin_place))
        for block in blocks:
            pieces = [rest for piece in pieces for rest in _without(piece, block)]
        for lo, hi, lo_place, hi_place in pieces:
            other_lo, other_hi = (float(pairs.other_lo[k] + (t - pairs.lo[k]) * scale) for t in (lo, hi))
            rows.append((i, j, lo, hi, other_lo, other_hi, lo_place, hi_place, float(pairs.step[k])))
            taken.setdefault(i, []).append((lo, hi, lo_place, hi_place))
            taken.setdefault(j, []).append((other_hi, other_lo, hi_place, lo_place))
    kept = pairs.take(np.flatnonzero(~disputed))
    columns = np.array(rows).T if rows else np.zeros((9, 0))
    whole = (0, 1, 6, 7)
    settled = _Pairs(*(column.astype(np.int64) if n in whole else column for n, column in enumerate(columns)))
    return _Pairs.concatenate([kept, settled])


def _without(
    piece: tuple[float, float, int, int], block: tuple[float, float, int, int]
) -> list[tuple[float, float, int, int]]:
    lo, hi, lo_place, hi_place = piece
    begin, end, begin_place, end_place = block
    if end <= lo + EDGE_TOLERANCE or begin >= hi - EDGE_TOLERANCE:
        return [piece]
    rests = []
    if begin - lo > EDGE_TOLERANCE:
        rests.append((lo, begin, lo_place, begin_place))
    if hi - end > EDGE_TOLERANCE:
        rests.append((end, hi, end_place, hi_place))
    return rests


def _disputed(pairs: _Pairs) -> Array:
    """Return which pairs share part of an edge with another pair."""
    count = len(pairs.i)
    edge = np.r_[pairs.i, pairs.j]
    begin, end = np.r_[pairs.lo, pairs.other_hi], np.r_[pairs.hi, pairs.other_lo]
    order = np.lexsort((begin, edge))
    edge, begin, end = edge[order], begin[order], end[order]
    clash = (edge[1:] == edge[:-1]) & (begin[1:] < end[:-1] - EDGE_TOLERANCE)
    bad_edges = np.unique(edge[1:][clash])
    return np.isin(pairs.i, bad_edges) | np.isin(pairs.j, bad_edges) if count else np.zeros(0, dtype=bool)


def _both_ways(edges: Edges, length: Floats, pairs: _Pairs, climb: float) -> Links:
    """Turn each shared stretch into two links, sorted by edge and along it, and mark the ends that walls touch."""
    edge, other = np.r_[pairs.i, pairs.j], np.r_[pairs.j, pairs.i]
    right, left = np.r_[pairs.lo, pairs.other_hi], np.r_[pairs.hi, pairs.other_lo]
    right_place, left_place = np.r_[pairs.lo_place, pairs.hi_place], np.r_[pairs.hi_place, pairs.lo_place]
    lo_xy, hi_xy = (_place_xy(edges, length, pairs, name) for name in ("lo", "hi"))
    right_xy, left_xy = np.r_[lo_xy, hi_xy], np.r_[hi_xy, lo_xy]
    order = np.lexsort((right, edge))
    edge, other, right, left = edge[order], other[order], right[order], left[order]
    right_place, left_place = right_place[order], left_place[order]
    right_xyz = np.column_stack([right_xy[order], _height(edges, length, edge, right)])
    left_xyz = np.column_stack([left_xy[order], _height(edges, length, edge, left)])
    wall_place, wall_z = _wall_ends(edges, length, edge, right, left, right_xyz, left_xyz, right_place, left_place)
    right_wall, left_wall = (
        (place < 0) | _touches(wall_place, wall_z, place, xyz[:, 2], climb + EDGE_TOLERANCE)
        for place, xyz in ((right_place, right_xyz), (left_place, left_xyz))
    )
    return Links(edge, other, right_xyz, left_xyz, right_wall, left_wall)


def _place_xy(edges: Edges, length: Floats, pairs: _Pairs, name: str) -> Floats:
    """Return the (x, y) of an end of each pair: that of the vertex at this place, so that both sides agree exactly."""
    place, metres = getattr(pairs, name + "_place"), getattr(pairs, name)
    first = np.zeros(int(edges.place.max()) + 1, dtype=np.int64)
    first[edges.place] = np.arange(len(edges.place))
    begin, end = edges.vertex_xyz[edges.begin[pairs.i], :2], edges.vertex_xyz[edges.end[pairs.i], :2]
    on_edge = begin + (metres / length[pairs.i])[:, None] * (end - begin)
    return np.where((place >= 0)[:, None], edges.vertex_xyz[first[np.maximum(place, 0)], :2], on_edge)


def _wall_ends(
    edges: Edges,
    length: Floats,
    edge: Array,
    right: Floats,
    left: Floats,
    right_xyz: Floats,
    left_xyz: Floats,
    right_place: Array,
    left_place: Array,
) -> tuple[Array, Floats]:
    """Return place and z of both ends of every stretch of edge without a portal."""
    head, tail = np.ones(len(edge), dtype=bool), np.ones(len(edge), dtype=bool)
    head[1:] = edge[1:] != edge[:-1]
    tail[:-1] = head[1:]
    bare = np.ones(len(length), dtype=bool)
    bare[edge] = False
    before = np.flatnonzero(head & (right > EDGE_TOLERANCE))
    after = np.flatnonzero(tail & (length[edge] - left > EDGE_TOLERANCE))
    between = np.flatnonzero(~head[1:] & (right[1:] - left[:-1] > EDGE_TOLERANCE))
    vertex = np.r_[edges.begin[bare], edges.end[bare], edges.begin[edge[before]], edges.end[edge[after]]]
    place = [edges.place[vertex], right_place[before], left_place[after], left_place[between], right_place[between + 1]]
    z = [
        edges.vertex_xyz[vertex, 2],
        right_xyz[before, 2],
        left_xyz[after, 2],
        left_xyz[between, 2],
        right_xyz[between + 1, 2],
    ]
    return np.concatenate(place), np.concatenate(z)


def _touches(wall_place: Array, wall_z: Floats, place: Array, z: Floats, climb: float) -> Array:
    """Return for each point whether a wall end at the same (x, y) lies within `climb` of it."""
    levels = np.unique(wall_z)
    wall_key = np.sort(wall_place * np.int64(len(levels) + 1) + np.searchsorted(levels, wall_z))
    lowest = place * np.int64(len(levels) + 1) + np.searchsorted(levels, z - climb, side="left")
    highest = place * np.int64(len(levels) + 1) + np.searchsorted(levels, z + climb, side="right")
    return np.searchsorted(wall_key, highest, side="left") > np.searchsorted(wall_key, lowest, side="left")
