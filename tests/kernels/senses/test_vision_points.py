"""Points seen within a shape and past a wall, worked by hand."""

from __future__ import annotations

import numpy as np

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.senses.vision.shapes import Sector, pack
from lastseen.kernels.arrays.agent_arrays import HIDDEN
from lastseen.kernels.senses.vision_rays import see_points
from specimens.perception import block, hall, sight_of


def test_points_are_seen_ahead_within_reach_and_not_behind_walls_or_smoke():
    sight = sight_of(hall(obstacles=[block(14, 15, 15, 19)]))
    table = bodies([(10, 20), (10, 20)], gaze=0.0)
    table.mode[1] = HIDDEN
    points = np.array([(18.0, 20.0, 1.0), (18.0, 16.0, 1.0), (2.0, 20.0, 1.0), (18.0, 23.0, 1.0), (40.0, 20.0, 1.0)])
    cloud = np.array([(17.0, 23.0, 1.0, 0.9)])
    seen, eye = np.empty((2, 5), np.bool_), np.array([1.6, 0.95, 0.95, 0.25])
    see_points(table, sight, cloud, np.arange(2, dtype=np.int32), eye, pack((Sector(1.0, 20.0),)), 20.0, points, seen)
    assert seen.tolist() == [[True, False, False, False, False], [False] * 5]
