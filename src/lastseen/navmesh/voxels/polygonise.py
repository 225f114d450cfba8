"""Step 6: polygons to convex faces that lie on the floor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...conventions import Array, Floats
from ...kernels.voxel_merge import merge_faces
from ...kernels.voxel_refine import FULL, WALL, refine
from .contours import Contours
from .regions import Regions
from .triangulate import edges_of, neighbours, paired, triangulate

__all__ = ["Faces", "polygonise"]


@dataclass(frozen=True, eq=False)
class Faces:
    """Convex faces, counter-clockwise from above.

    Attributes
    ----------
    vertices_xyz : (V, 3) float64, metres. face_start : (F + 1,) int32; corners : int32 vertex ids.
    barred : bool, one per corner: nothing to walk on beyond the edge from this corner, whatever is drawn there.
    """

    vertices_xyz: Floats
    face_start: Array
    corners: Array
    barred: Array


def polygonise(contours: Contours, regions: Regions) -> Faces:
    """Triangulate every region, add corners where the floor bends, and merge triangles to convex faces."""
    grid = regions.spans.grid
    xy, z, triangles, neighbour, deviation = _refined(contours, regions, *triangulate(contours))
    twin = _twins(triangles, len(xy))
    order = _longest_first(xy, triangles, twin)
    face_start, edges = merge_faces(
        xy, z, triangles, deviation, twin, order, grid.settings.height_error, grid.settings.max_corners
    )
    barred = neighbour.ravel()[edges] == WALL
    return Faces(grid.to_world(xy / 2.0, z), face_start, triangles.ravel()[edges], barred)


def _refined(contours: Contours, regions: Regions, triangles: Array, owner: Array) -> tuple[Array, ...]:
    """Return corners in half voxels, heights, triangles on the floor, what lies beside them, how far they stray."""
    grid, spans = regions.spans.grid, regions.spans
    vertices, count = len(contours.corner_xy), len(triangles)
    xy, z = contours.corner_xy.astype(np.float64) * 2.0, contours.corner_z
    neighbour, deviation = neighbours(contours, triangles, owner), np.full(count, np.inf)
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
    return xy[:vertices], z[:vertices], triangles[:count], neighbour[:count], deviation[:count]


def _roomier(array: Array, value: float) -> Array:
    """Return the array with as much room again and a little, filled with `value`."""
    return np.concatenate([array, np.full((len(array) + 16, *array.shape[1:]), value, array.dtype)])


def _twins(triangles: Array, count: int) -> Array:
    """Return each edge as the triangle beyond sees it, also across regions, (3 T,) int32; -1 at walls."""
    begin, end = edges_of(triangles)
    return paired(begin * count + end, end * count + begin)


def _longest_first(xy: Floats, triangles: Array, twin: Array) -> Array:
    """Return edges to try, each once, the longest first: removing those leaves the roundest faces."""
    begin, end = edges_of(triangles)
    length = ((xy[begin] - xy[end]) ** 2).sum(axis=1)
    edges = np.flatnonzero(np.arange(len(twin)) < twin)
    return edges[np.argsort(-length[edges], kind="stable")].astype(np.int32)
