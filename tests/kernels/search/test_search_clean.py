"""What a searcher cleans, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.cells.query import cell_at
from lastseen.kernels.search.search_inspection import clean_cells, clean_shapes
from lastseen.kernels.search.search_wave import FLAG, IS_QUEUED, IS_REGROWING, IS_SPOT, REGROWING, VALUE, Spreading
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


@pytest.mark.parametrize(
    ("holding", "diagonals", "metres", "source"),
    [
        ("nw e", True, 1.0, "e"),
        ("nw far", True, 2**0.5, "nw"),
        ("nw n", False, 1.0, "n"),
        ("nw ne se", False, np.inf, None),
        ("far", True, np.inf, None),
    ],
)
def test_what_bled_returns_from_the_nearest_neighbour_that_holds_influence(holding, diagonals, metres, source):
    layout, wave = _room("""
        ....
        ....
        ....
    """)
    x_y = {"nw": (0, 2), "n": (1, 2), "ne": (2, 2), "e": (2, 1), "se": (2, 0), "far": (3, 1)}
    cells = {name: _cell(layout, *place) for name, place in x_y.items()}
    wave.byte[:] = FLAG
    wave.wave[:] = np.arange(len(layout)) + 1
    for name in holding.split():
        wave.byte[cells[name]] = FLAG | 40 + cells[name]
    middle = _cell(layout, 1, 1)
    wave.byte[middle] = FLAG | VALUE
    rule = Spreading(fade=0.0, diagonals=diagonals, hold=False, bleed=True)
    assert clean_cells(layout.arrays, wave, np.array([middle], np.int32), rule, True, 5.0, False) == 1
    assert (wave.byte[middle], wave.count[REGROWING]) == (0, 0), "as if no wave had been here"
    assert wave.due[middle] == pytest.approx(5.0 + metres)
    if source is None:
        assert (wave.wave[middle], wave.strength[middle], wave.state[middle]) == (0, 0.0, 0)
    else:
        other = cells[source]
        assert wave.source[middle] == other
        assert (wave.wave[middle], wave.strength[middle], wave.state[middle]) == (other + 1, 40 + other, IS_QUEUED)


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
