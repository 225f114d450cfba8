"""Which cell to look at next, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.cells.query import cell_at
from lastseen.kernels.search.search_score import ScoreRules, score_cells
from lastseen.kernels.search.search_wave import TOUCHED
from lastseen.reasoning.search.map.wave import wave_arrays
from specimens.cells import passable, tile_layout

RULES = ScoreRules(too_near=1.0, near=3.0, far=5.0, too_far=9.0, spread=4.0, least=0.1)


def test_influence_times_distance_times_spread():
    layout = tile_layout(passable("........"))
    wave = wave_arrays(layout, np.zeros(8, np.int8))
    along = [cell_at(layout, (x + 0.5, 0.5, 0.0)) for x in range(8)]
    wave.touched[:], wave.count[TOUCHED] = np.arange(8), 8
    wave.byte[along] = [127, 127, 127, 127, 64, 127, 127, 0]
    chosen, scores = np.zeros(3, np.uint32), np.zeros(3)
    terms, metres = np.zeros((3, 3)), np.zeros((3, 2))
    place, others = np.array([0.5, 0.5, 0.0]), np.array([(3.5, 0.5, 0.0)])
    out = chosen, scores, terms, metres
    assert score_cells(layout.arrays, wave, place, np.zeros(0), others, RULES, *out) == (7, 3)
    # At 6 m the distance counts 0.1 + 0.9 x 3/4; 3 m from the other 0.1 + 0.9 x 3/4, 2 m 0.1 + 0.9 / 2.
    assert chosen.tolist() == [along[6], along[5], along[2]]
    assert scores.tolist() == pytest.approx([0.775 * 0.775, 0.55, 0.55 * 0.325])
    assert terms[0].tolist() == pytest.approx([1.0, 0.775, 0.775])
    assert metres[0].tolist() == [6.0, 3.0]


def test_what_cannot_be_walked_to_is_no_destination():
    layout = tile_layout(passable("...."))
    wave = wave_arrays(layout, np.zeros(4, np.int8))
    wave.touched[:], wave.count[TOUCHED] = np.arange(4), 4
    wave.byte[:] = 127
    out = np.zeros(1, np.uint32), np.zeros(1), np.zeros((1, 3)), np.zeros((1, 2))
    walked = np.array([0.0, np.inf, 4.0, np.inf])
    cells = layout.arrays
    assert score_cells(cells, wave, np.zeros(3), walked, np.zeros((0, 3)), RULES, *out) == (2, 1)
    assert out[0][0] == 2
    assert out[3][0].tolist() == [4.0, np.inf]
