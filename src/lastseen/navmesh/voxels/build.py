"""Run the steps of the voxel builder, from a triangle soup to a navmesh."""

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
