"""How finely the voxel builder looks, and the grid that follows from it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...checks import finite_number, frozen
from ...conventions import Floats
from ...errors import BakeError, InputError
from ..body import Body

EDGE_ERROR = 1.3
"""Voxels an outline may stray unless told otherwise: enough to straighten the steps of an oblique wall."""

MOST_COLUMNS = 50_000_000
"""Largest grid: about 1 GB of spans in a level with two storeys."""

STEEPEST = math.radians(60.0)
"""Slopes beyond this are climbed as steps: between two voxels they could not be told from walls."""


@dataclass(frozen=True)
class VoxelSettings:
    """Resolution and tolerances, all in metres or m².

    Attributes
    ----------
    voxel : 0.01 … 10 m, edge of a column seen from above; half the body's radius or a third is a good choice.
    voxel_height : 0.001 … 10 m, surfaces nearer than this above one another are one.
    max_edge_error : 0 … 100 m, how far an outline may stray from the edge of the voxels; None: 1.3 voxels.
    max_edge_length : 0 … 10,000 m, longest edge along a wall; 0: any length.
    min_region_area : 0 … 1e9 m², smaller islands are left out.
    height_error : 0.01 … 100 m, how far a face may stray from the floor.
    max_corners : 3 … 32 corners of a face.
    """

    voxel: float = 0.15
    voxel_height: float = 0.1
    max_edge_error: float | None = None
    max_edge_length: float = 12.0
    min_region_area: float = 2.0
    height_error: float = 0.2
    max_corners: int = 8

    def __post_init__(self) -> None:
        finite_number(self.voxel, "voxel", unit="m", low=0.01, high=10.0)
        finite_number(self.voxel_height, "voxel_height", unit="m", low=0.001, high=10.0)
        if self.max_edge_error is not None:
            finite_number(self.max_edge_error, "max_edge_error", unit="m", low=0.0, high=100.0)
        finite_number(self.max_edge_length, "max_edge_length", unit="m", low=0.0, high=1e4)
        finite_number(self.min_region_area, "min_region_area", unit="m²", low=0.0, high=1e9)
        finite_number(self.height_error, "height_error", unit="m", low=0.01, high=100.0)
        if not isinstance(self.max_corners, int) or not 3 <= self.max_corners <= 32:
            raise InputError(f"max_corners is {self.max_corners!r}; it must be a whole number from 3 to 32")

    @property
    def edge_error(self) -> float:
        """Voxels an outline may stray from the edge of the voxels."""
        return EDGE_ERROR if self.max_edge_error is None else self.max_edge_error / self.voxel


@dataclass(frozen=True, eq=False)
class VoxelGrid:
    """The columns over a soup's bounding box and the body's limits on them.

    Attributes
    ----------
    origin_xyz : (3,) float64, minimum corner in metres. width, depth : columns along x, along y.
    """

    settings: VoxelSettings
    body: Body
    origin_xyz: Floats
    width: int
    depth: int

    @staticmethod
    def over(vertices_xyz: Floats, body: Body, settings: VoxelSettings) -> VoxelGrid:
        """Lay a grid over the points, or say why it would be too large."""
        low, high = vertices_xyz.min(axis=0), vertices_xyz.max(axis=0)
        width, depth = (max(1, math.ceil(size / settings.voxel - 1e-6)) for size in (high - low)[:2])
        if width * depth > MOST_COLUMNS:
            fitting = math.sqrt((high - low)[0] * (high - low)[1] / MOST_COLUMNS)
            raise BakeError(
                f"a level of {high[0] - low[0]:.6g} x {high[1] - low[1]:.6g} m at voxel {settings.voxel:g} m needs "
                f"{width} x {depth} columns; at most {MOST_COLUMNS:,} are allowed: "
                f"give a voxel of at least {math.ceil(fitting * 1000) / 1000:g} m, or bake the level in parts"
            )
        return VoxelGrid(settings, body, frozen(low), width, depth)

    @property
    def reach(self) -> float:
        """Metres, highest step between two columns: the climb, or what a walkable slope rises from one to the next."""
        return max(self.body.climb, math.tan(min(self.body.slope, STEEPEST)) * self.settings.voxel)

    @property
    def steepest(self) -> float:
        """Metres the floor may differ across three columns and still be walkable."""
        return max(self.body.climb, 2.0 * math.tan(min(self.body.slope, STEEPEST)) * self.settings.voxel)

    @property
    def border(self) -> int:
        """Voxels kept away from walls."""
        return math.ceil(self.body.radius / self.settings.voxel - 1e-6)

    def to_world(self, corner_xy: Floats, z: Floats) -> Floats:
        """Return positions (n, 3) in metres of points given in voxels."""
        xy = np.asarray(corner_xy, dtype=np.float64) * self.settings.voxel + self.origin_xyz[:2]
        return np.column_stack([xy, z])
