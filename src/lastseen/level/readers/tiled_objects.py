"""Meanings of the classes and properties of a Tiled map, and its objects as outlines, points and paths in metres."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import numpy as np

from ...conventions import Floats
from ...errors import Fault, did_you_mean
from ..features import IntendedPath, Patrol, PatrolStop
from .faults import FaultList, decode_part
from .parts import DOORS, Meaning, Parts, plain_meanings
from .tiled_layers import Layer, Pixels, Property, properties_of

KINDS = {
    **plain_meanings("wall", "floor", "cover", "hide", "player", "guard", "exit", "marker", "zone", "patrol", "path"),
    **DOORS,
    "obstacle": Meaning("wall"),
    "hiding place": Meaning("hide"),
    "spawn": Meaning("player"),
    "enemy": Meaning("guard"),
    "goal": Meaning("marker", subkind="goal"),
}
"""Recognised classes of objects and tiles; underscores count as blanks."""

_WALL_LAYERS = {"wall", "walls", "collision", "collisions", "obstacle", "obstacles", "solid", "blocked"}
_FLOOR_LAYERS = {"floor", "floors", "ground", "walkable"}
_LENGTHS = ("height", "speed", "view_distance")
_ANGLES = ("heading", "turn_speed", "view_angle")
_WALL_TILES = ("wall", "solid", "collides", "blocked")
_OTHERS = ("kind", "subkind", "who", "patrol", "open", "locked", "capacity", "loop", "wait")
OBJECT_PROPERTIES = (*_OTHERS, *_LENGTHS, *_ANGLES)
TILE_PROPERTIES = ("walkable", *_WALL_TILES, *OBJECT_PROPERTIES)
"""Properties that are read, of objects and of tiles in a tileset."""


def layer_role(layer: Layer) -> str:
    """Return "wall", "floor" or "" for a layer: its property `kind`, else its class, else its name."""
    for word in (properties_of(layer.properties).get("kind"), layer.class_, layer.name):
        plain = str(word or "").strip().lower()
        if plain in _WALL_LAYERS:
            return "wall"
        if plain in _FLOOR_LAYERS:
            return "floor"
    return ""


def plain_kind(text: str) -> str:
    """Return a class as spelled in `KINDS`."""
    return " ".join(text.lower().replace("_", " ").replace("-", " ").split())


def meaning_of(kind: str, name: str, properties: dict[str, Any], where: str, faults: FaultList) -> Meaning | None:
    """Return the meaning of a class with its properties; None for an unknown class.

    A class close to a known one is probably a typo and recorded as a fault; any other belongs to the user's own game.
    """
    kind = plain_kind(str(properties.get("kind") or kind))
    if kind not in KINDS:
        hint = did_you_mean(kind, KINDS) if kind else ""
        if hint:
            faults.add(f"class {kind!r} is unknown{hint}", f"use one of: {', '.join(KINDS)}", where)
        return None
    meaning = replace(KINDS[kind], name=name)
    if kind == "spawn" and plain_kind(str(properties.get("who", ""))) in ("guard", "enemy"):
        meaning = replace(meaning, kind="guard")
    changes: dict[str, Any] = {}
    for key in ("open", "locked"):
        if key in properties:
            changes[key] = properties[key] is True
    for key in _LENGTHS + _ANGLES:
        if key in properties:
            changes[key] = _number(properties[key], key, where, faults)
    if "capacity" in properties:
        changes["capacity"] = max(1, int(_number(properties["capacity"], "capacity", where, faults) or 1))
    if isinstance(properties.get("subkind"), str):
        changes["subkind"] = properties["subkind"]
    return replace(meaning, **changes)


def tile_meaning(class_: str, properties: dict[str, Any], where: str, faults: FaultList) -> Meaning | None:
    """Return what a tile of a tileset stands for, None if it is mere decoration."""
    if isinstance(properties.get("walkable"), bool):
        return Meaning("floor" if properties["walkable"] else "wall")
    if any(properties.get(key) is True for key in _WALL_TILES):
        return Meaning("wall")
    meaning = meaning_of(class_, "", properties, where, faults)
    return None if meaning is None or meaning.kind in ("patrol", "path") else meaning


def _number(value: Any, key: str, where: str, faults: FaultList) -> float | None:
    """Return a property as a number, angles in radians."""
    sound = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 1e6
    if not sound or (key != "heading" and value <= 0):
        allowed = "degrees" if key == "heading" else "a number above 0"
        faults.add(f"property {key} is {str(value)[:40]!r}", f"give {allowed}", where)
        return None
    return math.radians(value) if key in _ANGLES else float(value)


ELLIPSE_CORNERS = 16


class _Point(msgspec.Struct):
    x: Pixels
    y: Pixels


class _Object(msgspec.Struct):
    id: int = 0
    name: str = ""
    type: str = ""
    class_: str = msgspec.field(name="class", default="")
    x: Pixels = 0.0
    y: Pixels = 0.0
    width: Pixels = 0.0
    height: Pixels = 0.0
    rotation: Pixels = 0.0
    gid: int | None = None
    ellipse: bool = False
    polygon: list[_Point] | None = None
    polyline: list[_Point] | None = None
    template: str = ""
    properties: list[Property] = []


@dataclass(frozen=True)
class Drawn:
    """An object with its meaning: `points_xy` (n, 2) in metres, a single point, a line or an outline."""

    meaning: Meaning
    points_xy: Floats
    shape: str
    identity: int
    properties: dict[str, Any]
    where: str

    @property
    def middle(self) -> tuple[float, float, float]:
        """Centroid of its corners, on the floor."""
        x, y = self.points_xy.mean(axis=0).tolist()
        return (x, y, 0.0)


class Ignored:
    """Objects that mean nothing here, counted by class and layer, and properties that are probably misspelt."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], list[tuple[str, tuple[float, float]]]] = {}
        self._misspelt: dict[str, Fault] = {}
        self._layers: list[Fault] = []

    def add(self, kind: str, layer: Layer, where: str, at: tuple[float, float]) -> None:
        """Count one object."""
        self._found.setdefault((kind, layer.name), []).append((where, at))

    def check_properties(
        self, given: Iterable[str], known: tuple[str, ...], where: str, at: tuple[float, float] | None = None
    ) -> None:
        """Note the properties that are close to a known one; any others belong to the user's own game."""
        for name in given:
            hint = "" if name in known else did_you_mean(name, known)
            if hint:
                what, advice = f"property {name[:40]!r} is ignored{hint}", f"known properties: {', '.join(known)}"
                self._misspelt.setdefault(name, Fault(what, advice, where, at, severity="warning"))

    def check_layer(self, layer: Layer, tiles_mean: bool) -> None:
        """Note an image layer, and a layer of tiles whose name is close to one of walls or floor."""
        where, known = f"layer {layer.name!r}", sorted(_WALL_LAYERS | _FLOOR_LAYERS)
        if layer.type == "imagelayer":
            what, advice = "image layers are ignored", "draw walls and floor with tiles or objects"
            self._layers.append(Fault(what, advice, where, severity="warning"))
        elif layer.type == "tilelayer" and not tiles_mean and not layer_role(layer):
            hint = did_you_mean(layer.name.strip().lower(), known)
            if hint:
                what, advice = (
                    f"its tiles are neither walls nor floor{hint}",
                    f"names with a meaning: {', '.join(known)}",
                )
                self._layers.append(Fault(what, advice, where, severity="warning"))

    def warnings(self) -> list[Fault]:
        """Return a warning for each class in a layer, misspelt property (at its first object) and ignored layer."""
        objects = [self._warning(kind, layer, found) for (kind, layer), found in self._found.items()]
        return [*objects, *self._misspelt.values(), *self._layers]

    def _warning(self, kind: str, layer: str, found: list[tuple[str, tuple[float, float]]]) -> Fault:
        number = "1 object" if len(found) == 1 else f"{len(found)} objects"
        said = f"of class {kind[:40]!r}" if kind else "without a class"
        advice = f"give a class if it matters: {', '.join(KINDS)}" if not kind else f"known classes: {', '.join(KINDS)}"
        if kind == "floor":
            said, advice = "of class 'floor'", "draw floor with tiles; objects only add walls to it"
        return Fault(f"{number} {said} in layer {layer!r} ignored", advice, *found[0], severity="warning")


