"""Areas: the parts into which doors divide a level, for hearing from door to door."""

from __future__ import annotations

import numpy as np

from ...agents.senses.hearing.area_hearing import AreaGraph, AreaHearing, Choke
from ...agents.senses.hearing.hearing import Fairness
from ...cells.layout import CellLayout
from ...cells.live import DoorCells
from ...cells.query import nearest_cells
from ...conventions import Array, Bools, Floats, Ids
from ...layers.spread import Spread
from ...level.level import Level

_DOOR_SIDE = 1.2
"""Metres from the centre of a door at which the areas on its sides are looked up."""


class Areas:
    """The area of each place, and the doors between areas.

    An area is everything reachable without passing a door, open or shut; a level without doors is one area.
    """

    def __init__(self, level: Level, layout: CellLayout):
        self._shut = shut = DoorCells(layout, level)
        for number in range(len(level.doors)):
            shut.set_door(number, True)
        self._area = _components(shut)
        self._doors = [self._sides(np.append(door.outline_xy.mean(axis=0), door.z)) for door in level.doors]

    def hearing(self, door_shut: Bools, fairness: Fairness) -> AreaHearing:
        """Return the hearing model while these doors are shut."""
        chokes = [
            Choke(one, other, xyz)
            for (one, other, xyz), shut in zip(self._doors, door_shut.tolist())
            if not shut and one >= 0 and other >= 0 and one != other
        ]
        return AreaHearing(AreaGraph(tuple(chokes)), self.area_of, fairness)

    def area_of(self, xyz: Floats) -> Array:
        """Return the area of each place (n, 3), (n,) int64; -1 if none."""
        cells = nearest_cells(self._shut, xyz, 2.0)
        return np.where(cells >= 0, self._area[cells], -1)

    def _sides(self, middle: Floats) -> tuple[int, int, Floats]:
        turns = np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False)
        around = middle + _DOOR_SIDE * np.column_stack([np.cos(turns), np.sin(turns), np.zeros(8)])
        found = [area for area in dict.fromkeys(self.area_of(around).tolist()) if area >= 0]
        one, other = (*found, -1, -1)[:2]
        return one, other, middle


def _components(layout: DoorCells) -> Ids:
    """Return the area of each cell, -1 for disabled cells."""
    area = np.full(len(layout), -1, np.int32)
    spread = Spread(layout)
    barred = np.unpackbits(layout.arrays.disabled, count=len(layout), bitorder="little").astype(np.bool_)
    number = 0
    for cell in range(len(layout)):
        if area[cell] < 0 and not barred[cell]:
            area[spread.distances([cell]).cells] = number
            number += 1
    return area
