"""Read a stealth level of the GRAM research group, converted from Unity to JSON.

One flat floor polygon; walls as polygons, clipped to the floor; a start, an end, guards with patrols, a stored
solution. Where the file is silent, this reader assumes:

- The plane is x, z of Unity, kept as our x, y. Unity is left-handed, so the picture is mirrored compared with Unity's
  view from above; headings are `atan2` of the same axes, hence consistent with it.
- Walls with `active: false` or `enabled: false` are ignored, as are walls entirely outside the floor. The scenes
  are planar and walls hide everything behind them: each stands on z = 0 and is 3 m tall, whatever its `y`.
- `rotationSpeed` and `fovAngle` are in degrees. The tool tests `angle to the guard's forward < fovAngle`, so
  `view_angle`, the full opening, is twice `fovAngle`. A guard initially looks towards its first stop.
- A stored path uses cells of the tool's grid and its time steps. The grid starts at the low corner of the
  floor; if `mapper` is empty it has the tool's default of 60 x 60 cells. A step is the tool's default 0.1 s.
- Some files carry a path solved on another level. A path that leaves the floor or crosses walls for more
  than a cell cannot belong here and is dropped.
"""

from __future__ import annotations

import math
from pathlib import PurePath
from typing import Literal

import msgspec
import numpy as np
import shapely

from ...conventions import Floats
from ..features import IntendedPath, Marker, Obstacle, Patrol, PatrolStop, Spawn
from ..level import Floor, Floors, Level
from .faults import FaultList, decode_document, decode_part
from .parts import Parts

CELLS = 60
STEP_SECONDS = 0.1
WALL_HEIGHT = 3.0
MOST_METRES = 1e6

Pair = tuple[float, float]


class _Floor(msgspec.Struct):
    poly: list[Pair]
    name: str = ""


class _Wall(msgspec.Struct):
    poly: list[Pair]
    name: str = ""
    active: bool = True
    enabled: bool = True


class _Waypoint(msgspec.Struct):
    pos: Pair
    type: Literal["move", "wait", "rotate"]
    seconds: float = 0.0
    look: Pair = (0.0, 0.0)


class _Patrol(msgspec.Struct):
    waypoints: list[_Waypoint] = []
    loop_to: int | None = None


class _Guard(msgspec.Struct):
    pos: Pair
    name: str = ""
    moveSpeed: float | None = None
    rotationSpeed: float | None = None
    fovAngle: float | None = None
    fovDistance: float | None = None
    patrol: _Patrol | None = None


class _Mapper(msgspec.Struct):
    cellsX: int = CELLS
    cellsZ: int = CELLS
    tileSizeX: float | None = None
    tileSizeZ: float | None = None


class _Scene(msgspec.Struct):
    floor: msgspec.Raw
    walls: list[msgspec.Raw] = []
    guards: list[msgspec.Raw] = []
    start: msgspec.Raw = msgspec.Raw(b"null")
    end: msgspec.Raw = msgspec.Raw(b"null")
    mapper: msgspec.Raw = msgspec.Raw(b"null")
    stored_path_cells_xyt: msgspec.Raw = msgspec.Raw(b"null")


def sniff(data: bytes, suffix: str) -> bool:
    """Return whether the bytes look like a GRAM scene."""
    del suffix
    return data[:200].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and all(
        key in data for key in (b'"floor"', b'"walls"', b'"guards"', b'"poly"')
    )


def read(data: bytes, source: str) -> Level:
    """Return the scene as a level of one polygon with walls as obstacles; raise `LevelError` with all faults."""
    faults = FaultList(source)
    scene: _Scene = decode_document(data, _Scene, "give an object with floor, walls, guards, start and end", faults)
    parts = Parts()
    floor, shape = _floor(scene, faults)
    blocked = [_wall(raw, index, shape, parts, faults) for index, raw in enumerate(scene.walls)]
    _ends(scene, parts, faults)
    for index, raw in enumerate(scene.guards):
        _guard(raw, f"guard {index}", parts, faults)
    _stored_path(scene, shape, shapely.union_all(blocked), parts, faults)
    faults.stop_if_any()
    return parts.level(Floors((floor,)), PurePath(source).stem, source)


