"""Levels drawn in the page: opened as GeoJSON, checked while they change, saved atomically."""

from __future__ import annotations

from hashlib import sha256
from math import isfinite
from pathlib import Path

import msgspec

from ....errors import Fault, InputError, LevelError, PartLabel
from ....files import atomic_write
from ....level.check import find_faults
from ....level.check_size import size_faults
from ....level.level import PARTS, Floors, Level, Tiles, TriangleSoup
from ....level.overlay import ENDING as OVERLAY
from ....level.read import inspect_level
from ....level.readers import geojson
from ....level.samples import SAMPLES, sample
from ....level.tile_outlines import traced
from ....level.write import to_geojson, to_overlay
from ..protocol.replies import Drawing, LevelFault, SavedLevel
from ..session.folder import MOST_BYTES as MOST_FILE_BYTES
from ..session.folder import UPLOADED, Folder, free_name, is_name, require_name
from .mesh_files import Mesh, backdrop_of, mesh_of

MOST_BYTES = 8 * 1024 * 1024
"""Maximum size of a drawing in bytes."""
MOST_FEATURES = 20_000
MOST_FAULTS = 200
"""Maximum number of faults reported at once."""
ENDING = ".geojson"
_TURNED = "Its tiles were merged into outlines. This is a copy; the tile map stays unchanged."
_FOREIGN = "Another tool wrote this file. Saving keeps what lastseen reads and drops the rest."
_ON_MESH = "Objects are placed on {mesh}, which stays unchanged."


class Changed(InputError):
    """A file differs from the one the page knows: `digest` is its current digest, `file` its name in a folder."""

    def __init__(self, message: str, digest: str, file: str = ""):
        self.digest, self.file = digest, file
        super().__init__(message)


def require_unchanged(name: str, before: str, now: str, file: str = "") -> None:
    """Raise `Changed` if the digest of a file is not the one the page knows; empty: there is no file."""
    if now != before:
        what = "has changed since you opened it" if before and now else "is gone" if before else "already exists"
        raise Changed(f"{name!r} {what}", now, file)


def open_drawing(folder: Folder, name: str) -> Drawing:
    """Return a level as the page draws it: GeoJSON of floors, and where it can be saved.

    `digest` is the file's digest if saving replaces it, else empty: samples, uploads and converted levels are opened as
    copies. A triangle mesh is a backdrop: the GeoJSON is its overlay.

    Raise LastSeenError if it does not exist, cannot be read, or is a ready-made navmesh, which cannot be edited.
    """
    data, level = (b"", sample(name)) if name in SAMPLES else _read(folder, name)
    if isinstance(level.surface, TriangleSoup):
        return _open_overlay(folder, name)
    if not isinstance(level.surface, Floors | Tiles):
        raise InputError(f"{name!r} is a ready-made navmesh; it can be played but not edited; draw a level instead")
    is_own = bool(data) and isinstance(level.surface, Floors) and Path(name).suffix.lower() == ENDING
    is_own &= not name.startswith(UPLOADED) and is_name(name)
    note = _TURNED if isinstance(level.surface, Tiles) else _FOREIGN if is_own and b'"lastseen"' not in data else ""
    text = _editable(to_geojson(traced(level)), name)
    return Drawing(
        name=name,
        title=level.name or Path(name).stem,
        file=name if is_own else _copy_name(folder, Path(name).stem),
        digest=data_digest(data) if is_own else "",
        note=note,
        level=msgspec.Raw(text),
    )


def _open_overlay(folder: Folder, name: str) -> Drawing:
    mesh = mesh_of(folder, name)
    data = content_of(mesh.overlay, mesh.file)
    level = mesh.placed(data) if data else mesh.level
    return Drawing(
        name=name,
        title=level.name or Path(name).stem,
        file=mesh.file,
        digest=data_digest(data),
        note=_ON_MESH.format(mesh=name),
        level=msgspec.Raw(_editable(to_overlay(level), mesh.file)),
        backdrop=backdrop_of(mesh),
    )


def _editable(text: bytes, name: str) -> bytes:
    if len(text) > MOST_BYTES:
        raise InputError(f"{name!r} has {len(text):,} bytes as GeoJSON; at most {MOST_BYTES:,} can be edited")
    return text


def check_drawing(data: bytes, mesh: Mesh | None = None) -> list[LevelFault]:
    """Return the faults of a drawing, errors first: the same as `lastseen level check` lists."""
    try:
        level = _drawn(data, "", mesh)
    except LevelError as error:
        faults = error.faults
    else:
        faults = find_faults(level)
        if not any(fault.severity == "error" for fault in faults):
            faults = (*size_faults(level), *faults)
    return [_plain(fault) for fault in faults[:MOST_FAULTS]]


