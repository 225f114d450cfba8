"""The `Level` and its surfaces: what the designer drew, independent of any body that walks it."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from ..checks import frozen_numbers, wrong_kind
from ..conventions import Bools, Floats, Ids
from ..errors import InputError
from ..extensions.notebooks import as_png
from .features import Door, HidingPlace, IntendedPath, Marker, Obstacle, Patrol, Spawn, Trap, Zone, parts_of


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
        object.__setattr__(self, "outline_xyz", frozen_numbers(self.outline_xyz, "outline_xyz"))
        holes = parts_of(self.holes_xyz, "holes_xyz")
        object.__setattr__(self, "holes_xyz", tuple(frozen_numbers(hole, "holes_xyz") for hole in holes))


@dataclass(frozen=True, eq=False)
class Platform(Floor):
    """A piece of floor that comes and goes at run time, such as a drawbridge or a lift, in one of its positions.

    Attributes
    ----------
    at : name of the position; platforms of the same `name` are positions of one that moves between them.
    present : whether it is there at first.
    """

    kind: str = "platform"
    at: str = ""
    present: bool = True


@dataclass(frozen=True, eq=False)
class Floors:
    """A walkable surface of polygons with height. Holes and obstacles are cut out when the mesh is built."""

    polygons: tuple[Floor, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "polygons", parts_of(self.polygons, "polygons", Floor))


@dataclass(frozen=True, eq=False)
class TileFloor:
    """One storey of square tiles: `passable[row, column]`, tile `(column, row)` starting at `origin_xy`."""

    passable: Bools
    z: float = 0.0
    tile: float = 1.0
    origin_xy: tuple[float, float] = (0.0, 0.0)
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "passable", frozen_numbers(self.passable, "passable", np.bool_))


@dataclass(frozen=True, eq=False)
class Tiles:
    """A walkable surface of tiles, one grid per storey, joined by ramps (planar quadrilaterals)."""

    floors: tuple[TileFloor, ...]
    ramps: tuple[Floor, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "floors", parts_of(self.floors, "floors", TileFloor))
        object.__setattr__(self, "ramps", parts_of(self.ramps, "ramps", Floor))


@dataclass(frozen=True, eq=False)
class TriangleSoup:
    """Raw geometry, z up: `vertices_xyz` (V, 3) float64 and `triangles` (T, 3) int32, in any order, closed or not."""

    vertices_xyz: Floats
    triangles: Ids

    def __post_init__(self) -> None:
        object.__setattr__(self, "vertices_xyz", frozen_numbers(self.vertices_xyz, "vertices_xyz"))
        object.__setattr__(self, "triangles", frozen_numbers(self.triangles, "triangles", np.int32))


@dataclass(frozen=True, eq=False)
class ConvexFaces:
    """A navmesh made by another tool: convex faces, counter-clockwise from above.

    Corners of face `f` are `corners[face_start[f]:face_start[f + 1]]`.
    """

    vertices_xyz: Floats
    face_start: Ids
    corners: Ids

    def __post_init__(self) -> None:
        object.__setattr__(self, "vertices_xyz", frozen_numbers(self.vertices_xyz, "vertices_xyz"))
        object.__setattr__(self, "face_start", frozen_numbers(self.face_start, "face_start", np.int32))
        object.__setattr__(self, "corners", frozen_numbers(self.corners, "corners", np.int32))


Surface = Floors | Tiles | TriangleSoup | ConvexFaces


@dataclass(frozen=True, eq=False, repr=False)
class Level:
    """A walkable surface and everything placed on it.

    Obstacles and cover block walking from `z` to `z + height`; doors do so only while closed. `y_down` means that y
    runs down the picture, as the rows of tile maps always do. Platforms are floor only while present.
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
    platforms: tuple[Platform, ...] = ()
    traps: tuple[Trap, ...] = ()
    source: str = ""
    y_down: bool = False

    _repr_png_ = as_png

    @property
    def is_drawn_down(self) -> bool:
        """Whether y runs down the picture, as the rows of a tile map do in its file."""
        return self.y_down or isinstance(self.surface, Tiles)

    def __repr__(self) -> str:
        counts = (f"{len(found)} {name}" for name in ("doors", "spawns", "patrols") if (found := getattr(self, name)))
        return f"<Level {self.name!r}: {', '.join((type(self.surface).__name__, *counts))}>"

    def __post_init__(self) -> None:
        if not isinstance(self.surface, Surface):
            raise wrong_kind(self.surface, "Surface", "surface")
        for name, kind in PARTS.items():
            object.__setattr__(self, name, parts_of(getattr(self, name), name, kind))

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
    def from_array(
        cls,
        passable: Any,
        *,
        tile: float = 1.0,
        origin_xy: tuple[float, float] = (0.0, 0.0),
        z: float = 0.0,
        name: str = "array",
        **parts: Any,
    ) -> Level:
        """Return a level of square tiles.

        Parameters
        ----------
        passable : (rows, columns), True or 1 where one can walk; `grid == 0` for a map that marks walls with 1.
        tile : edge of a tile in metres. Tile `[row, column]` starts at x = column, y = row, so y grows with the rows.
        origin_xy, z : corner of tile `[0, 0]`, and height of the floor, in metres.
        parts : doors, obstacles, spawns and other fields of a `Level`.

        Raises
        ------
        LevelError
            The level is faulty; `faults` lists everything found.
        """
        from .from_arrays import level_from_array

        return level_from_array(passable, tile, origin_xy, z, name, parts)

    @classmethod
    def from_polygons(cls, floors: Any, *, name: str = "polygons", **parts: Any) -> Level:
        """Return a level of floors, each an outline of (x, y) or (x, y, z) points or a shapely Polygon with holes.

        Outlines may run either way round. Ramps are outlines whose points differ in z; `parts` are doors, obstacles,
        spawns and other fields of a `Level`. Raises LevelError with all faults.
        """
        from .from_arrays import level_from_polygons

        return level_from_polygons(floors, name, parts)

    @classmethod
    def from_mesh(
        cls, vertices: Any, triangles: Any, *, up: str = "z", flip: bool = False, name: str = "mesh", **parts: Any
    ) -> Level:
        """Return a level of triangles: `vertices` (V, 3) in metres and `triangles` (T, 3), rows of `vertices`.

        `up` is the up axis, "z" or "y"; `flip` reverses the winding if floors face down; `parts` are doors, spawns and
        other fields of a `Level`. Raises LevelError with all faults.
        """
        from .from_arrays import level_from_mesh

        return level_from_mesh(vertices, triangles, up, flip, name, parts)

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


PARTS: dict[str, type] = {
    "obstacles": Obstacle,
    "cover": Obstacle,
    "doors": Door,
    "hiding_places": HidingPlace,
    "spawns": Spawn,
    "patrols": Patrol,
    "zones": Zone,
    "paths": IntendedPath,
    "markers": Marker,
    "platforms": Platform,
    "traps": Trap,
}
"""Fields of a level that hold several parts, and the class of each part."""


def whole_surface(level: Level) -> Surface:
    """Return the surface of a level with all its platforms, present or not."""
    surface = level.surface
    if not level.platforms:
        return surface
    if isinstance(surface, Floors):
        return Floors((*surface.polygons, *level.platforms))
    if isinstance(surface, Tiles):
        return Tiles(surface.floors, (*surface.ramps, *level.platforms))
    raise InputError(f"{level.name}: platforms join floors and tiles, not a mesh; remove them, or draw the floor")


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
