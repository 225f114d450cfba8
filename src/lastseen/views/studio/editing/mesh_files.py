"""Meshes as backdrops of drawings: what is placed on one is saved next to it, as its overlay."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ....errors import InputError, LastSeenError, LevelError
from ....level.level import Level, TriangleSoup
from ....level.overlay import settled, with_overlay
from ....level.read import parse_level
from ....navmesh.navmesh import NavMesh
from ..protocol.greeting import LevelDrawing
from ..protocol.level_outline import drawing_of
from ..session.folder import UPLOADED, Folder


@dataclass(frozen=True)
class Mesh:
    """A triangle mesh of the folder, without its overlay; where the overlay is, and its name in the folder."""

    level: Level
    overlay: Path
    file: str

    def placed(self, data: bytes) -> Level:
        """Return the mesh with what an overlay places on it, as it is given; raise LevelError if it cannot be read."""
        return with_overlay(self.level, data, self.overlay.name)

    def settled(self, data: bytes) -> Level:
        """Return the mesh with what a page placed on it, on the floor; raise LevelError if it cannot be read."""
        return settled(self.placed(data))


def mesh_of(folder: Folder, name: str) -> Mesh:
    """Return a mesh of the folder; raise LastSeenError if it cannot be read, is none, or was only uploaded."""
    if name.startswith(UPLOADED):
        what = f"{name!r} is an upload, and nothing can be saved next to it"
        raise InputError(f"{what}; copy the mesh into the open folder, and open it there")
    place, overlay = folder.readable(name), folder.overlay(name)
    try:
        status = place.stat()
        level = _bare(place, status.st_mtime_ns, status.st_size)
    except LevelError as error:
        raise LevelError(name, error.faults) from None
    except OSError as error:
        raise InputError(f"{name!r} cannot be read: {error.strerror}; check its permissions") from None
    if not isinstance(level.surface, TriangleSoup):
        raise InputError(f"{name!r} is not a triangle mesh; only those have overlays")
    return Mesh(level, overlay, overlay.relative_to(folder.root).as_posix())


@lru_cache(maxsize=1)
def _bare(place: Path, changed: int, size: int) -> Level:
    """Return a level without its overlay; the page asks about the same one after each change."""
    del changed, size  # they only tell versions of the file apart
    return parse_level(place.read_bytes(), name=str(place))


def backdrop_of(mesh: Mesh) -> LevelDrawing:
    """Return the walkable floor of a mesh as the page draws it, with nothing on it.

    A mesh on which no one can walk shows everything that faces up.
    """
    bare = Level(mesh.level.surface, mesh.level.name, source=mesh.level.source)
    try:
        return drawing_of(bare, NavMesh.from_level(bare))
    except LastSeenError:
        return drawing_of(bare)
