"""A level as a page draws it: floors merged into outlines, objects on them, points and patrols."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import msgspec
import numpy as np
import shapely

from ....conventions import Array
from ....level.level import ConvexFaces, Floor, Floors, Level, Tiles, TriangleSoup
from ....level.tile_outlines import tile_boxes
from ....navmesh.navmesh import NavMesh
from ...figures.drawing.storeys import Storeys, storeys_of_level, storeys_of_mesh
from ...figures.drawing.surface import surface_bounds
from .greeting import LevelDrawing, Patrol, PointShown, Ring, Shape, Storey

_FLATTEST = 0.5
"""Minimum vertical part of a unit normal (60 degrees) for drawing a triangle as floor before there is a mesh."""
_MOST_TRIANGLES = 20_000
"""Maximum number of triangles drawn before there is a mesh; joining them takes about a second."""
_SAME_STOREY = 0.6
"""Metres between storeys of a mesh that are shown as one."""


def storeys_shown(level: Level, mesh: NavMesh | None) -> Storeys:
    """Return the storeys of a level as a page shows them: as designed, or from its mesh if the level defines none.

    Those of a mesh have different heights, since the page tells storeys apart by them.
    """
    if isinstance(level.surface, Tiles | Floors) or mesh is None:
        return storeys_of_level(level)
    heights, number = storeys_of_mesh(mesh).heights, _numbers(mesh)
    lowest = [float(heights[number == one].min()) for one in np.unique(number)]
    return Storeys(np.array(lowest), ("",) * len(lowest))


def face_storeys_shown(level: Level, mesh: NavMesh) -> Array:
    """Return the storey of each face among those shown."""
    if isinstance(level.surface, Tiles | Floors):
        return mesh.face_storey
    return np.asarray(_numbers(mesh)[mesh.face_storey])


def _numbers(mesh: NavMesh) -> Array:
    """Return the number shown of each storey of a mesh, from the bottom; those of nearly the same height are one."""
    heights = storeys_of_mesh(mesh).heights
    order = np.argsort(heights, kind="stable")
    number = np.empty(len(heights), np.int64)
    number[order] = np.cumsum(np.r_[0, np.diff(heights[order]) > _SAME_STOREY])
    return number


def drawing_of(level: Level, mesh: NavMesh | None = None) -> LevelDrawing:
    """Return everything static of a level; what is not floor is wall.

    Without a mesh, the floor of a triangle level is everything that faces up, on a single storey.
    """
    storeys = storeys_shown(level, mesh)
    bounds = surface_bounds(level).ravel().tolist()
    shapes = [*_ground(level, mesh), *_platforms(level), *_standing(level, storeys)]
    return LevelDrawing(
        bounds=[round(value, 3) for value in bounds],
        y_down=level.is_drawn_down,
        storeys=[Storey(name, float(height)) for name, height in zip(storeys.names, storeys.heights.tolist())],
        shapes=shapes,
        points=list(_points(level, storeys)),
        patrols=[
            Patrol(patrol.name, [at for at, _ in itertools.groupby(stop.xyz for stop in patrol.stops)])
            for patrol in level.patrols
        ],
    )


def _ground(level: Level, mesh: NavMesh | None) -> Iterable[Shape]:
    surface = level.surface
    if isinstance(surface, Tiles):
        for storey, floor in enumerate(surface.floors):
            yield from _merged("floor", storey, tile_boxes(floor))
        yield from _sloping(surface.ramps)
    elif isinstance(surface, Floors):
        for storey in sorted({floor.storey for floor in surface.polygons}):
            flat = [floor for floor in surface.polygons if floor.storey == storey and floor.kind == "floor"]
            yield from _merged("floor", storey, [_plan(floor) for floor in flat])
        yield from _sloping([floor for floor in surface.polygons if floor.kind != "floor"])
    elif mesh is None:
        yield from _merged("floor", 0, _outlines(surface))
    else:
        faces = [shapely.Polygon(mesh.face_xyz(face)[:, :2]) for face in range(mesh.face_count)]
        shown = face_storeys_shown(level, mesh)
        for storey in range(int(shown.max(initial=0)) + 1):
            yield from _merged("floor", storey, [faces[face] for face in np.flatnonzero(shown == storey)])


def _outlines(surface: TriangleSoup | ConvexFaces) -> Any:
    """Return the plans of faces, or of the largest triangles that face up and are not too steep to walk on."""
    if isinstance(surface, ConvexFaces):
        corners = surface.vertices_xyz[surface.corners, :2]
        return [shapely.Polygon(corners[a:b]) for a, b in itertools.pairwise(surface.face_start)]
    corners = surface.vertices_xyz[surface.triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    floor = np.flatnonzero(normal[:, 2] > _FLATTEST * np.linalg.norm(normal, axis=1))
    largest = floor[np.argsort(-normal[floor, 2], kind="stable")[:_MOST_TRIANGLES]]
    return shapely.polygons(corners[largest][:, :, :2])


def _plan(floor: Floor) -> Any:
    return shapely.Polygon(floor.outline_xyz[:, :2], [hole[:, :2] for hole in floor.holes_xyz])


def _sloping(floors: Iterable[Floor]) -> Iterable[Shape]:
    for floor in floors:
        heights = [round(float(value), 3) for value in floor.outline_xyz[:, 2]]
        yield _shape(floor.kind, floor.storey, _plan(floor), floor.name, heights)


def _platforms(level: Level) -> Iterable[Shape]:
    """Yield the platforms, numbered after the doors, as in frames; one that is absent at first is shut."""
    for number, piece in enumerate(level.platforms, len(level.doors)):
        yield msgspec.structs.replace(
            _shape("platform", piece.storey, _plan(piece), piece.name), number=number, open=piece.present
        )


def _merged(kind: str, storey: int, polygons: Any) -> Iterable[Shape]:
    union = shapely.union_all(shapely.make_valid(np.asarray(polygons, dtype=object)))
    for part in shapely.get_parts(union):
        if isinstance(part, shapely.Polygon) and not part.is_empty:
            yield _shape(kind, storey, shapely.simplify(part, 0.0))


def _shape(kind: str, storey: int, polygon: Any, name: str = "", heights: list[float] | None = None) -> Shape:
    holes = [_ring(hole) for hole in polygon.interiors]
    return Shape(kind=kind, storey=storey, outline=_ring(polygon.exterior), holes=holes, name=name, heights=heights)


def _ring(ring: Any) -> Ring:
    listed: Ring = np.round(np.asarray(ring.coords)[:-1, :2], 3).tolist()
    return listed


def _standing(level: Level, storeys: Storeys) -> Iterable[Shape]:
    kinds = (("zone", level.zones), ("obstacle", level.obstacles), ("cover", level.cover), ("door", level.doors))
    for kind, objects in kinds:
        for number, one in enumerate(objects):
            through = sorted(storeys.through(one.z, one.height))
            # A zone belongs to the storey it lies on; tall objects belong to every storey they reach.
            for storey in through[:1] if kind == "zone" else through:
                door = level.doors[number] if kind == "door" else None
                yield Shape(
                    kind=kind,
                    storey=storey,
                    outline=np.round(one.outline_xy, 3).tolist(),
                    holes=[],
                    name=one.name,
                    number=number,
                    locked=None if door is None else door.locked,
                    open=None if door is None else door.open,
                    meaning=level.zones[number].kind if kind == "zone" else None,
                )


def _points(level: Level, storeys: Storeys) -> Iterable[PointShown]:
    for number, spot in enumerate(level.hiding_places):
        yield PointShown(
            kind="hiding place",
            storey=storeys.at(spot.xyz[2]),
            at=spot.xyz,
            name=spot.name,
            number=number,
            capacity=spot.capacity,
        )
    for number, trap in enumerate(level.traps):
        storey = storeys.at(trap.xyz[2])
        yield PointShown(kind="trap", storey=storey, at=trap.xyz, name=trap.name, number=number, radius=trap.radius)
    for marker in level.markers:
        yield PointShown(kind=marker.kind, storey=storeys.at(marker.xyz[2]), at=marker.xyz, name=marker.name)
