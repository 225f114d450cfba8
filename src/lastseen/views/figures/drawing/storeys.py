"""Storeys of levels and meshes, which pictures show side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....conventions import Floats, Ids
from ....level.level import Floors, Level, Surface, Tiles
from ....navmesh.navmesh import NavMesh

_TOLERANCE = 0.6


@dataclass(frozen=True)
class Storeys:
    """The storeys of a place from the bottom: `heights` (n,) metres, the typical floor height of each."""

    heights: Floats
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.heights)

    def at(self, z: float) -> int:
        """Return the storey nearest to height `z`."""
        return int(np.argmin(np.abs(self.heights - z)))

    def through(self, z: float, height: float) -> set[int]:
        """Return the storeys that something from `z` to `z + height` extends through; at least one."""
        inside = (self.heights >= z - _TOLERANCE) & (self.heights < z + height - _TOLERANCE)
        return set(np.flatnonzero(inside).tolist()) or {self.at(z)}

    def title(self, storey: int) -> str:
        """Return the title above the picture of one storey."""
        name = f" · {self.names[storey]}" if self.names[storey] else ""
        return f"storey {storey}{name} · z {_metres(float(self.heights[storey]))} m"


def _metres(height: float) -> str:
    """Return a height rounded to the centimetre: exports contain noise, such as 2.9999998 or -1e-16."""
    return f"{round(height, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def storeys_of_level(level: Level) -> Storeys:
    """Return the storeys a designer drew; a single one for meshes and triangles, which have none."""
    surface = level.surface
    if isinstance(surface, Tiles):
        return Storeys(np.array([floor.z for floor in surface.floors]), tuple(floor.name for floor in surface.floors))
    if isinstance(surface, Floors):
        polygons = surface.polygons
        flat = [p for p in polygons if p.kind == "floor"] or list(polygons)
        number = np.array([p.storey for p in flat])
        height = np.array([float(np.median(p.outline_xyz[:, 2])) for p in flat])
        size = np.array([_area(p.outline_xyz) for p in flat])
        return _gathered(number, height, size, max(p.storey for p in polygons) + 1, ())
    return Storeys(np.zeros(1), ("",))


def storeys_of_mesh(mesh: NavMesh, surface: Surface | None = None) -> Storeys:
    """Return the storeys of a navmesh, with names if the level's tiles give them."""
    names: Sequence[str] = [floor.name for floor in surface.floors] if isinstance(surface, Tiles) else ()
    middle = face_heights(mesh)
    return _gathered(mesh.face_storey, middle, mesh.face_area, int(mesh.face_storey.max(initial=0)) + 1, names)


def face_heights(mesh: NavMesh) -> Floats:
    """Return the mean height of the corners of each face."""
    arrays = mesh.arrays
    first = arrays.face_start.astype(np.int64)
    total = np.add.reduceat(arrays.vertex_xyz[arrays.face_vertex][:, 2], first)
    return np.asarray(total / arrays.face_count)


def _gathered(storey: Ids, height: Floats, size: Floats, count: int, names: Sequence[str]) -> Storeys:
    """Return the height that halves the area of each storey; empty storeys are put 3 m above the one below."""
    heights: list[float] = []
    for number in range(count):
        mine = np.flatnonzero(storey == number)
        mine = mine[np.argsort(height[mine], kind="stable")]
        if not len(mine):
            heights.append(heights[-1] + 3.0 if heights else 0.0)
            continue
        share = np.cumsum(size[mine])
        heights.append(float(height[mine[np.searchsorted(share, share[-1] / 2)]]))
    named = tuple(names) if len(names) == count else ("",) * count
    return Storeys(np.array(heights), named)


def _area(outline: Floats) -> float:
    x, y = outline[:, 0], outline[:, 1]
    return abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2.0
