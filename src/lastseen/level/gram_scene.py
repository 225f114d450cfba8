"""Write a flat level as a scene of the GRAM research group, the JSON that `readers/gram.py` reads.

A scene has one floor, walls, a start, an end, guards with patrols and a stored solution. Obstacles, cover and locked
doors become walls; other doors, zones, hiding places and untimed paths have no place in it and are left out.
"""

from __future__ import annotations

import json
import math
import os
from typing import Any

import numpy as np
import shapely

from ..checks import expect, file_path
from ..conventions import Floats
from ..errors import InputError
from ..files import atomic_write
from ..vocabulary.words import GOAL_MARKERS
from .features import Patrol, PatrolStop, Spawn
from .level import Floors, Level, Tiles
from .readers.gram import CELLS, STEP_SECONDS, whole_polygons

_SAME = 1e-9
_TYPES = {"move": "move", "wait": "wait", "turn": "rotate", "use": "move"}


def write_gram(level: Level, path: str | os.PathLike[str]) -> None:
    """Write a level as a GRAM scene, atomically; raise InputError if it is not flat."""
    atomic_write(file_path(path), to_gram(level))


def to_gram(level: Level) -> bytes:
    """Return a level as a GRAM scene in JSON; raise InputError if it is not flat."""
    expect(level, Level, "level")
    free = _floor_shape(level)
    outer = shapely.Polygon(free.exterior) if free.geom_type == "Polygon" else shapely.box(*free.bounds)
    solid = [*level.obstacles, *level.cover, *(door for door in level.doors if door.locked)]
    holes = whole_polygons(shapely.difference(outer, free))
    walls = [("", _ring(hole)) for hole in holes] + [(thing.name, thing.outline_xy.tolist()) for thing in solid]
    starts = [spawn.xyz[:2] for spawn in level.spawns if spawn.who == "player"]
    ends = [mark.xyz[:2] for mark in level.markers if mark.kind in GOAL_MARKERS]
    patrols = {patrol.name: patrol for patrol in level.patrols}
    scene: dict[str, Any] = {
        "floor": {"name": "Floor", "poly": _ring(outer)},
        "start": starts[0] if starts else None,
        "end": ends[0] if ends else None,
        "walls": [{"name": name or f"wall {number + 1}", "poly": poly} for number, (name, poly) in enumerate(walls)],
        "guards": [_guard(spawn, patrols.get(spawn.patrol)) for spawn in level.spawns if spawn.who == "guard"],
        "mapper": None,
        "stored_path_cells_xyt": _stored_path(level, outer.bounds),
    }
    return json.dumps(scene, indent=1, allow_nan=False).encode() + b"\n"


def _floor_shape(level: Level) -> Any:
    """Return the floor seen from above; obstacles are not cut out."""
    surface, parts, heights = level.surface, list[Any](), set[float]()
    if isinstance(surface, Floors):
        for floor in surface.polygons:
            parts.append(shapely.Polygon(floor.outline_xyz[:, :2], [hole[:, :2] for hole in floor.holes_xyz]))
            heights |= set(floor.outline_xyz[:, 2].round(6).tolist())
    elif isinstance(surface, Tiles) and not surface.ramps:
        for tiles in surface.floors:
            rows, columns = np.nonzero(tiles.passable)
            low = np.column_stack([columns, rows]) * tiles.tile + np.array(tiles.origin_xy)
            parts += shapely.box(*low.T, *(low + tiles.tile).T).tolist()
            heights.add(round(tiles.z, 6))
    if len(heights) != 1:
        raise InputError(
            f"{level.name or 'the level'} cannot be a GRAM scene, which has one flat floor: it has "
            f"{len(heights) or 'triangles instead of'} floor heights; write it as GeoJSON, or write one storey"
        )
    return shapely.simplify(shapely.union_all(parts), 0.0)


def _ring(shape: Any) -> list[list[float]]:
    ring: Floats = shapely.get_coordinates(shapely.orient_polygons(shape).exterior)[:-1]
    return ring.tolist()


def _guard(spawn: Spawn, patrol: Patrol | None) -> dict[str, Any]:
    stops, loop_to = ((), None) if patrol is None else (patrol.stops, patrol.loop_to)
    # A reader takes a guard to look towards its first stop, so another heading is an order of its own.
    ahead = (0.0, 0.0) if not stops else (stops[0].xyz[0] - spawn.xyz[0], stops[0].xyz[1] - spawn.xyz[1])
    facing = math.atan2(ahead[1], ahead[0]) if math.hypot(*ahead) > 0.0 else 0.0
    if abs(math.remainder(spawn.heading - facing, 2.0 * math.pi)) > _SAME:
        stops = (PatrolStop(spawn.xyz, "turn", heading=spawn.heading), *stops)
        loop_to = None if loop_to is None else loop_to + 1
    return {
        "name": spawn.name,
        "pos": spawn.xyz[:2],
        "moveSpeed": spawn.speed,
        "rotationSpeed": None if spawn.turn_speed is None else math.degrees(spawn.turn_speed),
        "fovAngle": None if spawn.view_angle is None else math.degrees(spawn.view_angle) / 2.0,
        "fovDistance": spawn.view_distance,
        "patrol": {"waypoints": [_waypoint(stop) for stop in stops], "loop_to": loop_to} if stops else None,
    }


def _waypoint(stop: PatrolStop) -> dict[str, Any]:
    found: dict[str, Any] = {"pos": stop.xyz[:2], "type": _TYPES[stop.action]}
    if stop.action == "wait":
        found["seconds"] = stop.seconds
    elif stop.action == "turn":
        found["look"] = [math.cos(stop.heading), math.sin(stop.heading)]
    return found


def _stored_path(level: Level, bounds: tuple[float, float, float, float]) -> list[list[float]] | None:
    """Return the first timed path in cells of the default grid and steps; parts of cells keep it exact."""
    timed = next((path for path in level.paths if len(path.seconds)), None)
    if timed is None:
        return None
    low, high = np.array(bounds[:2]), np.array(bounds[2:])
    cells = (timed.points_xyz[:, :2] - low) / ((high - low) / CELLS) - 0.5
    return np.column_stack([cells, timed.seconds / STEP_SECONDS]).tolist()
