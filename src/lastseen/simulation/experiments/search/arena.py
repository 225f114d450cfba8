"""The arena: one level prepared for searches, with hiding places added if it has none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ....cells.layout import CellLayout
from ....cells.live import LiveLayout
from ....cells.query import cells_at, nearest_cells
from ....conventions import Array, Floats, Ids
from ....layers.spread import Spread
from ....level.features import HidingPlace
from ....level.level import Level
from ....level.sight.query import sees_any
from ....level.sight.sight import Sight
from ..chase.episodes import Ground

EYE = (0.0, 0.0, 1.6)
_BODY = ((0.0, 0.0, 0.7), (0.0, 0.0, 1.6))
"""Heights at which a crouching or standing evader must be out of sight."""
_CELLS_PER_PLACE = 60
_PLACES = (2, 8)
"""Minimum and maximum number of hiding places added to a level without any."""


class Arena:
    """One level, its cells, and the data for drawing searches on it.

    Attributes
    ----------
    level : with its own hiding places, or with added ones, far apart.
    floor_xyz : (n, 3) metres, the cells of the largest walkable part.
    exits_xyz : (e, 3) metres, may be empty.
    """

    def __init__(self, name: str, level: Level, layout: CellLayout):
        ground = Ground(layout)
        self.name = name
        self.layout = layout
        self.cells: Array = ground.cells
        self.floor_xyz: Floats = ground.floor_xyz
        self.level = with_places(level, ground.floor_xyz)
        self.exits_xyz: Floats = np.array([one.xyz for one in level.markers if one.kind == "exit"]).reshape(-1, 3)
        self._sight = Sight.from_level(level)
        passable = LiveLayout(layout)
        for number, door in enumerate(level.doors):
            self._sight.set_door(number, not door.open or door.locked)
            if door.locked:
                passable.close_door(level, number)
        self._walk = Spread(passable)

    def metres_from(self, xyz: Floats) -> Floats:
        """Return path lengths from a place to each cell of the layout, (N,) metres, infinite if unreachable."""
        metres = np.full(len(self.layout), np.inf)
        reached = self._walk.distances(self.cell_of(np.atleast_2d(xyz)))
        metres[reached.cells] = reached.metres
        return metres

    def cell_of(self, points: Floats) -> Ids:
        """Return the cell at each place, or nearest to it, (n,) int32."""
        found = cells_at(self.layout, points).copy()
        if (found < 0).any():
            found[found < 0] = nearest_cells(self.layout, points[found < 0])
        return found

    def is_seen(self, searchers_xyz: Floats, points: Floats) -> Array:
        """Return at which places (n, 3) any searcher would see an evader, whatever its gaze, (n,) bool."""
        eyes = searchers_xyz + EYE
        return np.asarray(
            sees_any(self._sight, eyes, points + _BODY[0]) | sees_any(self._sight, eyes, points + _BODY[1])
        )


def with_places(level: Level, floor_xyz: Floats) -> Level:
    """Return the level; add hiding places far apart, in corners and at the ends of rooms, if it has none."""
    if level.hiding_places:
        return level
    count = min(max(len(floor_xyz) // _CELLS_PER_PLACE, _PLACES[0]), _PLACES[1])
    away = np.linalg.norm(floor_xyz - floor_xyz.mean(axis=0), axis=1)
    chosen: list[int] = []
    for _ in range(count):
        chosen.append(int(away.argmax()))
        nearest = np.linalg.norm(floor_xyz - floor_xyz[chosen[-1]], axis=1)
        away = nearest if len(chosen) == 1 else np.minimum(away, nearest)
    places = tuple(
        HidingPlace(tuple(floor_xyz[cell].tolist()), f"locker {number + 1}") for number, cell in enumerate(chosen)
    )
    return replace(level, hiding_places=places)
