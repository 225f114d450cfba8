"""How far looks go, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.kernels.sight.sight_trace import first_hits, trace
from specimens.perception import block, hall, sight_of

SIGHT = sight_of(hall(obstacles=[block(10, 10, 11, 20, height=1.0)]))


def test_looks_end_at_the_wall_over_it_or_at_the_point():
    eyes = np.array([(5.0, 15.0, 0.5), (5.0, 15.0, 1.5), (5.0, 15.0, 1.5)])
    points = np.array([(15.0, 15.0, 0.5), (15.0, 15.0, 1.5), (15.0, 15.0, 0.3)])
    share = np.zeros(3)
    first_hits(SIGHT, eyes, points, share)
    # The last falls from 1.5 to 0.3 over ten metres: at the wall, half way, it is at 0.9.
    assert share.tolist() == pytest.approx([0.5, 1.0, 0.5])


def test_looks_from_above_end_at_the_top_of_the_block():
    eyes = np.array([(10.5, 15.0, 3.0), (8.0, 15.0, 4.0), (10.5, 15.0, 3.0)])
    points = np.array([(10.5, 15.2, 0.2), (10.5, 15.0, 0.5), (10.5, 15.2, 1.2)])
    share = np.zeros(3)
    first_hits(SIGHT, eyes, points, share)
    assert share.tolist() == pytest.approx([2.0 / 2.8, 3.0 / 3.5, 1.0])


def test_the_neighbours_of_a_line_that_grazes_a_corner_differ():
    left, right = trace(SIGHT, (5.0, 10.0, 0.5), (10.0, 0.0, 0.0))
    assert (left, right) == (0.5, 2.0)
