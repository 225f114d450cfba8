"""How near a walk comes to something, worked by hand."""

from __future__ import annotations

import numpy as np

from lastseen.cells.query import cell_at
from lastseen.kernels.search.location_measure import nearest_of_ways
from lastseen.layers.spread import Spread
from specimens.cells import passable, tile_layout


def test_a_way_is_as_bad_as_its_worst_cell_and_the_better_of_two_counts():
    layout = tile_layout(
        passable("""
        .....
        .###.
        .....
    """)
    )
    ids = {
        (x, y): cell_at(layout, (x + 0.5, y + 0.5, 0.0)) for x in range(5) for y in (0, 1, 2) if y != 1 or x in (0, 4)
    }
    reached = Spread(layout).distances([ids[0, 1]])
    order = np.argsort(reached.metres, kind="stable")
    cells = reached.cells[order]
    metres = np.full(len(layout), np.inf)
    metres[cells] = reached.metres[order]
    here = np.full(len(cells), 9.0)
    here[cells == ids[2, 0]] = 1.0  # somebody stands in the upper passage
    near = np.full(len(layout), np.nan)
    nearest_of_ways(layout.arrays, cells, metres, here, near)
    assert near[ids[1, 0]] == 9.0
    assert near[ids[3, 0]] == near[ids[4, 0]] == 1.0
    assert near[ids[4, 2]] == 9.0
    assert near[ids[4, 1]] == 9.0, "both ways are as long; one takes the one below"
