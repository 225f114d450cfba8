"""Build `Sight` from a level."""

from __future__ import annotations

import numpy as np

from ...checks import finite_number, read_only
from ...conventions import Array, Floats
from ...errors import InputError
from ...kernels.sight_arrays import SightArrays
from ...kernels.sight_grid import fill_columns
from ..features import Door, Obstacle
from ..level import Level
from .blockers import NO_DOOR, Blockers, joined, prisms
from .grounds import Standing, ground_blockers
from .sight import Sight

__all__ = ["build_sight"]

MOST_COLUMNS, MOST_ALONG = 4_000_000, 30_000
LEVEL_SLACK = 0.01
"""Metres feet may sink into a floor and still be seen from above: levels are drawn no more precisely."""
EDGE_SLACK = 1e-6


def build_sight(level: Level, *, wall_height: float = 3.0) -> Sight:
    """Collect what blocks sight on a level; see `Sight.from_level`."""
    if not isinstance(level, Level):
        raise InputError(f"Sight needs a Level, got {type(level).__name__}; read one with `Level.read`")
    wall_height = finite_number(wall_height, "wall_height", unit="m", low=0.1, high=1000.0)
    things: tuple[Obstacle | Door, ...] = (*level.obstacles, *level.cover, *level.doors)
    doors = np.full(len(things), NO_DOOR, np.int32)
    doors[len(things) - len(level.doors) :] = np.arange(len(level.doors))
    standing = Standing(things)
    solid = prisms([thing.outline_xy for thing in things], standing.low, standing.high, doors)
    parts = [solid, *ground_blockers(level.surface, standing, wall_height)]
    sight = _in_grid(joined(parts), tuple(door.name for door in level.doors), wall_height)
    sight.set_doors([not door.open for door in level.doors])
    return sight


def _in_grid(blockers: Blockers, door_names: tuple[str, ...], wall_height: float) -> Sight:
    """Sort walls and triangles into grid columns about as wide as their mean spacing."""
    triangle, kept = _prepared(blockers.corner_xyz)
    segments = blockers.wall[:, :4].reshape(-1, 2, 2)
    flat = blockers.corner_xyz[kept][:, :, :2]
    points = np.concatenate([segments.reshape(-1, 2), flat.reshape(-1, 2)])
    low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(2), np.zeros(2))
    extent = np.maximum(high - low, 1.0)
    size = float(np.sqrt(extent.prod() / min(max(len(segments) + len(flat), 1), MOST_COLUMNS)))
    size = max(size, float(extent.max()) / MOST_ALONG)
    low = low - 0.01 * size
    columns, rows = (np.floor((high - low) / size + 0.01).astype(np.int64) + 1).tolist()
    column = _columns((segments - low) / size, (flat - low) / size, columns, rows)
    grid = read_only(np.array([low[0], low[1], 1.0 / size, columns, rows]))
    doors = (blockers.wall_door, blockers.triangle_door[kept])
    return Sight(SightArrays(blockers.wall, triangle, grid, column), doors, door_names, wall_height)


def _prepared(corner: Floats) -> tuple[Floats, Array]:
    """Return triangles (n, 3, 3) with everything a ray test needs, (n, 16), and a mask of those with an area."""
    normal = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    length = np.linalg.norm(normal, axis=1)
    kept = length > 0.0
    corner, normal = corner[kept], normal[kept] / length[kept, None]
    offset = (normal * corner[:, 0]).sum(axis=1)
    slack = np.where(np.abs(normal[:, 2]) > 0.5, LEVEL_SLACK, EDGE_SLACK)
    z = corner[:, :, 2]
    columns = [z.min(axis=1), z.max(axis=1), slack, normal, offset, corner.reshape(-1, 9)]
    return np.ascontiguousarray(np.column_stack(columns)), kept


def _columns(segments: Floats, flat: Floats, columns: int, rows: int) -> Array:
    """Return the start of the walls and triangles of each column, followed by their indices; see `SightArrays`."""
    groups = (np.ascontiguousarray(segments), np.ascontiguousarray(flat))
    count = np.zeros((columns * rows, 2), np.int64)
    nothing = np.zeros(0, np.uint32)
    for kind, shapes in enumerate(groups):
        fill_columns(shapes, columns, rows, count[:, kind], nothing)
    start = count.size + 1 + np.r_[0, np.cumsum(count.reshape(-1))]
    column = np.empty(int(start[-1]), np.uint32)
    column[: len(start)] = start
    place = start[:-1].reshape(-1, 2).copy()
    for kind, shapes in enumerate(groups):
        fill_columns(shapes, columns, rows, place[:, kind], column)
    return read_only(column)
