"""How far a sound comes along the cells, and from which side it seems to come."""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .bits import bit
from .cell_arrays import CellArrays
from .jit import jit

__all__ = ["hear_along_cells"]


@jit
def _towards(cells: CellArrays, distance: Array, cell: int, look: float) -> int:
    """Return the cell at which a walker down the distances from `cell` has gone `look` metres, or arrived."""
    goal = max(0.0, distance[cell] - look)
    while distance[cell] > goal:
        best = cell
        for link in range(np.int64(cells.link_start[cell]), np.int64(cells.link_start[cell + 1])):
            other = np.int64(cells.link_cell[link])
            if distance[other] < distance[best] and not bit(cells.blocked, link):
                best = other
        if best == cell:
            break
        cell = best
    return cell


@jit
def hear_along_cells(
    cells: CellArrays,
    reached: Array,
    metres: Array,
    distance: Array,
    source_xyz: Array,
    ear_cell: Array,
    ear_xyz: Array,
    look: float,
    found: Array,
    direction: Array,
) -> None:
    """Write for each listener how far the sound came and which way it seems to lie.

    `reached` (k,) cells with `metres` (k,) from the source; `distance` (N,) float64 is infinite before and after.
    `found` (n,) and `direction` (n, 2) keep what they hold where the sound does not come.
    """
    for k in range(len(reached)):
        distance[reached[k]] = metres[k]
    for i in range(len(ear_cell)):
        cell = np.int64(ear_cell[i])
        if cell < 0 or distance[cell] == np.inf:
            continue
        dx, dy, dz = source_xyz[0] - ear_xyz[i, 0], source_xyz[1] - ear_xyz[i, 1], source_xyz[2] - ear_xyz[i, 2]
        straight = np.sqrt(dx * dx + dy * dy + dz * dz)
        # Distances run from middle to middle of cells: never nearer than the crow flies.
        found[i] = straight if distance[cell] == 0.0 else max(straight, distance[cell])
        way = _towards(cells, distance, cell, look)
        if distance[way] > 0.0:
            dx = np.float64(cells.cell_xyz[way, 0]) - ear_xyz[i, 0]
            dy = np.float64(cells.cell_xyz[way, 1]) - ear_xyz[i, 1]
        length = np.sqrt(dx * dx + dy * dy)
        direction[i, 0] = dx / length if length > 0.0 else 0.0
        direction[i, 1] = dy / length if length > 0.0 else 0.0
    for k in range(len(reached)):
        distance[reached[k]] = np.inf
