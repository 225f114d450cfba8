"""From a level to cells: the one default that the library, commands, scenarios, sweeps and the studio share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..checks import expect
from ..conventions import Progress
from ..level.check_size import USUAL_HEIGHT, default_cell
from ..level.level import Level
from ..navmesh.body import Body
from ..navmesh.build import build_navmesh
from ..navmesh.voxels.voxel_settings import VoxelSettings
from .build import build_layout
from .layout import CellLayout

Run = Callable[..., Any]
"""Runs one stage: called with its name, a function and its arguments; returns what the function returns."""


def _call(_: str, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return function(*args, **kwargs)


def layout_of_level(
    level: Level,
    body: Body = Body(),
    *,
    cell: float | None = None,
    height: float = USUAL_HEIGHT,
    builder: str = "auto",
    voxels: VoxelSettings | None = None,
    progress: Progress = None,
    run: Run = _call,
) -> CellLayout:
    """Build the navmesh of a level and cut it into cells; see `CellLayout.from_level`.

    `run` runs the stages "navmesh" and "cells", for callers that time them.
    """
    expect(level, Level, "level")
    edge = default_cell(level) if cell is None else cell
    mesh = run("navmesh", build_navmesh, level, body, builder=builder, voxels=voxels, progress=progress)
    layout: CellLayout = run("cells", build_layout, mesh, cell=edge, height=height, progress=progress)
    return layout
