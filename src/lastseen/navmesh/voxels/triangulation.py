"""Step 6: divide polygons into triangles, and merge those into convex faces that follow the floor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from ...conventions import Array, Floats
from ...kernels.voxels.voxel_merge import merge_faces
from ...kernels.voxels.voxel_refinement import FULL, OPEN, WALL, refine
from .contours import Contours
from .open_spans import Regions


def triangulate(contours: Contours) -> tuple[Array, Array]:
    """Return counter-clockwise triangles (T, 3) int32 of corner ids and the region of each (T,) int32."""
    parts, owner = shapely.get_parts(contours.pieces, return_index=True)
    points = shapely.get_coordinates(parts).reshape(-1, 4, 2)[:, :3].astype(np.int64)
    a, b, c = points[:, 0], points[:, 1], points[:, 2]
    area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    points = np.where((area < 0)[:, None, None], points[:, [0, 2, 1]], points)[area != 0]
    owner = owner[area != 0]
    return _corner_ids(contours, points, owner), owner.astype(np.int32)


def _corner_ids(contours: Contours, points: Array, owner: Array) -> Array:
    """Return the corner at each point of the triangles, (T, 3) int32."""
    across, rows = (np.int64(size + 1) for size in contours.corner_xy.max(axis=0))
    at = contours.corner_xy[contours.ring_corner].astype(np.int64)
    key = (contours.ring_region * rows + at[:, 1]) * across + at[:, 0]
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    wanted = (owner[:, None] * rows + points[:, :, 1]) * across + points[:, :, 0]
    first = np.searchsorted(ordered, wanted)
    ids = contours.ring_corner[order[first]]
    # A region that touches itself at a point has a corner there for each visit of its outline, maybe at two heights.
    several = np.searchsorted(ordered, wanted, side="right") - first > 1
    before, after = _adjacent(contours)
    for t, k in np.argwhere(several):
        for entry in order[first[t, k] :]:
            if key[entry] != wanted[t, k]:
                break
            if _within(points[t, k], points[t, (k + 1) % 3], at[after[entry]], at[before[entry]]):
                ids[t, k] = contours.ring_corner[entry]
                break
    return ids.astype(np.int32)


def _adjacent(contours: Contours) -> tuple[Array, Array]:
    """Return the entries before and after each entry of the outlines."""
    begin, end = contours.ring_start[:-1].astype(np.int64), contours.ring_start[1:].astype(np.int64)
    after = np.arange(1, len(contours.ring_corner) + 1)
    after[end - 1] = begin
    before = np.arange(-1, len(contours.ring_corner) - 1)
    before[begin] = end - 1
    return before, after


def _within(apex: Array, point: Array, right: Array, left: Array) -> bool:
    """Return whether `point` lies in the wedge at `apex`, counter-clockwise from `right` (included) to `left`."""
    (px, py), (rx, ry), (lx, ly) = (end - apex for end in (point, right, left))
    from_right, to_left = rx * py - ry * px, px * ly - py * lx
    ahead = rx * px + ry * py > 0
    if rx * ly - ry * lx > 0:  # narrower than a straight line
        return bool((from_right > 0 or (from_right == 0 and ahead)) and to_left > 0)
    return bool(from_right > 0 or (from_right == 0 and ahead) or to_left > 0)


def paired(key: Array, back: Array) -> Array:
    """Return the reverse of each directed edge, or -1 unless there is exactly one of each."""
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    place = np.searchsorted(ordered, back)
    inside = np.minimum(place, len(key) - 1)
    found = ordered[inside] == back
    single = np.searchsorted(ordered, back, side="right") - place == 1
    mate = np.where(found & single, order[inside], -1)
    mutual = (mate >= 0) & (mate[mate] == np.arange(len(mate)))
    return np.where(mutual, mate, -1).astype(np.int32)


def edges_of(triangles: Array) -> tuple[Array, Array]:
    """Return the first and last corner of every edge of triangles, (3 T,) int64 each."""
    begin = triangles.astype(np.int64).ravel()
    return begin, np.roll(triangles, -1, axis=1).astype(np.int64).ravel()


def neighbours(contours: Contours, triangles: Array, owner: Array) -> Array:
    """Return the triangle of the same region beyond each edge, (T, 3) int32; at its outline `WALL` or `OPEN`."""
    begin, end = edges_of(triangles)
    count = np.int64(len(contours.corner_xy))
    region = np.repeat(owner.astype(np.int64), 3)
    key = (region * count + begin) * count + end
    mate = paired(key, (region * count + end) * count + begin)
    _, after = _adjacent(contours)
    corner = contours.ring_corner.astype(np.int64)
    stretch = (contours.ring_region * count + corner) * count + corner[after]
    outline = np.where(np.isin(key, stretch[contours.ring_wall]), WALL, OPEN)
    return np.where(mate >= 0, mate // 3, outline).astype(np.int32).reshape(-1, 3)


@dataclass(frozen=True, eq=False)
class Faces:
    """Convex faces, counter-clockwise from above.

    Attributes
    ----------
    vertices_xyz : (V, 3) float64, metres. face_start : (F + 1,) int32; corners : int32 vertex ids.
    barred : bool, one per corner: the edge from this corner is a wall, even if another face adjoins.
    """

    vertices_xyz: Floats
    face_start: Array
    corners: Array
    barred: Array


def polygonise(contours: Contours, regions: Regions) -> Faces:
    """Triangulate every region, add corners where the floor bends, and merge triangles into convex faces."""
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
    """Return corners in half voxels, their heights, refined triangles, their neighbours and their deviations."""
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
    """Return the array with more than twice the room, filled with `value`."""
    return np.concatenate([array, np.full((len(array) + 16, *array.shape[1:]), value, array.dtype)])


def _twins(triangles: Array, count: int) -> Array:
    """Return the twin of each edge in the adjacent triangle, also across regions, (3 T,) int32; -1 at walls."""
    begin, end = edges_of(triangles)
    return paired(begin * count + end, end * count + begin)


def _longest_first(xy: Floats, triangles: Array, twin: Array) -> Array:
    """Return inner edges once each, longest first: removing long edges first leaves the roundest faces."""
    begin, end = edges_of(triangles)
    length = ((xy[begin] - xy[end]) ** 2).sum(axis=1)
    edges = np.flatnonzero(np.arange(len(twin)) < twin)
    return edges[np.argsort(-length[edges], kind="stable")].astype(np.int32)
