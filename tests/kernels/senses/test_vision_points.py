"""Points seen within a shape and past a wall, worked by hand."""

from __future__ import annotations

import math

import numpy as np

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.senses.vision.shapes import Sector, pack
from lastseen.kernels.arrays.agent_arrays import HIDDEN
from lastseen.kernels.senses.vision_rays import find_spotted, see_points
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


def test_a_sector_turns_with_the_gaze():
    """Of points all around, those within a radian of the gaze are seen, whichever way it goes."""
    sight, eye = sight_of(hall()), np.array([1.6, 0.95, 0.95, 0.25])
    turns = np.arange(-3.0, 3.1, 0.25) + 0.1
    for gaze in (0.6, 2.2, -1.3):
        table = bodies([(30, 20)], gaze=gaze)
        points = np.column_stack(
            [30 + 6 * np.cos(gaze + turns), 20 + 6 * np.sin(gaze + turns), np.full(len(turns), 1.6)]
        )
        seen = np.empty((1, len(turns)), np.bool_)
        first = np.zeros(1, np.int32)
        see_points(table, sight, np.zeros((0, 4)), first, eye, pack((Sector(1.0, 20.0),)), 20.0, points, seen)
        assert seen[0].tolist() == (np.abs(turns) <= 1.0).tolist()
        see_points(table, sight, np.zeros((0, 4)), first, eye, pack((Sector(1.0, 20.0),)), 5.99, points, seen)
        assert not seen.any()


def test_a_watcher_is_spotted_within_reach_whichever_way_the_target_faces():
    sight = sight_of(hall(obstacles=[block(20, 15, 21, 19)]))
    table = bodies([(17, 17), (25, 17), (14, 21), (17, 29)], 0.0, stance=[1, 0, 0, 3])
    eyes = np.array([1.6, 0.9, 0.9, 0.2])
    apart = math.sqrt(3.0**2 + 4.0**2 + 0.7**2)
    target, watchers, spotted = np.array([0]), np.array([1, 2, 3]), np.empty((1, 3), np.bool_)
    for within, expected in (
        (apart + 1e-9, [False, True, False]),
        (apart - 1e-9, [False] * 3),
        (13.0, [False, True, True]),
    ):
        find_spotted(table, sight, target, watchers, eyes, within, spotted)
        assert spotted[0].tolist() == expected
    table.mode[2] = HIDDEN
    find_spotted(table, sight, target, watchers, eyes, 13.0, spotted)
    assert spotted[0].tolist() == [False, False, True]
