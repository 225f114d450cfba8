"""Choose a likely place to lose a target on a level, as an example."""

from __future__ import annotations

import numpy as np

from ...cells.layout import CellLayout
from ...cells.query import nearest_cell
from ...conventions import Floats
from ...layers.spread import Spread
from ...level.level import Level
from ...navmesh.query import find_path
from ...vocabulary.words import GOAL_MARKERS
from .loss import Loss

_SHARE = 1.0 / 3.0
"""Share of the path to the exit on which no target is lost."""


def likely_loss(layout: CellLayout, level: Level) -> Loss:
    """Return a loss at a corner of the path from the player's start to the exit, or to the furthest cell without one.

    It is the first corner after a third of the path; without any corner the loss happens half-way.
    """
    start = np.array(next((spawn.xyz for spawn in level.spawns if spawn.who != "guard"), layout.arrays.cell_xyz[0]))
    path = find_path(layout.mesh, start, _goal(layout, level, start)).points_xyz
    if len(path) < 2:
        return Loss(_on_cell(layout, start))
    legs = np.diff(path, axis=0)
    run = np.cumsum(np.linalg.norm(legs, axis=1))
    corners = np.flatnonzero(run[:-1] >= _SHARE * run[-1])
    if not len(corners):
        return Loss(_on_cell(layout, path[0] + legs[0] / 2.0), legs[0])
    return Loss(_on_cell(layout, path[corners[0] + 1]), legs[corners[0]])


def _on_cell(layout: CellLayout, xyz: Floats) -> Floats:
    """Return the position of the nearest cell: corners of paths touch walls, bodies do not."""
    return layout.arrays.cell_xyz[nearest_cell(layout, xyz)].astype(np.float64)


def _goal(layout: CellLayout, level: Level, start: Floats) -> Floats:
    for marker in level.markers:
        if marker.kind in GOAL_MARKERS:
            return np.array(marker.xyz)
    reached = Spread(layout).distances([nearest_cell(layout, start)])
    furthest = int(reached.cells[np.argmax(reached.metres)])
    return layout.arrays.cell_xyz[furthest].astype(np.float64)