def _points(pairs: list[Pair], where: str, faults: FaultList) -> Floats:
    """Return finite points of plausible size, (n, 2); record bad ones as faults and drop them."""
    points = np.array(pairs, dtype=np.float64).reshape(-1, 2)
    sound = (np.abs(points) <= MOST_METRES).all(axis=1)
    if not sound.all():
        index = int(np.flatnonzero(~sound)[0])
        what = f"point {index} is {points[index].tolist()}"
        faults.add(what, f"every coordinate must be finite and within {MOST_METRES:g} m", where)
    return points[sound]


def _floor(scene: _Scene, faults: FaultList) -> tuple[Floor, shapely.Polygon]:
    given: _Floor | None = decode_part(scene.floor, _Floor, "floor", "give the floor as {'poly': [[x, y], …]}", faults)
    points = _points(given.poly, "floor", faults) if given else np.zeros((0, 2))
    shape = shapely.Polygon(points) if len(points) >= 3 else shapely.Polygon()
    if given and (not shape.is_valid or shape.area == 0.0):
        reason = "has fewer than 3 points" if shape.is_empty else "crosses itself or has no area"
        faults.add(f"the floor {reason}", "draw its corners in order, without crossings", "floor")
    if not shape.is_valid:
        shape = shapely.Polygon()
    outline = _outline(shape)
    name = given.name if given else ""
    return Floor(np.column_stack([outline, np.zeros(len(outline))]), name=name), shape


def _outline(shape: shapely.Polygon) -> Floats:
    """Return the outer ring, counter-clockwise, without repeating its first point: (n, 2) float64."""
    return shapely.get_coordinates(shapely.orient_polygons(shape).exterior)[:-1]


def _wall(raw: msgspec.Raw, index: int, floor: shapely.Polygon, parts: Parts, faults: FaultList) -> shapely.Geometry:
    """Add the part of the floor a wall covers as obstacles, and return it."""
    where = f"wall {index}"
    wall: _Wall | None = decode_part(raw, _Wall, where, "give a wall as {'poly': [[x, y], …]}", faults)
    if wall is None or not (wall.active and wall.enabled):
        return shapely.Polygon()
    where += f" ({wall.name})" if wall.name else ""
    points = _points(wall.poly, where, faults)
    if len(points) < 3:
        faults.add(f"the wall has {len(points)} points", "a polygon needs at least 3", where)
        return shapely.Polygon()
    shape = shapely.make_valid(shapely.Polygon(points), method="structure")
    covered = shapely.intersection(shape, floor)
    for piece in whole_polygons(covered):
        name = parts.names.take(wall.name, "wall")
        parts.obstacles.append(Obstacle(_outline(piece), 0.0, WALL_HEIGHT, name))
    return covered


def whole_polygons(shape: shapely.Geometry) -> list[shapely.Polygon]:
    """Return the polygons of a shape without slivers; polygons with holes (a ring touching itself) become triangles."""
    pieces = [part for part in shapely.get_parts(shape) if part.geom_type == "Polygon" and part.area > 1e-9]
    whole: list[shapely.Polygon] = []
    for piece in pieces:
        split = shapely.get_parts(shapely.constrained_delaunay_triangles(piece)) if piece.interiors else [piece]
        whole += list(split)
    return whole


def _ends(scene: _Scene, parts: Parts, faults: FaultList) -> None:
    advice = "give [x, y] in metres, or null"
    for key, raw in (("start", scene.start), ("end", scene.end)):
        given = decode_part(raw, Pair | None, key, advice, faults)
        if given is None:
            continue
        points = _points([given], key, faults)
        for x, y in points.tolist():
            if key == "start":
                parts.spawns.append(Spawn((x, y, 0.0), "player", parts.names.take("player", "")))
            else:
                parts.markers.append(Marker((x, y, 0.0), "goal", parts.names.take("goal", "")))


