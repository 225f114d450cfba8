"""Step 4: open spans to regions that never lie above themselves."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...conventions import Array
from ...errors import BakeError
from ...kernels.voxel_regions import component_sizes, grow_regions
from .filter import OpenSpans

__all__ = ["Regions", "find_regions"]

FARTHEST = 8
"""Columns about a span that are looked at while a region grows: its cost goes with their square."""

BAND = 0.25
"""Metres of height within which ground counts as level while a region grows."""


@dataclass(frozen=True, eq=False)
class Regions:
    """Open spans without small islands, and the region of each: `region` (N,) int32, numbered from 0."""

    spans: OpenSpans
    region: Array
    count: int


def find_regions(spans: OpenSpans) -> Regions:
    """Leave out islands below the least area and part the rest into regions with one span a column at most."""
    grid = spans.grid
    size = component_sizes(spans.link)
    keep = size * grid.settings.voxel**2 >= grid.settings.min_region_area
    if not keep.any():
        raise BakeError(
            f"no walkable place: the largest island has {int(size.max()) * grid.settings.voxel**2:.3g} m², "
            f"below min_region_area = {grid.settings.min_region_area:g} m²; "
            "allow smaller islands (`--min-region`), or look more finely (`--voxel`)"
        )
    if not keep.all():
        spans = spans.only(keep)
    # Outlines stray by the edge error on either side; a column more keeps them apart.
    near = min(math.ceil(grid.settings.edge_error - 1e-6) + 1, FARTHEST)
    region, count = grow_regions(
        spans.link, spans.column_of, spans.floor, grid.width, grid.depth, BAND, grid.reach, near
    )
    return Regions(spans, region, count)
