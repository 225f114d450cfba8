"""Step 6: polygons to convex faces that lie on the floor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from ...conventions import Array, Floats
from ...errors import BakeError
from ...kernels.voxel_merge import merge_faces
from ...kernels.voxel_refine import FULL, refine
from .contours import Contours
from .regions import Regions

__all__ = ["Faces", "polygonise"]


@dataclass(frozen=True, eq=False)
class Faces:
    """Convex faces, counter-clockwise from above.

    Attributes
    ----------
    vertices_xyz : (V, 3) float64, metres. face_start : (F + 1,) int32; corners : int32 vertex ids.
    """

    vertices_xyz: Floats
    face_start: Array
    corners: Array


def polygonise(contours: Contours, regions: Regions) -> Faces:
    """Triangulate every region, add corners where the floor bends, and merge triangles to convex faces."""
    grid = regions.spans.grid
    triangles, owner = _triangulate(contours, grid.width)
    xy, z, triangles, deviation = _refined(contours, regions, triangles, owner)
    twin = _twins(triangles, len(xy))
    order = _longest_first(xy, triangles, twin)
    face_start, corners = merge_faces(
        xy, z, triangles, deviation, twin, order, grid.settings.height_error, grid.settings.max_corners
    )
    return Faces(grid.to_world(xy / 2.0, z), face_start, corners)


def _triangulate(contours: Contours, width: int) -> tuple[Array, Array]:
    """Return triangles (T, 3) int32 of corner ids and the region of each (T,) int32."""
    try:
        collections = shapely.constrained_delaunay_triangles(contours.polygons)
    except shapely.errors.GEOSException as error:
        raise BakeError(
            f"a region could not be triangulated ({error}); give another voxel, or report the level"
        ) from None
    parts, owner = shapely.get_parts(collections, return_index=True)
    points = shapely.get_coordinates(parts).reshape(-1, 4, 2)[:, :3].astype(np.int64)
    across = np.int64(width + 1)
    rows = np.int64(contours.corner_xy[:, 1].max() + 1)
    at = contours.corner_xy[contours.ring_corner].astype(np.int64)
    key = (contours.ring_region * rows + at[:, 1]) * across + at[:, 0]
    order = np.argsort(key, kind="stable")
    wanted = (owner[:, None] * rows + points[:, :, 1]) * across + points[:, :, 0]
    triangles = contours.ring_corner[order[np.searchsorted(key[order], wanted)]].astype(np.int32)
    a, b, c = points[:, 0], points[:, 1], points[:, 2]
    area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    triangles = np.where((area < 0)[:, None], triangles[:, [0, 2, 1]], triangles)
    return np.ascontiguousarray(triangles[area != 0]), owner[area != 0].astype(np.int32)


def _refined(contours: Contours, regions: Regions, triangles: Array, owner: Array) -> tuple[Array, Array, Array, Array]:
    """Return corners in half voxels, their heights, triangles on the floor, and how far each strays from it."""
    grid, spans = regions.spans.grid, regions.spans
    vertices, count = len(contours.corner_xy), len(triangles)
    xy, z = contours.corner_xy.astype(np.float64) * 2.0, contours.corner_z
    neighbour, deviation = _neighbours(triangles, owner), np.full(count, np.inf)
    status = FULL
    while status == FULL:
        xy, z = _roomier(xy, 0.0), _roomier(z, 0.0)
        triangles, neighbour, owner = _roomier(triangles, 0), _roomier(neighbour, 0), _roomier(owner, 0)
        deviation = _roomier(deviation, np.inf)
        vertices, count, status = refine(
            xy, z, triangles, neighbour, owner, deviation, vertices, count,
            spans.start, regions.region, spans.floor, grid.width, grid.depth, grid.reach,
            grid.settings.height_error,
        )  # fmt: skip
    return xy[:vertices], z[:vertices], triangles[:count], deviation[:count]


def _roomier(array: Array, value: float) -> Array:
    """Return the array with as much room again and a little, filled with `value`."""
    return np.concatenate([array, np.full((len(array) + 16, *array.shape[1:]), value, array.dtype)])


def _paired(key: Array, back: Array) -> Array:
    """Return for each directed edge the one that runs back, where there is exactly one of each; else -1."""
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    place = np.searchsorted(ordered, back)
    inside = np.minimum(place, len(key) - 1)
    found = ordered[inside] == back
    single = np.searchsorted(ordered, back, side="right") - place == 1
    mate = np.where(found & single, order[inside], -1)
    mutual = (mate >= 0) & (mate[mate] == np.arange(len(mate)))
    return np.where(mutual, mate, -1).astype(np.int32)


def _edges(triangles: Array) -> tuple[Array, Array]:
    begin = triangles.astype(np.int64).ravel()
    return begin, np.roll(triangles, -1, axis=1).astype(np.int64).ravel()


def _neighbours(triangles: Array, owner: Array) -> Array:
    """Return the triangle of the same region beyond each edge, (T, 3) int32; -1 at its outline."""
    begin, end = _edges(triangles)
    count = np.int64(begin.max() + 1)
    region = np.repeat(owner.astype(np.int64), 3)
    mate = _paired((region * count + begin) * count + end, (region * count + end) * count + begin)
    return np.where(mate >= 0, mate // 3, -1).astype(np.int32).reshape(-1, 3)


def _twins(triangles: Array, count: int) -> Array:
    """Return each edge as the triangle beyond sees it, also across regions, (3 T,) int32; -1 at walls."""
    begin, end = _edges(triangles)
    return _paired(begin * count + end, end * count + begin)


def _longest_first(xy: Floats, triangles: Array, twin: Array) -> Array:
    """Return edges to try, each once, the longest first: removing those leaves the roundest faces."""
    begin, end = _edges(triangles)
    length = ((xy[begin] - xy[end]) ** 2).sum(axis=1)
    edges = np.flatnonzero(np.arange(len(twin)) < twin)
    return edges[np.argsort(-length[edges], kind="stable")].astype(np.int32)