def _guard(raw: msgspec.Raw, where: str, parts: Parts, faults: FaultList) -> None:
    guard: _Guard | None = decode_part(raw, _Guard, where, "give a guard as {'pos': [x, y], 'patrol': …}", faults)
    if guard is None or len(_points([guard.pos], where, faults)) == 0:
        return
    name = parts.names.take(guard.name, "guard")
    stops = _stops(guard.patrol, f"{where} ({name})", faults) if guard.patrol else ()
    if guard.patrol and stops:
        loop_to = guard.patrol.loop_to
        if loop_to is not None and not 0 <= loop_to < len(stops):
            faults.add(f"loop_to is {loop_to}", f"give a stop from 0 to {len(stops) - 1}, or null", where)
        parts.patrols.append(Patrol(stops, f"{name} patrol", loop_to))
    degrees = [guard.rotationSpeed, None if guard.fovAngle is None else 2 * guard.fovAngle]
    turn_speed, view_angle = (None if value is None else math.radians(value) for value in degrees)
    numbers = [guard.moveSpeed, turn_speed, view_angle, guard.fovDistance]
    if any(value is not None and not 0 <= value <= MOST_METRES for value in numbers):
        faults.add("a speed, angle or distance is negative or not finite", "give numbers of at least 0", where)
    heading = 0.0
    if stops and stops[0].xyz[:2] != guard.pos:
        heading = math.atan2(stops[0].xyz[1] - guard.pos[1], stops[0].xyz[0] - guard.pos[0])
    spawn = Spawn(
        xyz=(*guard.pos, 0.0),
        name=name,
        heading=heading,
        patrol=f"{name} patrol" if stops else "",
        speed=guard.moveSpeed,
        turn_speed=turn_speed,
        view_angle=view_angle,
        view_distance=guard.fovDistance,
    )
    parts.spawns.append(spawn)


def _stops(patrol: _Patrol, where: str, faults: FaultList) -> tuple[PatrolStop, ...]:
    stops = []
    for index, waypoint in enumerate(patrol.waypoints):
        place = f"{where}, waypoint {index}"
        if len(_points([waypoint.pos], place, faults)) == 0:
            continue
        xyz = (*waypoint.pos, 0.0)
        if waypoint.type == "move":
            stops.append(PatrolStop(xyz))
        elif waypoint.type == "wait":
            if not 0 <= waypoint.seconds <= MOST_METRES:
                faults.add(f"seconds is {waypoint.seconds:g}", "give a time of at least 0", place)
            stops.append(PatrolStop(xyz, "wait", seconds=waypoint.seconds))
        else:
            if not 0 < math.hypot(*waypoint.look) < math.inf:
                faults.add(f"look is {list(waypoint.look)}", "give a direction [x, y] that is not zero", place)
            stops.append(PatrolStop(xyz, "turn", heading=math.atan2(waypoint.look[1], waypoint.look[0])))
    return tuple(stops)


def _stored_path(
    scene: _Scene, floor: shapely.Polygon, walls: shapely.Geometry, parts: Parts, faults: FaultList
) -> None:
    advice = "give the stored path as [[cell x, cell y, step], …]"
    steps = list[tuple[float, float, float]] | None
    cells = decode_part(scene.stored_path_cells_xyt, steps, "stored path", advice, faults)
    sizes = "give cellsX, cellsZ, tileSizeX, tileSizeZ"
    mapper = decode_part(scene.mapper, _Mapper | None, "mapper", sizes, faults) or _Mapper()
    if not cells or floor.is_empty or faults.count:
        return
    low_x, low_y, high_x, high_y = floor.bounds
    if mapper.cellsX < 1 or mapper.cellsZ < 1:
        faults.add("the mapper has no cells", "give cellsX and cellsZ of at least 1", "mapper")
        return
    size_x = mapper.tileSizeX or (high_x - low_x) / mapper.cellsX
    size_y = mapper.tileSizeZ or (high_y - low_y) / mapper.cellsZ
    rows = np.array(cells, dtype=np.float64)
    if max(abs(size_x), abs(size_y), np.abs(rows).max()) > MOST_METRES or (np.diff(rows[:, 2]) < 0).any():
        faults.add("the stored path is too large or runs backwards in time", advice, "stored path")
        return
    points = np.column_stack([low_x + (rows[:, 0] + 0.5) * size_x, low_y + (rows[:, 1] + 0.5) * size_y])
    line = shapely.LineString(points) if len(points) > 1 else shapely.Point(points[0])
    stray = shapely.intersection(line, walls).length + shapely.difference(line, floor).length
    if stray <= max(size_x, size_y):
        points_xyz = np.column_stack([points, np.zeros(len(points))])
        parts.paths.append(IntendedPath(points_xyz, "stored solution", rows[:, 2] * STEP_SECONDS))
