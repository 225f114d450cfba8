"""A level as solid geometry for the page's 3D view: triangles of floors, walls and objects, and the edges to draw."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from ....conventions import Array, Floats
from ....level.features import Obstacle
from ....level.level import ConvexFaces, Floor, Floors, Level, Tiles, TriangleSoup
from ....level.tile_outlines import tile_boxes
from ....navmesh.navmesh import NavMesh
from ..session.feed_run import FeedRun
from ..session.game import Game
from .greeting_builder import base64
from .level_outline import storeys_shown
from .news import Solid

MOST_TRIANGLES = 100_000
"""Maximum number of triangles sent; of larger meshes the smallest triangles are left out."""
KINDS = ("floor", "ramp", "wall", "cover")
"""What a triangle is part of."""
_FLOOR, _RAMP, _WALL, _COVER = range(len(KINDS))
_CUT = 1.2
"""Metres at which walls and tall objects are cut off, so that rooms can be looked into."""
_THICK = 0.25
"""Metres of wall drawn around floors; half a tile around tiles."""
_STEEP = 0.7
"""Vertical part of a unit normal (about 45 degrees) from which a triangle is drawn as floor."""
_SHARP = 0.9
"""Cosine (about 25 degrees) of the angle between two triangles below which their edge is drawn."""
_STEP = 0.6
"""Metres between a storey and the end of a ramp that leads to it."""


@dataclass(frozen=True)
class _Piece:
    """Triangles (n, 3, 3) of one kind."""

    corners: Floats
    kind: int


def solid_of(level: Level | None, mesh: NavMesh | None) -> Solid:
    """Return the triangles and edges of a level; `mesh` tells the storeys of levels that do not define them."""
    parts = () if level is None else (*_ground(level, mesh), *_objects(level))
    pieces = [piece for piece in parts if len(piece.corners)]
    corners = np.concatenate([piece.corners for piece in pieces]) if pieces else np.zeros((0, 3, 3))
    kind = np.repeat([piece.kind for piece in pieces], [len(piece.corners) for piece in pieces]).astype(np.uint8)
    is_soup = level is not None and isinstance(level.surface, TriangleSoup)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(normal, axis=1)
    kept = np.flatnonzero(area > 1e-9)
    if len(kept) > MOST_TRIANGLES:
        kept = np.sort(kept[np.argsort(-area[kept], kind="stable")[:MOST_TRIANGLES]])
    vertices, triangles = _welded(corners[kept])
    upward = normal[kept, 2] / area[kept]
    kinds = np.where((kind[kept] == _FLOOR) & (upward < _STEEP), _WALL, kind[kept]) if is_soup else kind[kept]
    return Solid(
        vertices=base64(vertices, "<f4"),
        triangles=base64(triangles, "<u4"),
        kinds=KINDS,
        kind=base64(kinds, "|u1"),
        edges=base64(_edges(triangles, normal[kept] / area[kept, None]), "<u4"),
        left_out=int((area > 1e-9).sum()) - len(kept),
    )


def solid_answer(game: Game) -> Solid:
    """Return the level of a game as triangles; of a game elsewhere, the level it sent, if any."""
    if isinstance(game, FeedRun):
        return solid_of(game.level, None)
    return solid_of(game.stage.setting.level, game.stage.layout.mesh)


def _welded(corners: Floats) -> tuple[Floats, Array]:
    """Return vertices to the millimetre, each once, and triangles of their numbers."""
    if not len(corners):
        return np.zeros((0, 3)), np.zeros((0, 3), np.int64)
    found, inverse = np.unique(np.round(corners.reshape(-1, 3), 3) + 0.0, axis=0, return_inverse=True)
    return found, inverse.reshape(-1, 3)


def _edges(triangles: Array, normal: Floats) -> Array:
    """Return pairs of vertices: edges of a single triangle, and those where triangles meet at an angle."""
    ends = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    if not len(ends):
        return ends
    order = np.lexsort((ends[:, 1], ends[:, 0]))
    sorted_ends, owner = ends[order], order // 3
    first = np.flatnonzero(np.r_[True, np.any(np.diff(sorted_ends, axis=0) != 0, axis=1)])
    count = np.diff(np.r_[first, len(order)])
    along = np.abs(np.einsum("ij,ij->i", normal[owner], normal[np.repeat(owner[first], count)]))
    shown = (count == 1) | (np.minimum.reduceat(along, first) < _SHARP)
    return np.asarray(sorted_ends[first[shown]])


def _ground(level: Level, mesh: NavMesh | None) -> Iterator[_Piece]:
    surface = level.surface
    if isinstance(surface, TriangleSoup):
        yield _Piece(surface.vertices_xyz[surface.triangles], _FLOOR)
    elif isinstance(surface, ConvexFaces):
        for a, b in itertools.pairwise(surface.face_start):
            yield _Piece(_fan(surface.vertices_xyz[surface.corners[a:b]]), _FLOOR)
    else:
        heights = storeys_shown(level, mesh).heights
        yield from _plans(surface, heights.tolist(), [*level.obstacles, *level.cover])


def _plans(surface: Tiles | Floors, heights: list[float], objects: list[Obstacle]) -> Iterator[_Piece]:
    """Yield floors, ramps, and walls around all floors of a storey; what is enclosed by floor is wall as well."""
    if isinstance(surface, Tiles):
        sloping = list(surface.ramps)
        flat = [[(box, heights[at]) for box in tile_boxes(floor)] for at, floor in enumerate(surface.floors)]
        thick = max(floor.tile for floor in surface.floors) / 2.0
    else:
        sloping = [floor for floor in surface.polygons if floor.kind != "floor"]
        flat = [[] for _ in heights]
        for floor in surface.polygons:
            if floor.kind == "floor":
                flat[floor.storey].append((_plan(floor), float(np.median(floor.outline_xyz[:, 2]))))
        thick = _THICK
    for floor in sloping:
        yield _Piece(_sloped(floor), _RAMP)
    below = shapely.Polygon()
    for storey, height in enumerate(heights):
        for z in sorted({z for _, z in flat[storey]}):
            yield _Piece(_capped(_union([plan for plan, at in flat[storey] if at == z]), z), _FLOOR)
        near = [_plan(floor) for floor in sloping if np.abs(floor.outline_xyz[:, 2] - height).min() < _STEP]
        standing = [_footprint(one) for one in objects if abs(one.z - height) < _STEP]
        inside = _union([*(plan for plan, _ in flat[storey]), *near, *standing])
        around = _without_holes(inside.buffer(thick, join_style="mitre"), below)
        yield _Piece(_prism(around.difference(inside), height, _CUT), _WALL)
        below = shapely.union(below, inside)


def _objects(level: Level) -> Iterator[_Piece]:
    """Yield what stands on the floor; doors move, so the page draws them."""
    for kind, objects in ((_WALL, level.obstacles), (_COVER, level.cover)):
        for one in objects:
            yield _Piece(_prism(_footprint(one), one.z, min(one.height, _CUT)), kind)


def _footprint(one: Obstacle) -> Any:
    return shapely.make_valid(shapely.Polygon(one.outline_xy))


def _without_holes(plan: Any, below: Any) -> Any:
    """Fill the holes of a plan, except those through which the storeys below are seen."""
    parts = [part for part in shapely.get_parts(plan) if isinstance(part, shapely.Polygon)]
    filled = []
    for part in parts:
        holes = [shapely.Polygon(ring) for ring in part.interiors]
        filled.append(shapely.Polygon(part.exterior, [hole.exterior for hole in holes if hole.intersects(below)]))
    return _union(filled)


def _plan(floor: Floor) -> Any:
    return shapely.Polygon(floor.outline_xyz[:, :2], [hole[:, :2] for hole in floor.holes_xyz])


def _union(plans: Iterable[Any]) -> Any:
    return shapely.union_all(shapely.make_valid(np.asarray(list(plans), dtype=object)))


def _fan(corners: Floats) -> Floats:
    return np.stack([np.broadcast_to(corners[0], (len(corners) - 2, 3)), corners[1:-1], corners[2:]], axis=1)


def _flat_triangles(plan: Any) -> Floats:
    """Return triangles (n, 3, 2) of the polygons of a plan, counter-clockwise."""
    parts = shapely.get_parts(plan)
    polygons = parts[shapely.get_dimensions(parts) == 2]
    triangles = shapely.get_parts(shapely.constrained_delaunay_triangles(polygons))
    triangles = triangles[shapely.area(triangles) > 0.0]
    if not len(triangles):
        return np.zeros((0, 3, 2))
    ordered = shapely.orient_polygons(triangles)
    return shapely.get_coordinates(ordered).reshape(-1, 4, 2)[:, :3]


def _capped(plan: Any, z: float) -> Floats:
    flat = _flat_triangles(plan)
    return np.concatenate([flat, np.full((*flat.shape[:2], 1), z)], axis=2)


def _sloped(floor: Floor) -> Floats:
    """Return a ramp: the triangulation adds no points, so every corner has the height of the drawn one."""
    points = np.concatenate([floor.outline_xyz, *floor.holes_xyz])
    flat = _flat_triangles(shapely.make_valid(_plan(floor)))
    away = np.linalg.norm(flat[:, :, None] - points[None, None, :, :2], axis=3)
    return np.concatenate([flat, points[away.argmin(axis=2), 2][:, :, None]], axis=2)


def _prism(plan: Any, z: float, height: float) -> Floats:
    """Return the top of a plan and the walls around it, which face outwards."""
    top = z + height
    sides = [_capped(plan, top)]
    for part in shapely.get_parts(plan):
        if not isinstance(part, shapely.Polygon) or part.is_empty:
            continue
        ordered = shapely.orient_polygons(part)
        for ring in (ordered.exterior, *ordered.interiors):
            a = np.asarray(ring.coords)[:-1, :2]
            b = np.roll(a, -1, axis=0)
            low, high = np.full((len(a), 1), z), np.full((len(a), 1), top)
            one, two, three, four = (np.hstack(pair) for pair in ((a, low), (b, low), (b, high), (a, high)))
            sides += [np.stack([one, two, three], axis=1), np.stack([one, three, four], axis=1)]
    return np.concatenate(sides)
