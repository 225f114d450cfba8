"""Who stands too near to a line of fire?"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.kernels.bodies.fire_lines import first_in_line, lines_near, out_of_lines, without_bodies

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


@given(points, st.tuples(metres, metres), points, st.data())
@settings(max_examples=60)
def test_a_place_is_clear_where_only_ones_own_body_or_line_is_near(places, end, feet, data):
    own = np.array(data.draw(st.lists(st.integers(0, len(feet) - 1), min_size=1, max_size=3)))
    shoots = np.array(data.draw(st.lists(st.booleans(), min_size=len(feet), max_size=len(feet))))
    where, bodies = np.array(places, np.float64), np.array(feet, np.float64)
    bodiless, lineless = np.full((len(own), len(places)), 9.0), np.full((len(own), len(places)), 9.0)
    without_bodies(where, *end, bodies, own, 0.5, bodiless)
    out_of_lines(bodies, shoots, *end, where, own, 0.5, lineless)
    from_places, to_places = near(places, end, feet), near(feet, end, places)
    for row, me in enumerate(own.tolist()):
        for at in range(len(places)):
            others = [one for one in range(len(feet)) if one != me]
            assert bodiless[row, at] == (not any(from_places[at][one] for one in others))
            assert lineless[row, at] == (not any(shoots[one] and to_places[one][at] for one in others))


def first(start, end, others, *, radius=0.3, team=None, mode=None):
    """Who is first between a shooter, number 0, and a target, number 1? The others come after them."""
    xyz = np.array([start, end, *others], np.float64)
    teams, modes = np.zeros(len(xyz), np.uint8), np.zeros(len(xyz), np.uint8)
    teams[2:], modes[2:] = 0 if team is None else team, 0 if mode is None else mode
    return first_in_line(xyz[0], xyz, np.full(len(xyz), radius), teams, modes, 0, 1, 2.0)


def test_the_nearest_colleague_in_a_line_is_found_and_nobody_else():
    ends = (0.0, 0.0, 0.0), (10.0, 0.0, 0.0)
    assert first(*ends, [(7.0, 0.0, 0.0), (3.0, 0.3, 0.0), (2.0, 0.31, 0.0)]) == 3, "the last is beside the line"
    assert first(*ends, [(-1.0, 0.0, 0.0), (11.0, 0.0, 0.0), (5.0, 0.0, 2.5)]) == -1, "behind, beyond, a floor above"
    assert first(*ends, [(3.0, 0.0, 0.0), (4.0, 0.0, 0.0), (5.0, 0.0, 0.0)], team=[1, 0, 0], mode=[0, 2, 0]) == 4
    assert first((1.0, 1.0, 0.0), (1.0, 1.0, 3.0), [(1.0, 1.0, 0.0)]) == -1, "straight up"


@pytest.mark.parametrize("seed", range(8))
def test_the_first_in_a_line_is_the_nearest_that_points_along_it_come_close_to(seed):
    """Colleagues beside, before and behind oblique lines of fire that rise or fall."""
    rng = np.random.default_rng(seed)
    found = set()
    for _ in range(20):
        start, end = rng.uniform(-20.0, 20.0, (2, 3))
        along, up = end[:2] - start[:2], end[2] - start[2]
        length = np.hypot(*along)
        share, aside, above = rng.uniform((-0.4, -0.6, -4.0), (1.4, 0.6, 4.0), (6, 3)).T
        left = np.array([-along[1], along[0]]) / length
        plan = start[:2] + share[:, None] * along + aside[:, None] * left
        others = np.column_stack([plan, start[2] + share * up + above])
        on_line = (share > 0.0) & (share < 1.0) & (abs(aside) < 0.4) & (abs(above) < 2.0)
        expected = 2 + int(np.argmin(np.where(on_line, share, np.inf))) if on_line.any() else -1
        assert first(start, end, others, radius=0.4) == expected
        found.add(expected)
    assert len(found) > 4
