"""Who is at which door, worked by hand."""

from __future__ import annotations

import numpy as np

from lastseen.agents.bodies.bodies import bodies
from lastseen.kernels.arrays.agent_arrays import GONE
from lastseen.kernels.bodies.neighbours import find_near_doors


def test_the_first_who_walks_at_a_door_and_how_near_the_nearest_is():
    table = bodies([(0, 0), (3, 4), (1, 0), (0, 0.5)])
    table.mode[3] = GONE
    middles = np.array([(0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (0.0, 0.0, 9.0)])
    walker, nearest = np.empty(3, np.int64), np.empty(3)
    find_near_doors(table, np.array([0, 1, 1, 1], np.uint8), middles, 2.0, walker, nearest)
    assert walker.tolist() == [2, 2, -1], "the nearest stands; who is gone is nowhere"
    assert nearest.tolist() == [0.0, 2.0, 9.0]
