"""The tile builder: passable tiles merged into rectangles, ramps added as faces.

Rectangles suffice for a body without radius on a map whose obstacles fill whole tiles. For a body with a radius, long
outlines are traced along the tiles. Otherwise the tiles are turned into polygons for the polygon builder.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import shapely

from ..conventions import Array, Bools, Floats, Ids, Progress
from ..errors import BakeError
from ..kernels.mesh.convex_merge import merge_tiles
from ..level.features import Obstacle
from ..level.level import Floor, Floors, Level, TileFloor, Tiles
from .assembly import assemble
from .body import Body
from .convex import WIDEST, convex_faces, part_wide_faces
from .inset import ARC_SEGMENTS
from .navmesh import NavMesh
from .pieces import Piece, Plane, is_walkable, plane_of
from .polygons import build_from_floors
from .tile_inset import Outlines, halved, inset_polygons, outlines_of

EXACT = 1e-6
"""Fraction of a tile that an obstacle may miss, or overlap, and still count as filling it, or as leaving it free."""

LONG = 3200
"""Corners of all outlines above which they are traced. The shipped samples have fewer: their cells and digests stay."""


def build_from_tiles(level: Level, body: Body, *, progress: Progress = None) -> NavMesh:
    """Build a navmesh from a tile map: from rectangles or traced outlines if exact, else with the polygon builder."""
    tiles = level.surface
    assert isinstance(tiles, Tiles)
    blocked = [_block_tiles(floor, (*level.obstacles, *level.cover), body) for floor in tiles.floors]
    floors = [floor for floor in blocked if floor is not None]
    if len(floors) == len(blocked) and not _needs_clearance(tiles, body):
        if body.radius == 0.0:
            return _assemble_rectangles(level, floors, tiles.ramps, body)
        if not tiles.ramps and all(body.radius < floor.tile / 2.0 for floor in floors):
            outlines = [outlines_of(floor.passable) for floor in floors]
            if sum(len(outline.point) for outline in outlines) > LONG:
                return _assemble_inset(level, floors, outlines, body, progress)
    return build_from_floors(as_floors(level), body, progress=progress)


def _assemble_inset(
    level: Level, floors: list[TileFloor], outlines: list[Outlines], body: Body, progress: Progress
) -> NavMesh:
    report = progress or (lambda _stage, _share: None)
    report("inset", 0.3)
    pieces = list[Piece]()
    for storey, (floor, outline) in enumerate(zip(floors, outlines)):
        if len(outline.point):
            polygons = inset_polygons(outline, floor, body.radius, ARC_SEGMENTS)
            blocks = [block for polygon in polygons for block in halved(shapely.get_rings(polygon))]
            pieces.append(Piece(shapely.multipolygons(blocks), Plane(0.0, 0.0, floor.z), storey))
    report("convex faces", 0.5)
    vertices, start, corners, face_storey = part_wide_faces(*convex_faces(pieces, is_tidy=True))
    report("links", 0.8)
    mesh = assemble(vertices, start, corners, body=body, face_storey=face_storey, name=level.name)
    report("links", 1.0)
    return mesh


def _assemble_rectangles(level: Level, floors: list[TileFloor], flights: tuple[Floor, ...], body: Body) -> NavMesh:
    ramps = [ramp for ramp in flights if is_walkable(plane_of(ramp.outline_xyz), body)]
    rectangles = [_rectangles(floor) for floor in floors]
    vertices = np.concatenate([np.zeros((0, 3)), *rectangles, *(ramp.outline_xyz for ramp in ramps)])
    size = [4] * sum(len(part) // 4 for part in rectangles) + [len(ramp.outline_xyz) for ramp in ramps]
    storey = np.repeat(np.arange(len(floors)), [len(part) // 4 for part in rectangles]).tolist()
    storey += [ramp.storey for ramp in ramps]
    if not len(vertices):
        raise BakeError(
            f"{level.name or 'the level'}: no walkable place: no tile is both passable and free of obstacles; "
            "mark some tiles as floor"
        )
    faces = part_wide_faces(vertices, np.r_[0, np.cumsum(size)], np.arange(len(vertices)), np.array(storey))
    return assemble(*faces[:3], body=body, face_storey=faces[3], name=level.name)


def as_floors(level: Level) -> Level:
    """Return the same level with its tiles as polygons, one floor per connected patch."""
    tiles = level.surface
    if not isinstance(tiles, Tiles):
        return level
    floors: list[Floor] = []
    for storey, tile_floor in enumerate(tiles.floors):
        corner = _rectangles(tile_floor).reshape(-1, 4, 3)
        merged = shapely.union_all(shapely.polygons(corner[:, :, :2]))
        for patch in shapely.get_parts(shapely.simplify(merged, 0.0)):
            outline, *holes = (_lift(ring, tile_floor.z) for ring in (patch.exterior, *patch.interiors))
            floors.append(Floor(outline, tuple(holes), tile_floor.name, storey))
    return replace(level, surface=Floors((*floors, *tiles.ramps)))


def _lift(ring: shapely.LinearRing, z: float) -> Floats:
    flat = shapely.get_coordinates(ring)[:-1]
    return np.column_stack([flat, np.full(len(flat), z)])


def merged_rectangles(passable: Bools, widest: int | None = None) -> Ids:
    """Return disjoint rectangles (n, 4) int32 that cover exactly the passable tiles: column, row, width, height.

    No rectangle is longer than `widest` tiles.
    """
    result = np.empty((int(passable.sum()), 4), dtype=np.int32)
    count = merge_tiles(passable.astype(np.uint8), max(passable.shape) if widest is None else widest, result)
    return result[:count]


def _rectangles(floor: TileFloor) -> Floats:
    """Return the corners of merged tiles, (4 n, 3) metres, four per rectangle."""
    column, row, width, height = merged_rectangles(floor.passable, max(int(WIDEST / floor.tile), 1)).T
    x = np.stack([column, column + width, column + width, column], axis=1)
    y = np.stack([row, row, row + height, row + height], axis=1)
    corner = np.stack([x, y], axis=2).reshape(-1, 2) * floor.tile + np.asarray(floor.origin_xy)
    return np.column_stack([corner, np.full(len(corner), floor.z)])


def _block_tiles(floor: TileFloor, obstacles: tuple[Obstacle, ...], body: Body) -> TileFloor | None:
    """Return the floor without the tiles that obstacles fill; None if one covers only part of a passable tile."""
    passable = floor.passable.copy()
    for obstacle in obstacles:
        if not (floor.z < obstacle.z + obstacle.height and floor.z + body.height > obstacle.z):
            continue
        shape = shapely.make_valid(shapely.Polygon(obstacle.outline_xy))
        row, column = _passable_below(passable, floor, shape)
        if not len(row):
            continue
        left, low = floor.origin_xy[0] + column * floor.tile, floor.origin_xy[1] + row * floor.tile
        boxes = shapely.box(left, low, left + floor.tile, low + floor.tile)
        share = shapely.area(shapely.intersection(boxes, shape)) / floor.tile**2
        if ((share > EXACT) & (share < 1.0 - EXACT)).any():
            return None
        passable[row[share > 0.5], column[share > 0.5]] = False
    return replace(floor, passable=passable)


def _passable_below(passable: Array, floor: TileFloor, shape: shapely.Geometry) -> tuple[Array, Array]:
    """Return row and column of the passable tiles within the bounds of a shape."""
    if shape.is_empty:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    bounds = (np.array(shape.bounds).reshape(2, 2) - np.asarray(floor.origin_xy)) / floor.tile
    first = np.clip(np.floor(bounds[0] + EXACT), 0, None).astype(np.int64)
    last = np.clip(np.ceil(bounds[1] - EXACT), 0, passable.shape[::-1]).astype(np.int64)
    row, column = np.nonzero(passable[first[1] : last[1], first[0] : last[0]])
    return row + first[1], column + first[0]


def _needs_clearance(tiles: Tiles, body: Body) -> bool:
    """Return whether a ramp or a storey is too low over passable tiles, or a ramp is not a flat convex face."""
    for ramp in tiles.ramps:
        shape = shapely.Polygon(ramp.outline_xyz[:, :2])
        ring = ramp.outline_xyz[:, :2]
        side = np.roll(ring, -1, axis=0) - ring
        turn = side[:, 0] * np.roll(side[:, 1], -1) - side[:, 1] * np.roll(side[:, 0], -1)
        if ramp.holes_xyz or (turn < 0.0).any() or plane_of(ramp.outline_xyz).warp > EXACT:
            return True
        low, high = ramp.outline_xyz[:, 2].min(), ramp.outline_xyz[:, 2].max()
        for floor in tiles.floors:
            if low - body.height < floor.z < high + body.height and _overlaps_tiles(floor, shape):
                return True
    for n, floor in enumerate(tiles.floors):
        for other in tiles.floors[n + 1 :]:
            if abs(floor.z - other.z) < body.height:
                return True
    return False


def _overlaps_tiles(floor: TileFloor, shape: shapely.Polygon) -> bool:
    row, column = _passable_below(floor.passable, floor, shape)
    left, low = floor.origin_xy[0] + column * floor.tile, floor.origin_xy[1] + row * floor.tile
    boxes = shapely.box(left, low, left + floor.tile, low + floor.tile)
    return bool((shapely.area(shapely.intersection(boxes, shape)) > EXACT * floor.tile**2).any())
