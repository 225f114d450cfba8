"""Build the floors and walls that block sight from the surface of a level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import shapely

from ...conventions import Array, Floats
from ..features import Door, Obstacle
from ..ground import REACH
from ..level import ConvexFaces, Floor, Floors, Surface, Tiles, TriangleSoup
from ..plans import Plans, heights_on
from .blockers import Blockers, flat_triangles, sheets
from .rims import Patch, edges_of, rim_walls
from .tile_rims import open_tiles, tile_outline, tile_shape, tile_sheet

__all__ = ["Standing", "ground_blockers"]

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
        beside = shapely.area(shapely.difference(standing.shapes[near], shape)) > OUTSIDE
        whole = shapely.union_all([shape, *standing.shapes[near[beside]]]) if beside.any() else shape
        yield Patch(whole, centre, normal, *edges_of(whole))


def _floor_sheets(floors: Sequence[Floor]) -> Blockers:
    if not floors:
        return Blockers()
    plans = Plans(floors)
    flat, owner = flat_triangles(shapely.make_valid(plans.polygons))
    z = plans.heights(np.repeat(owner, 3), flat.reshape(-1, 2)).reshape(-1, 3, 1)
    return sheets(np.concatenate([flat, z], axis=2))


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
