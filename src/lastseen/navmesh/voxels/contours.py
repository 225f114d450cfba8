"""Step 5: regions to polygons with holes; the border between two regions is the same line on both sides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from ...conventions import Array, Floats
from ...errors import BakeError
from ...kernels.voxel_contours import chain_corners, find_chains, find_edges, find_rings, pin_farthest, simplify
from .regions import Regions

__all__ = ["Contours", "find_contours"]

ROUNDS = 8
"""How often stretches that cross others are bent back before all corners of the region are kept."""


@dataclass(frozen=True, eq=False)
class Rings:
    """Closed outlines round regions; ring `q` has the entries `start[q]` to `start[q + 1]`.

    `corner` are rows of corners, `end` the rows where the stretch from each corner ends, `region` one per ring.
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
    polygons : (R,) shapely polygons whose points are corners.
    ring_corner, ring_region : (Q,) corner ids on outlines, and the region outlined.
    """

    corner_xy: Array
    corner_z: Floats
    polygons: Array
    ring_corner: Array
    ring_region: Array


def find_contours(regions: Regions) -> Contours:
    """Trace the outline of every region and drop corners as far as the allowed error and validity permit."""
    spans, grid = regions.spans, regions.spans.grid
    settings = grid.settings
    side, following, twin, node = find_edges(
        spans.start, spans.column_of, spans.link, regions.region, grid.width, grid.depth
    )
    chain_start, chain_edge, chain_of = find_chains(
        side, following, twin, node, regions.region, spans.column_of, grid.width
    )
    xy, z, layer = chain_corners(
        chain_start, chain_edge, side, following, spans.column_of, spans.link, spans.floor, grid.width
    )
    at_wall = twin[chain_edge[chain_start[:-1]]] < 0
    # Less than half a voxel's diagonal would only keep the stairs of a slanted wall.
    error, rise = max(settings.max_edge_error / settings.voxel, 1e-6), settings.height_error
    longest = settings.max_edge_length / settings.voxel if settings.max_edge_length > 0.0 else np.inf
    pinned = np.zeros(len(xy), np.bool_)
    for turn in range(ROUNDS + 1):
        keep = simplify(xy, z, chain_start, at_wall, pinned, error, rise, longest)
        rings = Rings(*find_rings(side, following, twin, node, regions.region, chain_of, chain_start, keep))
        polygons = _polygons(xy, rings, regions.count)
        bad = np.flatnonzero(~shapely.is_valid(polygons) | shapely.is_empty(polygons))
        if not len(bad):
            break
        suspect = np.isin(rings.region[rings.ring], bad)
        if turn < ROUNDS - 1:
            crossing = _crossing(xy, rings, suspect)
            suspect = crossing if crossing.any() else suspect
            pin_farthest(xy, z, rings.corner[suspect], rings.end[suspect], error, rise, pinned)
        else:
            _pin_all(rings, suspect, pinned)
    else:
        raise BakeError(
            f"{len(bad)} of {regions.count} regions could not be outlined at voxel {settings.voxel:g} m; "
            "give another voxel, or report the level"
        )
    kept = np.flatnonzero(keep)
    key = (xy[kept, 1].astype(np.int64) * (grid.width + 1) + xy[kept, 0]) * len(spans.floor) + layer[kept]
    _, unique, name = np.unique(key, return_index=True, return_inverse=True)
    corner = np.zeros(len(xy), np.int64)
    corner[kept] = name
    return Contours(xy[kept[unique]], z[kept[unique]], polygons, corner[rings.corner], rings.region[rings.ring])


def _pin_all(rings: Rings, suspect: Array, pinned: Array) -> None:
    """Keep every corner of the suspect stretches: outlines along voxel edges never cross."""
    begin, end = rings.corner[suspect].astype(np.int64), rings.end[suspect].astype(np.int64)
    for low, high in zip(np.minimum(begin, end), np.maximum(begin, end)):
        pinned[low:high] = True


def _crossing(xy: Array, rings: Rings, suspect: Array) -> Array:
    """Return which stretches meet another of the same region in more than a common end, (entries,) bool."""
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
    # Two stretches in one line that share an end lie over one another unless they leave it in opposite directions.
    back = ((b[i] - a[i]) * (b[j] - a[j])).sum(axis=1) < 0
    chained = (a[i] == b[j]).all(axis=1) | (b[i] == a[j]).all(axis=1)
    folded = level & (common == 1) & (back == chained)
    clash = met & ((common != 1) | folded)
    result = np.zeros(len(suspect), np.bool_)
    result[entries[np.r_[i[clash], j[clash]]]] = True
    return result


def _side(a: Array, b: Array, c: Array) -> Array:
    return np.sign((b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0]))


def _polygons(xy: Array, rings: Rings, count: int) -> Array:
    """Return one polygon per region: its one counter-clockwise ring, the others as holes; empty where that fails."""
    points, ring, region = _split_touching(xy[rings.corner].astype(np.float64), rings.ring, rings.region)
    size = np.bincount(ring, minlength=len(region))
    begin = np.r_[0, np.cumsum(size)]
    onward = np.arange(1, len(points) + 1)
    onward[begin[1:] - 1] = begin[:-1]
    area = np.bincount(ring, points[:, 0] * points[onward, 1] - points[onward, 0] * points[:, 1])
    flat = np.bincount(region, area == 0.0, minlength=count) > 0
    sound = ~flat & (np.bincount(region, area > 0.0, minlength=count) == 1)
    used = np.flatnonzero(sound[region])
    used = used[np.lexsort((-area[used], region[used]))]  # a region's shell before its holes
    rank = np.full(len(region), -1)
    rank[used] = np.arange(len(used))
    order = np.argsort(rank[ring], kind="stable")
    order = order[rank[ring[order]] >= 0]
    polygons = np.full(count, shapely.Polygon(), dtype=object)
    if len(used):
        lines = shapely.linearrings(points[order], indices=rank[ring[order]])
        ends = np.searchsorted(region[used], np.flatnonzero(sound), side="right")
        polygons[sound] = [
            shapely.polygons(lines[first], holes=lines[first + 1 : end]) for first, end in zip(np.r_[0, ends], ends)
        ]
    return polygons


def _split_touching(points: Array, ring: Array, region: Array) -> tuple[Array, Array, Array]:
    """Split rings that pass a point twice into rings that pass it once."""
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
    """Cut a closed walk into loops at every point it visits again."""
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
