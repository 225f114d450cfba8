"""Bakes: triangle soups against Recast in time and walkable area, and tile maps with a radius against none."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from lastseen.cells.from_level import layout_of_level
from lastseen.level.level import Level, TriangleSoup
from lastseen.level.readers import mesh_file
from lastseen.navmesh.body import Body
from lastseen.navmesh.voxels.build import build_from_soup, walkable_voxels
from lastseen.navmesh.voxels.voxel_settings import VoxelSettings

from .harness import Agreement, Comparison
from .peers import recast

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "recast"
MAPS = {"brc100d": 4.0, "maze512-32-9": 3.0}
"""Tile maps of 512 × 512 tiles, and how much longer a bake may take for the default body than for one without width."""
SOUPS = ("dungeon", "nav_test")
SLOWEST = 5.0
FARTHEST = 0.03
GRID = ((0.3, 0.6), (0.2, 0.6), (0.15, 0.6), (0.3, 0.3), (0.15, 0.3))
"""Voxel and radius in metres; the first are the defaults of Recast's own demo."""


def comparisons() -> Iterator[Comparison | Agreement | str]:
    yield from _tile_maps()
    reason = recast.why_not() or ("" if DATA.is_dir() else "the real meshes are not at ../shared/data")
    if reason:
        yield f"bake: {reason}"
        return
    for name in SOUPS:
        yield _time(name)
    for name in SOUPS:
        for voxel, radius in GRID:
            yield from _areas(name, voxel, radius)


def _tile_maps() -> Iterator[Comparison | str]:
    folder = DATA.parent / "movingai"
    if not folder.is_dir():
        yield "bake: the real maps are not at ../shared/data"
        return
    for name, most in MAPS.items():
        yield _with_radius(Level.read(folder / f"{name}.map"), name, most)


def _with_radius(level: Level, name: str, most: float) -> Comparison:
    """Bake for the default body, against a body without width, whose cells are the tiles."""
    return Comparison(
        f"bake {name}.map with a radius of 0.3 m",
        lambda _: layout_of_level(level),
        lambda _: layout_of_level(level, Body(radius=0.0)),
        at_most=most,
        peer_name="radius 0",
    )


def _time(name: str) -> Comparison:
    """Bake at 0.3 m, Recast with its detail mesh and Detour's tables; the soup is turned a little on every call."""
    body = Body(radius=0.6, height=2.0, climb=0.9)
    soups = [_soup(name, 0.1 * k) for k in range(5)]
    handed = [recast.turned(soup.vertices_xyz, soup.triangles) for soup in soups]
    settings, theirs = _settings(0.3), recast.settings_like(body)
    return Comparison(
        f"bake {name}.obj at 0.3 m",
        lambda number: build_from_soup(soups[number % 5], body, settings),
        lambda number: recast.RecastMesh(*handed[number % 5], theirs),
        at_most=SLOWEST,
        peer_name="Recast",
    )


def _areas(name: str, voxel: float, radius: float) -> Iterator[Agreement]:
    body = Body(radius=radius, height=2.0, climb=0.9)
    soup, settings = _soup(name), _settings(voxel)

    @cache
    def baked() -> recast.RecastMesh:
        return recast.bake(soup.vertices_xyz, soup.triangles, recast.settings_like(body, voxel=voxel))

    where = f"of {name}.obj at voxel {voxel:g} m, radius {radius:g} m"
    yield Agreement(
        f"bake: area of faces {where}",
        lambda: float(build_from_soup(soup, body, settings).face_area.sum()),
        lambda: baked().polygon_area(),
        FARTHEST,
        "Recast",
        " m²",
    )
    yield Agreement(
        f"bake: area of voxels {where}",
        lambda: walkable_voxels(soup, body, settings).walkable_area,
        lambda: baked().walkable_area,
        FARTHEST,
        "Recast",
        " m²",
    )


def _soup(name: str, turn: float = 0.0) -> TriangleSoup:
    """Return a real soup, turned by `turn` radians round the vertical."""
    level = mesh_file.read((DATA / f"{name}.obj").read_bytes(), f"{name}.obj", up="y")
    assert isinstance(level.surface, TriangleSoup)
    cos, sin = math.cos(turn), math.sin(turn)
    spin = np.array([[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]])
    return TriangleSoup(level.surface.vertices_xyz @ spin, level.surface.triangles)


def _settings(voxel: float) -> VoxelSettings:
    """Return ours for the errors, region size and corners of Recast's demo."""
    return VoxelSettings(
        voxel=voxel,
        voxel_height=0.2,
        max_edge_error=1.3 * voxel,
        min_region_area=(8 * voxel) ** 2,
        height_error=0.2,
        max_corners=6,
    )
