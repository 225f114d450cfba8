"""Step 5: outline regions as polygons with holes; the border between two regions is the same line on both sides."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

import numpy as np
import shapely

from ...conventions import Array, Floats
from ...errors import BakeError
from ...kernels.voxels.voxel_contours import chain_corners, find_chains, find_edges, find_rings
from ...kernels.voxels.voxel_simplification import pin_farthest, simplify
from .open_spans import Regions

ROUNDS = 8
"""Attempts to bend crossing stretches back before all corners of their region are kept."""

OUTWARDS = 0.75
"""Voxels by which an outline may deviate towards a wall: just enough to straighten the steps of a diagonal."""


@dataclass(frozen=True, eq=False)
class Chains:
    """Stretches of outline from node to node, one for both sides of a border.

    `edges` are those of `find_edges`; chain `c` has the corners `start[c] + c` to `start[c + 1] + c`, both included:
    `xy` in voxels, `z` in metres; `layer` distinguishes corners above one another.
    """

    edges: tuple[Array, Array, Array, Array]
    start: Array
    of_edge: Array
    at_wall: Array
    xy: Array
    z: Floats
    layer: Array


@dataclass(frozen=True, eq=False)
class Rings:
    """Closed outlines around regions; ring `q` has the entries `start[q]` to `start[q + 1]`.

    `corner` holds rows of corners, `end` the rows where the stretch from each corner ends, `region` one per ring.
    """

    start: Array
    corner: Array
    end: Array
    region: Array

    @property
    def ring(self) -> Array:
        """Ring of every entry."""
        return np.repeat(np.arange(len(self.region)), np.diff(self.start))


@dataclass(frozen=True, eq=False)
class Contours:
    """One valid polygon per region, in voxels.

    Attributes
    ----------
    corner_xy : (V, 2) int32 voxels. corner_z : (V,) float64 metres.
    polygons : (R,) shapely polygons whose points are corners. pieces : (R,) each cut into triangles.
    ring_start : (Q + 1,) uint32, entries of each closed outline.
    ring_corner : (entries,) corner ids, the region to the left; ring_region : (entries,) the outlined region.
    ring_wall : (entries,) bool, whether there is no floor beyond the stretch from this corner to the next.
    """

    corner_xy: Array
    corner_z: Floats
    polygons: Array
    pieces: Array
    ring_start: Array
    ring_corner: Array
    ring_region: Array
    ring_wall: Array


def find_contours(regions: Regions) -> Contours:
    """Trace the outline of every region and drop the corners that the allowed error and validity permit to drop."""
    chains = _trace(regions)
    settings = regions.spans.grid.settings
    # Deviations are measured as a fraction of the error, so it must not be zero.
    error, rise = max(settings.edge_error, 1e-6), settings.height_error
    longest = settings.max_edge_length / settings.voxel if settings.max_edge_length > 0.0 else np.inf
    pinned = np.zeros(len(chains.xy), np.bool_)
    for turn in count():
        keep = simplify(chains.xy, chains.z, chains.start, chains.at_wall, pinned, error, OUTWARDS, rise, longest)
        rings = Rings(*find_rings(*chains.edges, regions.region, chains.of_edge, chains.start, keep))
        polygons = _polygons(chains.xy, rings, regions.count)
        bad = np.flatnonzero(~shapely.is_valid(polygons) | shapely.is_empty(polygons))
        bent = 0
        if not len(bad):
            pieces, bad = _cut_up(polygons)
            if not len(bad):
                return _named(chains, keep, rings, polygons, pieces)
        elif turn < ROUNDS:
            crossing = _crossing(chains.xy, rings, np.isin(rings.region[rings.ring], bad))
            bent = pin_farthest(chains.xy, chains.z, rings.corner[crossing], rings.end[crossing], error, rise, pinned)
        suspect = np.isin(rings.region[rings.ring], bad)
        if not bent and not _pin_all(rings, suspect, pinned):
            break
    raise BakeError(
        f"{len(bad)} of {regions.count} regions could not be outlined at voxel {settings.voxel:g} m; "
        "use another voxel size, or report the level"
    )


def _trace(regions: Regions) -> Chains:
    spans, grid = regions.spans, regions.spans.grid
    edges = find_edges(spans.start, spans.column_of, spans.link, regions.region, grid.width, grid.depth)
    side, following, twin, _ = edges
    start, edge, of_edge = find_chains(*edges, regions.region, spans.column_of, grid.width)
    corners = chain_corners(start, edge, side, following, spans.column_of, spans.link, spans.floor, grid.width)
    return Chains(edges, start, of_edge, twin[edge[start[:-1]]] < 0, *corners)


def _cut_up(polygons: Array) -> tuple[Array, Array]:
    """Return the triangles of polygons, and the indices of the polygons that could not be triangulated."""
    try:
        return shapely.constrained_delaunay_triangles(polygons), np.zeros(0, np.int64)
    except shapely.errors.GEOSException:
        pieces, refused = np.full(len(polygons), None, dtype=object), []
    for region, polygon in enumerate(polygons):
        try:
            pieces[region] = shapely.constrained_delaunay_triangles(polygon)
        except shapely.errors.GEOSException:
            refused.append(region)
    return pieces, np.array(refused, np.int64)


def _named(chains: Chains, keep: Array, rings: Rings, polygons: Array, pieces: Array) -> Contours:
    """Number the kept corners, with one number for all chains that meet at a point of the same layer."""
    kept = np.flatnonzero(keep)
    place = chains.xy[kept, 1].astype(np.int64) * (int(chains.xy[:, 0].max()) + 1) + chains.xy[kept, 0]
    key = place * (int(chains.layer.max()) + 1) + chains.layer[kept]
    _, first, name = np.unique(key, return_index=True, return_inverse=True)
    number = np.zeros(len(keep), np.int64)
    number[kept] = name
    unique = kept[first]
    chain = np.searchsorted(chains.start + np.arange(len(chains.start)), rings.corner, side="right") - 1
    return Contours(
        chains.xy[unique], chains.z[unique], polygons, pieces,
        rings.start, number[rings.corner], rings.region[rings.ring], chains.at_wall[chain],
    )  # fmt: skip


def _pin_all(rings: Rings, suspect: Array, pinned: Array) -> bool:
    """Keep every corner of suspect stretches, as outlines along voxel edges never cross; return whether any is new."""
    before = int(pinned.sum())
    begin, end = rings.corner[suspect].astype(np.int64), rings.end[suspect].astype(np.int64)
    for low, high in zip(np.minimum(begin, end), np.maximum(begin, end)):
        pinned[low:high] = True
    return int(pinned.sum()) > before


def _crossing(xy: Array, rings: Rings, suspect: Array) -> Array:
    """Return which stretches share more than an end with another of the same region, (entries,) bool."""
    entries = np.flatnonzero(suspect)
    a, b = xy[rings.corner[entries]].astype(np.int64), xy[rings.end[entries]].astype(np.int64)
    region = rings.region[rings.ring[entries]]
    low, high = np.minimum(a, b), np.maximum(a, b)
    boxes = shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1])
    i, j = shapely.STRtree(boxes).query(boxes)
    own = (i < j) & (region[i] == region[j])
    i, j = i[own], j[own]
    sides = [_side(a[i], b[i], a[j]), _side(a[i], b[i], b[j]), _side(a[j], b[j], a[i]), _side(a[j], b[j], b[i])]
    met = (sides[0] * sides[1] <= 0) & (sides[2] * sides[3] <= 0)
    common = sum((one == other).all(axis=1).astype(int) for one in (a[i], b[i]) for other in (a[j], b[j]))
    level = (sides[0] == 0) & (sides[1] == 0)
    # Two collinear stretches that share an end overlap unless they leave it in opposite directions.
    back = ((b[i] - a[i]) * (b[j] - a[j])).sum(axis=1) < 0
    chained = (a[i] == b[j]).all(axis=1) | (b[i] == a[j]).all(axis=1)
    folded = level & (common == 1) & (back == chained)
    clash = met & ((common != 1) | folded)
    result = np.zeros(len(suspect), np.bool_)
    result[entries[np.r_[i[clash], j[clash]]]] = True
    return result


def _side(a: Array, b: Array, c: Array) -> Array:
    return np.sign((b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0]))


def _polygons(xy: Array, rings: Rings, regions: int) -> Array:
    """Return one polygon per region: its counter-clockwise ring with the others as holes; empty if that fails."""
    points, ring, region = _split_touching(xy[rings.corner].astype(np.float64), rings.ring, rings.region)
    size = np.bincount(ring, minlength=len(region))
    begin = np.r_[0, np.cumsum(size)]
    onward = np.arange(1, len(points) + 1)
    onward[begin[1:] - 1] = begin[:-1]
    area = np.bincount(ring, points[:, 0] * points[onward, 1] - points[onward, 0] * points[:, 1])
    flat = np.bincount(region, area == 0.0, minlength=regions) > 0
    sound = ~flat & (np.bincount(region, area > 0.0, minlength=regions) == 1)
    used = np.flatnonzero(sound[region])
    used = used[np.lexsort((-area[used], region[used]))]  # a region's shell before its holes
    rank = np.full(len(region), -1)
    rank[used] = np.arange(len(used))
    order = np.argsort(rank[ring], kind="stable")
    order = order[rank[ring[order]] >= 0]
    polygons = np.full(regions, shapely.Polygon(), dtype=object)
    if len(used):
        lines = shapely.linearrings(points[order], indices=rank[ring[order]])
        ends = np.searchsorted(region[used], np.flatnonzero(sound), side="right")
        polygons[sound] = [
            shapely.polygons(lines[first], holes=lines[first + 1 : end]) for first, end in zip(np.r_[0, ends], ends)
        ]
    return polygons


def _split_touching(points: Array, ring: Array, region: Array) -> tuple[Array, Array, Array]:
    """Split rings that visit a point twice into rings that visit it once."""
    key = (ring * (points[:, 1].max() + 1) + points[:, 1]) * (points[:, 0].max() + 1) + points[:, 0]
    ordered = np.argsort(key, kind="stable")
    twice = np.unique(ring[ordered[1:][key[ordered][1:] == key[ordered][:-1]]])
    if not len(twice):
        return points, ring, region
    alone = ~np.isin(ring, twice)
    untouched = np.delete(np.arange(len(region)), twice)
    parts, number, owner = [points[alone]], [np.searchsorted(untouched, ring[alone])], region[untouched].tolist()
    for touching in twice:
        for loop in _loops(points[ring == touching]):
            parts.append(np.array(loop))
            number.append(np.full(len(loop), len(owner)))
            owner.append(int(region[touching]))
    return np.concatenate(parts), np.concatenate(number), np.array(owner)


def _loops(points: Array) -> list[list[tuple[float, float]]]:
    """Split a closed walk into loops at every point it visits again."""
    loops: list[list[tuple[float, float]]] = []
    path: list[tuple[float, float]] = []
    place: dict[tuple[float, float], int] = {}
    for x, y in points.tolist():
        at = place.get((x, y))
        if at is None:
            place[(x, y)] = len(path)
            path.append((x, y))
            continue
        loops.append(path[at:])
        for point in path[at + 1 :]:
            del place[point]
        del path[at + 1 :]
    return [*loops, path]
