"""Levels from arrays that a program already has: tiles, polygons, triangles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any

import numpy as np
import shapely

from ..checks import finite_number, instance_of, points_xyz, real_array, shown, text_of, wrong_kind
from ..conventions import Bools
from ..errors import InputError, LevelError, did_you_mean
from .check import find_faults
from .level import PARTS, Floor, Floors, Level, Surface, TileFloor, Tiles, TriangleSoup
from .readers.geojson_geometry import counter_clockwise, opened
from .readers.mesh_file import y_up_to_z_up

UPS = ("y", "z")


def level_from_array(
    passable: Any, tile: float, origin_xy: tuple[float, float], z: float, name: str, parts: dict[str, Any]
) -> Level:
    """Return a level of square tiles; see `Level.from_array`."""
    corner = real_array(origin_xy, "origin_xy", "(x, y) in metres")
    if corner.shape != (2,):
        raise InputError(f"origin_xy is {shown(origin_xy)}; give (x, y) in metres")
    width = finite_number(tile, "tile", unit="m", low=0.0, open_low=True)
    height = finite_number(z, "z", unit="m")
    x, y = corner.tolist()
    return _sound(Tiles((TileFloor(_tiles(passable), height, width, (x, y)),)), name, parts)


def level_from_polygons(floors: Any, name: str, parts: dict[str, Any]) -> Level:
    """Return a level of polygons; see `Level.from_polygons`."""
    if isinstance(floors, str | bytes) or not isinstance(floors, Iterable):
        raise InputError(f"floors is {shown(floors)}; give one outline of (x, y) or (x, y, z) points per floor")
    floors = list(floors)
    first = floors[0] if floors and isinstance(floors[0], Sequence | np.ndarray) else ()
    if len(first) in (2, 3) and all(isinstance(one, Real) for one in first):
        raise InputError(f"floors[0] is a point, {shown(first)}; give a list of outlines, such as [outline]")
    drawn = [_floor(floor, f"floors[{number}]") for number, floor in enumerate(floors)]
    return _sound(Floors(tuple(drawn)), name, parts)


def level_from_mesh(vertices: Any, triangles: Any, up: str, flip: bool, name: str, parts: dict[str, Any]) -> Level:
    """Return a level of triangles; see `Level.from_mesh`."""
    if not isinstance(up, str) or up not in UPS:
        raise InputError(f"up is {shown(up)}; give 'z' or 'y'")
    points, corners = points_xyz(vertices, "vertices"), _ids(triangles)
    if up == "y":
        points = y_up_to_z_up(points)
    if instance_of(flip, bool, "flip", "it must be True or False"):
        corners = corners[:, ::-1]
    return _sound(TriangleSoup(points + 0.0, corners), name, parts)  # turns -0.0 into 0.0


def _sound(surface: Surface, name: str, parts: dict[str, Any]) -> Level:
    """Return the level, or raise with all its faults as reading a file does."""
    for part in parts:
        if part not in PARTS:
            raise InputError(f"a level has no {part}{did_you_mean(part, PARTS)}; give any of {', '.join(PARTS)}")
    level = Level(surface, text_of(name, "name"), **parts)
    faults = find_faults(level)
    if any(fault.severity == "error" for fault in faults):
        raise LevelError(name, faults)
    return level


def _tiles(passable: Any) -> Bools:
    if isinstance(passable, Level):
        raise wrong_kind(passable, "array", "passable")
    try:
        grid = np.asarray(passable)
    except (TypeError, ValueError):
        grid = np.empty(0)
    if grid.dtype.kind == "U" or (grid.dtype.kind == "O" and grid.ndim):
        raise InputError(f"passable is {shown(passable)}; for a map drawn in text, call Level.from_text(text)")
    if grid.ndim != 2 or grid.dtype.kind not in "biuf":
        raise InputError(f"passable is {shown(passable)}; give (rows, columns), True where one can walk")
    if not np.isin(grid, (0, 1)).all():
        raise InputError(
            f"passable holds {grid.min():g} … {grid.max():g}; give True where one can walk, such as `grid == 0`"
        )
    if not grid.any():
        raise InputError("passable is 0 everywhere; give True where one can walk, such as `grid == 0`")
    return grid.astype(np.bool_)


def _floor(given: Any, name: str) -> Floor:
    """Return one floor from an outline or a shapely Polygon, its rings in the order levels want."""
    if isinstance(given, Floor):
        return given
    if isinstance(given, shapely.Polygon):
        rings = [shapely.get_coordinates(ring, include_z=given.has_z) for ring in (given.exterior, *given.interiors)]
    else:
        rings = [points_xyz(given, name)]
    outline, *holes = (opened(points_xyz(ring, name)) for ring in rings)
    return Floor(counter_clockwise(outline), tuple(counter_clockwise(hole, turn=-1) for hole in holes))


def _ids(triangles: Any) -> Any:
    try:
        corners = np.asarray(triangles)
    except (TypeError, ValueError):
        corners = np.empty(0)
    if corners.ndim != 2 or corners.shape[1] != 3 or corners.dtype.kind not in "iu":
        raise InputError(f"triangles is {shown(triangles)}; give (T, 3) whole numbers, rows of `vertices`")
    return corners
