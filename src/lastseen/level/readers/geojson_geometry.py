"""Convert GeoJSON coordinates to arrays, and collect them in a draft of the level."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np

from ...conventions import Floats, Ids
from .. import dialect
from ..level import ConvexFaces, Floor, Floors, Surface, TileFloor, Tiles, TriangleSoup
from .parts import Parts

SHAPES = {
    "Polygon": (dialect.POLYGON_KINDS, "floor"),
    "MultiPolygon": (dialect.POLYGON_KINDS, "floor"),
    "LineString": (dialect.LINE_KINDS, "path"),
    "MultiPoint": (("path", "patrol"), None),
    "Point": (dialect.POINT_KINDS, None),
}
"""Kinds each type of geometry may have, and its default kind."""


@dataclass(frozen=True)
class Geometry:
    """A GeoJSON geometry: its type, the kinds it may have, and its coordinates as given in the file."""

    type: str
    kinds: tuple[str, ...]
    default_kind: str | None
    coordinates: Any

    def point(self, z: float) -> tuple[float, float, float]:
        """Return the position of a Point; `z` is the default height."""
        place = _positions([self.coordinates], z)[0].tolist()
        return (place[0], place[1], place[2])

    def line(self, z: float) -> Floats:
        """Return the positions of a line, (n, 3)."""
        return _positions(self.coordinates, z)

    def polygons(self, z: float) -> list[list[Floats]]:
        """Return the rings of each polygon, (n, 3) without the repeated last point; outline first, then holes."""
        polygons = self.coordinates if self.type == "MultiPolygon" else [self.coordinates]
        if not isinstance(polygons, list) or not all(isinstance(rings, list) for rings in polygons):
            raise Wrong("its coordinates are not lists of rings", "a ring is a list of positions [x, y] or [x, y, z]")
        if not all(polygons):
            raise Wrong("a polygon has no ring", "give its outline as the first ring")
        return [[opened(_positions(ring, z)) for ring in rings] for rings in polygons]


def geometry_of(given: Any) -> Geometry:
    """Return the geometry of a feature, or raise `Wrong`."""
    if not isinstance(given, dict):
        raise Wrong("it has no geometry", f"draw it as one of: {', '.join(SHAPES)}")
    shape = given.get("type")
    if not isinstance(shape, str) or shape not in SHAPES:
        raise Wrong(f"its geometry is a {str(shape)[:40]!r}", f"split it into features of: {', '.join(SHAPES)}")
    kinds, default = SHAPES[shape]
    return Geometry(shape, kinds, default, given.get("coordinates"))


def _positions(given: Any, z: float) -> Floats:
    try:
        rows = msgspec.convert(given, list[list[float]])
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at ")
        where = f" ({place.strip('`').removeprefix('$')})" if place else ""
        advice = "a position is [x, y] or [x, y, z], finite numbers in metres"
        raise Wrong(f"a position is invalid{where}: {what[:1].lower() + what[1:]}", advice) from None
    if any(len(row) < 2 for row in rows):
        raise Wrong("a position has fewer than two numbers", "a position is [x, y] or [x, y, z] in metres")
    return np.array([(row[0], row[1], row[2] if len(row) > 2 else z) for row in rows], np.float64).reshape(-1, 3)


def opened(ring: Floats) -> Floats:
    """Return a ring without its last point if that repeats the first, as GeoJSON requires."""
    return ring[:-1] if len(ring) > 1 and np.array_equal(ring[0], ring[-1]) else ring


def counter_clockwise(ring: Floats, turn: int = 1) -> Floats:
    """Return the ring running counter-clockwise (clockwise with turn -1), starting at the same point."""
    x, y = ring[:, 0], ring[:, 1]
    with np.errstate(over="ignore", invalid="ignore"):
        area = np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))
    return np.concatenate([ring[:1], ring[:0:-1]]) if area * turn < 0 else ring


def footprints(geometry: Geometry, kind: str, width: float) -> list[Floats]:
    """Return the outlines of obstacles, doors and zones, (n, 3) each; lines become rectangles `width` thick."""
    if geometry.type == "LineString":
        points = geometry.line(0.0)
        if len(points) < 2 or (kind == "door" and len(points) > 2):
            what = f"a {kind} drawn as a line has {len(points)} points"
            raise Wrong(what, "a door takes 2 points, from jamb to jamb; a wall takes 2 or more")
        # Walls overlap by half their width at each end, so that no gap opens at the corners.
        return [_slab(a, b, width, 0.0 if kind == "door" else width / 2) for a, b in pairwise(points)]
    outlines = []
    for outline, *holes in geometry.polygons(0.0):
        if holes:
            raise Wrong(f"a {kind} has a hole", "cut it into pieces without holes")
        outlines.append(outline)
    return outlines


def _slab(start: Floats, end: Floats, width: float, longer: float) -> Floats:
    along = end - start
    length = float(np.hypot(along[0], along[1]))
    if length == 0:
        raise Wrong(f"two points of a line are the same, ({start[0]:g}, {start[1]:g})", "remove one of them")
    unit = np.array([along[0], along[1], 0.0]) / length
    side = np.array([-unit[1], unit[0], 0.0]) * (width / 2)
    first, last = start - unit * longer, end + unit * longer
    return np.array([first - side, last - side, last + side, first + side])


def indexed_mesh(geometry: Geometry, properties: dialect.MeshProperties) -> tuple[Floats, Ids, Ids]:
    """Return vertices, face starts and corners of a MultiPolygon; equal positions share one unless `corners` is set."""
    rings = _rings_of(geometry, properties.corners)
    starts = np.cumsum([0, *map(len, rings)]).astype(np.int32)
    places = np.concatenate([np.zeros((0, 3)), *rings])
    if properties.corners is None:
        vertices, corners = np.unique(places, axis=0, return_inverse=True)
        return vertices, starts, corners.ravel().astype(np.int32)
    numbers = np.array([n for face in properties.corners for n in face] + [n for n, *_ in properties.loose], object)
    places = np.concatenate([places, np.array([xyz for _, *xyz in properties.loose], np.float64).reshape(-1, 3)])
    if len(numbers) and not (min(numbers) >= 0 and max(numbers) < len(numbers)):
        raise Wrong("a corner has a vertex number out of range", "number the vertices 0, 1, 2, … without gaps")
    ids = numbers.astype(np.int64)
    vertices = np.full((int(ids.max(initial=-1)) + 1, 3), np.nan)
    vertices[ids] = places
    if np.isnan(vertices).any():
        missing = int(np.flatnonzero(np.isnan(vertices[:, 0]))[0])
        raise Wrong(f"vertex {missing} has no position", "number the vertices 0, 1, 2, … without gaps")
    if not np.array_equal(vertices[ids], places):
        number = int(ids[np.flatnonzero((vertices[ids] != places).any(axis=1))[0]])
        raise Wrong(f"vertex {number} has two positions", "remove the property `corners` after moving corners by hand")
    return vertices, starts, ids[: int(starts[-1])].astype(np.int32)


def _rings_of(geometry: Geometry, corners: list[list[int]] | None) -> list[Floats]:
    """Return the only ring of each polygon, cut to the stated number of corners, so that repeated ones survive."""
    polygons = geometry.coordinates if geometry.type == "MultiPolygon" else [geometry.coordinates]
    if not isinstance(polygons, list) or not all(isinstance(rings, list) and len(rings) == 1 for rings in polygons):
        raise Wrong("a face is not one ring", "give each face as a polygon of one ring, without holes")
    if corners is None:
        return [opened(_positions(ring, 0.0)) for (ring,) in polygons]
    if len(polygons) != len(corners):
        raise Wrong(f"it has {len(polygons)} polygons but corners for {len(corners)}", "give those of each")
    rings = []
    for number, ((given,), face) in enumerate(zip(polygons, corners, strict=True)):
        ring = _positions(given, 0.0)
        if len(ring) not in (len(face), len(face) + 1):
            what = f"polygon {number} has {len(ring)} positions but {len(face)} corners"
            raise Wrong(what, "close each ring by repeating its first position")
        rings.append(ring[: len(face)])
    return rings


STOREY_GAP = 1.0
"""Metres: floors whose heights differ by more are on different storeys, unless the file says otherwise."""


class Wrong(Exception):
    """A feature cannot be used: what is wrong, and what to do."""

    def __init__(self, what: str, advice: str):
        self.what = what
        self.advice = advice
        super().__init__(what)


@dataclass
class Draft(Parts):
    """Everything read so far; `storey_given` records for each floor whether the file named its storey."""

    floors: list[Floor] = field(default_factory=list)
    storey_given: list[bool] = field(default_factory=list)
    tiles: list[TileFloor] = field(default_factory=list)
    meshes: list[TriangleSoup | ConvexFaces] = field(default_factory=list)

    def surface(self, stated: str | None) -> Surface:
        """Return the one walkable surface of the file; `stated` is the kind its header names."""
        floors = tuple(self._with_storeys())
        if self.meshes:
            if len(self.meshes) > 1 or floors or self.tiles:
                advice = "keep one triangles or faces feature, or draw everything as floors"
                raise Wrong("the file has a mesh and another walkable surface", advice)
            return self.meshes[0]
        if self.tiles or stated == "tiles":
            flat = [floor for floor in floors if floor.kind == "floor"]
            if flat and stated != "tiles":
                advice = "draw the floors as tiles too, or make them ramps that join storeys"
                raise Wrong("the file has both tiles and floor polygons", advice)
            return Tiles(tuple(self.tiles), floors)
        return Floors(floors)

    def _with_storeys(self) -> list[Floor]:
        """Number the storeys by height, from 0 at the bottom, unless a floor of the file names its own."""
        if any(self.storey_given) or not self.floors:
            return self.floors
        lowest = np.array([floor.outline_xyz[:, 2].min(initial=np.inf) for floor in self.floors])
        flat = np.array([floor.kind == "floor" for floor in self.floors])
        heights = np.unique(lowest[flat] if flat.any() else lowest)
        starts = heights[np.concatenate([[True], np.diff(heights) > STOREY_GAP])]
        # A ramp belongs to the storey it leaves, the one below its lowest point.
        storeys = np.maximum(np.searchsorted(starts, lowest + 1e-9, side="right") - 1, 0)
        return [replace(floor, storey=int(storey)) for floor, storey in zip(self.floors, storeys, strict=True)]
