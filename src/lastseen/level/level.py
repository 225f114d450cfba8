"""The `Level` and its surfaces: what the designer drew, independent of any body that walks it."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from ..checks import frozen
from ..conventions import Bools, Floats, Ids
from .features import Door, HidingPlace, IntendedPath, Marker, Obstacle, Patrol, Spawn, Zone


@dataclass(frozen=True, eq=False)
class Floor:
    """One walkable polygon: a flat floor, a ramp or a flight of stairs.

    Attributes
    ----------
    outline_xyz : (n, 3) float64, metres, counter-clockwise from above, first point not repeated.
    holes_xyz : tuple of (m, 3) float64, clockwise.
    storey : index of the storey it belongs to, from 0 at the bottom; pictures show storeys side by side.
    kind : "floor", "ramp" or "stairs".
    """

    outline_xyz: Floats
    holes_xyz: tuple[Floats, ...] = ()
    name: str = ""
    storey: int = 0
    kind: str = "floor"

    def __post_init__(self) -> None:
        object.__setattr__(self, "outline_xyz", frozen(self.outline_xyz, np.float64))
        object.__setattr__(self, "holes_xyz", tuple(frozen(hole, np.float64) for hole in self.holes_xyz))


@dataclass(frozen=True, eq=False)
class Floors:
    """A walkable surface of polygons with height. Holes and obstacles are cut out when the mesh is built."""

    polygons: tuple[Floor, ...]


@dataclass(frozen=True, eq=False)
class TileFloor:
    """One storey of square tiles: `passable[row, column]`, tile `(column, row)` starting at `origin_xy`."""

    passable: Bools
    z: float = 0.0
    tile: float = 1.0
    origin_xy: tuple[float, float] = (0.0, 0.0)
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "passable", frozen(self.passable, np.bool_))


@dataclass(frozen=True, eq=False)
class Tiles:
    """A walkable surface of tiles, one grid per storey, joined by ramps (planar quadrilaterals)."""

    floors: tuple[TileFloor, ...]
    ramps: tuple[Floor, ...] = ()


@dataclass(frozen=True, eq=False)
class TriangleSoup:
    """Raw geometry, z up: `vertices_xyz` (V, 3) float64 and `triangles` (T, 3) int32, in any order, closed or not."""

    vertices_xyz: Floats
    triangles: Ids

    def __post_init__(self) -> None:
        object.__setattr__(self, "vertices_xyz", frozen(self.vertices_xyz, np.float64))
        object.__setattr__(self, "triangles", frozen(self.triangles, np.int32))


@dataclass(frozen=True, eq=False)
class ConvexFaces:
    """A navmesh made by another tool: convex faces, counter-clockwise from above.

    Corners of face `f` are `corners[face_start[f]:face_start[f + 1]]`.
    """

    vertices_xyz: Floats
    face_start: Ids
    corners: Ids

    def __post_init__(self) -> None:
        object.__setattr__(self, "vertices_xyz", frozen(self.vertices_xyz, np.float64))
        object.__setattr__(self, "face_start", frozen(self.face_start, np.int32))
        object.__setattr__(self, "corners", frozen(self.corners, np.int32))


Surface = Floors | Tiles | TriangleSoup | ConvexFaces


@dataclass(frozen=True, eq=False)
class Level:
    """A walkable surface and everything placed on it.

    Obstacles and cover block walking from `z` to `z + height`; doors do so only while closed. `y_down` means that y
    runs down the picture, as the rows of tile maps always do.
    """

    surface: Surface
    name: str = ""
    obstacles: tuple[Obstacle, ...] = ()
    cover: tuple[Obstacle, ...] = ()
    doors: tuple[Door, ...] = ()
    hiding_places: tuple[HidingPlace, ...] = ()
    spawns: tuple[Spawn, ...] = ()
    patrols: tuple[Patrol, ...] = ()
    zones: tuple[Zone, ...] = ()
    paths: tuple[IntendedPath, ...] = ()
    markers: tuple[Marker, ...] = ()
    source: str = ""
    y_down: bool = False

    @classmethod
    def read(cls, path: str | Path, *, kind: str = "auto", up: str = "auto", flip: bool = False) -> Level:
        """Read a level file of any known kind, chosen by content; raise LevelError with all faults.

        `up` and `flip` reorient triangle meshes: see `read_level`.
        """
        from .read import read_level

        return read_level(path, kind=kind, up=up, flip=flip)

    @classmethod
    def from_text(cls, text: str | bytes, *, kind: str = "auto", name: str = "text") -> Level:
        """Read a level from the content of a file: a text map, GeoJSON or any other known kind; see `parse_level`."""
        from .read import parse_level

        return parse_level(text, kind=kind, name=name)

    @classmethod
    def sample(cls, name: str, *, seed: int = 0) -> Level:
        """Return a level shipped with lastseen: see `lastseen level list`."""
        from .samples import sample

        return sample(name, seed=seed)

    def write(self, path: str | Path) -> None:
        """Write the level as lossless GeoJSON, atomically."""
        from .write import write_level

        write_level(self, path)

    def __eq__(self, other: object) -> bool:
        """Compare everything drawn, to the last bit; the source file does not count."""
        if not isinstance(other, Level):
            return NotImplemented
        return all(same(getattr(self, f.name), getattr(other, f.name)) for f in fields(self) if f.name != "source")

    __hash__ = None  # type: ignore[assignment]


def same(one: Any, other: Any) -> bool:
    """Return whether two parts of a level are equal to the last bit; 0 and 0.0 are equal."""
    if isinstance(one, Real) and isinstance(other, Real):
        return bool(one == other)
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if is_dataclass(one):
        return all(same(getattr(one, f.name), getattr(other, f.name)) for f in fields(one))
    return bool(one == other)
