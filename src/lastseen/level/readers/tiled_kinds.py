"""Meanings of the classes, layer names and custom properties of a Tiled map."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from ...errors import did_you_mean
from .faults import FaultList
from .parts import Meaning

KINDS = {
    "wall": Meaning("wall"),
    "obstacle": Meaning("wall"),
    "floor": Meaning("floor"),
    "door": Meaning("door"),
    "closed door": Meaning("door"),
    "open door": Meaning("door", open=True),
    "locked door": Meaning("door", locked=True),
    "cover": Meaning("cover"),
    "hide": Meaning("hide"),
    "hiding place": Meaning("hide"),
    "player": Meaning("player"),
    "spawn": Meaning("player"),
    "guard": Meaning("guard"),
    "enemy": Meaning("guard"),
    "exit": Meaning("exit"),
    "goal": Meaning("marker", subkind="goal"),
    "marker": Meaning("marker"),
    "zone": Meaning("zone"),
    "patrol": Meaning("patrol"),
    "path": Meaning("path"),
}
"""Recognised classes of objects and tiles; underscores count as blanks."""

_WALL_LAYERS = {"wall", "walls", "collision", "collisions", "obstacle", "obstacles", "solid", "blocked"}
_FLOOR_LAYERS = {"floor", "floors", "ground", "walkable"}
_LENGTHS = ("height", "speed", "view_distance")
_ANGLES = ("heading", "turn_speed", "view_angle")


def layer_role(name: str, class_: str, properties: dict[str, Any]) -> str:
    """Return "wall", "floor" or "" for a layer: its property `kind`, else its class, else its name."""
    for word in (properties.get("kind"), class_, name):
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
    if any(properties.get(key) is True for key in ("wall", "solid", "collides", "blocked")):
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
