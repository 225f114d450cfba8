"""Guards and intended paths as GeoJSON files.

Coordinates are metres in a plane, angles radians. Guards are LineStrings (closed routes) and Points (stationary
guards); all abilities of a guard's kind are in its properties, so that reading a file gives the same placement to the
last bit.
"""

from __future__ import annotations

import difflib
import json
import os
from dataclasses import asdict, fields, replace
from typing import Any, cast

import numpy as np
from msgspec import Struct

from ....checks import file_path, instance_of, points_xyz, shown
from ....conventions import Floats
from ....errors import InputError, did_you_mean
from ....files import atomic_write
from ....level.features import IntendedPath
from ....textfile import Document, convert, read
from ..guard_routes import KINDS, Coverage, GuardKind, GuardRoute, Placement
from ..placement_settings import PlacementSettings

VERSION = 1
_ABILITIES = tuple(each.name for each in fields(GuardKind) if each.name != "name")
_KNOWN = ("kind", "name", "archetype", "phase", "heading", "waits", *_ABILITIES)
MOST_BYTES = 32 << 20


class _Guard(Struct):
    """The properties of a guard feature."""

    kind: str = "guard"
    name: str = ""
    archetype: str = "walking"
    phase: float = 0.0
    heading: float = 0.0
    waits: list[float] = []
    speed: float | None = None
    view_distance: float | None = None
    view_angle: float | None = None
    turn_speed: float | None = None
    sweep: float | None = None
    pause: float | None = None
    passive: float | None = None
    eye_height: float | None = None


class _Coverage(Struct):
    ever: float
    mean: float
    path: float
    samples: int = 0


class _Header(Struct):
    """The member `lastseen` of a guard file."""

    guards: int
    seed: int = 0
    settings: dict[str, str | float | int | bool] = {}
    notes: list[str] = []
    coverage: _Coverage | None = None
    passed: bool | None = None


def write_guards(placement: Placement, path: str | os.PathLike[str]) -> None:
    """Write a placement as a GeoJSON file, atomically."""
    atomic_write(file_path(path), guards_text(placement).encode())


def guards_text(placement: Placement) -> str:
    """Return a placement as GeoJSON text, one line per guard."""
    instance_of(placement, Placement, "placement", "give a Placement, such as place_guards returns")
    header = {
        "guards": VERSION,
        "seed": placement.seed,
        "settings": placement.settings.as_object(),
        "notes": list(placement.notes),
        "coverage": None if placement.coverage is None else asdict(placement.coverage),
        "passed": placement.passed,
    }
    lines = ",\n".join(json.dumps(_feature(route), allow_nan=False) for route in placement.routes)
    head = json.dumps({"type": "FeatureCollection", "lastseen": header}, allow_nan=False)
    return f'{head[:-1]}, "features": [\n{lines}\n]}}\n'


def _feature(route: GuardRoute) -> dict[str, Any]:
    points = route.points.tolist()
    geometry: dict[str, Any] = {"type": "Point", "coordinates": points[0]}
    if not route.stays:
        geometry = {"type": "LineString", "coordinates": [*points, points[0]]}
    abilities = {name: getattr(route.kind, name) for name in _ABILITIES}
    about: dict[str, Any] = {"kind": "guard", "name": route.name, "archetype": route.kind.name}
    about |= {"phase": route.phase, "heading": route.heading, **abilities}
    if len(route.waits):
        about["waits"] = route.waits.tolist()
    return {"type": "Feature", "properties": about, "geometry": geometry}


def read_guards(path: str | os.PathLike[str]) -> Placement:
    """Read guards from a GeoJSON file: ours, or plain LineStrings and Points as walking and standing guards.

    Raises
    ------
    InputError
        The file is missing or not GeoJSON, or one of its features is not a guard; names the line and a remedy.
    """
    document = document_of(path)
    header = _header(document)
    routes = [_route(document, where) for where in feature_places(document)]
    if not routes:
        raise document.error((), "no guards found; give at least one LineString or Point")
    known = [each.name for each in fields(PlacementSettings)]
    for name in header.settings:
        if name not in known:
            what = f"there is no setting {name[:40]!r}{did_you_mean(name, known)}; correct or remove it"
            raise document.error(("lastseen", "settings", name), what)
    try:
        settings = PlacementSettings(**cast(dict[str, Any], header.settings))
    except InputError as error:
        raise document.error(("lastseen", "settings"), str(error)) from None
    seen = header.coverage
    coverage = None if seen is None else Coverage(seen.ever, seen.mean, seen.path, seen.samples)
    return Placement(tuple(routes), header.seed, settings, tuple(header.notes), coverage, header.passed)


