"""Step 5: regions to polygons with holes; the border between two regions is the same line on both sides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from ...conventions import Array, Floats
from ...kernels.voxel_contours import chain_corners, find_chains, find_edges, find_rings, simplify
from .regions import Regions

__all__ = ["Contours", "find_contours"]

ROUNDS = 3
"""How often the error of a faulty outline is halved before all its corners are kept."""


@dataclass(frozen=True, eq=False)
class Contours:
    """One valid polygon per region, in voxels.

    Attributes
    ----------
    corner_xy : (V, 2) int32 voxels. corner_z : (V,) float64 metres.
    polygons : (R,) shapely polygons whose points are corners.
    ring_start : (Q + 1,) int64, ring_corner : corner ids, ring_region : (Q,) int32; rings as drawn round regions.
    """

    corner_xy: Array
    corner_z: Floats
    polygons: Array
    ring_start: Array
    ring_corner: Array
    ring_region: Array


def find_contours(regions: Regions) -> Contours:
    """Trace the outline of every region and drop corners as far as the allowed error and validity permit."""
    spans, grid = regions.spans, regions.spans.grid
    settings = grid.settings
    side, following, twin, node = find_edges(
        spans.start, spans.column_of, spans.link, regions.region, grid.width, grid.depth
    )
    chain_start, chain_edge, chain_of = find_chains(side, following, twin, node, regions.region)
    xy, z, layer = chain_corners(
        chain_start, chain_edge, side, following, spans.column_of, spans.link, spans.floor, grid.width
    )
    first = chain_edge[chain_start[:-1]]
    beyond = twin[first]
    left = regions.region[side[first] >> 2]
    right = np.where(beyond >= 0, regions.region[side[np.maximum(beyond, 0)] >> 2], -1)
    error = np.full(len(first), settings.max_edge_error / settings.voxel)
    longest = settings.max_edge_length / settings.voxel if settings.max_edge_length > 0.0 else np.inf
    for turn in range(ROUNDS + 2):
        keep = simplify(xy, z, chain_start, beyond < 0, error, settings.height_error, longest)
        ring_start, ring_corner, ring_region = find_rings(
            side, following, twin, node, regions.region, chain_of, chain_start, keep
        )
        polygons = _polygons(xy, ring_start, ring_corner, ring_region, regions.count)
        bad = np.flatnonzero(~shapely.is_valid(polygons) | shapely.is_empty(polygons))
        if not len(bad):
            break
        faulty = np.isin(left, bad) | np.isin(right, bad)
        error[faulty] = error[faulty] / 2.0 if turn < ROUNDS else 0.0
    corner = np.full(len(xy), -1, np.int64)
    kept = np.flatnonzero(keep)
    key = (xy[kept, 1].astype(np.int64) * (grid.width + 1) + xy[kept, 0]) * len(spans.floor) + layer[kept]
    _, unique, corner[kept] = np.unique(key, return_index=True, return_inverse=True)
    return Contours(
        xy[kept[unique]], z[kept[unique]], polygons, ring_start.astype(np.int64), corner[ring_corner], ring_region
    )


def _polygons(xy: Array, ring_start: Array, ring_corner: Array, ring_region: Array, count: int) -> Array:
    """Return one polygon per region: its one ring that runs counter-clockwise, and holes; empty where that fails."""
    points = xy[ring_corner].astype(np.float64)
    ring = np.repeat(np.arange(len(ring_region)), np.diff(ring_start))
    points, ring, region = _split_touching(points, ring, ring_region)
    size = np.bincount(ring, minlength=len(region))
    begin = np.r_[0, np.cumsum(size)]
    onward = np.arange(1, len(points) + 1)
    onward[begin[1:] - 1] = begin[:-1]
    area = np.bincount(ring, points[:, 0] * points[onward, 1] - points[onward, 0] * points[:, 1])
    polygons = np.full(count, shapely.Polygon(), dtype=object)
    sound = size >= 3
    shells = np.flatnonzero((area > 0.0) & sound)
    spoilt = np.unique(region[~sound | (area == 0.0)])
    shells = shells[~np.isin(region[shells], spoilt)]
    lines = np.full(len(region), None, dtype=object)
    solid = np.flatnonzero(sound)
    rows = np.isin(ring, solid)
    lines[solid] = shapely.linearrings(points[rows], indices=np.searchsorted(solid, ring[rows]))
    holes = np.flatnonzero((area < 0.0) & sound)
    holes = holes[np.argsort(region[holes], kind="stable")]
    of_region = np.searchsorted(region[holes], np.arange(count + 1))
    once = np.bincount(region[shells], minlength=count) == 1
    for shell in shells[once[region[shells]]]:
        own = region[shell]
        polygons[own] = shapely.polygons(lines[shell], holes=lines[holes[of_region[own] : of_region[own + 1]]])
    return polygons


def _split_touching(points: Array, ring: Array, region: Array) -> tuple[Array, Array, Array]:
    """Split rings that pass a point twice into rings that pass it once."""
    key = (ring * (points[:, 1].max() + 1) + points[:, 1]) * (points[:, 0].max() + 1) + points[:, 0]
    order = np.argsort(key, kind="stable")
    twice = np.unique(ring[order[1:][key[order][1:] == key[order][:-1]]])
    if not len(twice):
        return points, ring, region
    parts: list[Array] = [points[~np.isin(ring, twice)]]
    untouched = np.delete(np.arange(len(region)), twice)
    owner: list[int] = list(region[untouched])
    number: list[Array] = [np.searchsorted(untouched, ring[~np.isin(ring, twice)])]
    for touching in twice:
        for loop in _loops(points[ring == touching]):
            number.append(np.full(len(loop), len(owner)))
            parts.append(loop)
            owner.append(int(region[touching]))
    return np.concatenate(parts), np.concatenate(number), np.array(owner)


def _loops(points: Array) -> list[Array]:
    """Cut a closed walk into loops at every point it visits again."""
    loops: list[Array] = []
    path: list[tuple[float, float]] = []
    place: dict[tuple[float, float], int] = {}
    for x, y in points.tolist():
        at = place.get((x, y))
        if at is not None:
            loops.append(np.array(path[at:]))
            for point in path[at + 1 :]:
                del place[point]
            del path[at + 1 :]
            continue
        place[(x, y)] = len(path)
        path.append((x, y))
    return [*loops, np.array(path)]
