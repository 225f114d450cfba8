"""Build `Sight` from a level: the floors, walls and features that block sight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import shapely

from ...checks import expect, finite_number, read_only
from ...conventions import Array, Floats
from ...kernels.arrays.level_arrays import SightArrays
from ...kernels.sight.sight_grid import fill_columns
from ..features import Door, Obstacle
from ..floor_plans import REACH, Plans, heights_on
from ..level import ConvexFaces, Floor, Floors, Level, Platform, Surface, Tiles, TriangleSoup, whole_surface
from .blockers import NO_DOOR, Blockers, flat_triangles, joined, prisms, sheets
from .rims import Patch, edges_of, open_tiles, rim_walls, tile_outline, tile_shape, tile_sheet
from .sight import Sight

MOST_COLUMNS, MOST_ALONG = 4_000_000, 30_000
LEVEL_SLACK = 0.01
"""Metres feet may sink into a floor and still be seen from above: levels are drawn no more precisely."""
EDGE_SLACK = 1e-6


def build_sight(level: Level, *, wall_height: float = 3.0) -> Sight:
    """Collect what blocks sight on a level; see `Sight.from_level`."""
    expect(level, Level, "level")
    wall_height = finite_number(wall_height, "wall_height", unit="m", low=0.1, high=1000.0)
    things: tuple[Obstacle | Door, ...] = (*level.obstacles, *level.cover, *level.doors)
    doors = np.full(len(things), NO_DOOR, np.int32)
    doors[len(things) - len(level.doors) :] = np.arange(len(level.doors))
    standing = Standing(things)
    solid = prisms([thing.outline_xy for thing in things], standing.low, standing.high, doors)
    # Where a platform is absent there is a gap to look across, not a wall; only its sheet comes and goes.
    parts = [solid, *ground_blockers(whole_surface(level), standing, wall_height)]
    parts += [_floor_sheets([one], len(level.doors) + number) for number, one in enumerate(level.platforms)]
    sight = _in_grid(joined(parts), tuple(door.name for door in level.doors), len(level.platforms), wall_height)
    sight.set_doors([door.starts_closed for door in level.doors])
    sight.set_platforms([piece.present for piece in level.platforms])
    return sight


def _in_grid(blockers: Blockers, door_names: tuple[str, ...], platforms: int, wall_height: float) -> Sight:
    """Sort walls and triangles into grid columns about as wide as their mean spacing."""
    triangle, kept = _prepared(blockers.corner_xyz)
    segments = blockers.wall[:, :4].reshape(-1, 2, 2)
    flat = blockers.corner_xyz[kept][:, :, :2]
    points = np.concatenate([segments.reshape(-1, 2), flat.reshape(-1, 2)])
    low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(2), np.zeros(2))
    extent = np.maximum(high - low, 1.0)
    size = float(np.sqrt(extent.prod() / min(max(len(segments) + len(flat), 1), MOST_COLUMNS)))
    size = max(size, float(extent.max()) / MOST_ALONG)
    low = low - 0.01 * size
    columns, rows = (np.floor((high - low) / size + 0.01).astype(np.int64) + 1).tolist()
    column = _columns((segments - low) / size, (flat - low) / size, columns, rows)
    grid = read_only(np.array([low[0], low[1], 1.0 / size, columns, rows]))
    doors = (blockers.wall_door, blockers.triangle_door[kept])
    return Sight(SightArrays(blockers.wall, triangle, grid, column), doors, door_names, wall_height, platforms)


def _prepared(corner: Floats) -> tuple[Floats, Array]:
    """Return triangles (n, 3, 3) with everything a ray test needs, (n, 16), and a mask of those with an area."""
    normal = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    length = np.linalg.norm(normal, axis=1)
    kept = length > 0.0
    corner, normal = corner[kept], normal[kept] / length[kept, None]
    offset = (normal * corner[:, 0]).sum(axis=1)
    slack = np.where(np.abs(normal[:, 2]) > 0.5, LEVEL_SLACK, EDGE_SLACK)
    z = corner[:, :, 2]
    columns = [z.min(axis=1), z.max(axis=1), slack, normal, offset, corner.reshape(-1, 9)]
    return np.ascontiguousarray(np.column_stack(columns)), kept


def _columns(segments: Floats, flat: Floats, columns: int, rows: int) -> Array:
    """Return the start of the walls and triangles of each column, followed by their indices; see `SightArrays`."""
    groups = (np.ascontiguousarray(segments), np.ascontiguousarray(flat))
    count = np.zeros((columns * rows, 2), np.int64)
    nothing = np.zeros(0, np.uint32)
    for kind, shapes in enumerate(groups):
        fill_columns(shapes, columns, rows, count[:, kind], nothing)
    start = count.size + 1 + np.r_[0, np.cumsum(count.reshape(-1))]
    column = np.empty(int(start[-1]), np.uint32)
    column[: len(start)] = start
    place = start[:-1].reshape(-1, 2).copy()
    for kind, shapes in enumerate(groups):
        fill_columns(shapes, columns, rows, place[:, kind], column)
    return read_only(column)


OUTSIDE = 1e-4
"""Square metres by which something must extend beyond the floor to count as drawn next to it."""


class Standing:
    """Footprints and vertical extents of things: `shapes`, `low`, `high`, (n,) each."""

    def __init__(self, things: Sequence[Obstacle | Door]) -> None:
        self.shapes: Array = np.empty(len(things), dtype=object)
        self.shapes[:] = [shapely.make_valid(shapely.Polygon(thing.outline_xy)) for thing in things]
        self.low: Floats = np.array([thing.z for thing in things], np.float64)
        self.high: Floats = self.low + np.array([thing.height for thing in things], np.float64)


def ground_blockers(surface: Surface, standing: Standing, wall_height: float) -> list[Blockers]:
    """Return floors as sheets, and the walls that rise along their rims.

    Where something is drawn next to the floor (cover in a hole, a door between two rooms), it replaces the wall, with
    its own height. Raw triangles are used unchanged.
    """
    if isinstance(surface, TriangleSoup):
        return [sheets(surface.vertices_xyz[surface.triangles])]
    if isinstance(surface, Tiles):
        several = len(surface.floors) + len(surface.ramps) > 1
        patches = [*_tile_patches(surface, standing, wall_height, several), *_floor_patches(surface.ramps, standing)]
        flat = [sheets(tile_sheet(floor)) for floor in surface.floors]
        return [*flat, _floor_sheets(surface.ramps), rim_walls(patches, wall_height)]
    if isinstance(surface, Floors):
        patches = list(_floor_patches(surface.polygons, standing))
        return [_floor_sheets(surface.polygons), rim_walls(patches, wall_height)]
    floors = _faces(surface)
    return [_floor_sheets(floors), rim_walls(list(_face_patches(surface, floors)), wall_height)]


def _tile_patches(tiles: Tiles, standing: Standing, wall_height: float, several: bool) -> Iterator[Patch]:
    up = np.array([0.0, 0.0, 1.0])
    for floor in tiles.floors:
        free = open_tiles(floor, standing.shapes, standing.low, standing.high, wall_height)
        # Only neighbours need the plan.
        shape = tile_shape(free, floor) if several else shapely.Polygon()
        centre = np.array([*floor.origin_xy, floor.z])
        yield Patch(shape, centre, up, *tile_outline(free, floor.tile, floor.origin_xy), walled=True)


def _floor_patches(floors: Sequence[Floor], standing: Standing) -> Iterator[Patch]:
    if not floors:
        return
    plans = Plans(floors)
    tree = shapely.STRtree(standing.shapes)
    middles = shapely.get_coordinates(shapely.point_on_surface(standing.shapes))
    for shape, centre, normal in zip(shapely.make_valid(plans.polygons), *plans.planes):
        near = tree.query(shape, predicate="intersects")
        z = heights_on(centre[None], normal[None], middles[near])
        near = near[(standing.low[near] <= z + REACH) & (standing.high[near] > z)]
        outside = shapely.area(shapely.difference(standing.shapes[near], shape)) > OUTSIDE
        whole = shapely.union_all([shape, *standing.shapes[near[outside]]]) if outside.any() else shape
        yield Patch(whole, centre, normal, *edges_of(whole))


def _floor_sheets(floors: Sequence[Floor], door: int = NO_DOOR) -> Blockers:
    """Return floors as triangles that belong to a door; platforms only if they have a number of their own."""
    if door == NO_DOOR:
        floors = [floor for floor in floors if not isinstance(floor, Platform)]
    if not floors:
        return Blockers()
    plans = Plans(floors)
    flat, owner = flat_triangles(shapely.make_valid(plans.polygons))
    z = plans.heights(np.repeat(owner, 3), flat.reshape(-1, 2)).reshape(-1, 3, 1)
    return sheets(np.concatenate([flat, z], axis=2), door)


def _faces(faces: ConvexFaces) -> list[Floor]:
    starts = faces.face_start.tolist()
    return [Floor(faces.vertices_xyz[faces.corners[a:b]]) for a, b in pairwise(starts)]


def _face_patches(faces: ConvexFaces, floors: list[Floor]) -> Iterator[Patch]:
    """Yield faces with those edges that are not the whole edge of another face."""
    plans = Plans(floors)
    corners = faces.corners.astype(np.int64)
    starts, sizes = faces.face_start[:-1].astype(np.int64), np.diff(faces.face_start)
    following = np.arange(1, len(corners) + 1)
    following[starts + sizes - 1] = starts
    many = len(faces.vertices_xyz)
    shared = np.isin(corners * many + corners[following], corners[following] * many + corners)
    xy = faces.vertices_xyz[:, :2]
    for shape, centre, normal, start, size in zip(plans.polygons, *plans.planes, starts.tolist(), sizes.tolist()):
        rim = start + np.flatnonzero(~shared[start : start + size])
        yield Patch(shape, centre, normal, xy[corners[rim]], xy[corners[following[rim]]])
