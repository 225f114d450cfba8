"""Write a level as lossless GeoJSON, or what is placed on it as an overlay: reading it back gives an equal level."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np

from ..checks import expect
from ..conventions import Array, Floats
from ..errors import Fault, LevelError
from ..files import atomic_write
from . import dialect
from .check_numbers import unwritable
from .features import Door, Obstacle, Zone
from .level import ConvexFaces, Floor, Floors, Level, TileFloor, Tiles, TriangleSoup


def write_level(level: Level, path: str | os.PathLike[str]) -> None:
    """Write `level` to `path` as GeoJSON, atomically.

    Raises
    ------
    LevelError
        The level holds what no file can: numbers that are not finite, corners without a vertex.
    InputError
        The path cannot be written.
    """
    atomic_write(path, to_geojson(level))


def to_geojson(level: Level) -> bytes:
    """Return `level` as a GeoJSON FeatureCollection, one feature per line, in metres (see docs/geojson.md)."""
    surface = _SURFACES[type(expect(level, Level, "level").surface)]
    header = dialect.Header(dialect.VERSION, str(level.name), surface, bool(level.y_down))
    return _written(level, header, lambda: _surface(level.surface))


def to_overlay(level: Level) -> bytes:
    """Return what is placed on a level, without its surface, as GeoJSON: the overlay of a mesh."""
    name, y_down = str(expect(level, Level, "level").name), bool(level.y_down)
    return _written(level, dialect.Header(dialect.VERSION, name, y_down=y_down), lambda: ())


def _written(level: Level, header: dialect.Header, surface: Callable[[], Iterable[dict[str, Any]]]) -> bytes:
    faults = unwritable(level)
    if faults:
        raise LevelError(level.source or level.name, faults)
    features = [*surface(), *_outlined(level), *_points(level), *_lines(level)]
    encoder = msgspec.json.Encoder(enc_hook=_plain)
    try:
        top = encoder.encode({"type": "FeatureCollection", "lastseen": header, "features": []})
        lines = b",\n".join(map(encoder.encode, features))
    except UnicodeEncodeError:
        fault = Fault("a name holds invalid characters (lone surrogates)", "rename it")
        raise LevelError(level.source or level.name, [fault]) from None
    return top[:-2] + b"\n" + lines + b"\n]}\n"


_SURFACES: dict[type, dialect.SURFACES]
_SURFACES = {Floors: "floors", Tiles: "tiles", TriangleSoup: "triangles", ConvexFaces: "faces"}


def _plain(value: Any) -> Any:
    """Convert NumPy scalars, which arithmetic leaves in levels built by code, to plain numbers."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(type(value).__name__)


def _feature(geometry_type: str, coordinates: Any, properties: dialect.Properties) -> dict[str, Any]:
    geometry = {"type": geometry_type, "coordinates": coordinates}
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def _ring(points: Array) -> list[list[float]]:
    """Return points as a GeoJSON ring, which repeats the first point at the end."""
    return np.concatenate([points, points[:1]]).tolist()


def _surface(surface: Floors | Tiles | TriangleSoup | ConvexFaces) -> Iterator[dict[str, Any]]:
    if isinstance(surface, Floors):
        yield from map(_floor, surface.polygons)
    elif isinstance(surface, Tiles):
        yield from map(_tiles, surface.floors)
        yield from map(_floor, surface.ramps)
    elif isinstance(surface, TriangleSoup):
        starts = np.arange(0, surface.triangles.size + 1, 3)
        yield _mesh("triangles", surface.vertices_xyz, starts, surface.triangles.ravel())
    else:
        yield _mesh("faces", surface.vertices_xyz, surface.face_start, surface.corners)


def _floor(floor: Floor) -> dict[str, Any]:
    rings = [_ring(floor.outline_xyz), *map(_ring, floor.holes_xyz)]
    return _feature("Polygon", rings, dialect.FloorProperties(floor.kind, floor.name, floor.storey))


