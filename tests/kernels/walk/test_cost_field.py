"""Shapes and bars, worked by hand and against plain words."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.walk.cost_field import CAPSULE, LINE, TRAPEZOID, crosses_bar, shape_cost, shape_costs
from oracles.tactical import crosses, line_value

NUMBER = st.floats(-20.0, 20.0, allow_nan=False).map(lambda value: round(value, 3))


def test_a_line_is_dearest_on_its_centre_and_fades_to_its_sides_behind_and_beyond():
    # From the origin along +x: 10 m ahead, 4 m behind, 5 m to each side, 8 a metre.
    shape = np.array([[LINE, 0, 0, 0, 1, 0, 10, 4, 5, 8, 3]], float)
    cost = {
        (0, 0): 8.0,
        (5, 0): 8.0,
        (5, 2.5): 4.0,
        (5, -2.5): 4.0,
        (5, 5): 0.0,
        (-2, 0): 4.0,
        (-4, 0): 0.0,
        (12.5, 0): 4.0,
        (15, 0): 0.0,
        (12.5, 2.5): 2.0,
    }
    for (x, y), expected in cost.items():
        assert shape_cost(shape, float(x), float(y), 0.0) == expected, (x, y)
    assert shape_cost(shape, 5.0, 0.0, 3.5) == 0.0, "another storey"
    assert shape_cost(np.concatenate([shape, shape]), 5.0, 2.5, 0.0) == 8.0, "lines add up"


def test_a_double_trapezoid_is_narrow_at_its_ends_and_wide_in_the_middle():
    shape = np.array([[TRAPEZOID, 0, 0, 0, 10, 0, 1, 3, 0, 7, 3]], float)
    inside = [(0.0, 1.0), (0.0, -1.0), (5.0, 3.0), (2.5, 2.0), (7.5, -2.0), (10.0, 0.0)]
    outside = [(0.0, 1.1), (5.0, 3.1), (2.5, 2.1), (-0.1, 0.0), (10.1, 0.0)]
    assert [shape_cost(shape, x, y, 0.0) for x, y in inside] == [7.0] * len(inside)
    assert [shape_cost(shape, x, y, 0.0) for x, y in outside] == [0.0] * len(outside)
    capsule = np.array([[CAPSULE, 0, 0, 0, 10, 0, 2, 2, 0, 9, 3]], float)
    assert shape_cost(capsule, -2.0, 0.0, 0.0) == 9.0
    assert shape_cost(capsule, -1.5, 1.5, 0.0) == 0.0
    assert shape_cost(np.concatenate([shape, capsule]), 5.0, 0.0, 0.0) == 9.0, "of areas the dearest counts"


@given(NUMBER, NUMBER, NUMBER, NUMBER, st.floats(0.0, 6.28))
def test_a_line_equals_its_words_however_it_is_turned(x, y, origin_x, origin_y, angle):
    direction = math.cos(angle), math.sin(angle)
    shape = np.array([[LINE, origin_x, origin_y, 0, *direction, 9, 3, 6, 5, 3]], float)
    expected = line_value(x, y, (origin_x, origin_y), direction, 6, 9, 3, 5)
    assert abs(shape_cost(shape, x, y, 0.0) - expected) < 1e-9


@given(*[st.integers(-3, 3)] * 8)
def test_lines_cross_bars_where_segments_meet(ax, ay, bx, by, cx, cy, dx, dy):
    # In whole numbers both are exact; segments in one line count by their sides only.
    bar = np.array([[cx, cy, dx, dy, -1, 1]], float)
    expected = crosses((ax, ay), (bx, by), (cx, cy), (dx, dy))
    assert crosses_bar(bar, ax + 0.0, ay + 0.0, 0.0, bx + 0.0, by + 0.0, 0.0) == expected
    assert not crosses_bar(bar, ax + 0.0, ay + 0.0, 5.0, bx + 0.0, by + 0.0, 5.0), "above it one passes"
    bar[:, :4] /= 8.0
    assert crosses_bar(bar, ax / 8.0, ay / 8.0, 0.0, bx / 8.0, by / 8.0, 0.0) == expected, "however small"


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_short_lines_cross_short_bars_only_where_they_reach_both_sides(side):
    # Half a metre of bar along (0.8, 0.6); `at` goes along it and aside.
    def at(along, aside):
        return 0.8 * along - 0.6 * aside, 0.6 * along + 0.8 * aside

    def is_barred(start, end):
        bar = np.array([[*at(0.0, 0.0), *at(0.5, 0.0), -1.0, 1.0]])
        return crosses_bar(bar, *at(*start), 0.0, *at(*end), 0.0), crosses_bar(bar, *at(*end), 0.0, *at(*start), 0.0)

    assert is_barred((0.2, 0.1 * side), (0.3, 0.4 * side)) == (False, False), "beside it"
    assert is_barred((0.2, 0.1 * side), (0.3, -0.4 * side)) == (True, True)
    assert is_barred((0.6, 0.1 * side), (0.7, -0.4 * side)) == (False, False), "past its end"
    assert is_barred((-0.1, 0.1 * side), (-0.2, -0.4 * side)) == (False, False), "before its start"


def test_many_points_cost_what_each_alone_costs():
    random = np.random.default_rng(4)
    shape = np.array([[LINE, 1, 2, 0, 0.6, 0.8, 9, 3, 6, 5, 3], [TRAPEZOID, -4, 1, 1, 5, 7, 1, 3, 0, 7, 3]], float)
    points, out = random.uniform(-8.0, 8.0, (60, 3)) * [1.0, 1.0, 0.5], np.full(60, np.nan)
    shape_costs(shape, points, out)
    assert out.tolist() == [shape_cost(shape, *point) for point in points.tolist()]
    assert 0 < np.count_nonzero(out) < 60
