"""Plans and planes of many floors at once, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import shapely

from ..conventions import Array, Bools, Floats
from .level import Floor

__all__ = ["Plans", "heights_on"]


class Plans:
    """The plans (polygons seen from above, holes cut out) and planes of floors whose rings have at least 3 points."""

    def __init__(self, floors: Sequence[Floor]):
        self.floors = floors
        rings = [ring for floor in floors for ring in (floor.outline_xyz, *floor.holes_xyz)]
        ring_owner = np.repeat(np.arange(len(floors)), [1 + len(floor.holes_xyz) for floor in floors])
        lengths = np.array([len(ring) for ring in rings], dtype=np.int64)
        self.points: Floats = np.concatenate([np.zeros((0, 3)), *rings])
        """Corners of all floors, holes included, (n, 3)."""
        self.owner: Array = np.repeat(ring_owner, lengths)
        """Floor index of each corner, (n,)."""
        lines = shapely.linearrings(self.points[:, :2], indices=np.repeat(np.arange(len(rings)), lengths))
        self.polygons: Array = shapely.polygons(lines, indices=ring_owner)

    @cached_property
    def valid(self) -> Bools:
        """Whether each plan is a proper polygon, (floors,)."""
        return np.asarray(shapely.is_valid(self.polygons))

    @cached_property
    def planes(self) -> tuple[Floats, Floats]:
        """A point on the plane of each floor and its normal (Newell's method, from the outline), (floors, 3) each."""
        lengths = np.array([len(floor.outline_xyz) for floor in self.floors], dtype=np.int64)
        places = np.concatenate([np.zeros((0, 3)), *(floor.outline_xyz for floor in self.floors)])
        start = np.cumsum(lengths) - lengths
        following = np.arange(1, len(places) + 1)
        following[start + lengths - 1] = start
        centre = np.add.reduceat(places, start) / lengths[:, None] if len(start) else np.zeros((0, 3))
        around = places - np.repeat(centre, lengths, axis=0)
        normal = np.add.reduceat(np.cross(around, around[following]), start) if len(start) else np.zeros((0, 3))
        return centre, normal

    def heights(self, floor: Array, xy: Array) -> Array:
        """Return z of the planes of floors (n,) at positions (n, 2)."""
        centre, normal = self.planes
        return heights_on(centre[floor], normal[floor], xy)


def heights_on(centre: Array, normal: Array, xy: Array) -> Array:
    """Return z at positions (n, 2) of planes through `centre` (n, 3) with `normal` (n, 3)."""
    return centre[:, 2] - ((xy - centre[:, :2]) * normal[:, :2]).sum(axis=1) / normal[:, 2]
