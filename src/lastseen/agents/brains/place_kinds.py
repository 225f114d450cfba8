"""Kinds of places: room, corridor, doorway, stairs or open space, and whether a place is outdoors."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ...kernels.sight.sight_line import clear_lines
from ...level.level import Floors, Level, Tiles
from ...level.sight.sight import Sight

PLACE_KINDS = ("room", "corridor", "door", "stairs", "open")

_DOORWAY = 1.8
"""Distance in metres from the centre of a door that counts as being at it."""
_REACHES = (1.0, 1.75, 2.5, 5.0, 8.0, 12.0)
"""Distances in metres at which lines of sight are tested."""
_NARROW, _ASLANT, _LONG = 3.6, 2.2, 2.0
"""Limits of corridors: largest width in metres, largest diagonal and least length relative to the width."""
_OPEN_SIDES = 6
"""Number of directions, of eight, that are free for 12 m in an open space."""
_EYE = 1.2
_DIRECTIONS = np.array([(math.cos(k * math.pi / 4), math.sin(k * math.pi / 4), 0.0) for k in range(8)])


class PlaceKinds:
    """The kinds of places in one level, by the kinds of its zones where there are any.

    Notes
    -----
    Ours. Without a zone, the free distance in eight directions decides. Each square metre is tested once; doors that
    open or close later make no difference.
    """

    def __init__(self, level: Level, sight: Sight):
        self._sight = sight
        self._doors = [(*door.outline_xy.mean(axis=0).tolist(), door.z) for door in level.doors]
        self._zones = [
            (zone.kind, zone.outline_xy.tolist(), zone.z - 0.6, zone.z + zone.height)
            for zone in level.zones
            if zone.kind in PLACE_KINDS
        ]
        self._outdoors = [
            (zone.outline_xy.tolist(), zone.z - 0.6, zone.z + zone.height)
            for zone in level.zones
            if zone.kind == "outdoors"
        ]
        self._stairs = list(_stairs(level))
        self._known: dict[tuple[int, int, int], str] = {}

    def at(self, xyz: Sequence[float]) -> str:
        """Return the kind of a place, one of `PLACE_KINDS`."""
        key = (round(xyz[0]), round(xyz[1]), round(xyz[2]))
        if key not in self._known:
            self._known[key] = self._kind(xyz)
        return self._known[key]

    def is_outdoors(self, xyz: Sequence[float]) -> bool:
        """Return whether a place is in a zone of kind "outdoors"; all others count as indoors, however wide."""
        return any(low <= xyz[2] <= high and inside(outline, xyz[0], xyz[1]) for outline, low, high in self._outdoors)

    def _kind(self, xyz: Sequence[float]) -> str:
        for x, y, z in self._doors:
            if math.hypot(x - xyz[0], y - xyz[1]) <= _DOORWAY and abs(z - xyz[2]) < 1.5:
                return "door"
        for kind, outline, low, high in (*self._zones, *self._stairs):
            if low <= xyz[2] <= high and inside(outline, xyz[0], xyz[1]):
                return kind
        free = self._free(xyz)
        narrow, _, third, longest = sorted(free[k] + free[k + 4] for k in range(4))
        # Across a corridor all walls are near, also diagonally; in the corner of a hall only one diagonal is short.
        if narrow <= _NARROW and third <= _ASLANT * narrow + 0.5 and longest >= _LONG * narrow:
            return "corridor"
        return "open" if sum(metres >= _REACHES[-1] for metres in free) >= _OPEN_SIDES else "room"

    def _free(self, xyz: Sequence[float]) -> list[float]:
        """Return the free distance in each of eight directions in metres, at most 12."""
        eye = np.array([xyz[0], xyz[1], xyz[2] + _EYE])
        points = (eye + _DIRECTIONS[:, None] * np.array(_REACHES)[None, :, None]).reshape(-1, 3)
        clear = np.zeros(len(points), np.bool_)
        clear_lines(self._sight.arrays, np.repeat(eye[None], len(points), axis=0), points, clear)
        counts = clear.reshape(8, -1).sum(axis=1).tolist()
        return [(0.5, *_REACHES)[count] for count in counts]


def _stairs(level: Level) -> Iterator[tuple[str, list[list[float]], float, float]]:
    surface = level.surface
    floors = surface.polygons if isinstance(surface, Floors) else surface.ramps if isinstance(surface, Tiles) else ()
    for floor in floors:
        heights = floor.outline_xyz[:, 2]
        if floor.kind != "floor" or np.ptp(heights) > 0.3:
            low, high = float(heights.min()), float(heights.max())
            yield "stairs", floor.outline_xyz[:, :2].tolist(), low - 0.3, high + 0.3


def inside(outline: list[list[float]], x: float, y: float) -> bool:
    """Return whether a point is within an outline, by the even-odd rule for a ray to the right."""
    within = False
    for (x0, y0), (x1, y1) in zip(outline, outline[1:] + outline[:1]):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            within = not within
    return within
