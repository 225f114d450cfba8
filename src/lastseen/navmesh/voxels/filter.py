"""Step 2: solid spans to open spans, places on top of matter where the agent can stand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...conventions import Array
from ...errors import BakeError
from ...kernels.voxel_filter import connect, flag_walkable, keep_spans
from .rasterise import SolidSpans
from .settings import VoxelGrid

__all__ = ["OpenSpans", "open_spans"]


@dataclass(frozen=True, eq=False)
class OpenSpans:
    """Where the agent can stand, in row order; open spans of a column are `start[column]` to `start[column + 1]`.

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
    """Find the spans with a walkable top, no ledge beside them and room above, and the steps between them."""
    agent = grid.agent
    walkable, ceiling, tally = flag_walkable(
        solid.start, solid.spans, grid.width, grid.depth, agent.height, agent.climb, grid.steepest
    )
    if not walkable.any():
        raise BakeError(_why_nothing(tally, grid))
    kept, start, _ = keep_spans(walkable, solid.start, np.full((len(walkable), 4), -1, np.int32))
    column_of = np.repeat(np.arange(grid.width * grid.depth, dtype=np.uint32), np.diff(start))
    floor, ceiling = solid.spans[kept, 2], ceiling[kept]
    link = connect(start, column_of, floor, ceiling, grid.width, grid.depth, agent.height, grid.reach)
    return OpenSpans(grid, start, column_of, floor, ceiling, link)


def _why_nothing(tally: Array, grid: VoxelGrid) -> str:
    agent = grid.agent
    if not tally[0]:
        return (
            f"no walkable place: no triangle faces up within a slope of {np.degrees(agent.slope):.3g} degrees; "
            "allow a steeper slope, or check that z is up and triangles run counter-clockwise seen from above"
        )
    if not tally[2]:
        return (
            f"no walkable place: all {tally[1]} voxels that face up lie at ledges higher than the climb of "
            f"{agent.climb:g} m; give a smaller voxel (now {grid.settings.voxel:g} m) or a higher climb"
        )
    return (
        f"no walkable place: none of {tally[2]} voxels has {agent.height:g} m of room above it; "
        "give a lower agent height"
    )
