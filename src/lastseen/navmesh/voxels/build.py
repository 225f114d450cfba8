"""The steps in order: from a triangle soup to a navmesh."""

from __future__ import annotations

from collections.abc import Callable

from ...conventions import Progress
from ...level.level import TriangleSoup
from ..assembly import assemble
from ..body import Body
from ..navmesh import NavMesh
from .contours import find_contours
from .open_spans import OpenSpans, erode, find_regions, open_spans
from .solid_spans import clean_soup, rasterise
from .triangulation import polygonise
from .voxel_settings import VoxelGrid, VoxelSettings


def build_from_soup(
    soup: TriangleSoup,
    body: Body | None = None,
    settings: VoxelSettings | None = None,
    progress: Progress = None,
    *,
    name: str = "",
) -> NavMesh:
    """Where on these triangles can the body walk? As a navmesh.

    Parameters
    ----------
    soup : raw geometry, z up; only triangles that face up (counter-clockwise from above) carry the body.
    progress : called with the name of each stage and the fraction done when it begins.

    Raises
    ------
    BakeError : nothing is walkable (the message says which step took the last voxel), or the grid is too large.
    """
    body, settings = body or Body(), settings or VoxelSettings()
    tell = progress or _silent
    spans = _voxels(soup, body, settings, tell)
    tell("regions", 0.45)
    regions = find_regions(spans)
    tell("contours", 0.55)
    contours = find_contours(regions)
    tell("polygons", 0.7)
    faces = polygonise(contours, regions)
    tell("links", 0.85)
    mesh = assemble(faces.vertices_xyz, faces.face_start, faces.corners, body=body, barred=faces.barred, name=name)
    tell("done", 1.0)
    return mesh


def walkable_voxels(
    soup: TriangleSoup,
    body: Body | None = None,
    settings: VoxelSettings | None = None,
    progress: Progress = None,
) -> OpenSpans:
    """Where can the body's centre be, as voxels: what the navmesh is drawn around (islands included)."""
    return _voxels(soup, body or Body(), settings or VoxelSettings(), progress or _silent)


def _silent(stage: str, fraction: float) -> None:
    """Tell nobody."""


def _voxels(soup: TriangleSoup, body: Body, settings: VoxelSettings, tell: Callable[[str, float], None]) -> OpenSpans:
    tell("rasterise", 0.0)
    vertices, triangles = clean_soup(soup)
    grid = VoxelGrid.over(vertices[triangles.ravel()], body, settings)
    solid = rasterise(vertices, triangles, grid)
    tell("filter", 0.3)
    spans = open_spans(solid, grid)
    tell("erode", 0.4)
    return erode(spans)