def _tiles(floor: TileFloor) -> dict[str, Any]:
    rows, columns = floor.passable.shape
    letters = np.where(floor.passable, np.uint8(ord(".")), np.uint8(ord("#")))
    text = [row.tobytes().decode("ascii") for row in letters]
    properties = dialect.TilesProperties(
        "tiles", floor.name, text, columns, floor.z, floor.tile, (floor.origin_xy[0], floor.origin_xy[1])
    )
    x, y = floor.origin_xy
    # The outline of the grid is only for map viewers; the rows say what is walkable.
    right, top = x + columns * floor.tile, y + rows * floor.tile
    corners = np.array([[x, y, floor.z], [right, y, floor.z], [right, top, floor.z], [x, top, floor.z]], np.float64)
    return _feature("Polygon", [_ring(corners)], properties)


def _mesh(kind: str, vertices: Floats, starts: Array, corners: Array) -> dict[str, Any]:
    """Return all faces as one MultiPolygon; the vertex numbers of the corners record which vertices are shared."""
    bounds = list(pairwise(starts.tolist()))
    polygons = [[_ring(vertices[corners[start:end]])] for start, end in bounds]
    numbers = [corners[start:end].tolist() for start, end in bounds]
    loose = np.setdiff1d(np.arange(len(vertices)), corners)
    properties = dialect.MeshProperties(kind, "", numbers, [(i, *vertices[i].tolist()) for i in loose.tolist()])
    return _feature("MultiPolygon", polygons, properties)


def _outlined(level: Level) -> Iterator[dict[str, Any]]:
    def polygon(thing: Obstacle | Door | Zone, properties: dialect.Properties) -> dict[str, Any]:
        return _feature("Polygon", [_ring(thing.outline_xy)], properties)

    for kind, things in (("obstacle", level.obstacles), ("cover", level.cover)):
        for one in things:
            yield polygon(one, dialect.OutlineProperties(kind, one.name, one.z, one.height))
    for door in level.doors:
        properties = dialect.DoorProperties("door", door.name, door.z, door.height, open=door.open, locked=door.locked)
        yield polygon(door, properties)
    for piece in level.platforms:
        rings = [_ring(piece.outline_xyz), *map(_ring, piece.holes_xyz)]
        own = dialect.PlatformProperties(
            "platform", piece.name, storey=piece.storey, at=piece.at, present=piece.present
        )
        yield _feature("Polygon", rings, own)
    for zone in level.zones:
        yield polygon(zone, dialect.ZoneProperties("zone", zone.name, zone.z, zone.height, zone=zone.kind))


def _points(level: Level) -> Iterator[dict[str, Any]]:
    given: dict[str, Any]
    for spot in level.hiding_places:
        properties = dialect.HideProperties("hide", spot.name, heading=spot.heading, capacity=spot.capacity)
        yield _feature("Point", spot.xyz, properties)
    for trap in level.traps:
        given = {each.name: getattr(trap, each.name) for each in fields(trap) if each.name != "xyz"}
        yield _feature("Point", trap.xyz, dialect.TrapProperties("trap", **given))
    for marker in level.markers:
        yield _feature("Point", marker.xyz, dialect.MarkerProperties("marker", marker.name, marker=marker.kind))
    for spawn in level.spawns:
        given = {each.name: getattr(spawn, each.name) for each in fields(spawn) if each.name != "xyz"}
        yield _feature("Point", spawn.xyz, dialect.SpawnProperties("spawn", **given))


def _lines(level: Level) -> Iterator[dict[str, Any]]:
    def line(points: list[Any], properties: dialect.Properties) -> dict[str, Any]:
        # A GeoJSON line needs at least two positions; a MultiPoint does not.
        return _feature("LineString" if len(points) > 1 else "MultiPoint", points, properties)

    for patrol in level.patrols:
        stops = [dialect.StopProperties(stop.action, stop.seconds, stop.heading, stop.object) for stop in patrol.stops]
        properties = dialect.PatrolProperties("patrol", patrol.name, loop_to=patrol.loop_to, stops=stops)
        yield line([stop.xyz for stop in patrol.stops], properties)
    for path in level.paths:
        yield line(path.points_xyz.tolist(), dialect.PathProperties("path", path.name, seconds=path.seconds.tolist()))
