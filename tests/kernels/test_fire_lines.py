"""Who stands too near to a line of fire?"""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.kernels.fire_lines import lines_near

metres = st.floats(-20.0, 20.0).map(lambda value: round(value, 2))
points = st.lists(st.tuples(metres, metres, metres), min_size=1, max_size=4)


def near(start, end, feet, clear=0.5):
    start, feet = np.array(start, np.float64), np.array(feet, np.float64)
    out = np.empty((len(start), len(feet)), np.bool_)
    lines_near(start, end[0], end[1], feet, clear, out)
    return out.tolist()


def test_a_line_is_near_to_who_stands_beside_it_between_its_ends():
    feet = [(5.0, 0.4, 0.0), (5.0, 0.6, 0.0), (11.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 0.0)]
    assert near([(0.0, 0.0, 0.0)], (10.0, 0.0), feet) == [[True, False, False, False, False]]
    assert near([(0.0, 0.0, 0.0), (5.0, 9.0, 0.0)], (5.0, 0.0), [(5.0, 4.0, 0.0)]) == [[False], [True]]


def test_a_line_without_length_is_near_to_nobody():
    assert near([(1.0, 1.0, 0.0)], (1.0, 1.0), [(1.0, 1.0, 0.0)]) == [[False]]


@given(points, st.tuples(metres, metres), points)
@settings(max_examples=60)
def test_it_is_the_distance_from_the_nearest_point_of_the_line(start, end, feet):
    for row, (x, y, _) in enumerate(start):
        length = math.dist((x, y), end)
        for column, (at_x, at_y, _) in enumerate(feet):
            if length < 1e-3:
                continue
            along = ((end[0] - x) / length, (end[1] - y) / length)
            share = ((at_x - x) * along[0] + (at_y - y) * along[1]) / length
            aside = math.dist((at_x, at_y), (x + share * length * along[0], y + share * length * along[1]))
            if min(abs(share - 0.02), abs(share - 0.98), abs(aside - 0.5)) > 1e-6:
                expected = 0.02 < share < 0.98 and aside < 0.5
                assert near(start, end, feet)[row][column] == expected
