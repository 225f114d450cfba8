"""Which cell to look at next, worked by hand and by scoring all of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.cells.query import cell_at
from lastseen.kernels.search.search_score import ScoreRules, score_cells
from lastseen.kernels.search.search_wave import TOUCHED
from lastseen.reasoning.search.map.wave import wave_arrays
from specimens.cells import passable, tile_layout
from specimens.layers import bit_field, open_floor

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


@pytest.mark.parametrize("room", [1, 4, 40])
@pytest.mark.parametrize("seed", range(5))
def test_the_best_are_those_of_all_scores_in_order(seed, room):
    random = np.random.default_rng(seed)
    layout = open_floor(6, 5)
    count = len(layout)
    heights = (random.integers(0, 5, count) / 2.0).astype(np.float32)
    cells = layout.arrays._replace(disabled=bit_field(count, [3, 17]))
    cells.cell_xyz[:, 2] = heights
    wave = wave_arrays(layout, random.choice([0, 30, 90, 127], count).astype(np.int8))
    wave.touched[:], wave.count[TOUCHED] = random.permutation(count), count - 4
    place, others = np.array([2.0, 1.5, 3.0]), random.uniform(0.0, 5.0, (seed % 3, 3))
    walked = random.choice([1.0, 2.0, 4.0, 6.5, np.inf], count) if seed % 2 else np.zeros(0)
    expected = []
    for cell in wave.touched[: count - 4].tolist():
        away = walked[cell] if seed % 2 else math.dist(cells.cell_xyz[cell], place)
        if cell in (3, 17) or not wave.byte[cell] or away == math.inf:
            continue
        closest = min((math.dist(cells.cell_xyz[cell], other) for other in others), default=math.inf)
        curve = np.interp(away, [RULES.too_near, RULES.near, RULES.far, RULES.too_far], [0.1, 1.0, 1.0, 0.1])
        terms = wave.byte[cell] / 127.0, curve, np.interp(closest, [0.0, RULES.spread], [0.1, 1.0])
        expected.append((-round(math.prod(terms), 12), cell, terms, (away, closest)))
    out = np.zeros(room, np.uint32), np.zeros(room), np.zeros((room, 3)), np.zeros((room, 2))
    seen, filled = score_cells(cells, wave, place, walked, others, RULES, *out)
    assert (seen, filled) == (len(expected), min(len(expected), room))
    expected = sorted(expected)[:room]
    assert out[1][:filled] == pytest.approx([-each[0] for each in expected])
    chosen = {int(cell): number for number, cell in enumerate(out[0][:filled])}
    worst = -expected[-1][0]
    for score, cell, terms, metres in expected:
        if -score > worst + 1e-9:  # of cells alike but for rounding, the last may be another
            assert out[2][chosen[cell]] == pytest.approx(terms)
            assert out[3][chosen[cell]] == pytest.approx(metres)
