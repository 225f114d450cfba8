"""Slow, obvious versions of what a search map does."""

from __future__ import annotations

import heapq
import math

from lastseen.cells.query import neighbours, positions
from lastseen.navmesh.query import raycast


def arrivals(layout, seeds):
    """Metres the wave has gone when it reaches each cell: `{cell: metres}` from `{cell: metres at its start}`."""
    waiting, found = [(metres, cell) for cell, metres in seeds.items()], {}
    heapq.heapify(waiting)
    while waiting:
        metres, cell = heapq.heappop(waiting)
        if cell in found:
            continue
        found[cell] = metres
        for other, length in zip(*neighbours(layout, cell)):
            heapq.heappush(waiting, (metres + float(length), int(other)))
    return found


def seen_cells(layout, xyz, heading, angle, distance, reach_z):
    """Cells in the triangle before somebody, to whose position one can walk straight."""
    found = []
    x, y, z = xyz
    for cell, (cx, cy, cz) in enumerate(positions(layout, range(len(layout.arrays.cell_grid))).tolist()):
        ahead = (cx - x) * math.cos(heading) + (cy - y) * math.sin(heading)
        aside = (cy - y) * math.cos(heading) - (cx - x) * math.sin(heading)
        if abs(cz - z) > reach_z or ahead > distance or abs(aside) > ahead * math.tan(angle / 2):
            continue
        if raycast(layout.mesh, xyz, (cx, cy, cz)).reached:
            found.append(cell)
    return found
