"""Distance that sounds travel along cells, and the direction they seem to come from."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.bits import bit
from ..arrays.level_arrays import CellArrays
from ..cells.layer_spread import spread_from
from ..cells.tile_spread import Links, SpreadArrays
from ..jit import jit


@jit
def _towards(cells: CellArrays, distance: Array, cell: int, look: float) -> int:
    """Follow decreasing distances from `cell` for `look` metres, or to the source; return the cell reached."""
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
def _hear(
    cells: CellArrays,
    distance: Array,
    source_xyz: Array,
    ear_cell: Array,
    ear_xyz: Array,
    look: float,
    found: Array,
    direction: Array,
) -> None:
    """Write for each listener the distance one sound travelled and the direction it seems to come from."""
    for i in range(len(ear_cell)):
        cell = np.int64(ear_cell[i])
        if cell < 0 or distance[cell] == np.inf:
            continue
        dx, dy, dz = source_xyz[0] - ear_xyz[i, 0], source_xyz[1] - ear_xyz[i, 1], source_xyz[2] - ear_xyz[i, 2]
        straight = np.sqrt(dx * dx + dy * dy + dz * dz)
        # Distances are measured between cell centres, so limit them to at least the straight distance.
        found[i] = straight if distance[cell] == 0.0 else max(straight, distance[cell])
        way = _towards(cells, distance, cell, look)
        if distance[way] > 0.0:
            dx = np.float64(cells.cell_xyz[way, 0]) - ear_xyz[i, 0]
            dy = np.float64(cells.cell_xyz[way, 1]) - ear_xyz[i, 1]
        length = np.sqrt(dx * dx + dy * dy)
        direction[i, 0] = dx / length if length > 0.0 else 0.0
        direction[i, 1] = dy / length if length > 0.0 else 0.0


@jit
def hear_along_cells(
    cells: CellArrays,
    links: Links,
    work: SpreadArrays,
    source_cell: Array,
    source_xyz: Array,
    ear_cell: Array,
    ear_xyz: Array,
    reach: Array,
    away: Array,
    look: float,
    found: Array,
    direction: Array,
) -> None:
    """Write for each sound and listener the distance the sound travelled and the direction it seems to come from.

    Each sound whose straight distance `away` (s, n) to some ear is within `reach` (s, n) is spread once; cells are -1
    where there is none. Where a sound does not arrive, `found` (s, n) and `direction` (s, n, 2) keep their values.
    """
    start = np.empty(1, np.uint32)
    for number in range(len(source_cell)):
        furthest = -1.0
        for i in range(len(ear_cell)):
            if away[number, i] <= reach[number, i]:
                furthest = max(furthest, reach[number, i])
        if source_cell[number] < 0 or furthest < 0.0:
            continue
        start[0] = source_cell[number]
        count = spread_from(links, start, furthest, work)
        _hear(cells, work.distance, source_xyz[number], ear_cell, ear_xyz, look, found[number], direction[number])
        for k in range(np.uint64(count)):
            work.distance[np.uint64(work.reached[k])] = np.inf
