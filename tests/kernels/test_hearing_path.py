"""How far a sound comes round a corner, worked by hand."""

from __future__ import annotations

import numpy as np

from lastseen.cells.query import cell_at
from lastseen.kernels.hearing_path import hear_along_cells
from lastseen.layers.spread import Spread
from specimens_cells import passable, tile_layout


def test_a_sound_comes_round_the_corner_and_seems_to_come_from_there():
    layout = tile_layout(
        passable("""
        .....
        .####
        .....
    """)
    )
    source, ears = np.array([4.5, 0.5, 0.0]), np.array([(4.5, 2.5, 0.0), (4.4, 0.5, 0.0), (2.5, 2.5, 0.0)])
    ear_cell = np.array([cell_at(layout, ear) for ear in ears], np.int32)
    reached = Spread(layout).distances([cell_at(layout, source)], reach=11.0)
    distance = np.full(len(layout), np.inf)
    found, direction = np.full(3, np.inf), np.zeros((3, 2))
    hear_along_cells(
        layout.arrays, reached.cells, reached.metres, distance, source, ear_cell, ears, 3.0, found, direction
    )
    # Four back, two across and four on: no step cuts the corner. In the same cell it is the straight line.
    assert found[0] == 10.0
    assert found[1] == abs(4.4 - 4.5)
    assert found[2] == 8.0
    assert direction[0].tolist() == [-1.0, 0.0]
    assert direction[1].tolist() == [1.0, 0.0]
    assert np.isinf(distance).all(), "work arrays are put back"
