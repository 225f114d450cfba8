"""Overlays: what is placed on a triangle mesh, kept next to it as GeoJSON without floors.

`dungeon.overlay.geojson` belongs to `dungeon.obj`, and is read with it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ..errors import Fault, LevelError, PartLabel
from .level import Level, TriangleSoup
from .readers import geojson

ENDING = ".overlay.geojson"
"""End of the name of an overlay, after the name of its mesh without extension."""


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


def _named(fault: Fault, name: str) -> Fault:
    where = f"{name}: {fault.where}" if fault.where else name
    label = fault.where
    kept = PartLabel(where, label.group, label.number) if isinstance(label, PartLabel) else where
    return replace(fault, where=kept)
