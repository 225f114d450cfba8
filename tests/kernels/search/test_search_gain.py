"""What a look would show, and where to look next: worked by hand, and against plain Python."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.cells.query import cell_at
from lastseen.kernels.search.search_gain import BEARINGS, GainRules, gain_at, list_view, score_gains, unseen_bearings
from lastseen.kernels.search.search_wave import IS_SPOT
from lastseen.reasoning.look_arrays import empty_sight
from lastseen.reasoning.search.map.wave import wave_arrays
from oracles.chase import plain_sight
from specimens.cells import passable, tile_layout

RULES = GainRules(far=10.0, look=2.0, spot=20.0, stale=0.5, taken=0.25, spread=4.0, least=0.1, area=1.0)
ROOMS = """
    .....#....
    .....#....
    ..........
    .....#....
    .....#....
"""


def sight_of(layout):
    return empty_sight(len(layout))


def out(room):
    return np.zeros(room, np.uint32), np.zeros(room), np.zeros((room, 3)), np.zeros((room, 2))


def corridor(values):
    layout = tile_layout(passable("." * len(values)))
    wave = wave_arrays(layout, np.zeros(len(values), np.int8))
    along = [cell_at(layout, (x + 0.5, 0.5, 0.0)) for x in range(len(values))]
    wave.byte[along] = values
    return layout, wave, along


def test_a_gain_is_the_area_in_view_weighed_by_influence_squared_and_spots_count_where_they_are():
    layout, wave, along = corridor([127, 0, 127, 63, 0, 0, 127])
    wave.state[along[6]] = IS_SPOT
    sight = sight_of(layout)
    half = (63 / 127) ** 2  # half the influence counts a quarter
    assert gain_at(layout.arrays, wave, sight, along[0], RULES) == pytest.approx(2.0 + half)
    assert gain_at(layout.arrays, wave, sight, along[6], RULES) == pytest.approx(2.0 + half + 20.0)
    near = RULES._replace(far=2.5, area=0.25)
    assert gain_at(layout.arrays, wave, sight, along[0], near) == pytest.approx(0.25 * 2.0)
    assert gain_at(layout.arrays, wave, sight, along[6], near) == pytest.approx(20.0)


def test_the_best_place_shows_most_per_metre_and_what_others_will_see_counts_less():
    layout, wave, along = corridor([0, 0, 0, 0, 0, 127, 127, 0, 0, 0, 0, 127, 127, 127])
    sight, rules = sight_of(layout), RULES._replace(far=3.0)
    reached, walked = np.array(along[2:], np.int32), np.arange(12, dtype=np.float64)
    nobody = np.zeros(0, np.int32), np.zeros((0, 3))
    found = out(2)
    # From 2.5 m along the corridor: 5 and 6 show each other, 11 to 13 are three, but far away.
    assert score_gains(layout.arrays, wave, sight, -1, reached, walked, *nobody, rules, 99, *found) == (5, 2)
    assert found[0][0] == along[5]
    assert found[1][0] == pytest.approx(2.0 / (3.0 + 2.0))
    assert found[2][0] == pytest.approx([2.0, 1.0 / 5.0, 1.0])
    assert found[3][0].tolist() == [3.0, math.inf]
    # Another is about to look from 6.
    others = np.array([along[6]], np.int32), layout.arrays.cell_xyz[along[6]][None].astype(np.float64)
    score_gains(layout.arrays, wave, sight, -1, reached, walked, *others, rules, 99, *found)
    assert found[0][0] in (along[11], along[12], along[13])
    assert found[2][0, 0] == pytest.approx(3.0)
    # What the searcher has in view counts half.
    score_gains(layout.arrays, wave, sight, along[4], reached, walked, *nobody, rules, 99, *found)
    assert found[2][0, 0] == pytest.approx(1.0 if found[0][0] == along[5] else 3.0)


@pytest.mark.parametrize("seed", range(6))
def test_gains_and_bearings_are_those_of_cells_seen_one_by_one(seed):
    random = np.random.default_rng(seed)
    layout = tile_layout(passable(ROOMS))
    cells, sight = layout.arrays, sight_of(layout)
    wave = wave_arrays(layout, random.choice([0, 40, 127], len(layout)).astype(np.int8))
    wave.state[random.integers(0, len(layout), 3)] = IS_SPOT
    rules, source = RULES._replace(far=float(random.uniform(2.0, 9.0))), int(random.integers(len(layout)))
    neighbours = [
        [int(cells.link_cell[link]) for link in range(cells.link_start[one], cells.link_start[one + 1])]
        for one in range(len(layout))
    ]
    seen = plain_sight(cells, neighbours, source, rules.far)
    assert set(sight.found[0, : list_view(cells, sight, source, rules.far)].tolist()) == seen
    expected, bins = 0.0, np.zeros(BEARINGS)
    for cell in seen:
        value = wave.byte[cell] / 127.0
        if wave.state[cell] & IS_SPOT:
            expected += rules.spot * value**2 if cell == source else 0.0
            continue
        expected += value**2
        dx, dy = (cells.cell_xyz[cell, :2] - cells.cell_xyz[source, :2]).astype(np.float64)
        bins[math.floor(math.atan2(dy, dx) / math.tau * BEARINGS + 0.5) % BEARINGS] += value
    assert gain_at(cells, wave, sight, source, rules) == pytest.approx(expected)
    weights = np.zeros(BEARINGS)
    place = cells.cell_xyz[source].astype(np.float64)
    assert unseen_bearings(cells, wave, sight, source, place, rules.far, weights) == pytest.approx(bins.sum())
    assert weights == pytest.approx(bins)


def test_with_few_looks_cells_are_weighed_at_equal_intervals_and_spots_always():
    layout, wave, along = corridor([127] * 40)
    wave.state[along[39]] = IS_SPOT
    found, sight = out(40), sight_of(layout)
    given = np.array(along, np.int32), np.arange(40, dtype=np.float64)
    rules = RULES._replace(far=1.0, spot=1000.0)
    seen, filled = score_gains(
        layout.arrays, wave, sight, -1, *given, np.zeros(0, np.int32), np.zeros((0, 3)), rules, 2, *found
    )
    assert seen == 40
    assert filled <= 40 // (40 // 8) + 1
    assert found[0][0] == along[39]
