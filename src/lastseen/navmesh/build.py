"""Build a navmesh from a level with the builder that fits its surface."""

from __future__ import annotations

from ..checks import instance_of, shown
from ..conventions import Progress
from ..errors import InputError, did_you_mean
from ..level.level import ConvexFaces, Floors, Level, Surface, Tiles, TriangleSoup
from .body import Body
from .navmesh import NavMesh
from .shape_check import require_drawable
from .voxels.voxel_settings import VoxelSettings

BUILDERS = ("auto", "polygon", "tile", "voxel", "ready")

_FITTING: dict[type[Surface], tuple[str, ...]] = {
    Floors: ("polygon", "voxel"),
    Tiles: ("tile", "polygon", "voxel"),
    TriangleSoup: ("voxel",),
    ConvexFaces: ("ready",),
}
"""Builders for each kind of surface; "auto" selects the first."""


def build_navmesh(
    level: Level,
    body: Body = Body(),
    *,
    builder: str = "auto",
    voxels: VoxelSettings | None = None,
    progress: Progress = None,
) -> NavMesh:
    """Build the navmesh of a level for a body.

    Parameters
    ----------
    builder : "polygon" for floors, "tile" for tile maps, "voxel" for triangles (or floors, as a cross-check),
        "ready" for convex faces, "auto" for the first that fits.
    voxels : resolution and tolerances of the voxel builder; for that builder only.
    progress : called with the name of a stage and the fraction done, 0 … 1.
    """
    instance_of(level, Level, "level", "give a Level: Level.read(path) or Level.sample(name)")
    instance_of(body, Body, "body", "give a Body")
    if voxels is not None:
        instance_of(voxels, VoxelSettings, "voxels", "give VoxelSettings, or None")
    chosen = _choose(level.surface, builder)
    if voxels is not None and chosen != "voxel":
        raise InputError(f"voxels apply to the voxel builder, but {chosen!r} builds this level; omit them")
    require_drawable(level)
    if chosen == "voxel":
        from .voxels.build import build_from_soup
        from .voxels.extrusion import soup_of

        return build_from_soup(soup_of(level, body), body, voxels, progress, name=level.name)
    if chosen == "tile":
        from .tiles import build_from_tiles

        return build_from_tiles(level, body, progress=progress)
    if chosen == "polygon":
        from .polygons import build_from_floors
        from .tiles import as_floors

        return build_from_floors(as_floors(level), body, progress=progress)
    from .assembly import build_from_faces

    return build_from_faces(level, body)


def _choose(surface: Surface, builder: str) -> str:
    fitting = _FITTING[type(surface)]
    if not isinstance(builder, str) or builder not in BUILDERS:
        close = did_you_mean(builder, BUILDERS)
        raise InputError(f"builder {shown(builder)} is unknown{close}; choose from {', '.join(BUILDERS)}")
    if builder == "auto":
        return fitting[0]
    if builder not in fitting:
        kind = type(surface).__name__
        raise InputError(
            f"builder {builder!r} does not support a surface of {kind}; use {' or '.join(map(repr, fitting))}"
        )
    return builder