def object_of(
    raw: msgspec.Raw, number: int, layer: Layer, scale: float, role: str, faults: FaultList, ignored: Ignored
) -> Drawn | None:
    """Return an object with a known meaning; None for any other, or after recording why it cannot be read.

    Objects without a class in a layer of walls are walls. `scale` is metres per pixel.
    """
    where = f"layer {layer.name!r}, object {number}"
    item: _Object | None = decode_part(raw, _Object, where, "save the map again with Tiled", faults)
    if item is None:
        return None
    where = f"object {item.id}" + (f" ({item.name})" if item.name else "")
    properties = properties_of(item.properties)
    kind = item.class_ or item.type
    if item.template and not kind:
        faults.add(f"it uses template {item.template!r}; templates are not read", "detach it in Tiled", where)
        return None
    at = ((item.x + layer.offsetx) * scale, (item.y + layer.offsety) * scale)
    before = faults.count
    meaning = meaning_of(kind or (role if role == "wall" else ""), item.name, properties, where, faults)
    if faults.count > before and meaning is None:
        return None
    if meaning is None or meaning.kind == "floor":
        ignored.add(plain_kind(str(properties.get("kind") or kind)), layer, where, at)
        return None
    ignored.check_properties(properties, OBJECT_PROPERTIES, where, at)
    corners, shape = _corners(item)
    turn = math.radians(item.rotation)
    rotated = corners @ np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    points = (rotated + np.array([item.x + layer.offsetx, item.y + layer.offsety])) * scale
    return Drawn(meaning, points, shape, item.id, properties, where)


