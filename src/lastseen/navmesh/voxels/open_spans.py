"""Steps 2 to 4: find open spans above solid ones, keep them a radius away from walls, and group them into regions."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...conventions import Array
from ...errors import BakeError
from ...kernels.voxels.voxel_filter import border_distance, connect, flag_walkable, keep_spans
from ...kernels.voxels.voxel_regions import component_sizes, grow_regions
from .solid_spans import SolidSpans
from .voxel_settings import VoxelGrid


@dataclass(frozen=True, eq=False)
class OpenSpans:
    """Spans in which the body can stand, in row order; those of a column are `start[column]` to `start[column + 1]`.

    Attributes
    ----------
    start : (columns + 1,) uint32. column_of : (N,) uint32.
    floor, ceiling : (N,) float32, metres.
    link : (N, 4) int32, the open span one step to the east, north, west, south; -1: none.
    """

    grid: VoxelGrid
    start: Array
    column_of: Array
    floor: Array
    ceiling: Array
    link: Array

    @property
    def walkable_area(self) -> float:
        """Area in m² seen from above."""
        return len(self.floor) * self.grid.settings.voxel**2

    def only(self, keep: Array) -> OpenSpans:
        """Return the spans where `keep` (N,) is true."""
        kept, start, link = keep_spans(keep, self.start, self.link)
        return OpenSpans(self.grid, start, self.column_of[kept], self.floor[kept], self.ceiling[kept], link)


def open_spans(solid: SolidSpans, grid: VoxelGrid) -> OpenSpans:
    """Return the spans with a walkable top, no ledge next to them and room above, and the steps between them."""
    body = grid.body
    walkable, ceiling, tally = flag_walkable(
        solid.start, solid.spans, grid.width, grid.depth, body.height, body.climb, grid.steepest
    )
    if not walkable.any():
        raise BakeError(_why_nothing(tally, grid))
    kept, start, _ = keep_spans(walkable, solid.start, np.full((len(walkable), 4), -1, np.int32))
    column_of = np.repeat(np.arange(grid.width * grid.depth, dtype=np.uint32), np.diff(start))
    floor, ceiling = solid.spans[kept, 2], ceiling[kept]
    link = connect(start, column_of, floor, ceiling, grid.width, grid.depth, body.height, grid.reach)
    return OpenSpans(grid, start, column_of, floor, ceiling, link)


def _why_nothing(tally: Array, grid: VoxelGrid) -> str:
    body = grid.body
    if not tally[0]:
        return (
            f"no walkable place: no triangle faces up within a slope of {np.degrees(body.slope):.3g} degrees; "
            "allow a steeper slope, or check that z is up and triangles run counter-clockwise seen from above"
        )
    if not tally[2]:
        return (
            f"no walkable place: all {tally[1]} voxels that face up lie at ledges higher than the climb of "
            f"{body.climb:g} m; use a smaller voxel (now {grid.settings.voxel:g} m) or a higher climb"
        )
    return (
        f"no walkable place: none of {tally[2]} voxels has {body.height:g} m of room above it; use a lower body height"
    )


def erode(spans: OpenSpans) -> OpenSpans:
    """Drop open spans closer to a border than the body's radius, rounded up to whole voxels."""
    border = spans.grid.border
    if border == 0:
        return spans
    distance = border_distance(spans.link)
    keep = distance >= 2 * border
    if not keep.any():
        body, voxel = spans.grid.body, spans.grid.settings.voxel
        widest = (int(distance.max()) // 2 + 1) * voxel
        raise BakeError(
            f"no walkable place: a radius of {body.radius:g} m ({border} voxels) is wider than every passage; "
            f"the widest place allows a radius below {widest:g} m: use a smaller radius"
            + (f", or a voxel that divides it (now {voxel:g} m)" if math.fmod(body.radius, voxel) > 1e-6 else "")
        )
    return spans.only(keep)


FARTHEST = 8
"""Distance in columns examined around a span while a region grows; the cost rises with its square."""

BAND = 0.25
"""Height difference in metres within which floor counts as level while a region grows."""


@dataclass(frozen=True, eq=False)
class Regions:
    """Open spans without small islands, and the region of each: `region` (N,) int32, numbered from 0."""

    spans: OpenSpans
    region: Array
    count: int


def find_regions(spans: OpenSpans) -> Regions:
    """Drop islands below the least area and divide the rest into regions with at most one span per column."""
    grid = spans.grid
    size = component_sizes(spans.link)
    keep = size * grid.settings.voxel**2 >= grid.settings.min_region_area
    if not keep.any():
        raise BakeError(
            f"no walkable place: the largest island has {int(size.max()) * grid.settings.voxel**2:.3g} m², "
            f"below min_region_area = {grid.settings.min_region_area:g} m²; "
            "allow smaller islands (`--min-region`), or use a smaller voxel (`--voxel`)"
        )
    if not keep.all():
        spans = spans.only(keep)
    # Outlines may deviate by the edge error on either side; one more column keeps them apart.
    near = min(math.ceil(grid.settings.edge_error - 1e-6) + 1, FARTHEST)
    region, count = grow_regions(
        spans.link, spans.column_of, spans.floor, grid.width, grid.depth, BAND, grid.reach, near
    )
    return Regions(spans, region, count)
