"""Check that every shape of a level has enough corners, at finite coordinates within range.

Readers report such faults with their position in the file; this check is for levels built in code.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ..conventions import Array
from ..errors import BakeError
from ..level.level import Floors, Level, Tiles

LIMIT = 1e7
"""Largest coordinate in metres: beyond it, float64 cannot distinguish welded vertices from their neighbours."""


def require_drawable(level: Level) -> None:
    """Raise if a shape has fewer than three corners, or coordinates that are not finite or too far from the origin."""
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
