"""Build a navmesh from a level with the builder that fits its surface."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..checks import expect, instance_of, shown
from ..conventions import Array, Progress
from ..errors import BakeError, InputError, did_you_mean
from ..level.level import ConvexFaces, Floors, Level, Surface, Tiles, TriangleSoup
from .body import Body
from .navmesh import LIMIT, NavMesh
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
    expect(level, Level, "level")
    expect(body, Body, "body")
    if voxels is not None:
        instance_of(voxels, VoxelSettings, "voxels", "give VoxelSettings, or None")
    chosen = _choose(level.surface, builder)
    if voxels is not None and chosen != "voxel":
        raise InputError(f"voxels apply to the voxel builder, but {chosen!r} builds this level; omit them")
    _require_drawable(level)
    if level.platforms:
        from .platforms import with_platforms

        level, chosen = with_platforms(level, body, chosen), "polygon"
    if chosen == "voxel":
        from .voxels.build import build_from_soup, soup_of

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


def _require_drawable(level: Level) -> None:
    """Raise if a shape has fewer than three corners, or coordinates that are not finite or too far from the origin.

    Readers report such faults with their position in the file; this check is for levels built in code.
    """
    for name, ring in _rings(level):
        if ring.ndim != 2 or len(ring) < 3:
            _refuse(level, f"{name} has {len(ring)} corners; a polygon needs at least 3")
        if not np.abs(ring).max() <= LIMIT:
            worst = ring[int(np.argmax(np.where(np.isnan(ring), np.inf, np.abs(ring)).max(axis=1)))]
            _refuse(
                level,
                f"{name} has a corner at {worst.tolist()}; coordinates must be finite and at most {LIMIT:g} m: "
                "move the level closer to the origin",
            )
    for kind, obstacles in (("obstacle", level.obstacles), ("cover", level.cover)):
        for obstacle in obstacles:
            if not (math.isfinite(obstacle.z) and math.isfinite(obstacle.height)):
                _refuse(
                    level,
                    f"{kind} {obstacle.name!r} stands on z = {obstacle.z:g} and is {obstacle.height:g} m tall; "
                    "both must be finite",
                )
    if isinstance(level.surface, Tiles):
        _require_tiles(level, level.surface)


def _rings(level: Level) -> Iterator[tuple[str, Array]]:
    surface = level.surface
    floors = surface.polygons if isinstance(surface, Floors) else surface.ramps if isinstance(surface, Tiles) else ()
    for floor in floors:
        for ring in (floor.outline_xyz, *floor.holes_xyz):
            yield f"{floor.kind} {floor.name!r}", ring
    for piece in level.platforms:
        for ring in (piece.outline_xyz, *piece.holes_xyz):
            yield f"platform {piece.name!r}", ring
    for kind, obstacles in (("obstacle", level.obstacles), ("cover", level.cover)):
        for obstacle in obstacles:
            yield f"{kind} {obstacle.name!r}", obstacle.outline_xy


def _require_tiles(level: Level, tiles: Tiles) -> None:
    for storey, floor in enumerate(tiles.floors):
        if not 0.0 < floor.tile <= LIMIT:
            _refuse(level, f"tiles of storey {storey} are {floor.tile:g} m wide; give a width above 0")
        corner = (*floor.origin_xy, floor.z)
        if not all(abs(value) <= LIMIT for value in corner):
            _refuse(
                level,
                f"storey {storey} lies at z = {floor.z:g}, origin {tuple(floor.origin_xy)}; coordinates must be finite "
                f"and at most {LIMIT:g} m",
            )


def _refuse(level: Level, why: str) -> None:
    raise BakeError(f"{level.source or level.name or 'the level'}: {why}")
