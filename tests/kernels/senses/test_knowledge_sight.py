"""What is seen becomes known, worked by hand."""

from __future__ import annotations

import numpy as np

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.knowledge.knowledge import Knowledge
from lastseen.kernels.arrays.agent_arrays import SIGHT
from lastseen.kernels.senses.knowledge import remember_sights


def test_sight_writes_the_true_place_and_the_grace_ends_on_the_straight_way():
    table = bodies([(0, 0), (10, 0)], heading=[0.5, 0.0], gaze=[0.5, 0.0], velocity_xy=(3.0, 4.0))
    knowledge = Knowledge(table, [0], [1])
    know, who = knowledge.arrays, (knowledge.observers, knowledge.targets)
    yes, no, sure = np.ones((1, 1), np.bool_), np.zeros((1, 1), np.bool_), np.full((1, 1), 0.7, np.float32)
    remember_sights(know, table, *who, yes, yes, sure, 5.0, 2.0, 4.0, -np.inf)
    assert know.xyz[0, 0].tolist() == [10.0, 0.0, 0.0]
    assert know.direction_xy[0, 0].tolist() == [0.6, 0.8]
    assert (know.speed[0, 0], know.time[0, 0], know.source[0, 0], know.from_gaze[0, 0]) == (5.0, 5.0, SIGHT, 0.5)
    assert know.identified[0, 0] == 1
    # Lost; four seconds later it is 8 m further: two of them were still known.
    table.xyz[1] = (18.0, 0.0, 0.0)
    remember_sights(know, table, *who, no, no, sure, 9.0, 2.0, 4.0, 5.0)
    assert know.xyz[0, 0].tolist() == [14.0, 0.0, 0.0]
    assert (know.time[0, 0], know.perceived[0, 0]) == (7.0, 5.0)
    table.xyz[1] = (30.0, 0.0, 0.0)
    assert know.certainty[0, 0] == np.float32(0.7)
    remember_sights(know, table, *who, no, no, sure, 13.0, 2.0, 4.0, 9.0)
    assert know.xyz[0, 0].tolist() == [14.0, 0.0, 0.0], "frozen"
    assert know.certainty[0, 0] == np.float32(0.35), "half as sure after 4 s"
