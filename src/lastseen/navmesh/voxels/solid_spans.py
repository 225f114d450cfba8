"""Step 1: rasterise triangles into solid spans, columns of matter."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...conventions import Array, Floats, Ids
from ...errors import BakeError
from ...kernels.voxels.voxel_rasterisation import NONE, by_column
from ...kernels.voxels.voxel_rasterisation import rasterise as fill_columns
from ...level.level import TriangleSoup
from .voxel_settings import VoxelGrid

MOST_SPANS = 100_000_000
SNAP = 1e-6
"""Distance in voxels within which coordinates snap to the edge of a column."""


@dataclass(frozen=True, eq=False)
class SolidSpans:
    """Matter in every column, bottom up; spans of column `y * width + x` are `start[column]` to `start[column + 1]`.

    Attributes
    ----------
    start : (columns + 1,) uint32.
    spans : (S, 4) float32, metres: bottom, top, floor at the column's centre, top of the highest walkable part.
    """

    start: Array
    spans: Array


def clean_soup(soup: TriangleSoup) -> tuple[Floats, Ids]:
    """Return finite vertices and triangles with an area; raise BakeError if the soup is unusable."""
    vertices, triangles = soup.vertices_xyz, soup.triangles
    if not len(triangles):
        raise BakeError("the mesh has no triangles; give at least one triangle to walk on")
    if triangles.min() < 0 or triangles.max() >= len(vertices):
        bad = int(np.flatnonzero((triangles < 0).any(axis=1) | (triangles >= len(vertices)).any(axis=1))[0])
        raise BakeError(f"triangle {bad} uses vertices {triangles[bad].tolist()}; allowed: 0 … {len(vertices) - 1}")
    if not np.isfinite(vertices).all():
        bad = int(np.flatnonzero(~np.isfinite(vertices).all(axis=1))[0])
        raise BakeError(f"vertex {bad} is {vertices[bad].tolist()}; every coordinate must be finite")
    normal = _normals(vertices, triangles)
    solid = triangles[np.linalg.norm(normal, axis=1) > 1e-12]
    if not len(solid):
        raise BakeError(f"none of the {len(triangles)} triangles has an area; nothing can be walked on")
    return vertices, np.ascontiguousarray(solid)


def _normals(vertices: Floats, triangles: Ids) -> Floats:
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    return np.cross(b - a, c - a)


def upward(vertices: Floats, triangles: Ids, slope: float) -> Array:
    """Return which triangles face up and are no steeper than `slope` radians, (T,) bool."""
    normal = _normals(vertices, triangles)
    size = np.linalg.norm(normal, axis=1)
    return (normal[:, 2] > 0.0) & (normal[:, 2] >= (math.cos(slope) - 1e-9) * size)


def rasterise(vertices: Floats, triangles: Ids, grid: VoxelGrid) -> SolidSpans:
    """Fill the columns of a grid with the matter of triangles."""
    points = (vertices - grid.origin_xyz) / grid.settings.voxel
    nearest = np.round(points)
    points = np.where(np.abs(points - nearest) < SNAP, nearest, points)
    points[:, 2] = vertices[:, 2]
    points = np.ascontiguousarray(points)
    walkable = upward(vertices, triangles, grid.body.slope)
    columns = grid.width * grid.depth
    head = np.full(columns, NONE, np.uint32)
    following, spans = np.empty(2 * columns + 1024, np.uint32), np.empty((2 * columns + 1024, 4), np.float32)
    done = used = 0
    while done < len(triangles):
        done, used = fill_columns(
            points, triangles, walkable, done, grid.width, grid.depth, grid.settings.voxel_height,
            head, following, spans, used,
        )  # fmt: skip
        if done < len(triangles):
            following, spans = _roomier(following, grid), _roomier(spans, grid)
    start, ordered = np.empty(columns + 1, np.uint32), np.empty((used, 4), np.float32)
    count = by_column(head, following, spans, start, ordered)
    return SolidSpans(start, ordered[:count])


def _roomier(array: Array, grid: VoxelGrid) -> Array:
    """Return the array enlarged by half."""
    if len(array) > MOST_SPANS:
        raise BakeError(
            f"the mesh needs more than {MOST_SPANS:,} spans at voxel {grid.settings.voxel:g} m; "
            "use a larger voxel, or bake the level in parts"
        )
    return np.concatenate([array, np.empty_like(array[: len(array) // 2])])
