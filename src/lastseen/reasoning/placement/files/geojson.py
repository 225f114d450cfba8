"""Read features and positions of GeoJSON documents, with the line of a fault."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ....checks import file_path, points_xyz, shown
from ....conventions import Floats
from ....textfile import Document, TextFileError, convert, parse

MOST_BYTES = 32 << 20

Where = tuple[str | int, ...]
"""Keys and list indices from the top of a document to a value."""


def document_of(path: Any) -> Document:
    """Return the content of a JSON file with an object at its top."""
    source = file_path(path)
    try:
        with Path(source).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise TextFileError(source, 0, f"cannot be read: {reason}; give an existing GeoJSON file") from None
    if len(data) > MOST_BYTES:
        raise TextFileError(source, 0, f"is larger than {MOST_BYTES >> 20} MB, too large for guards or paths")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TextFileError(source, line, f"byte {error.start} is not UTF-8; save the file as UTF-8") from None
    document = parse(text, "json", source=source)
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