def read_path(path: str | os.PathLike[str]) -> IntendedPath:
    """Read an intended path from a GeoJSON file that has one LineString (or one of `kind` "path").

    Raises
    ------
    InputError
        The file is missing or not GeoJSON, or has no such line or more than one.
    """
    document = document_of(path)
    named = _path_places(document)
    if len(named) != 1:
        raise document.error(
            named[1][0] if named else (),
            f"{len(named)} lines may be the intended path; give exactly one LineString, "
            'or mark it with the property "kind": "path"',
        )
    return _read_line(document, *named[0])


def read_paths(path: str | os.PathLike[str]) -> tuple[IntendedPath, ...]:
    """Read all intended paths of a GeoJSON file: its LineStrings, or if any are of `kind` "path", those."""
    document = document_of(path)
    named = _path_places(document)
    if not named:
        raise document.error((), "there is no intended path; give at least one LineString")
    return tuple(_read_line(document, *one) for one in named)


def _path_places(document: Document) -> list[tuple[Where, Any]]:
    """Return where the lines are that may be intended paths, and their names."""
    found = []
    for where in feature_places(document):
        about = value_at(document, (*where, "properties")) or {}
        kind = about.get("kind") if isinstance(about, dict) else None
        if value_at(document, (*geometry_place(document, where), "type")) == "LineString" and kind in (None, "path"):
            found.append((where, kind, about.get("name") if isinstance(about, dict) else None))
    return [(where, name) for where, _, name in [one for one in found if one[1] == "path"] or found]


def _read_line(document: Document, where: Where, name: Any) -> IntendedPath:
    points = positions(document, (*geometry_place(document, where), "coordinates"))
    if len(points) < 2:
        raise document.error(where, "the LineString has fewer than two positions; give at least a start and an end")
    return IntendedPath(points, name if isinstance(name, str) else "")


def write_path(points: Any, path: str | os.PathLike[str]) -> None:
    """Write an intended path, (n, 2 or 3) positions or an `IntendedPath`, as a GeoJSON file, atomically."""
    given = points_xyz(points.points_xyz if isinstance(points, IntendedPath) else points, "points")
    if len(given) < 2:
        raise InputError(f"the path has {len(given)} points; give at least a start and an end")
    geometry = {"type": "LineString", "coordinates": given.tolist()}
    about = {"kind": "path", "name": points.name if isinstance(points, IntendedPath) else ""}
    text = json.dumps({"type": "Feature", "properties": about, "geometry": geometry}, allow_nan=False)
    atomic_write(file_path(path), text.encode() + b"\n")


def _header(document: Document) -> _Header:
    if "lastseen" not in document.value:
        return _Header(VERSION)
    if isinstance(document.value["lastseen"], dict) and "guards" not in document.value["lastseen"]:
        raise document.error(("lastseen",), "not a guard file (perhaps a level); give a file written by `guards place`")
    header = convert(document, _Header, ("lastseen",))
    if not 1 <= header.guards <= VERSION:
        what = f"file version {header.guards} is newer than this lastseen reads (up to {VERSION}); update lastseen"
        raise document.error(("lastseen", "guards"), what)
    if not 0 <= header.seed < 2**63:
        what = f"seed is {header.seed}; give a whole number, at least 0 and below {2**63}"
        raise document.error(("lastseen", "seed"), what)
    return header


def _route(document: Document, where: Where) -> GuardRoute:
    """Return the guard of one feature."""
    place = geometry_place(document, where)
    shape = value_at(document, (*place, "type"))
    if shape == "Point":
        spot = (
            convert(document, list[float], (*place, "coordinates"))
            if value_at(document, (*place, "coordinates"))
            else []
        )
        if len(spot) < 2:
            raise document.error(place, f"the Point is at {shown(spot)}; give [x, y] or [x, y, z] in metres")
        points = points_xyz([(spot[0], spot[1], spot[2] if len(spot) > 2 else 0.0)])
    elif shape == "LineString":
        points = positions(document, (*place, "coordinates"))
        if len(points) < 2:
            raise document.error(
                place, "the LineString has fewer than two positions; draw a stationary guard as a Point"
            )
    else:
        what = f"the geometry is {shown(shape)}; guards are LineStrings (routes) and Points (stationary guards)"
        raise document.error(place, what)
    about = _about(document, where, shape)
    try:
        if len(points) > 1 and (points[0] == points[-1]).all():
            points = points[:-1]
        return GuardRoute(_kind(about), points, about.phase, about.heading, about.name, np.array(about.waits))
    except InputError as error:
        raise document.error((*where, "properties"), str(error)) from None


