"""Overlays: what is placed on a triangle mesh, kept next to it as GeoJSON without floors.

`dungeon.overlay.geojson` belongs to `dungeon.obj`, and is read with it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..conventions import Floats
from ..errors import Fault, LevelError, PartLabel
from .features import IntendedPath
from .floor_plans import floor_heights
from .level import Level, TriangleSoup
from .readers import geojson

ENDING = ".overlay.geojson"
"""End of the name of an overlay, after the name of its mesh without extension."""
_TOUCHING = 0.001
"""Metres by which something may float above the floor it stands on."""


def overlay_path(mesh: Path) -> Path:
    """Return where the overlay of a mesh is, whether it exists or not."""
    return mesh.with_name(mesh.stem + ENDING)


def with_overlay(level: Level, data: bytes, name: str) -> Level:
    """Return a mesh with everything an overlay places on it; the overlay's faults name its file.

    Raise LevelError if the overlay cannot be read.
    """
    assert isinstance(level.surface, TriangleSoup)
    try:
        return replace(level, **geojson.read_placed(data, name))
    except LevelError as error:
        raise LevelError(level.source, [_named(fault, name) for fault in error.faults]) from None


def settled(level: Level) -> Level:
    """Return a mesh with everything placed on it moved up or down onto the nearest floor; what is off it stays.

    Obstacles, cover, doors and zones keep their base if there is floor between it and their top at a corner or in the
    middle.
    """
    assert isinstance(level.surface, TriangleSoup)
    points = [one.xyz for name in _POINTS for one in getattr(level, name)]
    points += [stop.xyz for patrol in level.patrols for stop in patrol.stops]
    points += [tuple(point) for path in level.paths for point in path.points_xyz.tolist()]
    standing = [one for name in _STANDING for one in getattr(level, name)]
    samples = [_samples(one) for one in standing]
    xyz = np.concatenate([np.array(points, dtype=np.float64).reshape(-1, 3), *samples])
    found = floor_heights(level.surface, xyz)
    heights = iter(np.where(np.isnan(found), xyz[:, 2], np.round(found, 6)).tolist()[: len(points)])
    below = np.split(found[len(points) :], np.cumsum([len(places) for places in samples])[:-1])
    based = iter([_based(one, around) for one, around in zip(standing, below, strict=False)])

    def placed(one: Any) -> Any:
        return replace(one, xyz=(*one.xyz[:2], next(heights)))

    def lifted(path: IntendedPath) -> IntendedPath:
        return replace(path, points_xyz=np.array([(x, y, next(heights)) for x, y, _ in path.points_xyz.tolist()]))

    moved: dict[str, Any] = {name: tuple(map(placed, getattr(level, name))) for name in _POINTS}
    moved["patrols"] = tuple(replace(one, stops=tuple(map(placed, one.stops))) for one in level.patrols)
    moved["paths"] = tuple(map(lifted, level.paths))
    moved |= {name: tuple(next(based) for _ in getattr(level, name)) for name in _STANDING}
    return replace(level, **moved)


_POINTS = ("hiding_places", "markers", "spawns", "traps")
_STANDING = ("obstacles", "cover", "doors", "zones")


def _samples(one: Any) -> Floats:
    """Return the places where the floor below something is looked for, halfway up: its corners and their mean."""
    outline = one.outline_xy
    places = np.concatenate([outline, outline[:1] * 0 + outline.sum(axis=0) / max(len(outline), 1)])
    return np.column_stack([places, np.full(len(places), one.z + one.height / 2)])


def _based(one: Any, heights: Floats) -> Any:
    """Return something with its base on the floor, if none of the floor found lies within its height."""
    away = np.abs(heights - (one.z + one.height / 2))
    if np.isnan(away).all() or np.nanmin(away) <= one.height / 2 + _TOUCHING:
        return one
    return replace(one, z=round(float(heights[np.nanargmin(away)]), 6))


def _named(fault: Fault, name: str) -> Fault:
    where = f"{name}: {fault.where}" if fault.where else name
    label = fault.where
    kept = PartLabel(where, label.group, label.number) if isinstance(label, PartLabel) else where
    return replace(fault, where=kept)
