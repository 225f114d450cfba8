"""How near are people to places, and from where is a target in view?"""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.kernels.sight.exposure import near_places, spots_in_view
from lastseen.kernels.sight.sight_line import clear_lines
from specimens.perception import block, hall, sight_of

metres = st.floats(-20.0, 20.0)
points = st.lists(st.tuples(metres, metres, metres), min_size=1, max_size=4)
SIGHT = sight_of(hall(obstacles=[block(4.0, 4.0, 5.0, 6.0, 3.0)]))


def in_view(spots, target, near=0.0, far=99.0):
    where = np.array(spots, np.float64)
    away, good = np.empty(len(where)), np.empty(len(where), np.bool_)
    spots_in_view(SIGHT, where, np.array([target], np.float64), 1.6, 1.3, near, far, away, good)
    return good, away


def test_half_as_near_at_the_half_distance():
    table = np.empty((2, 2))
    near_places(np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 4.0]]), np.array([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0]]), 5.0, table)
    assert table.tolist() == [[1.0, 5.0 / 8.0], [5.0 / 9.0, 0.5]]


@given(points, points)
@settings(max_examples=40)
def test_nearness_is_that_of_whole_arrays_to_the_bit(feet, places):
    feet, places = np.array(feet), np.array(places)
    table = np.empty((len(feet), len(places)))
    near_places(feet, places, 10.0, table)
    away = feet[:, None] - places[None]
    assert np.array_equal(table, 10.0 / (10.0 + np.sqrt((away * away).sum(axis=2))))


def test_a_target_is_in_view_between_two_distances_and_not_behind_a_block():
    spots = [(2.0, 5.0, 0.0), (7.0, 2.0, 0.0), (7.0, 4.5, 0.0)]
    good, away = in_view(spots, (7.0, 5.0, 0.0), near=1.0, far=6.0)
    assert good.tolist() == [False, True, False], "behind the block; in view; too near"
    assert away.tolist() == [5.0, 3.0, 0.5]
    assert in_view(spots, (7.0, 5.0, 0.0), far=2.0)[0].tolist() == [False, False, True]


@given(st.lists(st.tuples(st.floats(0.5, 9.5), st.floats(0.5, 9.5), st.just(0.0)), min_size=1, max_size=5), points)
@settings(max_examples=40)
def test_it_is_the_line_from_the_eyes_to_the_chest(spots, targets):
    target = (*np.clip(targets[0][:2], 0.5, 9.5).tolist(), 0.0)
    eyes, chest = np.array(spots) + np.array((0.0, 0.0, 1.6)), np.tile((*target[:2], 1.3), (len(spots), 1))
    clear = np.empty(len(spots), np.bool_)
    clear_lines(SIGHT, eyes, chest, clear)
    good = in_view(spots, target, 2.0, 6.0)[0]
    for row, spot in enumerate(spots):
        metres_off = math.dist(spot, target)
        if min(abs(metres_off - 2.0), abs(metres_off - 6.0)) > 1e-9:
            assert good[row] == (2.0 < metres_off < 6.0 and clear[row])
