"""Seen, and hidden only while crouched, worked by hand."""

from __future__ import annotations

import numpy as np

from lastseen.kernels.arrays.location_arrays import PlaceArrays, Rows
from lastseen.kernels.search.location_sight import measure_cover, measure_seen
from specimens.perception import block, hall, sight_of


def test_shares_of_points_that_see_a_place():
    # A wall south of the first candidate, a low crate south of the second, nothing south of the third.
    level = hall(obstacles=[block(4, 9, 6, 9.5), block(14, 9, 16, 9.5, height=1.0)])
    sight = sight_of(level)
    xyz = np.array([(5, 10, 0), (15, 10, 0), (25, 10, 0)], np.float32)
    rows = Rows(np.arange(3, dtype=np.int32), np.zeros(3, np.int32), xyz)
    points = np.array([(5.0, 2.0, 0.0), (15.0, 2.0, 0.0), (25.0, 2.0, 0.0), (15.0, 18.0, 0.0)])
    place = PlaceArrays(points, np.full((4, 2), np.nan), np.array([0, 4]), np.array([-1, -1, -1, 0], np.int32))
    seen, cover = np.empty(3), np.empty(3)
    measure_seen(rows, place, sight, 1.6, 0.5, 9.0, seen)
    assert seen.tolist() == [0.0, 0.0, 1.0 / 3.0], "the last point is the asker itself"
    measure_seen(rows, place, sight, 1.6, 1.6, 9.0, seen)
    assert seen.tolist() == [0.0, 1.0 / 3.0, 1.0 / 3.0]
    near = place._replace(start=np.array([1, 2]))
    measure_cover(rows, near, sight, 1.6, 0.5, 1.6, cover)
    assert cover[1] == 1.0
    assert cover[2] == 0.0
