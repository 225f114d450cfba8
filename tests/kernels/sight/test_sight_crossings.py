"""Where walls cross, worked by hand."""

from __future__ import annotations

import numpy as np

from lastseen.kernels.sight.sight_grid import wall_crossings
from specimens.perception import block, hall, sight_of


def test_two_crates_pushed_into_one_another_cross_twice():
    sight = sight_of(hall(obstacles=[block(10, 10, 14, 14, height=2.0), block(12, 12, 16, 16, height=1.0)]))
    found = np.zeros((99, 4))
    count = wall_crossings(sight, found)
    places = np.unique(found[:count], axis=0)
    assert places.tolist() == [[12.0, 14.0, 0.0, 1.0], [14.0, 12.0, 0.0, 1.0]]
    assert wall_crossings(sight, np.zeros((0, 4))) == count, "without room they are counted"


def test_crates_side_by_side_do_not_cross():
    sight = sight_of(hall(obstacles=[block(10, 10, 12, 12), block(14, 10, 16, 12)]))
    assert wall_crossings(sight, np.zeros((9, 4))) == 0