def _about(document: Document, where: Where, shape: str) -> _Guard:
    """Return the properties; unknown ones from other programs are ignored unless they look misspelt."""
    given = value_at(document, (*where, "properties"))
    default = "walking" if shape == "LineString" else "standing"
    if given is None:
        return _Guard(archetype=default)
    about = convert(document, _Guard, (*where, "properties"))
    for key in given:
        if key not in _KNOWN and difflib.get_close_matches(key, _KNOWN, n=1, cutoff=0.75):
            what = f"the property {key[:40]!r} is unknown{did_you_mean(key, _KNOWN)}; correct or remove it"
            raise document.error((*where, "properties", key), what)
    if about.kind != "guard":
        what = f"the kind is {about.kind[:40]!r}; features of a guard file have kind 'guard'"
        raise document.error((*where, "properties", "kind"), what)
    if "archetype" not in given:
        about.archetype = default
    return about


def _kind(about: _Guard) -> GuardKind:
    """Return the kind of a guard: an archetype with overrides, or a new kind that specifies everything."""
    said = {name: value for name in _ABILITIES if (value := getattr(about, name)) is not None}
    if about.archetype not in KINDS and len(said) < len(_ABILITIES):
        raise InputError(
            f"there is no archetype {about.archetype[:40]!r}{did_you_mean(about.archetype, KINDS)}; give "
            f"{', '.join(KINDS)}, or all of {', '.join(_ABILITIES)}"
        )
    return replace(KINDS.get(about.archetype, GuardKind(about.archetype)), **said)


Where = tuple[str | int, ...]
"""Keys and list indices from the top of a document to a value."""


def document_of(path: Any) -> Document:
    """Return the content of a JSON file with an object at its top."""
    document = read(path, form="json", most_bytes=MOST_BYTES)
    if not isinstance(document.value, dict):
        raise document.error((), "not GeoJSON: it must begin with {")
    return document


def feature_places(document: Document) -> list[Where]:
    """Return where each feature is in the document; a bare geometry or feature is at the top."""
    kind = document.value.get("type")
    if kind == "FeatureCollection":
        features = document.value.get("features")
        if not isinstance(features, list):
            raise document.error((), "the FeatureCollection has no list `features`; add it")
        for number, feature in enumerate(features):
            if not isinstance(feature, dict) or feature.get("type") != "Feature":
                what = f"features[{number + 1}] is {shown(feature)}; give an object of type Feature"
                raise document.error(("features", number), what)
        return [("features", number) for number in range(len(features))]
    if kind in ("Feature", "LineString", "Point"):
        return [()]
    what = f"the type is {shown(kind)}; give a FeatureCollection, a Feature or a LineString"
    raise document.error(("type",) if "type" in document.value else (), what)


def geometry_place(document: Document, where: Where) -> Where:
    """Return where the geometry of a feature is in the document."""
    return where if not where and document.value.get("type") != "Feature" else (*where, "geometry")


def value_at(document: Document, where: Where) -> Any:
    """Return the value at a place in the document, None if there is none."""
    value = document.value
    for step in where:
        inside = isinstance(value, list) and isinstance(step, int) and step < len(value)
        if not inside and not (isinstance(value, dict) and step in value):
            return None
        value = value[step]
    return value


def positions(document: Document, where: Where) -> Floats:
    """Return the positions of a line, (n, 3)."""
    if value_at(document, where) is None:
        raise document.error(where, "the coordinates are missing; give positions [x, y] or [x, y, z] in metres")
    rows = convert(document, list[list[float]], where)
    for number, row in enumerate(rows):
        if len(row) < 2 or any(abs(value) > 1e9 for value in row[:3]):
            what = f"position {number + 1} is {shown(row)}; a position is [x, y] or [x, y, z] in metres"
            raise document.error((*where, number), what)
    return points_xyz([(row[0], row[1], row[2] if len(row) > 2 else 0.0) for row in rows])