def save_drawing(folder: Folder, name: str, data: bytes, before: str) -> SavedLevel:
    """Write a drawing into the folder; a level that cannot be played yet can be saved too.

    `before` is the digest of the file as the page knows it; empty: the file should not exist.
    Raise `Changed` if the file has changed or already exists, and LastSeenError if its name is invalid or leads out of
    the folder, or the drawing is not GeoJSON of a level.
    """
    require_name(name)
    full = name if name.lower().endswith(ENDING) else name + ENDING
    if full.lower().endswith(OVERLAY):
        raise InputError(f"{full!r} is the name of an overlay, which belongs to a mesh; choose another name")
    place = folder.path(full)
    if (folder.root / full).is_symlink():
        raise InputError(f"{full!r} is a link to another file; choose another name")
    level = _drawn(data, full)
    return _save(folder, full, place, level, to_geojson(level), before)


def save_overlay(folder: Folder, mesh: Mesh, data: bytes, before: str) -> SavedLevel:
    """Write what is placed on a mesh next to it, moved up or down onto the floor; otherwise as `save_drawing` does."""
    level = _drawn(data, mesh.file, mesh)
    return _save(folder, mesh.file, mesh.overlay, level, to_overlay(level), before)


def _save(folder: Folder, name: str, place: Path, level: Level, text: bytes, before: str) -> SavedLevel:
    require_unchanged(name, before, data_digest(content_of(place, name)))
    atomic_write(place, text)
    faults = find_faults(level)
    errors = sum(fault.severity == "error" for fault in faults)
    levels = folder.menus().levels
    return SavedLevel(name=name, digest=data_digest(text), errors=errors, warnings=len(faults) - errors, levels=levels)


def _read(folder: Folder, name: str) -> tuple[bytes, Level]:
    """Return a file and its level, including faulty outlines, which can be fixed in the editor."""
    place = folder.readable(name)
    level, faults = inspect_level(place)
    if level is None:
        raise LevelError(name, faults)
    return place.read_bytes(), level


def _drawn(data: bytes, source: str, mesh: Mesh | None = None) -> Level:
    """Return the level a page drew, or a mesh with what it placed on it; or raise."""
    if len(data) > MOST_BYTES:
        raise InputError(f"the drawing has {len(data):,} bytes; at most {MOST_BYTES:,} are allowed")
    if not geojson.sniff(data, ENDING):
        raise InputError("the drawing is not GeoJSON with features")
    level = geojson.read(data, source) if mesh is None else mesh.settled(data)
    if mesh is None and not isinstance(level.surface, Floors):
        raise InputError("the drawing contains tiles or a mesh; only floors can be drawn")
    floors = level.surface.polygons if isinstance(level.surface, Floors) else ()
    count = len(floors) + sum(len(getattr(level, part)) for part in PARTS)
    if count > MOST_FEATURES:
        raise InputError(f"the drawing has {count:,} objects; at most {MOST_FEATURES:,} are allowed")
    return level


def content_of(place: Path, name: str) -> bytes:
    """Return the file that would be replaced; empty if there is none."""
    try:
        if not place.exists():
            return b""
        if not place.is_file() or place.stat().st_size > MOST_FILE_BYTES:
            raise InputError(f"{name!r} cannot be replaced: it is not a file, or too large; choose another name")
        return place.read_bytes()
    except OSError as error:
        raise InputError(f"{name!r} cannot be read: {error.strerror}; choose another name") from None


def _copy_name(folder: Folder, stem: str) -> str:
    """Return a name for a copy that no file in the folder has."""
    plain = "".join(letter if letter.isalnum() or letter in " ._-" else "_" for letter in stem).strip(" .-") or "level"
    return free_name(folder, f"{plain[:80]} copy", ENDING)


def data_digest(data: bytes) -> str:
    """Return the digest of a file; empty if there is none."""
    return sha256(data).hexdigest() if data else ""


def _plain(fault: Fault) -> LevelFault:
    at = None if fault.at is None or not all(map(isfinite, fault.at)) else [float(value) for value in fault.at]
    part = (fault.where.group, fault.where.number) if isinstance(fault.where, PartLabel) else ("", -1)
    return LevelFault(fault.severity, str(fault.where), at, fault.what, fault.advice, *part)
