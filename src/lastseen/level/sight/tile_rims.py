"""Place the walls of a tile map: along tiles that block both walking and sight."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely

from ...conventions import Array, Bools, Floats
from ...kernels.rectangles import merge_tiles
from ..ground import REACH
from ..level import TileFloor

__all__ = ["open_tiles", "tile_outline", "tile_shape", "tile_sheet"]


def open_tiles(floor: TileFloor, shapes: Array, low: Floats, high: Floats, wall_height: float) -> Bools:
    """Return the tiles without a wall: passable ones, and those occupied by something drawn.

    Cover is not floor, but agents see over it: its own height counts. It must fill more than half of a tile.
    """
    free = floor.passable.copy()
    stands = (low < floor.z + wall_height) & (low <= floor.z + REACH) & (high > floor.z)
    rows, columns = free.shape
    for shape in shapes[stands]:
        bounds = (np.array(shape.bounds).reshape(2, 2) - floor.origin_xy) / floor.tile
        first = np.clip(np.floor(bounds[0]), 0, [columns, rows]).astype(np.int64)
        last = np.clip(np.ceil(bounds[1]), 0, [columns, rows]).astype(np.int64)
        row, column = np.nonzero(~free[first[1] : last[1], first[0] : last[0]])
        row, column = row + first[1], column + first[0]
        left, below = floor.origin_xy[0] + column * floor.tile, floor.origin_xy[1] + row * floor.tile
        boxes = shapely.box(left, below, left + floor.tile, below + floor.tile)
        filled = shapely.area(shapely.intersection(boxes, shape)) > 0.5 * floor.tile**2
        free[row[filled], column[filled]] = True
    return free


def tile_outline(free: Bools, tile: float, origin_xy: Sequence[float]) -> tuple[Floats, Floats]:
    """Return the runs of edges between free and other tiles, begin and end (n, 2), with free tiles on the left."""
    lengthwise = _runs(free)
    crosswise = _runs(free.T)[:, ::-1, ::-1]  # mirrored: swap x and y, and the direction
    edges = np.concatenate([lengthwise, crosswise]).astype(np.float64) * tile + np.asarray(origin_xy, np.float64)
    return edges[:, 0], edges[:, 1]


def _runs(free: Bools) -> Array:
    """Return the edges along rows as (n, 2, 2): begin and end, column and row."""
    rows, columns = free.shape
    padded = np.zeros((rows + 2, columns + 2), np.int8)
    padded[1:-1, 1:-1] = free
    change = np.diff(padded, axis=0)  # 1: free above the line, -1: free below it
    parts = []
    for sign in (1, -1):
        line, edge = np.nonzero(np.diff((change == sign).astype(np.int8), axis=1))
        begin, end = np.stack([edge[::2], line[::2]], axis=1), np.stack([edge[1::2], line[1::2]], axis=1)
        parts.append(np.stack([begin, end] if sign == 1 else [end, begin], axis=1))
    return np.concatenate(parts)


def tile_sheet(floor: TileFloor) -> Floats:
    """Return the passable tiles as triangles (n, 3, 3)."""
    flat = _rectangles(floor.passable, floor)
    corner = np.concatenate([flat, np.full((len(flat), 4, 1), floor.z)], axis=2)
    return np.concatenate([corner[:, [0, 1, 2]], corner[:, [0, 2, 3]]])


def tile_shape(free: Bools, floor: TileFloor) -> shapely.Geometry:
    """Return the plan of free tiles."""
    return shapely.union_all(shapely.polygons(_rectangles(free, floor)))


def _rectangles(free: Bools, floor: TileFloor) -> Floats:
    """Return disjoint rectangles that cover the free tiles, (n, 4, 2)."""
    found = np.empty((int(free.sum()), 4), dtype=np.int32)
    column, row, width, height = found[: merge_tiles(free.astype(np.uint8), max(free.shape), found)].T
    x = np.stack([column, column + width, column + width, column], axis=1)
    y = np.stack([row, row, row + height, row + height], axis=1)
    return np.stack([x, y], axis=2) * floor.tile + np.asarray(floor.origin_xy)
