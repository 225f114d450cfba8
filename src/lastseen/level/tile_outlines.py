"""Trace tiles into outlines: turn a tile map into a level of floors, so that its walls can be moved by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import shapely

from ..conventions import Array
from .level import Floor, Floors, Level, TileFloor, Tiles


def traced(level: Level) -> Level:
    """Return a level of tiles as one of floors: tiles merged into outlines, everything else unchanged.

    The rows of a tile map run down the picture, and so does y of the result: it looks the same and every place keeps
    its coordinates.
    """
    surface = level.surface
    if not isinstance(surface, Tiles):
        return level
    floors = [polygon for storey, floor in enumerate(surface.floors) for polygon in _floors(floor, storey)]
    return replace(level, surface=Floors((*floors, *surface.ramps)), y_down=True)


def tile_boxes(floor: TileFloor) -> Array:
    """Return one rectangle for each run of passable tiles in a row."""
    rows, columns = floor.passable.shape
    padded = np.zeros((rows, columns + 2), np.int8)
    padded[:, 1:-1] = floor.passable
    change = np.diff(padded, axis=1)
    row, first = np.nonzero(change == 1)
    _, last = np.nonzero(change == -1)
    x, y = floor.origin_xy
    return np.asarray(
        shapely.box(x + first * floor.tile, y + row * floor.tile, x + last * floor.tile, y + (row + 1) * floor.tile)
    )


def _floors(floor: TileFloor, storey: int) -> list[Floor]:
    """Return the outlines of a storey of tiles; tiles that meet only at a corner are not joined."""
    parts = shapely.get_parts(shapely.union_all(tile_boxes(floor)))
    found = []
    for part in shapely.orient_polygons(shapely.simplify(parts, 0.0)).tolist():
        rings = [np.asarray(ring.coords)[:-1, :2] for ring in (part.exterior, *part.interiors)]
        outline, *holes = [np.column_stack([ring, np.full(len(ring), floor.z)]) for ring in rings]
        found.append(Floor(outline, tuple(holes), floor.name, storey))
    return found