def _corners(item: _Object) -> tuple[Floats, str]:
    """Return the corners in pixels, relative to the object's position, and "point", "line" or "outline"."""
    listed = item.polygon if item.polygon is not None else item.polyline
    if listed is not None:
        corners = np.array([(point.x, point.y) for point in listed], dtype=np.float64).reshape(-1, 2)
        if len(corners) == 0:
            return np.zeros((1, 2)), "point"
        return corners, "outline" if item.polygon is not None else "line"
    width, height = item.width, item.height
    if width <= 0 or height <= 0:
        return np.zeros((1, 2)), "point"
    if item.ellipse:
        angle = 2 * math.pi * np.arange(ELLIPSE_CORNERS) / ELLIPSE_CORNERS
        middle = np.array([width / 2, height / 2])
        return middle + np.column_stack([np.cos(angle), np.sin(angle)]) * middle, "outline"
    # The position of a tile object is its lower left corner.
    top = -height if item.gid is not None else 0.0
    return np.array([[0, top], [width, top], [width, top + height], [0, top + height]], dtype=np.float64), "outline"


def place_objects(drawn: list[Drawn], parts: Parts, faults: FaultList) -> None:
    """Add all objects to `parts`; a guard's `patrol` is a name, or a number if it is an object reference."""
    patrols = {}
    for item in drawn:
        if item.meaning.kind == "patrol":
            name = parts.names.take(item.meaning.name, "patrol")
            patrols[item.identity] = name
            _add_patrol(item, name, parts, faults)
    known = set(patrols.values())
    for item in drawn:
        if item.meaning.kind == "patrol":
            continue
        given = item.properties.get("patrol")
        name = patrols.get(given, "") if isinstance(given, int) else str(given or "")
        if given and name not in known:
            faults.add(f"there is no patrol {given!r}", "draw a polyline of class 'patrol' with this name", item.where)
        _add(replace(item, meaning=replace(item.meaning, patrol=name)), parts, faults)


def _add(item: Drawn, parts: Parts, faults: FaultList) -> None:
    meaning = item.meaning
    name = parts.names.take(meaning.name or ("player" if meaning.kind == "player" else ""), meaning.kind)
    if meaning.kind in ("player", "guard", "hide", "marker") or (meaning.kind == "exit" and item.shape != "outline"):
        parts.add_point(meaning, name, item.middle)
    elif meaning.kind == "path":
        if len(item.points_xy) < 2:
            faults.add("a path needs at least two points", "draw it as a polyline", item.where)
        points = np.column_stack([item.points_xy, np.zeros(len(item.points_xy))])
        parts.paths.append(IntendedPath(points, name))
    elif item.shape != "outline" or len(item.points_xy) < 3:
        faults.add(f"a {meaning.kind} needs an area", "draw it as a rectangle or polygon", item.where, item.middle)
    else:
        parts.add_outline(meaning, name, _counter_clockwise(item.points_xy))


def _add_patrol(item: Drawn, name: str, parts: Parts, faults: FaultList) -> None:
    """Add a patrol: a polygon is walked in a loop, a polyline back and forth; `loop: false` ends at its last point."""
    if item.shape == "point":
        faults.add("a patrol needs a path to walk", "draw it as a polyline or polygon", item.where, item.middle)
        return
    points = [(x, y, 0.0) for x, y in item.points_xy.tolist()]
    ends = item.properties.get("loop") is False
    if item.shape == "line" and not ends:
        points += points[-2:0:-1]
    seconds = item.properties.get("wait", 0)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= 1e6:
        faults.add(f"property wait is {str(seconds)[:40]!r}", "give seconds of at least 0", item.where)
        seconds = 0
    stops: list[PatrolStop] = []
    for point in points:
        stops.append(PatrolStop(point))
        if seconds:
            stops.append(PatrolStop(point, "wait", seconds=float(seconds)))
    parts.patrols.append(Patrol(tuple(stops), name, None if ends else 0))


def _counter_clockwise(points_xy: Floats) -> Floats:
    x, y = points_xy.T
    area = float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))
    return points_xy if area >= 0 else points_xy[::-1]
