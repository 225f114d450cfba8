"""Distances of straight lines from a path: by hand, against shapely, and by trying in space."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.placement.path_distance import nearest_gaps

whole = st.integers(-6, 6)
place = st.tuples(whole, whole, whole)


def gaps(lines, path):
    out = np.empty(len(lines))
    nearest_gaps(np.array(lines, float).reshape(-1, 6), np.array(path, float).reshape(-1, 3), out)
    return out


def test_by_hand():
    path = [(0, 0, 0), (10, 0, 0)]
    lines = [(2, 3, 0, 8, 3, 0), (5, -1, 0, 5, 1, 0), (13, 4, 0, 14, 9, 0), (5, -1, 2, 5, 1, 2), (4, 7, 0, 4, 7, 0)]
    assert gaps(lines, path).tolist() == [3.0, 0.0, 5.0, 2.0, 7.0]
    assert gaps([(0, 0, 0, 4, 0, 0)], [(2, 2, 0)]).tolist() == [2.0]


@given(st.lists(st.tuples(whole, whole, whole, whole), min_size=1, max_size=8), st.lists(place, min_size=2, max_size=5))
def test_in_the_plane_they_are_shapelys(lines, path):
    flat = [(a, b, 0, c, d, 0) for a, b, c, d in lines]
    curve = shapely.LineString([p[:2] for p in path])
    expected = [shapely.LineString([line[:2], line[3:5]]).distance(curve) for line in flat]
    np.testing.assert_allclose(gaps(flat, [(x, y, 0) for x, y, _ in path]), expected, atol=1e-9)


@given(place, place, place, place)
def test_in_space_no_place_tried_is_nearer_and_some_is_nearly_as_near(a, b, c, d):
    share = np.linspace(0.0, 1.0, 201)[:, None]
    one = np.array(a) + share * (np.array(b) - a)
    other = np.array(c) + share * (np.array(d) - c)
    tried = np.linalg.norm(one[:, None] - other[None], axis=2).min()
    found = gaps([(*a, *b)], [c, d])[0]
    assert found <= tried + 1e-9
    assert found >= tried - 0.15
    assert found == pytest.approx(gaps([(*d, *c)], [b, a])[0], abs=1e-9)


@given(place, place, place, place)
def test_of_small_lines_they_are_as_much_smaller(a, b, c, d):
    lines, path = np.array([*a, *b]), np.array([c, d])
    assert 32.0 * gaps(lines / 32.0, path / 32.0)[0] == pytest.approx(gaps(lines, path)[0], abs=1e-9)
