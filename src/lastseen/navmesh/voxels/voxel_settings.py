"""Resolution and tolerances of the voxel builder, and its grid."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...checks import finite_number, frozen
from ...conventions import MOST_COLUMNS, Floats
from ...errors import BakeError, InputError
from ..body import Body

EDGE_ERROR = 1.3
"""Voxels by which an outline may deviate by default: enough to straighten the steps of an oblique wall."""

STEEPEST = math.radians(60.0)
"""Steeper slopes are climbed as steps: between two voxels they cannot be distinguished from walls."""


@dataclass(frozen=True)
class VoxelSettings:
    """Resolution and tolerances, all in metres or m².

    Attributes
    ----------
    voxel : edge of a column seen from above, 0.01 … 10 m; a half or a third of the body's radius is a good choice.
    voxel_height : vertical distance below which surfaces are merged, 0.001 … 10 m.
    max_edge_error : largest deviation of an outline from the edge of the voxels, 0 … 100 m; None: 1.3 voxels.
    max_edge_length : longest edge along a wall, 0 … 10,000 m; 0: any length.
    min_region_area : area below which islands are dropped, 0 … 1e9 m².
    height_error : largest deviation of a face from the floor, 0.01 … 100 m.
    max_corners : most corners of a face, 3 … 32.
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
        """Largest deviation of an outline from the edge of the voxels, in voxels."""
        return EDGE_ERROR if self.max_edge_error is None else self.max_edge_error / self.voxel


@dataclass(frozen=True, eq=False)
class VoxelGrid:
    """The columns over a soup's bounding box, and the body's limits in them.

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
        """Lay a grid over the points; raise BakeError if it would be too large."""
        low, high = vertices_xyz.min(axis=0), vertices_xyz.max(axis=0)
        width, depth = (max(1, math.ceil(size / settings.voxel - 1e-6)) for size in (high - low)[:2])
        if width * depth > MOST_COLUMNS:
            fitting = math.sqrt((high - low)[0] * (high - low)[1] / MOST_COLUMNS)
            raise BakeError(
                f"a level of {high[0] - low[0]:.6g} x {high[1] - low[1]:.6g} m at voxel {settings.voxel:g} m needs "
                f"{width} x {depth} columns; at most {MOST_COLUMNS:,} are allowed: "
                f"use a voxel of at least {math.ceil(fitting * 1000) / 1000:g} m, or bake the level in parts"
            )
        return VoxelGrid(settings, body, frozen(low), width, depth)

    @property
    def reach(self) -> float:
        """Highest step between two columns in metres: the climb, or the rise of the steepest walkable slope."""
        return max(self.body.climb, math.tan(min(self.body.slope, STEEPEST)) * self.settings.voxel)

    @property
    def steepest(self) -> float:
        """Largest height difference of walkable floor across three columns, metres."""
        return max(self.body.climb, 2.0 * math.tan(min(self.body.slope, STEEPEST)) * self.settings.voxel)

    @property
    def border(self) -> int:
        """Distance kept from walls, in voxels."""
        return math.ceil(self.body.radius / self.settings.voxel - 1e-6)

    def to_world(self, corner_xy: Floats, z: Floats) -> Floats:
        """Return positions (n, 3) in metres of points given in voxels."""
        xy = np.asarray(corner_xy, dtype=np.float64) * self.settings.voxel + self.origin_xyz[:2]
        return np.column_stack([xy, z])
