"""A wave along a passage, worked by hand."""

from __future__ import annotations

import numpy as np

from lastseen.cells.query import cell_at
from lastseen.kernels.search.search_wave import (
    BEHIND,
    FLAG,
    IS_REGROWING,
    REGROWING,
    VALUE,
    Spreading,
    forget_wave,
    regrow,
    run_wave,
    start_wave,
)
from lastseen.reasoning.search.map.wave import wave_arrays
from specimens.cells import passable, tile_layout

PLAIN = Spreading(fade=0.0, diagonals=True, hold=False, bleed=False)
ENDLESS = 2**62


def _passage():
    layout = tile_layout(passable("......"))
    wave = wave_arrays(layout, np.zeros(len(layout), np.int8))
    along = [cell_at(layout, (x + 0.5, 0.5, 0.0)) for x in range(6)]
    return layout.arrays, wave, along


def _seed(cells, wave, cell, strength, number=1, metres=0.0):
    start_wave(cells, wave, np.array([cell], np.int32), np.array([strength], np.float32), number, metres)


def test_a_wave_comes_a_cell_further_with_every_metre():
    cells, wave, along = _passage()
    _seed(cells, wave, along[1], 127.0)
    for metres, value in (
        (0.5, [0, 1, 0, 0, 0, 0]),
        (1.0, [1, 1, 1, 0, 0, 0]),
        (2.99, [1, 1, 1, 1, 0, 0]),
        (9.0, [1] * 6),
    ):
        run_wave(cells, wave, metres, ENDLESS, PLAIN)
        assert (wave.byte[along] == (VALUE | FLAG) * np.array(value)).all(), metres


def test_it_fades_by_the_metre_and_ends_below_a_half():
    cells, wave, along = _passage()
    _seed(cells, wave, along[0], 5.0)
    run_wave(cells, wave, 9.0, ENDLESS, PLAIN._replace(fade=1.5))
    assert (wave.byte[along] & VALUE).tolist() == [5, 4, 2, 0, 0, 0]  # 5, 3.5, 2, 0.5: half to the even
    assert (wave.byte[along] & FLAG > 0).tolist() == [True] * 4 + [False] * 2


def test_a_budget_ends_it_and_the_rest_comes_later():
    cells, wave, along = _passage()
    _seed(cells, wave, along[0], 127.0)
    assert run_wave(cells, wave, 9.0, 4, PLAIN) == 4
    assert wave.count[BEHIND] == 1
    assert run_wave(cells, wave, 9.0, 9, PLAIN) == 2
    assert wave.count[BEHIND] == 0
    assert (wave.byte[along] & VALUE == VALUE).all()


def test_cells_regrow_to_the_top_and_forgetting_puts_all_back():
    cells, wave, along = _passage()
    _seed(cells, wave, along[0], 127.0)
    run_wave(cells, wave, 9.0, ENDLESS, PLAIN)
    wave.byte[along[2]] = FLAG
    wave.state[along[2]] |= IS_REGROWING
    wave.regrowing[0], wave.count[REGROWING] = along[2], 1
    regrow(wave, 3, 5)
    assert wave.byte[along[2]] == FLAG | 3
    regrow(wave, 3, 5)
    assert wave.byte[along[2]] == FLAG | 5
    assert wave.count[REGROWING] == 0
    forget_wave(wave)
    assert not wave.byte.any()
    assert not wave.state.any()
    assert np.isinf(wave.due).all()
