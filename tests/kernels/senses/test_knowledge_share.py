"""Who tells whom, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.knowledge.knowledge import Knowledge
from lastseen.kernels.arrays.agent_arrays import BODY, SIGHT, TOLD
from lastseen.kernels.senses.knowledge import share_newest


def _team():
    """Four of a team in a row, 4 m apart; the first saw the target at 3 s, the last at 2 s; the second lies down."""
    table = bodies([(0, 0), (4, 0), (8, 0), (12, 0), (90, 90)], team=[0, 0, 0, 0, 1])
    table.mode[1] = BODY
    knowledge = Knowledge(table, [0, 1, 2, 3], [4])
    know = knowledge.arrays
    for row, time in ((0, 3.0), (3, 2.0)):
        know.source[row, 0], know.time[row, 0], know.xyz[row, 0, 0] = SIGHT, time, 10.0 * time
    return know, table, knowledge.observers


@pytest.mark.parametrize(("reach", "told", "times"), [(np.inf, 2, [3, 3, 3]), (5.0, 1, [3, 2, 2]), (8.0, 1, [3, 3, 2])])
def test_the_newest_within_reach_is_taken_over(reach, told, times):
    know, table, observers = _team()
    assert share_newest(know, table, observers, reach) == told
    assert know.time[[0, 2, 3], 0].tolist() == times
    assert know.source[2, 0] == TOLD
    assert know.xyz[2, 0, 0] == 10.0 * times[1]
    assert know.from_xyz[2, 0].tolist() == [8.0, 0.0, 0.0]
    assert know.time[1, 0] == -np.inf, "who lies there is told nothing"
