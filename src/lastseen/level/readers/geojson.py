"""Read a level from GeoJSON: the dialect of docs/geojson.md, or plain files with a `kind` on their features.

Coordinates are metres in a plane, whatever a `crs` member declares.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Any

import msgspec

from ...errors import Fault, LevelError, PartLabel
from ..check import shape_faults
from ..dialect import VERSION, Header
from ..level import Level
from .faults import FaultList, decode_document
from .geojson_features import add_feature
from .geojson_geometry import SHAPES, Draft, Wrong


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
    draft = Draft()
    faults: list[Fault] = []
    for where, feature in _features(tree, source):
        try:
            add_feature(draft, feature)
        except Wrong as wrong:
            faults.append(Fault(wrong.what, wrong.advice, where + _named(feature), _first_place(feature)))
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


def _header(tree: dict[str, Any], source: str) -> Header | None:
    """Return the member `lastseen`, or None for a file of another tool."""
    given = tree.get("lastseen")
    if given is None:
        return None
    try:
        header = msgspec.convert(given, Header)
    except msgspec.ValidationError as error:
        advice = f'write it like {{"version": {VERSION}, "name": "…"}}; remove it to read the file as plain GeoJSON'
        raise LevelError(source, [Fault(f"the member lastseen is invalid: {error}", advice)]) from None
    if not 1 <= header.version <= VERSION:
        what = f"it uses version {header.version} of the dialect; this lastseen reads up to {VERSION}"
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
