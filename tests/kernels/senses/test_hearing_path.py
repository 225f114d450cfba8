"""How far a sound comes round a corner, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.cells.query import cell_at
from lastseen.kernels.senses.hearing_path import hear_along_cells
from lastseen.layers.spread import Spread
from specimens.cells import passable, tile_layout


def test_a_sound_comes_round_the_corner_and_seems_to_come_from_there():
    layout = tile_layout(
        passable("""
        .....
        .####
        .....
    """)
    )
    source, ears = np.array([4.5, 0.5, 0.4]), np.array([(4.5, 2.5, 0.0), (4.4, 0.5, 0.1), (2.5, 2.5, 0.0)])
    ear_cell = np.array([cell_at(layout, ear) for ear in ears], np.int32)
    away = np.sqrt(((source - ears) ** 2).sum(axis=1))[None]
    found, direction = np.full((2, 3), np.inf), np.zeros((2, 3, 2))
    # The second sound is made where there is no cell: it does not come.
    cells, places = np.array([cell_at(layout, source), -1], np.int32), np.array([source, source])
    with Spread(layout).lend() as (links, work):
        hear_along_cells(
            layout.arrays,
            links,
            work,
            cells,
            places,
            ear_cell,
            ears,
            np.full((2, 3), 11.0),
            np.repeat(away, 2, axis=0),
            3.0,
            found,
            direction,
        )
    assert np.isinf(found[1]).all()
    found, direction, distance = found[0], direction[0], work.distance
    # Four back, two across and four on: no step cuts the corner. In the same cell it is the straight line.
    assert found[0] == 10.0
    assert found[1] == pytest.approx(np.hypot(0.1, 0.3))
    assert found[2] == 8.0
    assert direction[0].tolist() == [-1.0, 0.0]
    assert direction[1].tolist() == [1.0, 0.0]
    assert np.isinf(distance).all(), "work arrays are put back"


@pytest.mark.parametrize(("ear", "expected"), [((1.5, 0.5), (0.0, 0.0)), ((1.2, 0.9), (0.6, -0.8))])
def test_a_sound_close_by_comes_straight_and_one_at_the_ear_has_no_direction(ear, expected):
    layout = tile_layout(passable("..."))
    source, place = np.array([(1.5, 0.5, 0.0)]), np.array([(*ear, 0.0)])
    cell = np.array([cell_at(layout, source[0])], np.int32)
    found, direction = np.full((1, 1), np.inf), np.full((1, 1, 2), np.nan)
    with Spread(layout).lend() as (links, work):
        hear_along_cells(
            *(layout.arrays, links, work, cell, source, cell, place, np.full((1, 1), 9.0), np.zeros((1, 1)), 3.0),
            *(found, direction),
        )
    assert found[0, 0] == pytest.approx(0.5 if any(expected) else 0.0)
    assert direction[0, 0] == pytest.approx(expected)
