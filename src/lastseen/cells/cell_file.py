"""Store the level next to its cells in one file, so that pictures can show it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..conventions import Array
from ..level.level import Level, TriangleSoup
from ..level.readers import geojson
from ..level.write import to_geojson
from .layout import CellLayout
from .store import load_stored, save_layout

_LEVEL = "level.geojson"


@dataclass(frozen=True)
class Baked:
    """The cells of a file, their level if the file holds it, and arrays with one number per cell."""

    layout: CellLayout
    level: Level | None
    layers: dict[str, Array]


def save_baked(layout: CellLayout, level: Level, path: Path) -> None:
    """Write the cells with their level; triangle meshes are left out because they are large and the faces show them."""
    extra: dict[str, Array] = {}
    if not isinstance(level.surface, TriangleSoup):
        extra[_LEVEL] = np.frombuffer(to_geojson(level), dtype=np.uint8)
    save_layout(layout, path, extra=extra)


def load_baked(path: str) -> Baked:
    """Read a cell file and everything stored in it."""
    stored = load_stored(path)
    text = stored.extra.get(_LEVEL)
    level = None if text is None else geojson.read(text.astype(np.uint8).tobytes(), path)
    layers = {name: array for name, array in stored.extra.items() if array.shape == (len(stored.layout),)}
    return Baked(stored.layout, level, layers)
