"""Who is near whom, worked by hand."""

from __future__ import annotations

import numpy as np

from lastseen.agents.bodies.bodies import bodies
from lastseen.kernels.arrays.agent_arrays import GONE
from lastseen.kernels.bodies.neighbours import Nearby, find_nearby


def _lists(table, reach, height, room=99):
    count = len(table.mode)
    near = Nearby(np.zeros(count + 1, np.int32), np.zeros(room, np.int32))
    found = find_nearby(table, reach, height, np.zeros(16, np.int32), np.zeros(count, np.int32), near)
    return found, [near.other[near.start[i] : near.start[i + 1]].tolist() for i in range(count)]


def test_neighbours_within_reach_in_plan_and_on_the_same_level():
    table = bodies([(0, 0, 0), (2, 0, 0), (-1, 0, 0), (0, 0, 2), (2.1, 0, 0), (0.5, 0, 0)])
    table.mode[5] = GONE
    found, lists = _lists(table, 2.0, 1.0)
    assert lists == [[1, 2], [0, 4], [0], [], [1], []]
    assert found == 6


def test_pairs_without_room_are_counted_and_not_written():
    table = bodies([(0, 0), (0, 0), (0, 0)])
    found, lists = _lists(table, 1.0, 1.0, room=3)
    assert found == 6
    assert lists == [[1, 2], [0], []]
