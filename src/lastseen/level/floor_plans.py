"""Plans of floors as arrays, and the floor below or nearest to a point, before any mesh is built."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

import numpy as np
import shapely

from ..conventions import Array, Bools, Floats
from .level import ConvexFaces, Floor, Floors, Surface, TileFloor, Tiles, TriangleSoup

REACH = 1.0
"""Metres above or below the floor at which something still counts as standing on it."""
OVERHEAD = 5.0
"""Metres a beam or a sign may hang above the floor it belongs to."""

STEEPEST_FLOOR = 0.5
"""Smallest vertical part of a unit normal (60 degrees) of a triangle that something may be placed on."""


class FloorIndex(Protocol):
    """A lookup of the floor below or near positions, for any kind of surface."""

    def covers(self, xyz: Floats) -> Bools:
        """Return for each point (n, 3) whether there is floor within REACH below or above it."""

    def nearest(self, xyz: Floats) -> Floats:
        """Return the point on the floor nearest to one point, (3,), or an empty array, (0,)."""

    def touches(self, outlines: Array, low: Floats, high: Floats) -> Bools:
        """Return for each footprint (n,) from `low` to `high` whether it touches or overhangs any floor."""


def floor_index(surface: Surface) -> FloorIndex:
    """Return the lookup for a sound surface."""
    if isinstance(surface, Floors):
        return _of_floors(surface.polygons)
    if isinstance(surface, Tiles):
        parts: list[FloorIndex] = [_TileIndex(floor) for floor in surface.floors if floor.passable.any()]
        return _JoinedIndex([*parts, _of_floors(surface.ramps)] if surface.ramps else parts)
    if isinstance(surface, TriangleSoup):
        return _of_triangles(surface.vertices_xyz[surface.triangles])
    return _of_triangles(surface.vertices_xyz[_fans(surface)])


def _fans(faces: ConvexFaces) -> Array:
    """Return convex faces split into triangles, (T, 3) vertex indices."""
    starts = faces.face_start.astype(np.int64)
    triangles = np.diff(starts) - 2
    first = np.repeat(starts[:-1], triangles)
    step = np.arange(triangles.sum()) - np.repeat(np.cumsum(triangles) - triangles, triangles)
    return faces.corners[np.stack([first, first + step + 1, first + step + 2], axis=1)]


def _of_floors(floors: Sequence[Floor]) -> _PlaneIndex:
    plans = Plans(floors)
    return _PlaneIndex(plans.polygons, *plans.planes)


def _of_triangles(corners: Floats) -> _PlaneIndex:
    """Return the lookup for triangles (T, 3, 3), without walls and triangles of no area."""
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    level = np.abs(normal[:, 2]) > 0.05 * np.linalg.norm(normal, axis=1)
    return _PlaneIndex(shapely.polygons(corners[level][:, :, :2]), corners[level, 0], normal[level])


def floor_heights(soup: TriangleSoup, xyz: Floats) -> Floats:
    """Return for each point (n, 3) the nearest height, above or below it, of a triangle that faces up; NaN if none."""
    corners = soup.vertices_xyz[soup.triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return _of_triangles(corners[normal[:, 2] > STEEPEST_FLOOR * np.linalg.norm(normal, axis=1)]).heights(xyz)


class _PlaneIndex:
    """Lookup for flat polygons: their plans, a point on each plane (n, 3) and its normal (n, 3)."""

    def __init__(self, polygons: Array, centres: Floats, normals: Floats):
        self._polygons = polygons
        self._centre = centres
        self._normal = normals
        self._tree = shapely.STRtree(polygons)

    def _height(self, number: Array, xy: Array) -> Array:
        return heights_on(self._centre[number], self._normal[number], xy)

    def covers(self, xyz: Floats) -> Bools:
        point, floor = self._tree.query(shapely.points(xyz[:, :2]), predicate="intersects")
        near = np.abs(self._height(floor, xyz[point, :2]) - xyz[point, 2]) <= REACH
        result = np.zeros(len(xyz), dtype=np.bool_)
        result[point[near]] = True
        return result

    def heights(self, xyz: Floats) -> Floats:
        """Return for each point (n, 3) the nearest height of floor above or below it; the lower of two; NaN if none."""
        point, floor = self._tree.query(shapely.points(xyz[:, :2]), predicate="intersects")
        height = self._height(floor, xyz[point, :2])
        order = np.lexsort((height, np.abs(height - xyz[point, 2]), point))
        found, first = np.unique(point[order], return_index=True)
        result = np.full(len(xyz), np.nan)
        result[found] = height[order][first]
        return result

    def nearest(self, xyz: Floats) -> Floats:
        lines = shapely.shortest_line(shapely.Point(xyz[:2]), self._polygons)
        ends = shapely.get_coordinates(lines)[1::2]
        if len(ends) < len(self._polygons):  # the distance overflows
            return np.zeros(0)
        places = np.column_stack([ends, self._height(np.arange(len(ends)), ends)])
        return places[np.linalg.norm(places - xyz, axis=1).argmin()]

    def touches(self, outlines: Array, low: Floats, high: Floats) -> Bools:
        outline, floor = self._tree.query(outlines, predicate="intersects")
        middle = shapely.get_coordinates(shapely.point_on_surface(outlines))
        height = self._height(floor, middle[outline])
        near = (height >= low[outline] - OVERHEAD) & (height <= high[outline] + REACH)
        result = np.zeros(len(outlines), dtype=np.bool_)
        result[outline[near]] = True
        return result


class _TileIndex:
    """Lookup for one storey of tiles."""

    def __init__(self, floor: TileFloor):
        self._floor = floor

    def covers(self, xyz: Floats) -> Bools:
        place = (xyz[:, :2] - self._floor.origin_xy) / self._floor.tile
        found = np.zeros(len(xyz), dtype=np.bool_)
        rows, columns = self._floor.passable.shape
        # A point on the line between two tiles stands on both.
        for dx in (-1e-9, 1e-9):
            for dy in (-1e-9, 1e-9):
                column, row = np.floor(place[:, 0] + dx), np.floor(place[:, 1] + dy)
                inside = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
                column, row = np.where(inside, [column, row], 0).astype(np.int64)
                found |= inside & self._floor.passable[row, column]
        return found & (np.abs(xyz[:, 2] - self._floor.z) <= REACH)

    @cached_property
    def _centres(self) -> Floats:
        row, column = np.nonzero(self._floor.passable)
        return np.column_stack([column + 0.5, row + 0.5]) * self._floor.tile + self._floor.origin_xy

    def nearest(self, xyz: Floats) -> Floats:
        away = self._centres - xyz[:2]
        best = self._centres[np.einsum("ij,ij->i", away, away).argmin()]
        return np.array([*best, self._floor.z], dtype=np.float64)

    def touches(self, outlines: Array, low: Floats, high: Floats) -> Bools:
        rows, columns = self._floor.passable.shape
        x, y = self._floor.origin_xy
        grid = shapely.box(x, y, x + columns * self._floor.tile, y + rows * self._floor.tile)
        near = (self._floor.z >= low - OVERHEAD) & (self._floor.z <= high + REACH)
        return near & shapely.intersects(grid, outlines)


class _JoinedIndex:
    """Lookup for several parts: storeys of tiles and the ramps between them."""

    def __init__(self, parts: Sequence[FloorIndex]):
        self._parts = parts

    def covers(self, xyz: Floats) -> Bools:
        return np.logical_or.reduce([part.covers(xyz) for part in self._parts])

    def nearest(self, xyz: Floats) -> Floats:
        places = np.array([part.nearest(xyz) for part in self._parts])
        return places[np.linalg.norm(places - xyz, axis=1).argmin()]

    def touches(self, outlines: Array, low: Floats, high: Floats) -> Bools:
        return np.logical_or.reduce([part.touches(outlines, low, high) for part in self._parts])


class Plans:
    """The plans (polygons seen from above, holes cut out) and planes of floors whose rings have at least 3 points."""

    def __init__(self, floors: Sequence[Floor]):
        self.floors = floors
        rings = [ring for floor in floors for ring in (floor.outline_xyz, *floor.holes_xyz)]
        ring_owner = np.repeat(np.arange(len(floors)), [1 + len(floor.holes_xyz) for floor in floors])
        lengths = np.array([len(ring) for ring in rings], dtype=np.int64)
        self.points: Floats = np.concatenate([np.zeros((0, 3)), *rings])
        """Corners of all floors, holes included, (n, 3)."""
        self.owner: Array = np.repeat(ring_owner, lengths)
        """Floor index of each corner, (n,)."""
        lines = shapely.linearrings(self.points[:, :2], indices=np.repeat(np.arange(len(rings)), lengths))
        self.polygons: Array = shapely.polygons(lines, indices=ring_owner)

    @cached_property
    def valid(self) -> Bools:
        """Whether each plan is a proper polygon, (floors,)."""
        return np.asarray(shapely.is_valid(self.polygons))

    @cached_property
    def planes(self) -> tuple[Floats, Floats]:
        """A point on the plane of each floor and its normal (Newell's method, from the outline), (floors, 3) each."""
        lengths = np.array([len(floor.outline_xyz) for floor in self.floors], dtype=np.int64)
        places = np.concatenate([np.zeros((0, 3)), *(floor.outline_xyz for floor in self.floors)])
        start = np.cumsum(lengths) - lengths
        following = np.arange(1, len(places) + 1)
        following[start + lengths - 1] = start
        centre = np.add.reduceat(places, start) / lengths[:, None] if len(start) else np.zeros((0, 3))
        around = places - np.repeat(centre, lengths, axis=0)
        normal = np.add.reduceat(np.cross(around, around[following]), start) if len(start) else np.zeros((0, 3))
        return centre, normal

    def heights(self, floor: Array, xy: Array) -> Array:
        """Return z of the planes of floors (n,) at positions (n, 2)."""
        centre, normal = self.planes
        return heights_on(centre[floor], normal[floor], xy)


def heights_on(centre: Array, normal: Array, xy: Array) -> Array:
    """Return z at positions (n, 2) of planes through `centre` (n, 3) with `normal` (n, 3)."""
    return centre[:, 2] - ((xy - centre[:, :2]) * normal[:, :2]).sum(axis=1) / normal[:, 2]
