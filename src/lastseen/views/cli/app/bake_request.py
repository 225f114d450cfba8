"""The bake options of a command: check them, and bake a level with them, timing each stage."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ....errors import BakeError, InputError

if TYPE_CHECKING:
    from ....cells.layout import CellLayout
    from ....level.level import Level
    from ....navmesh.body import Body
    from ....navmesh.voxels.voxel_settings import VoxelSettings
    from .console import Stages

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
_VOXELS = {"voxel": "voxel", "voxel_height": "voxel_height", "min_region": "min_region_area"}
"""Options for triangle meshes, and the fields of `VoxelSettings` that they set."""


@dataclass(frozen=True)
class BakeRequest:
    """The options of a bake, None where the default of the library holds: metres, degrees, `min_region` in m²."""

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
        from ....checks import finite_number

        for name, (unit, low, high) in _RANGES.items():
            value = getattr(self, name)
            if value is not None:
                finite_number(value, f"--{name.replace('_', '-')}", unit=unit, low=low, high=high)

    def bake(self, level: Level, stages: Stages, given: str) -> CellLayout:
        """Return the cells of a level; errors name it as `given`."""
        try:
            return self._bake(level, stages)
        except (BakeError, InputError) as error:
            words = str(error)
            for name in (level.source, level.name, "the level"):
                words = words.removeprefix(f"{name}: ") if name else words
            raise type(error)(f"{given}: {words}") from error

    def _bake(self, level: Level, stages: Stages) -> CellLayout:
        from ....cells.from_level import layout_of_level

        purpose = self._purpose(level)
        self._refuse_idle(purpose)
        sizes = {name: value for name in ("cell", "height") if (value := getattr(self, name)) is not None}
        with stages.interpreted(purpose):
            return layout_of_level(
                level,
                self._agent(),
                **sizes,
                builder=self.builder,
                voxels=self._voxels(),
                progress=stages.progress,
                run=stages.run,
            )

    def _agent(self) -> Body:
        from ....navmesh.body import Body

        slope = None if self.slope is None else math.radians(self.slope)
        given = {"radius": self.radius, "height": self.body, "climb": self.climb, "slope": slope}
        return Body(**{name: value for name, value in given.items() if value is not None})

    def _voxels(self) -> VoxelSettings | None:
        from ....navmesh.voxels.voxel_settings import VoxelSettings

        given = {field: value for name, field in _VOXELS.items() if (value := getattr(self, name)) is not None}
        return VoxelSettings(**given) if given else None

    def _refuse_idle(self, purpose: str) -> None:
        """Refuse options for triangle meshes where no triangles are read."""
        idle = [f"--{name.replace('_', '-')}" for name in _VOXELS if getattr(self, name) is not None]
        if idle and purpose != "triangles":
            advice = "" if purpose == "faces" else ", or give --builder voxel"
            is_one = len(idle) == 1
            raise InputError(
                f"{', '.join(idle)}: {'an option' if is_one else 'options'} for triangle meshes, which this level is "
                f"not; leave {'it' if is_one else 'them'} out{advice}"
            )

    def _purpose(self, level: Level) -> str:
        """Return the purpose whose kernels bake this level."""
        from ....level.level import ConvexFaces, Tiles, TriangleSoup

        surface = level.surface
        if isinstance(surface, TriangleSoup) or self.builder == "voxel":
            return "triangles"
        if isinstance(surface, ConvexFaces):
            return "faces"
        return "tiles" if isinstance(surface, Tiles) and self.radius == 0.0 else "floors"

    def as_object(self, layout: CellLayout) -> dict[str, Any]:
        """Return for JSON what a layout was baked with, with units in the names."""
        agent, (cell, _, height) = layout.mesh.body, layout.arrays.size_xyz.tolist()
        named = {
            "cell_m": cell,
            "level_height_m": height,
            "radius_m": agent.radius,
            "body_height_m": agent.height,
            "climb_m": agent.climb,
            "slope_degrees": round(math.degrees(agent.slope), 9),
            "builder": self.builder,
        }
        voxels = {"voxel_m": self.voxel, "voxel_height_m": self.voxel_height, "min_region_m2": self.min_region}
        return named | {name: value for name, value in voxels.items() if value is not None}
