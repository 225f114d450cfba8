"""Raise the worth of cells near cover, hiding places and exits, which attract a fleeing target."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..cells.meshed_layout import MeshedLayout
from ..cells.query import nearest_cells
from ..checks import expect, finite_number, points_xyz
from ..conventions import Floats
from ..level.level import Level
from .layer import Layer
from .spread import Falloff, Spread

_NEAREST = 3.0
"""Metres within which a point must have a cell to count."""


def tactical_points(level: Level) -> dict[str, Floats]:
    """Return the cover, hiding places and exits of a level, (n, 3) metres each, as `tactical_worth` takes them.

    Exits are markers and zones of kind "exit". A zone is represented by the mean of its corners, cover by its corners.
    """
    exits = [marker.xyz for marker in expect(level, Level, "level").markers if marker.kind == "exit"]
    exits += [(*zone.outline_xy.mean(axis=0), zone.z) for zone in level.zones if zone.kind == "exit"]
    corners = [(x, y, piece.z) for piece in level.cover for x, y in piece.outline_xy.tolist()]
    return {
        "cover": np.array(corners, float).reshape(-1, 3),
        "hiding_places": np.array([place.xyz for place in level.hiding_places], float).reshape(-1, 3),
        "exits": np.array(exits, float).reshape(-1, 3),
    }


def tactical_worth(
    cells: MeshedLayout,
    *,
    cover: Any = (),
    hiding_places: Any = (),
    exits: Any = (),
    cover_worth: float = 0.5,
    hiding_worth: float = 2.0,
    exit_worth: float = 3.0,
    reach: float = 4.0,
) -> Layer:
    """Return the weight of each cell in a chase's destination, as a layer for `Chase(…, worth=…)`.

    Every cell weighs 1 plus what its surroundings add: the full worth of a point at its own cell, linearly less with
    the walking distance from it, and nothing beyond `reach` metres. Of several points of a kind, the nearest counts.
    """
    walk = Spread(cells)
    total = Layer(cells, "worth", "float32", "how much more a warm cell counts", low=0.0, fill=1.0)
    for name, points, worth in (
        ("cover", cover, cover_worth),
        ("hiding_places", hiding_places, hiding_worth),
        ("exits", exits, exit_worth),
    ):
        finite_number(worth, f"worth of {name}", low=0.0, high=1e6)
        near = nearest_cells(cells, points_xyz(points, name), _NEAREST)
        near = np.unique(near[near >= 0])
        if len(near) and worth > 0.0:
            part = Layer(cells, name, "float32", low=0.0)
            touched = walk.influence(part, near, Falloff.linear(reach), strengths=worth)
            total.values[touched] += part.values[touched]
    return total
