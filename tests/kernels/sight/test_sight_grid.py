"""Shapes in columns, worked by hand."""

from __future__ import annotations

import numpy as np

from lastseen.kernels.sight.sight_grid import fill_columns


def test_segments_meet_only_their_columns():
    shapes = np.array([[(0.5, 0.5), (2.5, 2.4)], [(2.1, 0.1), (2.9, 0.2)]])
    count = np.zeros(9, np.int64)
    fill_columns(shapes, 3, 3, count, np.zeros(0, np.uint32))
    # The first comes to x = 1 at y = 0.975, and to x = 2 at y = 1.925.
    assert count.reshape(3, 3).tolist() == [[1, 1, 1], [0, 1, 1], [0, 0, 1]]
    begin = np.concatenate([[0], np.cumsum(count)[:-1]])
    item, place = np.zeros(int(count.sum()), np.uint32), begin.copy()
    fill_columns(shapes, 3, 3, place, item)
    assert (place - begin).tolist() == count.tolist()
    assert item[begin[2]] == 1, "the second segment lies in the last column of the first row"
    assert item[begin[8]] == 0
