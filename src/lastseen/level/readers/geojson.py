"""Read a level from GeoJSON: the dialect of docs/geojson.md, or plain files with a `kind` on their features.

Coordinates are metres in a plane, whatever a `crs` member declares.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from pathlib import PurePath
from typing import Any, TypeVar

import msgspec
import numpy as np

from ...conventions import Floats
from ...errors import Fault, LevelError, PartLabel, did_you_mean
from .. import dialect
from ..check import shape_faults
from ..features import Door, HidingPlace, IntendedPath, Marker, Obstacle, Patrol, PatrolStop, Spawn, Trap, Zone
from ..level import ConvexFaces, Floor, Level, Platform, TileFloor, TriangleSoup
from .faults import FaultList, decode_document
from .geojson_geometry import SHAPES, Draft, Geometry, Wrong, counter_clockwise, footprints, geometry_of, indexed_mesh

P = TypeVar("P", bound=dialect.Properties)

HEIGHT = {"cover": 1.0}
"""Default height in metres; 3.0 for other kinds, too tall to look or climb over."""


def sniff(data: bytes, suffix: str) -> bool:
    """Return whether the bytes look like a GeoJSON object."""
    del suffix
    if not data[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return False
    if b'"FeatureCollection"' in data or re.search(rb'"type"\s*:\s*"Feature"', data) is not None:
        return True
    bare = re.search(rb'"type"\s*:\s*"(?:(?:Multi)?(?:Polygon|LineString|Point)|GeometryCollection)"', data)
    return bare is not None and re.search(rb'"(?:coordinates|geometries)"\s*:', data) is not None


def read(data: bytes, source: str) -> Level:
    """Return the level in a GeoJSON file, or raise `LevelError` with the faults of every feature."""
    tree = decode_document(data, Any, "give an object", FaultList(source))
    if not isinstance(tree, dict):
        raise LevelError(source, [Fault(f"expected an object, got a {type(tree).__name__}", "it must begin with {")])
    header = _header(tree, source)
    draft, faults = _drafted(tree, source)
    try:
        surface = draft.surface(header.surface if header else None)
    except Wrong as wrong:
        faults.append(Fault(wrong.what, wrong.advice))
        raise LevelError(source, faults) from None
    name = header.name if header else _foreign_name(tree, source)
    y_down = header is not None and header.y_down
    level = Level(surface, name=name, source=source, y_down=y_down, **draft.placed())
    if faults:
        # Check what could be read as well, so that one run reports everything to fix.
        raise LevelError(source, [*faults, *shape_faults(level)])
    return level


def read_placed(data: bytes, source: str) -> dict[str, Any]:
    """Return what a file without floors places on a level, by the fields of `Level`, or raise `LevelError`."""
    tree = decode_document(data, Any, "give an object", FaultList(source))
    if not isinstance(tree, dict):
        raise LevelError(source, [Fault(f"expected an object, got a {type(tree).__name__}", "it must begin with {")])
    _header(tree, source)
    draft, faults = _drafted(tree, source)
    if draft.floors or draft.tiles or draft.meshes:
        faults.append(Fault("an overlay has floors, tiles or a mesh", "remove them: the mesh next to it is the floor"))
    if faults:
        raise LevelError(source, faults)
    return draft.placed()


def _drafted(tree: dict[str, Any], source: str) -> tuple[Draft, list[Fault]]:
    """Return everything the features of a file hold, and their faults."""
    draft = Draft()
    faults: list[Fault] = []
    for where, feature in _features(tree, source):
        try:
            _add_feature(draft, feature)
        except Wrong as wrong:
            faults.append(Fault(wrong.what, wrong.advice, where + _named(feature), _first_place(feature)))
    return draft, faults


def _header(tree: dict[str, Any], source: str) -> dialect.Header | None:
    """Return the member `lastseen`, or None for a file of another tool."""
    given = tree.get("lastseen")
    if given is None:
        return None
    try:
        header = msgspec.convert(given, dialect.Header)
    except msgspec.ValidationError as error:
        advice = (
            f'write it like {{"version": {dialect.VERSION}, "name": "…"}}; remove it to read the file as plain GeoJSON'
        )
        raise LevelError(source, [Fault(f"the member lastseen is invalid: {error}", advice)]) from None
    if not 1 <= header.version <= dialect.VERSION:
        what = f"it uses version {header.version} of the dialect; this lastseen reads up to {dialect.VERSION}"
        raise LevelError(source, [Fault(what, "update lastseen, or write the file with an older version")])
    return header


def _features(tree: dict[str, Any], source: str) -> list[tuple[str, Any]]:
    """Return the label of each feature and the feature; a file without features gives one per geometry."""
    kind = tree.get("type")
    if kind == "Feature":
        return [(PartLabel("features[0]", "features", 0), tree)]
    if isinstance(kind, str) and kind in SHAPES:
        return [(kind, _feature_of(tree))]
    member = {"FeatureCollection": "features", "GeometryCollection": "geometries"}.get(str(kind), "")
    found = tree.get(member)
    if not isinstance(found, list):
        what = f"its type is {repr(kind)[:60]}, or it has no list of features"
        advice = "give a FeatureCollection with a list `features`, or a geometry such as a MultiPolygon"
        raise LevelError(source, [Fault(what, advice)])
    if member == "geometries":
        found = [_feature_of(geometry) for geometry in _flat(found)]
    return [(PartLabel(f"{member}[{number}]", member, number), feature) for number, feature in enumerate(found)]


def _feature_of(geometry: Any) -> dict[str, Any]:
    return {"type": "Feature", "geometry": geometry}


def _flat(geometries: list[Any]) -> list[Any]:
    """Return geometries in order, with nested collections expanded in place."""
    waiting, flat = geometries[::-1], []
    while waiting:
        one = waiting.pop()
        inner = one.get("geometries") if isinstance(one, dict) and one.get("type") == "GeometryCollection" else None
        if isinstance(inner, list):
            waiting.extend(reversed(inner))
        else:
            flat.append(one)
    return flat


def _foreign_name(tree: dict[str, Any], source: str) -> str:
    given = tree.get("name")
    return given if isinstance(given, str) else PurePath(source).stem


def _named(feature: Any) -> str:
    properties = feature.get("properties") if isinstance(feature, dict) else None
    name = properties.get("name") or properties.get("kind") if isinstance(properties, dict) else None
    return f" ({name[:40]})" if isinstance(name, str) else ""


def _first_place(feature: Any) -> tuple[float, ...] | None:
    """Return the first position of a feature, however deeply nested, or None."""
    geometry = feature.get("geometry") if isinstance(feature, dict) else None
    inner = geometry.get("coordinates") if isinstance(geometry, dict) else None
    for _ in range(4):
        if isinstance(inner, list) and inner and isinstance(inner[0], list):
            inner = inner[0]
    try:
        place = msgspec.convert(inner, list[float])
    except msgspec.ValidationError:
        return None
    return tuple(place[:3]) if len(place) >= 2 else None


def _add_feature(draft: Draft, feature: Any) -> None:
    """Add what one feature draws to `draft`, or raise `Wrong`."""
    if not isinstance(feature, dict) or feature.get("type") != "Feature":
        raise Wrong("it is not a Feature", 'every entry of `features` must have "type": "Feature"')
    properties = feature.get("properties")
    if properties is None:
        properties = {}
    if not isinstance(properties, dict):
        raise Wrong("its properties are not an object", "give properties in braces, such as {}")
    geometry = geometry_of(feature.get("geometry"))
    kind = properties.get("kind", geometry.default_kind)
    if not isinstance(kind, str):
        raise Wrong("it has no kind", f"give it one of: {', '.join(geometry.kinds)}")
    if kind not in geometry.kinds:
        raise _wrong_kind(kind, geometry)
    _ADD[_family(kind, geometry)](draft, {**properties, "kind": kind}, geometry)


def _wrong_kind(kind: str, geometry: Geometry) -> Wrong:
    if kind in dialect.KINDS:
        return Wrong(f"a {geometry.type} cannot be of kind {kind!r}", f"draw it as {_shape_of(kind)}")
    what = f"kind {kind[:60]!r} is unknown{did_you_mean(kind, geometry.kinds)}"
    own = {"Point": ', or "marker" with your own "marker" word', "Polygon": ', or "zone" with your own "zone" word'}
    return Wrong(what, f"use one of: {', '.join(geometry.kinds)}{own.get(geometry.type.removeprefix('Multi'), '')}")


def _shape_of(kind: str) -> str:
    shapes = (
        ("a Polygon", dialect.POLYGON_KINDS),
        ("a LineString", dialect.LINE_KINDS),
        ("a Point", dialect.POINT_KINDS),
    )
    return " or ".join(shape for shape, kinds in shapes if kind in kinds)


def _family(kind: str, geometry: Geometry) -> str:
    """Return the name of the function for this kind; an exit is a marker as a point, a zone as a polygon."""
    if kind in dialect.FLOOR_KINDS:
        return "floor"
    if kind in dialect.SPAWN_KINDS:
        return "spawn"
    if kind in dialect.MARKER_KINDS and geometry.type == "Point":
        return "marker"
    if kind in dialect.ZONE_KINDS:
        return "zone"
    return {"wall": "obstacle", "triangles": "mesh", "faces": "mesh"}.get(kind, kind)


def _properties(given: dict[str, Any], struct: type[P]) -> P:
    """Return the properties as their struct; null counts as absent.

    Properties of other tools are allowed, but not one that looks like a typo.
    """
    keep_null = {"loop_to"}
    present = {key: value for key, value in given.items() if value is not None or key in keep_null}
    for key in present.keys() - set(struct.__struct_fields__):
        meant = difflib.get_close_matches(key, struct.__struct_fields__, n=1, cutoff=0.8)
        if meant and meant[0] not in present:
            raise Wrong(f"property {key!r} is unknown here (did you mean {meant[0]!r}?)", "rename or remove it")
    try:
        return msgspec.convert(present, struct)
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at ")
        name = place.strip("`").removeprefix("$.")
        fields = getattr(msgspec.inspect.type_info(struct), "fields", ())
        kind = next((one.type for one in fields if one.name == name), None)
        words = [str(word) for word in getattr(kind, "values", ())]
        if words:
            hint = did_you_mean(present[name], words)
            raise Wrong(f"property {name!r} is {str(present[name])[:40]!r}{hint}", f"use {', '.join(words)}") from None
        raise Wrong(f"property {name!r} is invalid: {what[:1].lower() + what[1:]}", "see docs/geojson.md") from None


def _add_floor(draft: Draft, given: dict[str, Any], geometry: Geometry) -> None:
    properties = _properties(given, dialect.FloorProperties)
    for outline, *holes in geometry.polygons(properties.z):
        rings = counter_clockwise(outline), tuple(counter_clockwise(hole, turn=-1) for hole in holes)
        draft.floors.append(Floor(*rings, properties.name, properties.storey or 0, properties.kind))
        draft.storey_given.append(properties.storey is not None)


def _add_platform(draft: Draft, given: dict[str, Any], geometry: Geometry) -> None:
    properties = _properties(given, dialect.PlatformProperties)
    for outline, *holes in geometry.polygons(properties.z):
        rings = counter_clockwise(outline), tuple(counter_clockwise(hole, turn=-1) for hole in holes)
        piece = Platform(*rings, properties.name, properties.storey or 0, at=properties.at, present=properties.present)
        draft.platforms.append(piece)


def _outlines(geometry: Geometry, properties: dialect.OutlineProperties) -> list[tuple[Floats, float, float]]:
    """Return footprint, z and height of everything a feature outlines."""
    height = HEIGHT.get(properties.kind, 3.0) if properties.height is None else properties.height
    result = []
    for outline_xyz in footprints(geometry, properties.kind, properties.width):
        z = properties.z
        if z is None:
            z = float(outline_xyz[:, 2].min(initial=np.inf)) if len(outline_xyz) else 0.0
        result.append((outline_xyz[:, :2], z, height))
    return result


def _add_obstacle(draft: Draft, given: dict[str, Any], geometry: Geometry) -> None:
    properties = _properties(given, dialect.OutlineProperties)
    into = draft.cover if properties.kind == "cover" else draft.obstacles
    into.extend(Obstacle(xy, z, height, properties.name) for xy, z, height in _outlines(geometry, properties))


def _add_door(draft: Draft, given: dict[str, Any], geometry: Geometry) -> None:
    properties = _properties(given, dialect.DoorProperties)
    for xy, z, height in _outlines(geometry, properties):
        draft.doors.append(Door(xy, z, height, properties.name, open=properties.open, locked=properties.locked))


def _add_zone(draft: Draft, given: dict[str, Any], geometry: Geometry) -> None:
    properties = _properties(given, dialect.ZoneProperties)
    meaning = properties.kind if properties.zone is None else properties.zone
    for xy, z, height in _outlines(geometry, properties):
        draft.zones.append(Zone(xy, z, height, properties.name, kind=meaning))


def _add_hide(draft: Draft, given: dict[str, Any], geometry: Geometry) -> None:
    properties = _properties(given, dialect.HideProperties)
    place = geometry.point(properties.z)
    draft.hiding_places.append(HidingPlace(place, properties.name, properties.heading, properties.capacity))


def _add_trap(draft: Draft, given: dict[str, Any], geometry: Geometry) -> None:
    own = _properties(given, dialect.TrapProperties)
    place = geometry.point(own.z)
    draft.traps.append(Trap(place, own.name, own.team, own.radius, own.effect, own.seconds, own.sound))


def _add_marker(draft: Draft, given: dict[str, Any], geometry: Geometry) -> None:
    properties = _properties(given, dialect.MarkerProperties)
    meaning = properties.kind if properties.marker is None else properties.marker
    draft.markers.append(Marker(geometry.point(properties.z), meaning, properties.name))


def _add_spawn(draft: Draft, given: dict[str, Any], geometry: Geometry) -> None:
    properties = _properties(given, dialect.SpawnProperties)
    who = properties.who
    if who is None:
        who = "guard" if properties.kind == "spawn" else properties.kind
    body = properties.speed, properties.turn_speed, properties.view_angle, properties.view_distance
    xyz = geometry.point(properties.z)
    draft.spawns.append(Spawn(xyz, who, properties.name, properties.heading, properties.patrol, *body))


def _add_patrol(draft: Draft, given: dict[str, Any], geometry: Geometry) -> None:
    properties = _properties(given, dialect.PatrolProperties)
    places = geometry.line(properties.z).tolist()
    stops = properties.stops if properties.stops is not None else [dialect.StopProperties() for _ in places]
    if len(stops) != len(places):
        what = f"it has {len(places)} positions but {len(stops)} stops"
        raise Wrong(what, "give one stop for each position, or no stops at all")
    orders = tuple(
        PatrolStop((x, y, z), stop.action, stop.seconds, stop.heading, stop.object)
        for (x, y, z), stop in zip(places, stops, strict=True)
    )
    draft.patrols.append(Patrol(orders, properties.name, properties.loop_to))


def _add_path(draft: Draft, given: dict[str, Any], geometry: Geometry) -> None:
    properties = _properties(given, dialect.PathProperties)
    points = geometry.line(properties.z)
    draft.paths.append(IntendedPath(points, properties.name, np.array(properties.seconds, dtype=np.float64)))


def _add_tiles(draft: Draft, given: dict[str, Any], _: Geometry) -> None:
    properties = _properties(given, dialect.TilesProperties)
    columns = properties.columns if properties.columns is not None else max(map(len, properties.rows), default=0)
    for number, row in enumerate(properties.rows):
        if len(row) != columns:
            raise Wrong(f"rows[{number}] has {len(row)} tiles, not {columns}", "make all rows equally long")
        if row.strip(".#"):
            raise Wrong(f"rows[{number}] has characters other than . and #", "use . for floor and # for wall")
    letters = np.frombuffer("".join(properties.rows).encode("ascii"), dtype=np.uint8)
    # Without rows `columns` is never checked, so it is clamped: an empty array costs nothing, whatever its shape.
    passable = (letters == ord(".")).reshape(len(properties.rows), min(columns, 2**31) if columns > 0 else 0)
    draft.tiles.append(TileFloor(passable, properties.z, properties.tile, properties.origin, properties.name))


def _add_mesh(draft: Draft, given: dict[str, Any], geometry: Geometry) -> None:
    properties = _properties(given, dialect.MeshProperties)
    vertices, starts, corners = indexed_mesh(geometry, properties)
    if properties.kind == "faces":
        draft.meshes.append(ConvexFaces(vertices, starts, corners))
        return
    if (np.diff(starts) != 3).any():
        number = int(np.flatnonzero(np.diff(starts) != 3)[0])
        raise Wrong(f"polygon {number} is not a triangle", 'give every polygon three corners, or use kind "faces"')
    draft.meshes.append(TriangleSoup(vertices, corners.reshape(-1, 3)))


_ADD: dict[str, Callable[[Draft, dict[str, Any], Geometry], None]] = {
    "floor": _add_floor,
    "platform": _add_platform,
    "obstacle": _add_obstacle,
    "cover": _add_obstacle,
    "door": _add_door,
    "zone": _add_zone,
    "hide": _add_hide,
    "trap": _add_trap,
    "marker": _add_marker,
    "spawn": _add_spawn,
    "patrol": _add_patrol,
    "path": _add_path,
    "tiles": _add_tiles,
    "mesh": _add_mesh,
}
