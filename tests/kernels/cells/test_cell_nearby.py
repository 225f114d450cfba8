"""Of cells equally near the one with the lowest id is nearest, whichever is looked at first."""

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.cells.query import cell_at, nearest_cell, nearest_cells
from specimens.cells import box, faces_mesh, tile_layout


@pytest.fixture(scope="module")
def floor():
    return tile_layout(np.ones((6, 6), bool))


@pytest.mark.parametrize("corner", [(2.0, 2.0), (3.0, 1.0), (5.0, 5.0), (1.0, 4.0)])
def test_at_the_corner_of_four_cells_the_first_is_nearest(floor, corner):
    x, y = corner
    four = [cell_at(floor, (x + dx, y + dy)) for dx in (-0.5, 0.5) for dy in (-0.5, 0.5)]
    assert nearest_cell(floor, (x, y, 0.0)) == min(four)
    assert nearest_cells(floor, [(x, y, 0.0)] * 3, 0.75).tolist() == [min(four)] * 3


def test_between_two_cells_of_a_row_and_of_a_column_the_first_is_nearest(floor):
    for one, other in (((1.5, 2.5), (2.5, 2.5)), ((3.5, 3.5), (3.5, 4.5))):
        middle = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2, 0.0)
        assert nearest_cell(floor, middle) == min(cell_at(floor, one), cell_at(floor, other))


def test_equally_far_off_on_a_sparse_grid_the_first_is_nearest():
    """Two floors far to either side: rings of empty slots are given up for a look at every cell."""
    layout = build_layout(faces_mesh(box(299, 0, 300, 1), box(-300, 0, -299, 1), box(0, 700, 1, 701)))
    assert len(layout.arrays.hash_cell)
    pair = cell_at(layout, (299.5, 0.5)), cell_at(layout, (-299.5, 0.5))
    assert nearest_cell(layout, (0.0, 0.5, 0.0)) == min(pair)
    assert nearest_cell(layout, (0.5, 0.5, 0.0)) == pair[0]
    assert nearest_cell(layout, (-0.5, 0.5, 0.0)) == pair[1]
    assert nearest_cell(layout, (0.0, 0.5, 0.0), 299.5) == min(pair)
    assert nearest_cell(layout, (0.0, 0.5, 0.0), 299.4) == -1


def test_a_cell_exactly_at_the_radius_is_found(floor):
    assert nearest_cell(floor, (-1.5, 0.5, 0.0), 2.0) == cell_at(floor, (0.5, 0.5))
    assert nearest_cell(floor, (-1.5, 0.5, 0.0), 1.999) == -1
