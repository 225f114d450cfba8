"""Straight ways: no further from a line than a leash allows."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.kernels.spacetime.space_time_lines import keeps_near, off_line, off_lines
from lastseen.reasoning.placement.verify.sneak_ground import ANYWHERE, leash_to

BEND = np.array([(0.0, 0.0, 0.0), (6.0, 0.0, 0.0), (6.0, 6.0, 3.0)])


def test_what_is_on_another_storey_is_not_near():
    leash = leash_to(BEND, 1.0, 1.8)
    assert off_line(leash, 3.0, 0.5, 0.0) == 0.5
    assert off_line(leash, 3.0, 0.5, 3.0) == math.inf  # above the flat part
    assert off_line(leash, 6.25, 6.0, 3.0) == 0.25
    # Below the top: only the flat part is on its storey.
    assert off_line(leash, 6.25, 6.0, 0.0) == pytest.approx(math.hypot(0.25, 6.0))


@settings(max_examples=60)
@given(st.lists(st.tuples(st.floats(-2, 8), st.floats(-2, 8)), min_size=2, max_size=2, unique=True))
def test_distances_are_shapelys_and_accepted_ways_keep_to_the_leash(ends):
    flat = BEND * np.array([1.0, 1.0, 0.0])
    leash, line = leash_to(flat, 1.5, 1.8), shapely.LineString(flat[:, :2])
    points = np.array([(x, y, 0.0) for x, y in ends])
    away = np.empty(2)
    off_lines(leash, points, away)
    assert away == pytest.approx(shapely.distance(line, shapely.points(points[:, :2])))
    one, other = (tuple(point.tolist()) for point in points)
    along = shapely.points(np.linspace(ends[0], ends[1], 200))
    furthest = float(shapely.distance(line, along).max())
    if keeps_near(leash, one, other):
        assert furthest <= 1.5 + 1e-9
    else:
        assert furthest > 1.5 - 0.03
    assert keeps_near(ANYWHERE, one, other)


def test_a_way_that_rises_with_its_line_keeps_near_and_one_that_stays_below_does_not():
    leash = leash_to(BEND, 1.0, 1.8)
    assert keeps_near(leash, (6.25, 0.5, 0.25), (6.5, 6.0, 3.0))
    assert keeps_near(leash, (6.5, 6.0, 3.0), (6.25, 0.5, 0.25))
    assert not keeps_near(leash, (6.25, 0.5, 0.25), (6.5, 6.0, 0.25))
