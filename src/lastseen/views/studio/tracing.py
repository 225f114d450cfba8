"""From tiles to outlines: a tile map as a level of drawn floors, so that its walls can be moved by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np
import shapely

from ...conventions import Array, Floats
from ...level.features import Door, HidingPlace, Marker, Obstacle, Patrol, Spawn, Zone
from ...level.level import Floor, Floors, Level, TileFloor, Tiles

__all__ = ["tile_boxes", "traced"]

Outlined = TypeVar("Outlined", Obstacle, Door, Zone)
Spot = TypeVar("Spot", HidingPlace, Spawn, Marker)


def traced(level: Level) -> Level:
    """Return a level of tiles as one of floors: tiles joined to outlines, everything else where it stood.

    The rows of a tile map run down the picture, y of drawn floors runs up it: all is turned over between the lowest and
    the highest y, so that it looks as it did.
    """
    surface = level.surface
    if not isinstance(surface, Tiles):
        return level
    low = min((floor.origin_xy[1] for floor in surface.floors), default=0.0)
    high = max((floor.origin_xy[1] + floor.passable.shape[0] * floor.tile for floor in surface.floors), default=0.0)
    turn = _Turn(low + high)
    floors = [polygon for storey, floor in enumerate(surface.floors) for polygon in _floors(floor, storey, turn)]
    floors += [
        replace(ramp, outline_xyz=turn.ring(ramp.outline_xyz), holes_xyz=tuple(map(turn.ring, ramp.holes_xyz)))
        for ramp in surface.ramps
    ]
    return replace(
        level,
        surface=Floors(tuple(floors)),
        obstacles=tuple(map(turn.outlined, level.obstacles)),
        cover=tuple(map(turn.outlined, level.cover)),
        doors=tuple(map(turn.outlined, level.doors)),
        zones=tuple(map(turn.outlined, level.zones)),
        hiding_places=tuple(replace(turn.spot(one), heading=-one.heading) for one in level.hiding_places),
        spawns=tuple(replace(turn.spot(one), heading=-one.heading) for one in level.spawns),
        markers=tuple(map(turn.spot, level.markers)),
        patrols=tuple(map(turn.patrol, level.patrols)),
        paths=tuple(replace(one, points_xyz=turn.places(one.points_xyz)) for one in level.paths),
    )


class _Turn:
    """Turns a plan over: y becomes `total` − y."""

    def __init__(self, total: float):
        self._total = total

    def places(self, points: Array) -> Floats:
        """Return points (n, 2 or 3) turned over."""
        turned = np.array(points, dtype=np.float64)
        turned[:, 1] = self._total - turned[:, 1]
        return turned

    def ring(self, points: Array) -> Floats:
        """Return a ring that runs the same way round after it was turned over, from the same point."""
        turned = self.places(points)
        return np.concatenate([turned[:1], turned[:0:-1]])

    def outlined(self, thing: Outlined) -> Outlined:
        return replace(thing, outline_xy=self.ring(thing.outline_xy))

    def spot(self, one: Spot) -> Spot:
        x, y, z = one.xyz
        return replace(one, xyz=(x, self._total - y, z))

    def patrol(self, patrol: Patrol) -> Patrol:
        stops = (
            replace(stop, xyz=(stop.xyz[0], self._total - stop.xyz[1], stop.xyz[2]), heading=-stop.heading)
            for stop in patrol.stops
        )
        return replace(patrol, stops=tuple(stops))


def tile_boxes(floor: TileFloor) -> Array:
    """Return one rectangle for each run of passable tiles in a row."""
    rows, columns = floor.passable.shape
    padded = np.zeros((rows, columns + 2), np.int8)
    padded[:, 1:-1] = floor.passable
    change = np.diff(padded, axis=1)
    row, first = np.nonzero(change == 1)
    _, last = np.nonzero(change == -1)
    x, y = floor.origin_xy
    return np.asarray(
        shapely.box(x + first * floor.tile, y + row * floor.tile, x + last * floor.tile, y + (row + 1) * floor.tile)
    )


def _floors(floor: TileFloor, storey: int, turn: _Turn) -> list[Floor]:
    """Return the outlines of a storey of tiles; tiles that meet at a corner only are not joined."""
    parts = shapely.get_parts(shapely.union_all(tile_boxes(floor)))
    found = []
    for part in shapely.orient_polygons(shapely.simplify(parts, 0.0)).tolist():
        rings = [np.asarray(ring.coords)[:-1, :2] for ring in (part.exterior, *part.interiors)]
        outline, *holes = [turn.ring(np.column_stack([ring, np.full(len(ring), floor.z)])) for ring in rings]
        found.append(Floor(outline, tuple(holes), floor.name, storey))
    return found
