"""Bake a level into cells for the commands: choose defaults by the kind of level and time each stage."""

from __future__ import annotations

import math
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import BakeError, InputError

if TYPE_CHECKING:
    from ..level.level import Level
    from .layout import CellLayout

__all__ = ["BakeSettings", "BakeStages", "bake_level"]

_RANGES = {
    "cell": ("m", 0.05, 100.0),
    "height": ("m", 0.1, 100.0),
    "radius": ("m", 0.0, 10.0),
    "body": ("m", 0.1, 20.0),
    "climb": ("m", 0.0, 5.0),
    "slope": ("degrees", 0.0, 90.0),
    "voxel": ("m", 0.01, 10.0),
    "voxel_height": ("m", 0.001, 10.0),
    "min_region": ("m²", 0.0, 1e9),
}
"""Unit, minimum and maximum of each option, as the builders accept them."""


class BakeStages(Protocol):
    """What times the stages of a bake, compiles their kernels if need be and shows how far they are."""

    def interpreted(self, *purposes: str) -> AbstractContextManager[None]:
        """Interpret the kernels of some purposes within the block, or compile them where that is quicker."""

    def run(self, stage: str, function: Any, *args: Any, **kwargs: Any) -> Any:
        """Run one stage and return what it returns."""

    def progress(self, detail: str, fraction: float) -> None:
        """Show what the stage does, and how far it is (0 … 1)."""


@dataclass(frozen=True)
class BakeSettings:
    """The options of a bake, None where not given: metres, `slope` in degrees, `min_region` in m²."""

    cell: float | None = None
    height: float | None = None
    radius: float | None = None
    body: float | None = None
    climb: float | None = None
    slope: float | None = None
    builder: str = "auto"
    voxel: float | None = None
    voxel_height: float | None = None
    min_region: float | None = None

    def __post_init__(self) -> None:
        """Report an option that is out of range by its name, before anything is read or baked."""
        from ..checks import finite_number

        for name, (unit, low, high) in _RANGES.items():
            value = getattr(self, name)
            if value is not None:
                finite_number(value, f"--{name.replace('_', '-')}", unit=unit, low=low, high=high)

    def settled(self, level: Level) -> BakeSettings:
        """Return the settings with every default filled in.

        Tile maps are baked so that the cells are the tiles: radius 0 and cells as wide as a tile. A ready-made navmesh
        already keeps its distance from walls: radius 0.
        """
        from ..level.level import ConvexFaces, Tiles
        from ..navmesh.agent import Agent

        usual = Agent()
        surface = level.surface
        tile = surface.floors[0].tile if isinstance(surface, Tiles) and surface.floors else None
        slim = isinstance(surface, Tiles | ConvexFaces)
        return BakeSettings(
            cell=_given(self.cell, tile or 1.0),
            height=_given(self.height, 2.0),
            radius=_given(self.radius, 0.0 if slim else usual.radius),
            body=_given(self.body, usual.height),
            climb=_given(self.climb, usual.climb),
            slope=_given(self.slope, 45.0),
            builder=self.builder,
            voxel=self.voxel,
            voxel_height=self.voxel_height,
            min_region=self.min_region,
        )

    def as_object(self) -> dict[str, Any]:
        """Return the settings for JSON, with units in the names."""
        named = {
            "cell_m": self.cell,
            "level_height_m": self.height,
            "radius_m": self.radius,
            "body_height_m": self.body,
            "climb_m": self.climb,
            "slope_degrees": self.slope,
            "builder": self.builder,
        }
        voxels = {"voxel_m": self.voxel, "voxel_height_m": self.voxel_height, "min_region_m2": self.min_region}
        return named | {name: value for name, value in voxels.items() if value is not None}


def bake_level(level: Level, settings: BakeSettings, stages: BakeStages, given: str) -> CellLayout:
    """Return the cells of a level; `settings` must be settled, and errors name the level as `given`."""
    try:
        return _bake(level, settings, stages)
    except (BakeError, InputError) as error:
        words = str(error)
        for name in (level.source, level.name, "the level"):
            words = words.removeprefix(f"{name}: ") if name else words
        raise type(error)(f"{given}: {words}") from error


def _bake(level: Level, settings: BakeSettings, stages: BakeStages) -> CellLayout:
    from ..navmesh.agent import Agent
    from ..navmesh.build import build_navmesh
    from ..navmesh.voxels.voxel_settings import VoxelSettings
    from .build import build_layout

    purpose = _purpose(level, settings)
    _refuse_idle(settings, purpose)
    agent = Agent(
        radius=_number(settings.radius),
        height=_number(settings.body),
        climb=_number(settings.climb),
        slope=math.radians(_number(settings.slope)),
    )
    asked: dict[str, Any] = {
        "voxel": settings.voxel,
        "voxel_height": settings.voxel_height,
        "min_region_area": settings.min_region,
    }
    given = {name: value for name, value in asked.items() if value is not None}
    voxels = VoxelSettings(**given) if given else None
    with stages.interpreted(purpose):
        mesh = stages.run(
            "navmesh", build_navmesh, level, agent, builder=settings.builder, voxels=voxels, progress=stages.progress
        )
        layout: CellLayout = stages.run(
            "cells", build_layout, mesh, cell=settings.cell, height=settings.height, progress=stages.progress
        )
    return layout


def _refuse_idle(settings: BakeSettings, purpose: str) -> None:
    """Refuse options that say how to look at triangles where none are looked at."""
    named = ("voxel", "voxel_height", "min_region")
    idle = [f"--{name.replace('_', '-')}" for name in named if getattr(settings, name) is not None]
    if idle and purpose != "triangles":
        advice = "" if purpose == "faces" else ", or give --builder voxel"
        is_one = len(idle) == 1
        raise InputError(
            f"{', '.join(idle)}: {'an option' if is_one else 'options'} for triangle meshes, which this level is not; "
            f"leave {'it' if is_one else 'them'} out{advice}"
        )


def _purpose(level: Level, settings: BakeSettings) -> str:
    """Return the purpose whose kernels bake this level."""
    from ..level.level import ConvexFaces, Tiles, TriangleSoup

    surface = level.surface
    if isinstance(surface, TriangleSoup) or settings.builder == "voxel":
        return "triangles"
    if isinstance(surface, ConvexFaces):
        return "faces"
    return "tiles" if isinstance(surface, Tiles) and settings.radius == 0.0 else "floors"


def _given(value: float | None, default: float) -> float:
    return default if value is None else value


def _number(value: float | None) -> float:
    assert value is not None, "settle the settings first"
    return value
