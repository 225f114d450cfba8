"""Check that the numbers of a level are finite, of the right shape, and plausible for a level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from ..conventions import Array
from ..errors import Fault
from .level import ConvexFaces, Floors, Level, Surface, Tiles, TriangleSoup

__all__ = ["extent_faults", "points_of", "unwritable", "where"]

FARTHEST = 1e7
FAR = 1e5
"""Metres from the origin: beyond FARTHEST nothing is a level; beyond FAR, 32-bit tables lose centimetres."""
SMALLEST = 1.0


def where(group: str, index: int, name: str = "") -> str:
    """Return the label of one part of a level: `doors[2] (front)`."""
    return f"{group}[{index}]" + (f" ({name})" if name else "")


def unwritable(level: Level) -> list[Fault]:
    """Return what no file can hold: numbers that are not finite, wrong shapes, corners without a vertex."""
    faults = list(_walk(level.surface, ""))
    for group in fields(level):
        if group.name not in ("surface", "name", "source"):
            faults += _walk(getattr(level, group.name), group.name)
    return faults or _index_faults(level.surface)


def _walk(value: Any, place: str, field: str = "") -> Iterator[Fault]:
    """Yield the faults of every number under `value`, however deeply nested."""
    if isinstance(value, np.ndarray):
        yield from _array_faults(value, place, field)
    elif is_dataclass(value):
        for part in fields(value):
            yield from _walk(getattr(value, part.name), place, part.name)
    elif isinstance(value, tuple):
        wanted = {"xyz": 3, "origin_xy": 2}.get(field)
        if wanted:
            if len(value) != wanted or not all(isinstance(v, float | int | np.number) for v in value):
                yield Fault(f"its position is {value!r}", f"give {wanted} numbers in metres", place)
            elif not all(map(np.isfinite, value)):
                yield Fault(f"its position is {_shown(value)}", "give finite coordinates in metres", place)
            return
        for index, part in enumerate(value):
            group = field if field not in ("polygons", "holes_xyz") else {"polygons": "floors"}.get(field, "hole")
            inner = f"{place} {group}[{index}]".strip() if group else where(place, index, getattr(part, "name", ""))
            yield from _walk(part, inner, field if isinstance(part, np.ndarray) else "")
    elif isinstance(value, float | np.floating) and not np.isfinite(value):
        yield Fault(f"its {field} is {value:g}", "give a finite number", place)


def _array_faults(array: Array, place: str, field: str) -> Iterator[Fault]:
    columns = 3 if field.endswith("_xyz") or field == "triangles" else 2 if field.endswith("_xy") else None
    dimensions = 2 if columns or field == "passable" else 1
    if array.ndim != dimensions or (columns and array.shape[1] != columns):
        wanted = f"(n, {columns})" if columns else f"{dimensions} dimensions"
        yield Fault(f"{field} has shape {array.shape}", f"it must be {wanted}", place)
    elif array.dtype.kind == "f" and not np.isfinite(array).all():
        bad = ~np.isfinite(array.reshape(len(array), -1)).all(axis=1)
        row = int(np.flatnonzero(bad)[0])
        more = f" (and {int(bad.sum()) - 1} more)" if bad.sum() > 1 else ""
        value = _shown(np.atleast_1d(array[row]).tolist())
        yield Fault(f"{field}[{row}] is {value}{more}", "give finite numbers", place)


def _shown(values: Any) -> str:
    return "(" + ", ".join(f"{value:g}" for value in values) + ")"


def _index_faults(surface: Surface) -> list[Fault]:
    """Return the faults of vertex indices and face starts."""
    if not isinstance(surface, TriangleSoup | ConvexFaces):
        return []
    corners = surface.triangles if isinstance(surface, TriangleSoup) else surface.corners
    count = len(surface.vertices_xyz)
    faults = []
    if corners.size and not (corners.min() >= 0 and corners.max() < count):
        what = f"corners use vertices {corners.min()} to {corners.max()}; there are {count}"
        faults.append(Fault(what, f"use vertices 0 to {count - 1}"))
    if isinstance(surface, ConvexFaces):
        starts = surface.face_start
        if not len(starts) or starts[0] != 0 or starts[-1] != len(corners) or (np.diff(starts) < 0).any():
            advice = f"it must rise from 0 to {len(corners)}, the number of corners"
            faults.append(Fault("face_start does not divide the corners into faces", advice))
    return faults


def points_of(surface: Surface) -> Array:
    """Return points that span the walkable surface, (n, 3)."""
    if isinstance(surface, Floors):
        return np.concatenate([np.zeros((0, 3)), *(floor.outline_xyz for floor in surface.polygons)])
    if isinstance(surface, Tiles):
        corners = [floor.outline_xyz for floor in surface.ramps]
        for grid in surface.floors:
            low = np.array([*grid.origin_xy, grid.z], np.float64)
            rows, columns = grid.passable.shape
            corners.append(np.array([low, low + np.array([columns, rows, 0]) * grid.tile]))
        return np.concatenate([np.zeros((0, 3)), *corners])
    return surface.vertices_xyz


def extent_faults(level: Level) -> list[Fault]:
    """Return the faults of a level that is far too large, far away, or under a metre wide: probably wrong units."""
    points = points_of(level.surface)
    if not len(points):
        return []
    farthest = points[np.abs(points).max(axis=1).argmax()]
    reach = float(np.abs(farthest).max())
    at = tuple(farthest.tolist())
    if reach > FARTHEST:
        return [Fault(f"a point lies {reach:.3g} m from the origin", "give coordinates in metres", at=at)]
    if reach > FAR:
        advice = "move the level to the origin: 32-bit positions are coarse that far out"
        return [Fault(f"the level lies {reach:.3g} m from the origin", advice, at=at, severity="warning")]
    size = float(np.ptp(points[:, :2], axis=0).max())
    if size < SMALLEST:
        advice = "coordinates are in metres, not degrees or kilometres: scale it up"
        return [Fault(f"the whole level is {size:.3g} m wide", advice, at=at, severity="warning")]
    return []
