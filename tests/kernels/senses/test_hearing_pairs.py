"""Sounds against listeners, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.agents.bodies.bodies import bodies
from lastseen.kernels.arrays.agent_arrays import BODY
from lastseen.kernels.senses.hearing_pairs import SoundArrays, judge_sounds, pair_sounds

SOUNDS = SoundArrays(
    xyz=np.array([(3.0, 4.0, 0.0), (0.0, 0.0, 0.0)]),
    radius=np.array([10.0, 4.0]),
    maker=np.array([3, -1], np.int32),
    among_friends=np.array([False, False]),
    fair=np.array([True, False]),
)


def test_reach_distance_and_direction_of_every_pair():
    reach, away, towards = np.empty((2, 2)), np.empty((2, 2)), np.empty((2, 2, 2))
    pair_sounds(SOUNDS, np.array([(0.0, 0.0, 0.0), (3.0, 0.0, 12.0)]), np.array([1.0, 6.0]), reach, away, towards)
    assert reach.tolist() == [[10.0, 60.0], [4.0, 24.0]]
    assert away.tolist() == [[5.0, pytest.approx(160**0.5)], [0.0, pytest.approx(153**0.5)]]
    assert towards[0].tolist() == [[0.6, 0.8], [0.0, 1.0]]
    assert towards[1].tolist() == [[0.0, 0.0], [-1.0, 0.0]]


def test_who_hears_what_and_how_loud():
    table = bodies([(0, 0), (0, 1), (0, 2), (3, 4), (50, 50), (0, 3)], team=[0, 0, 0, 1, 0, 1])
    table.mode[2] = BODY
    listeners = np.array([0, 1, 2, 3, 4, 5], np.int32)
    reach = np.repeat(SOUNDS.radius[:, None], 6, axis=1)
    metres = np.array([[5.0, 8.0, 1.0, 0.0, 1.0, 1.0], [4.0, 4.1, 0.0, 2.0, 1.0, 3.0]])
    heard, loudness = np.empty((2, 6), np.bool_), np.empty((2, 6), np.float32)
    offscreen, clouds = np.array([False, True, False, False, False, False]), np.array([(50.0, 50.0, 0.0, 1.0)])
    judge_sounds(table, listeners, SOUNDS, clouds, offscreen, 0.5, 6.0, reach, metres, heard, loudness)
    # Row 0: at half its reach; offscreen 8 m are beyond half of ten; lies there; its own; in smoke; of a friend.
    assert heard.tolist() == [[True, False, False, False, False, False], [True, False, False, True, False, True]]
    assert loudness.tolist() == [[0.5, 0, 0, 0, 0, 0], [0.0, 0, 0, 0.5, 0, 0.25]]


def test_sounds_from_exactly_as_far_as_is_plausible_are_heard_as_by_anybody():
    table = bodies([(0, 0), (0, 0)], team=[0, 0])
    listeners, reach = np.array([0, 1], np.int32), np.full((2, 2), 10.0)
    metres = np.array([[6.0, 6.0001], [9.0, 9.0]])
    heard, loudness = np.empty((2, 2), np.bool_), np.empty((2, 2), np.float32)
    judge_sounds(
        table, listeners, SOUNDS._replace(maker=np.array([-1, -1], np.int32)), np.zeros((0, 4)), np.ones(2, np.bool_),
        0.5, 6.0, reach, metres, heard, loudness,
    )  # fmt: skip
    assert heard.tolist() == [[True, False], [True, True]]
    assert loudness[0, 0] == pytest.approx(0.4)


def test_a_cloud_deafens_within_its_radius_in_space():
    random = np.random.default_rng(4)
    places, clouds = random.uniform([-1, -5, -1], [5, 1, 5], (60, 3)), random.uniform(1.0, 4.0, (3, 4)) * (1, -1, 1, 1)
    table = bodies(places, team=np.zeros(60))
    sounds = SOUNDS._replace(maker=np.array([-1, -1], np.int32))
    heard, loudness = np.empty((2, 60), np.bool_), np.empty((2, 60), np.float32)
    never, near = np.zeros(60, np.bool_), np.ones((2, 60))
    judge_sounds(
        table, np.arange(60, dtype=np.int32), sounds, clouds, never, 0.5, 6.0, 2.0 * near, near, heard, loudness
    )
    inside = (np.linalg.norm(places[:, None] - clouds[:, :3], axis=2) <= clouds[:, 3]).any(axis=1)
    assert 0 < inside.sum() < 60
    assert (heard == ~inside).all()
    assert (loudness == np.where(inside, 0.0, 0.5)).all()
