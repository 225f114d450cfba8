"""Levels that are drawn in the page: opened as GeoJSON, checked as they change, saved whole or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any

import msgspec

from ...errors import Fault, InputError, LevelError
from ...files import atomic_write
from ...level.check import find_faults
from ...level.check_size import size_faults
from ...level.level import Floors, Level, Tiles
from ...level.read import inspect_level
from ...level.readers import geojson
from ...level.samples import SAMPLES, sample
from ...level.write import to_geojson
from .folder import MOST_BYTES as MOST_FILE_BYTES
from .folder import UPLOADED, Folder, require_name
from .tracing import traced

__all__ = ["MOST_BYTES", "MOST_FEATURES", "Changed", "check_drawing", "open_drawing", "save_drawing"]

MOST_BYTES = 8 * 1024 * 1024
"""Longest drawing a page may send."""
MOST_FEATURES = 20_000
MOST_FAULTS = 200
"""Faults told at once."""
ENDING = ".geojson"
_TURNED = "Its tiles were joined to outlines: this is a copy, the tile map stays as it is."
_FOREIGN = "Another tool wrote this file: saving it keeps what lastseen reads and leaves out the rest."


class Changed(InputError):
    """The file is not the one the page knows; `digest` is that of the file now."""

    def __init__(self, message: str, digest: str):
        self.digest = digest
        super().__init__(message)


@dataclass(frozen=True)
class Saved:
    """What was written: the file's name, its digest, and the faults it still has."""

    name: str
    digest: str
    errors: int
    warnings: int


def open_drawing(folder: Folder, name: str) -> dict[str, Any]:
    """Return a level as the page draws it: GeoJSON of floors, and where it may be saved.

    `digest` is that of the file where saving replaces it, else empty: samples, uploads, and whatever was converted are
    opened as copies.

    Raises
    ------
    LastSeenError
        There is no such level, it cannot be read, or it is a mesh, which nobody can draw by hand.
    """
    data, level = (b"", sample(name)) if name in SAMPLES else _read(folder, name)
    if not isinstance(level.surface, Floors | Tiles):
        raise InputError(
            f"{name!r} is a mesh of triangles or faces: it can be played, but its floors cannot be drawn by hand; "
            "draw a level of floors instead"
        )
    is_own = bool(data) and isinstance(level.surface, Floors) and Path(name).suffix.lower() == ENDING
    is_own &= not name.startswith(UPLOADED) and _is_plain(name)
    note = _TURNED if isinstance(level.surface, Tiles) else _FOREIGN if is_own and b'"lastseen"' not in data else ""
    text = to_geojson(traced(level))
    if len(text) > MOST_BYTES:
        raise InputError(f"{name!r} has {len(text):,} bytes as GeoJSON; at most {MOST_BYTES:,} can be drawn")
    return {
        "type": "drawing",
        "name": name,
        "title": level.name or Path(name).stem,
        "file": name if is_own else _copy_name(folder, Path(name).stem),
        "digest": _digest(data) if is_own else "",
        "note": note,
        "level": msgspec.Raw(text),
    }


def check_drawing(data: bytes) -> list[dict[str, Any]]:
    """Return what is wrong with a drawing, errors first: the same faults as `lastseen level check` lists."""
    try:
        level = _drawn(data, "")
    except LevelError as error:
        faults = error.faults
    else:
        faults = find_faults(level)
        if not any(fault.severity == "error" for fault in faults):
            faults = (*size_faults(level), *faults)
    return [_plain(fault) for fault in faults[:MOST_FAULTS]]


def save_drawing(folder: Folder, name: str, data: bytes, before: str) -> Saved:
    """Write a drawing into the folder; what cannot be played yet can be saved all the same.

    Parameters
    ----------
    name : of the file, with or without its ending.
    before : digest of the file as the page knows it; empty: there should be none.

    Raises
    ------
    Changed
        The file is another one now, or there is one already.
    LastSeenError
        The name is none, leads elsewhere, or the drawing is no GeoJSON of a level.
    """
    require_name(name)
    full = name if name.lower().endswith(ENDING) else name + ENDING
    place = folder.path(full)
    if (folder.root / full).is_symlink():
        raise InputError(f"{full!r} is a link to another file; choose another name")
    level = _drawn(data, full)
    now = _digest(_content(place, full))
    if now != before:
        what = "was changed since you opened it" if before and now else "is gone" if before else "is there already"
        raise Changed(f"{full!r} {what}", now)
    text = to_geojson(level)
    atomic_write(place, text)
    faults = find_faults(level)
    errors = sum(fault.severity == "error" for fault in faults)
    return Saved(full, _digest(text), errors, len(faults) - errors)


def _read(folder: Folder, name: str) -> tuple[bytes, Level]:
    """Return a file and its level, faulty outlines and all: they are to be mended in the editor."""
    place = folder.readable(name)
    level, faults = inspect_level(place)
    if level is None:
        raise LevelError(name, faults)
    return place.read_bytes(), level


def _drawn(data: bytes, source: str) -> Level:
    """Return the level a page drew, or refuse it."""
    if len(data) > MOST_BYTES:
        raise InputError(f"the drawing has {len(data):,} bytes; at most {MOST_BYTES:,} are taken")
    if not geojson.sniff(data, ENDING):
        raise InputError("the drawing is no GeoJSON of features")
    level = geojson.read(data, source)
    if not isinstance(level.surface, Floors):
        raise InputError("the drawing holds tiles or a mesh; only floors can be drawn")
    things = (level.obstacles, level.cover, level.doors, level.zones, level.spawns, level.markers, level.patrols)
    count = len(level.surface.polygons) + sum(map(len, (*things, level.hiding_places, level.paths)))
    if count > MOST_FEATURES:
        raise InputError(f"the drawing has {count:,} things; at most {MOST_FEATURES:,} are taken")
    return level


def _content(place: Path, name: str) -> bytes:
    """Return the file that would be replaced; nothing if there is none."""
    try:
        if not place.exists():
            return b""
        if not place.is_file() or place.stat().st_size > MOST_FILE_BYTES:
            raise InputError(f"{name!r} cannot be replaced: it is no file, or very large; choose another name")
        return place.read_bytes()
    except OSError as error:
        raise InputError(f"{name!r} cannot be read: {error.strerror}; choose another name") from None


def _copy_name(folder: Folder, stem: str) -> str:
    """Return a name for a copy that no file of the folder has."""
    plain = "".join(letter if letter.isalnum() or letter in " ._-" else "_" for letter in stem).strip(" .-") or "level"
    numbers = ("", *(f" {number}" for number in range(2, 1_000)))
    names = (f"{plain[:80]} copy{number}{ENDING}" for number in numbers)
    return next((name for name in names if not (folder.root / name).exists()), f"level{ENDING}")


def _is_plain(name: str) -> bool:
    """May a file of that name be saved?"""
    try:
        require_name(name)
    except InputError:
        return False
    return True


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest() if data else ""


def _plain(fault: Fault) -> dict[str, Any]:
    at = None if fault.at is None or not all(map(isfinite, fault.at)) else [float(value) for value in fault.at]
    return {
        "severity": fault.severity,
        "where": fault.where,
        "at": at,
        "what": fault.what,
        "advice": fault.advice,
    }
