"""Who takes which place of a ring, worked by hand."""

from __future__ import annotations

import numpy as np

from lastseen.kernels.bodies.slot_rings import take_slots


def ring(radius, angles):
    turn = 2.0 * np.pi * np.arange(angles) / angles
    return np.stack([radius * np.cos(turn), radius * np.sin(turn), 0.0 * turn], axis=-1)[None]


def taken(free, turns, apart=0.1, avoid=(), slots=2, height=0.0):
    points = ring(1.0, len(free)) + np.array([0.0, 0.0, height])
    xyz = np.full((1, slots, 3), np.nan)
    turned, number = np.zeros((1, slots), np.int64), np.full((1, slots), -1, np.int64)
    others = np.array(avoid, float).reshape(-1, 3)
    take_slots(np.array([free]), points, np.array([0]), turns, apart, others, xyz, turned, number, 0)
    return number[0].tolist(), turned[0].tolist()


def test_every_slot_has_its_own_angle_if_it_is_free():
    assert taken([True] * 8, 4) == ([0, 0], [0, 0])


def test_a_blocked_slot_turns_to_the_left_first_and_no_further_than_it_may():
    free = [False, True, True, True, True, True, True, True]
    assert taken(free, 4) == ([0, 0], [1, 0])
    assert taken(free, 0) == ([-1, 0], [0, 0])
    assert taken([False, False, True, True, True, True, True, True], 1) == ([0, 0], [-1, 0])


def test_nobody_is_put_too_near_to_another_or_to_a_place_to_avoid():
    alone = [True] + [False] * 7
    assert taken(alone, 4) == ([0, -1], [0, 0])
    assert taken([True] * 8, 4, avoid=[(1.0, 0.0, 0.0)]) == ([0, 0], [1, 0])
    assert taken([True] * 8, 4, apart=2.5) == ([0, -1], [0, 0])


def test_places_on_two_storeys_are_as_far_apart_as_the_line_between_them():
    alone = [True] + [False] * 7
    assert taken(alone, 0, apart=2.5, avoid=[(1.0, 1.0, 5.0)], height=3.0) == ([-1, -1], [0, 0])
    assert taken(alone, 0, apart=2.2, avoid=[(1.0, 1.0, 5.0)], height=3.0) == ([0, -1], [0, 0])
