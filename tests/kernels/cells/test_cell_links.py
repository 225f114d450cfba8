"""Neighbours on steep slopes, against a look at every pair of cells."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.cells.connectivity import _component_heights
from lastseen.kernels.cells.cell_links import count_steep_pairs, find_steep_pairs
from lastseen.kernels.cells.cell_walk import MOST_FACES, column_box, faces_in_box
from lastseen.navmesh.query import faces_at
from specimens.cells import box, faces_mesh, ramp

WAYS = [(1, 0), (1, 1), (0, 1), (-1, 1), (0, 0)]


def tower(cell):
    """A steep ramp up, a landing, a ramp back over the first one, a deck over both, and a floor of its own below."""
    mesh = faces_mesh(
        box(-4, 0, 0, 2.3),
        ramp(0, 0, 3, 2.3, 0.0, 5.0),
        box(3, 0, 5, 4.7, 5.0),
        ramp(0.4, 2.3, 3, 4.7, 11.0, 5.0),
        box(-3, 2.3, 0.4, 4.7, 11.0),
        box(-4, 0, 4, 4.5, -3.0),
    )
    layout = build_layout(mesh, cell=cell)
    return mesh, layout.arrays, faces_at(mesh, layout.arrays.cell_xyz.astype(float))


def pairs_of(mesh, cells, face):
    """Return pairs (cell, other, way) in adjacent columns of one component, two or more levels apart."""
    component, grid, found = mesh.face_component[face], cells.cell_grid.astype(int), []
    for one, other in np.ndindex(len(grid), len(grid)):
        column, row, level = grid[other] - grid[one]
        if (column, row) in WAYS and component[one] == component[other] and abs(level) > 1:
            way = WAYS.index((column, row))
            if way < 4 or level > 0:
                found.append((one, other, way))
    return found


@pytest.mark.parametrize("cell", [0.9, 1.3])
def test_steep_neighbours_are_those_found_by_looking_at_every_pair(cell):
    mesh, cells, face = tower(cell)
    slow, known = pairs_of(mesh, cells, face), (cells, face, mesh.face_component, _component_heights(mesh))
    count = len(face)
    assert count_steep_pairs(*known, 0, count) == len(slow) > 20
    joined, faces, corners = [], np.empty(MOST_FACES, np.int64), np.empty(4)
    for one, other, way in slow:
        column_box(cells, one, other, corners)
        reached = faces_in_box(mesh.arrays, int(face[one]), corners, faces)
        if face[other] in faces[:reached]:
            joined.append((one, other, way))
    assert 0 < len(joined) < len(slow), "some are above one another but not joined"
    rows = np.zeros((3, len(slow)), np.int64)
    half = count // 2
    first = find_steep_pairs(mesh.arrays, *known, 0, half, *rows)
    later = find_steep_pairs(mesh.arrays, *known, half, count, *rows[:, first:])
    assert sorted(map(tuple, rows[:, : first + later].T.tolist())) == sorted(joined)
