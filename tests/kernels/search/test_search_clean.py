"""What a searcher cleans, worked by hand."""

from __future__ import annotations

import numpy as np

from lastseen.cells.query import cell_at
from lastseen.kernels.search.search_inspection import clean_cells, clean_shapes
from lastseen.kernels.search.search_wave import FLAG, IS_REGROWING, IS_SPOT, REGROWING, VALUE, Spreading
from lastseen.reasoning.search.map.wave import line_arrays, wave_arrays
from lastseen.reasoning.search.sight import boxes
from specimens.cells import passable, tile_layout

PLAIN = Spreading(fade=0.0, diagonals=True, hold=False, bleed=False)


def _room(text):
    layout = tile_layout(passable(text))
    wave = wave_arrays(layout, np.zeros(len(layout), np.int8))
    wave.byte[:] = FLAG | VALUE
    return layout, wave


def test_cleaned_cells_keep_the_flag_come_back_and_spots_wait_for_their_use():
    layout, wave = _room("....")
    wave.state[2] = IS_SPOT
    ids = np.array([1, 2], np.int32)
    assert clean_cells(layout.arrays, wave, ids, PLAIN, True, 0.0, False) == 1
    assert wave.byte.tolist() == [255, FLAG, 255, 255]
    assert wave.state[1] == IS_REGROWING
    assert (wave.count[REGROWING], wave.regrowing[0]) == (1, 1)
    assert clean_cells(layout.arrays, wave, ids, PLAIN, False, 0.0, True) == 1, "nothing was left in the first"
    assert wave.byte[2] == FLAG


def test_a_square_is_cleaned_as_far_as_one_walks_straight():
    layout, wave = _room("""
        .....
        ..#..
        .....
    """)
    feet, cursor = np.array([(1.5, 1.5, 0.0)]), np.zeros(2, np.int64)
    options = np.array([2.0, 0.5]), PLAIN, False, 0.0
    args = layout.mesh.arrays, layout.arrays, wave, line_arrays(), feet, boxes(feet, 2.0), 1.0
    cleaned = clean_shapes(*args, True, *options, cursor, 2**62)
    left = {(x, y) for x in range(5) for y in range(3) if (x, y) != (2, 1) and wave.byte[_cell(layout, x, y)] & VALUE}
    # The pillar hides the cell behind it and those beside that; the last column is out of the square.
    assert left == {(3, 0), (3, 1), (3, 2), (4, 0), (4, 1), (4, 2)}
    assert cleaned == 14 - len(left)
    assert clean_shapes(*args, False, *options, cursor, 2**62) == 3, "without the test walls do not count"


def _cell(layout, x, y):
    return cell_at(layout, (x + 0.5, y + 0.5, 0.0))


def test_a_budget_of_lines_goes_on_where_it_stopped():
    layout, wave = _room("......")
    feet, cursor = np.array([(0.5, 0.5, 0.0)]), np.zeros(2, np.int64)
    args = layout.mesh.arrays, layout.arrays, wave, line_arrays(), feet, boxes(feet, 9.0), 1.0, True
    options = np.array([2.0, 0.5]), PLAIN, False, 0.0, cursor, 4
    assert clean_shapes(*args, *options) == 4
    assert cursor[1] > 0
    assert clean_shapes(*args, *options) == 2
    assert cursor.tolist() == [0, 0]
