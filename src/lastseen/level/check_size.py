"""Check that a level's size allows a bake with the default settings."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import shapely

from ..conventions import FINEST_STEPS, MOST_COLUMNS, MOST_PIECES, MOST_SLOTS
from ..errors import Fault
from .check_numbers import points_of
from .floor_plans import Plans
from .level import Floors, Level, Tiles, TriangleSoup

USUAL_CELL = 1.0
USUAL_HEIGHT = 2.0
USUAL_VOXEL = 0.15
"""Metres: the defaults of a bake; cells of a tile map are as wide as its tiles."""
CELLS = (0.05, 100.0)
"""Narrowest and widest cell, metres."""


def size_faults(level: Level) -> list[Fault]:
    """Return why a bake with the default settings rejects a sound level for its size or position.

    Other settings may accept it, so these are not faults of the level; each names the setting to change.
    """
    points = points_of(level.surface)
    if not len(points):
        return []
    low, high = points.min(axis=0), points.max(axis=0)
    cell = default_cell(level)
    if not CELLS[0] <= cell <= CELLS[1]:
        what = f"its tiles are {cell:g} m wide; cells are {CELLS[0]:g} to {CELLS[1]:g} m"
        return [Fault(what, "bake it with `--cell`, or give its tiles another size", at=_at(low))]
    faults = list(_too_far(low, high, cell))
    wide, deep, tall = (high - low).tolist()
    if isinstance(level.surface, TriangleSoup):
        faults += _too_many_voxels(wide, deep, _at(low))
    area = _area(level)
    least = max(max(wide, deep) / MOST_SLOTS, math.sqrt(area / MOST_PIECES))
    if least - 1e-6 > cell:
        what = f"the level is {wide:.6g} m x {deep:.6g} m"
        if max(wide, deep) > cell * MOST_SLOTS:
            what += f"; at most {MOST_SLOTS} cells of {cell:g} m fit in a row"
        else:
            what += f" and its floors cover {area:.4g} m²; at most {MOST_PIECES:,} cells of {cell:g} m fit a layout"
        wider = f", or bake it with cells wider than {math.ceil(least * 100) / 100:g} m (`--cell`)"
        faults.append(Fault(what, "split it" + (wider if least < CELLS[1] else ""), at=_at(low)))
    if tall / USUAL_HEIGHT > MOST_SLOTS:
        what = f"the level is {tall:.6g} m high; at most {MOST_SLOTS} grid levels of {USUAL_HEIGHT:g} m fit"
        faults.append(Fault(what, "split it, or bake it with taller grid levels (`--height`)", at=_at(low)))
    return faults


def default_cell(level: Level) -> float:
    """Return the edge of a level's cells in metres: the tile of a tile map, else 1."""
    surface = level.surface
    return surface.floors[0].tile if isinstance(surface, Tiles) and surface.floors else USUAL_CELL


def _too_far(low: np.ndarray, high: np.ndarray, cell: float) -> Iterator[Fault]:
    reach = float(np.abs([low, high]).max())
    finest = min(cell, USUAL_HEIGHT)
    if np.spacing(np.float32(reach)) * FINEST_STEPS > finest:
        what = f"it reaches {reach:.6g} m from the origin, where positions are too coarse for cells of {cell:g} m"
        yield Fault(what, "move it nearer to the origin, or bake it with larger cells (`--cell`)", at=_at(high))


def _too_many_voxels(wide: float, deep: float, at: tuple[float, ...]) -> Iterator[Fault]:
    columns = math.ceil(wide / USUAL_VOXEL - 1e-6) * math.ceil(deep / USUAL_VOXEL - 1e-6)
    if columns > MOST_COLUMNS:
        least = math.ceil(math.sqrt(wide * deep / MOST_COLUMNS) * 1000) / 1000
        what = f"the mesh is {wide:.6g} m x {deep:.6g} m; at most {MOST_COLUMNS:,} voxels of {USUAL_VOXEL:g} m fit"
        advice = f"bake it in parts, or with voxels of at least {least:g} m (`--voxel`); is it in metres?"
        yield Fault(what, advice, at=at)


def _area(level: Level) -> float:
    """Return a lower bound on the walkable area in m²: floors minus everything that stands on them."""
    if not isinstance(level.surface, Floors):
        return 0.0
    things = [shapely.Polygon(thing.outline_xy) for thing in (*level.obstacles, *level.cover)]
    free = float(shapely.area(Plans(level.surface.polygons).polygons).sum() - shapely.area(things).sum())
    return max(free, 0.0)


def _at(point: np.ndarray) -> tuple[float, ...]:
    return tuple(point.tolist())
