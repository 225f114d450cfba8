"""Run the steps of the voxel builder, from a level or a triangle soup to a navmesh."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import shapely

from ...conventions import Array, Floats, Progress
from ...level.level import ConvexFaces, Floors, Level, TriangleSoup
from ..assembly import assemble
from ..body import Body
from ..navmesh import NavMesh
from ..pieces import pieces_of
from ..tiles import as_floors
from .contours import find_contours
from .open_spans import OpenSpans, erode, find_regions, open_spans
from .solid_spans import clean_soup, rasterise
from .triangulation import polygonise
from .voxel_settings import VoxelGrid, VoxelSettings

_MARGIN = 0.01
"""Metres, or fraction, by which an obstacle is higher than any step, and its decks closer than the body is tall."""


def build_from_soup(
    soup: TriangleSoup,
    body: Body | None = None,
    settings: VoxelSettings | None = None,
    progress: Progress = None,
    *,
    name: str = "",
) -> NavMesh:
    """Build the navmesh of the triangles a body can walk on.

    Parameters
    ----------
    soup : raw geometry, z up; only triangles that face up (counter-clockwise from above) are walkable.
    progress : called with the name of each stage and the fraction done when it begins.

    Raises
    ------
    BakeError : nothing is walkable (the message names the step that removed the last voxel), or the grid is too large.
    """
    body, settings = body or Body(), settings or VoxelSettings()
    report = progress or _silent
    spans = _voxels(soup, body, settings, report)
    report("regions", 0.45)
    regions = find_regions(spans)
    report("contours", 0.55)
    contours = find_contours(regions)
    report("polygons", 0.7)
    faces = polygonise(contours, regions)
    report("links", 0.85)
    mesh = assemble(faces.vertices_xyz, faces.face_start, faces.corners, body=body, barred=faces.barred, name=name)
    report("done", 1.0)
    return mesh


def walkable_voxels(
    soup: TriangleSoup,
    body: Body | None = None,
    settings: VoxelSettings | None = None,
    progress: Progress = None,
) -> OpenSpans:
    """Return the voxels where the body's centre can be, which the navmesh outlines; small islands are included."""
    return _voxels(soup, body or Body(), settings or VoxelSettings(), progress or _silent)


def _silent(stage: str, fraction: float) -> None:
    """Report nothing."""


def _voxels(soup: TriangleSoup, body: Body, settings: VoxelSettings, report: Callable[[str, float], None]) -> OpenSpans:
    report("rasterise", 0.0)
    vertices, triangles = clean_soup(soup)
    grid = VoxelGrid.over(vertices[triangles.ravel()], body, settings)
    solid = rasterise(vertices, triangles, grid)
    report("filter", 0.3)
    spans = open_spans(solid, grid)
    report("erode", 0.4)
    return erode(spans)


def soup_of(level: Level, body: Body = Body()) -> TriangleSoup:
    """Return a level as raw triangles: floors as sheets, obstacles and cover as closed prisms.

    No agent may stand on an obstacle, so its top faces down, and an obstacle no higher than a step is raised above one.
    Nor may an agent stand inside it, so decks too low for the body run through it.
    """
    surface = as_floors(level).surface
    assert not isinstance(surface, ConvexFaces)
    parts: list[Floats] = []
    if isinstance(surface, TriangleSoup):
        parts.append(surface.vertices_xyz[surface.triangles])
    elif isinstance(surface, Floors):
        for floor in surface.polygons:
            for piece in pieces_of(floor):
                flat = _triangles(piece.shape)
                z = piece.plane.heights(flat.reshape(-1, 2)).reshape(-1, 3, 1)
                parts.append(np.concatenate([flat, z], axis=2))
    least = body.climb * (1.0 + _MARGIN) + _MARGIN
    for thing in (*level.obstacles, *level.cover):
        tall = max(thing.height, least)
        storeys = 1 + math.floor(tall / (body.height * (1.0 - _MARGIN)))
        parts.append(_prism(thing.outline_xy, thing.z + np.linspace(0.0, tall, storeys + 1)))
    corners = np.concatenate([np.zeros((0, 3, 3)), *parts]).reshape(-1, 3)
    return TriangleSoup(corners, np.arange(len(corners), dtype=np.int32).reshape(-1, 3))


def _triangles(shape: shapely.Geometry) -> Floats:
    """Return counter-clockwise triangles (T, 3, 2) of one or several polygons."""
    polygons = shapely.get_parts(shape)
    corners = shapely.get_coordinates(shapely.get_parts(shapely.constrained_delaunay_triangles(polygons)))
    triangles: Array = corners.reshape(-1, 4, 2)[:, :3]
    one, other = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    clockwise = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0] < 0.0
    triangles[clockwise] = triangles[clockwise][:, ::-1]
    return triangles


def _prism(outline_xy: Floats, decks: Floats) -> Floats:
    """Return the triangles (T, 3, 3) of an upright prism with decks at given heights, the first and last as its ends.

    Its sides face outwards, all decks face down.
    """
    shape = shapely.orient_polygons(shapely.make_valid(shapely.Polygon(outline_xy)))
    parts = [part for part in shapely.get_parts(shape) if part.geom_type == "Polygon"]
    sides: list[Floats] = []
    for part in parts:
        cap = _triangles(part)
        sides += [np.concatenate([cap[:, ::-1], np.full((len(cap), 3, 1), z)], axis=2) for z in decks]
        for ring in (part.exterior, *part.interiors):
            flat = shapely.get_coordinates(ring)
            begin, end = flat[:-1], flat[1:]
            corner = [np.column_stack([xy, np.full(len(xy), z)]) for xy in (begin, end) for z in decks[[0, -1]]]
            sides.append(np.stack([corner[0], corner[2], corner[3]], axis=1))
            sides.append(np.stack([corner[0], corner[3], corner[1]], axis=1))
    return np.concatenate(sides) if sides else np.zeros((0, 3, 3))
