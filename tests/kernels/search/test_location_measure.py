"""Distances, crowds, heights and angles of candidates, worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.kernels.arrays.location_arrays import PlaceArrays, Rows
from lastseen.kernels.search.location_measure import (
    FARTHEST,
    MEAN,
    NEAREST,
    measure_angles,
    measure_crowds,
    measure_distances,
    measure_heights,
)

# Two askers with two candidates each; the first asker is itself one of the points.
ROWS = Rows(
    np.array([0, 1, 0, 1], np.int32),
    np.array([0, 0, 1, 1], np.int32),
    np.array([(0, 0, 0), (3, 4, 1)], np.float32),
)
SHARED = PlaceArrays(
    np.array([(0.0, 0.0, 0.0), (6.0, 8.0, 0.0)]),
    np.array([(1.0, 0.0), (np.nan, np.nan)]),
    np.array([0, 2]),
    np.array([0, -1], np.int32),
)
EACH = SHARED._replace(start=np.array([0, 1, 2]), owner=np.array([-1, -1], np.int32))


@pytest.mark.parametrize(
    ("across", "expected"),
    [
        (NEAREST, [10.0, 26**0.5, 0.0, 26**0.5]),
        (FARTHEST, [10.0, 26**0.5, 10.0, 26**0.5]),
        (MEAN, [10.0, 26**0.5, 5.0, 26**0.5]),
    ],
)
def test_distances_to_shared_points_but_not_to_oneself(across, expected):
    out = np.empty(4)
    measure_distances(ROWS, SHARED, across, out)
    assert out.tolist() == pytest.approx(expected)


def test_points_of_each_asker_count_for_it_alone():
    out = np.empty(4)
    measure_distances(ROWS, EACH, NEAREST, out)
    assert out.tolist() == pytest.approx([0.0, 26**0.5, 10.0, 26**0.5])


def test_crowds_heights_and_angles():
    crowd, height, angle = np.empty(4), np.empty(4), np.empty(4)
    measure_crowds(ROWS, SHARED, 6.0, crowd)
    assert crowd.tolist() == [0.0, 1.0, 1.0, 2.0]
    measure_heights(ROWS, SHARED, height)
    assert height.tolist() == [0.0, 1.0, 0.0, 1.0]
    measure_angles(ROWS, SHARED, angle)
    # For the first asker only the point that faces nowhere is left; who stands on the spot is ahead.
    assert angle.tolist() == pytest.approx([180.0, 180.0, 0.0, math.degrees(math.atan2(4, 3))])
