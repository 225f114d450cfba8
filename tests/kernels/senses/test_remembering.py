"""Kernels of remembering: sounds become knowledge, targets and calls are chosen, watchers spotted, doors met."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.knowledge.knowledge import Knowledge
from lastseen.kernels.arrays.agent_arrays import BODY, HIDDEN, SIGHT, SOUND
from lastseen.kernels.bodies.neighbours import find_near_doors
from lastseen.kernels.senses.hearing_pairs import choose_calls
from lastseen.kernels.senses.knowledge import choose_targets, remember_sounds
from lastseen.kernels.senses.vision_rays import find_spotted
from lastseen.level.samples import sample
from lastseen.level.sight.query import sees
from lastseen.level.sight.sight import Sight
from lastseen.rng import generator

EYES = np.array([1.6, 0.95, 0.95, 0.25])
HOUSE = Sight.from_level(sample("house"))
SEEDS = st.integers(0, 2**32 - 1)


def table(count: int, seed: int):
    random = generator(seed, "remembering")
    places = np.column_stack([random.uniform(0.5, 11.5, (count, 2)), np.zeros(count)])
    made = bodies(places, random.uniform(-3.0, 3.0, count), stance=random.integers(0, 4, count))
    made.mode[:] = random.choice([0, 0, 0, HIDDEN, BODY], count)
    return made, random


def hear(know: Knowledge, crowd, column, heard, loudness, infers, now) -> None:
    xyz = np.array([(float(s), 1.0, 0.0) for s in range(len(column))]).reshape(-1, 3)
    remember_sounds(
        know.arrays, know.suspects, crowd, know.observers, xyz, np.array(column, np.int32), heard, loudness, infers, now
    )


def test_a_sound_tells_its_place_to_who_does_not_see_its_maker():
    crowd = bodies([(1.0, 1.0), (2.0, 1.0), (3.0, 1.0)])
    know = Knowledge(crowd, [0, 1], [2])
    know.arrays.time[1, 0], know.arrays.source[1, 0] = 7.0, SIGHT
    hear(know, crowd, [0], np.array([[True, True]]), np.full((1, 2), 0.5, np.float32), np.array([True, False]), 7.0)
    assert know.arrays.source[:, 0].tolist() == [SOUND, SIGHT]
    assert know.arrays.xyz[0, 0].tolist() == [0.0, 1.0, 0.0]
    assert know.arrays.certainty[0, 0] == 0.5
    assert know.suspects.tolist() == [7.0, -math.inf]


@given(SEEDS)
def test_of_what_is_heard_the_first_sound_of_a_step_holds_and_nothing_else_changes(seed):
    crowd, random = table(8, seed)
    know = Knowledge(crowd, np.arange(5), [5, 6, 7])
    know.arrays.time[:] = random.choice([-math.inf, 1.0, 2.0], (5, 3))
    before = know.arrays.time.copy()
    column, heard = random.integers(-1, 3, 6), random.random((6, 5)) < 0.5
    hear(know, crowd, column, heard, random.random((6, 5)).astype(np.float32), np.ones(5, bool), 2.0)
    for i in range(5):
        assert (know.suspects[i] == 2.0) == heard[:, i].any()
        for j in range(3):
            told = [s for s in range(6) if heard[s, i] and column[s] == j and before[i, j] < 2.0]
            assert (know.arrays.source[i, j] == SOUND) == bool(told)
            assert know.arrays.time[i, j] == (2.0 if told else before[i, j])
            if told:
                assert know.arrays.xyz[i, j, 0] == told[0]


def choose(know: Knowledge, crowd, acting, visible, band, metres, acted_on, now=100.0):
    best = np.empty((4, len(know.observers)), np.int32)
    choose_targets(know.arrays, crowd, know.observers, acting, visible, band, metres, 1, now, 90.0, acted_on, best)
    return best


def test_the_nearest_is_acted_on_and_who_was_acted_on_last_is_lost():
    crowd = bodies([(0.0, 0.0)] * 4)
    know = Knowledge(crowd, [0], [1, 2, 3])
    know.arrays.time[:] = 50.0, 99.0, 98.0
    know.arrays.identified[:] = 1
    acted_on = np.array([[50.0, 60.0, 40.0]])
    yes, no = np.ones((1, 3), bool), np.zeros((1, 3), bool)
    metres, band = np.array([[3.0, 2.0, 5.0]], np.float32), np.full((1, 3), 3, np.uint8)
    assert choose(know, crowd, no, no, band, metres, acted_on)[:, 0].tolist() == [-1, -1, 1, 1]
    assert choose(know, crowd, no, yes, band, metres, acted_on)[:, 0].tolist() == [-1, 1, 1, -1]
    assert choose(know, crowd, yes, yes, band, metres, acted_on)[:, 0].tolist() == [1, -1, 1, -1]
    assert acted_on.tolist() == [[100.0] * 3]


@given(SEEDS)
def test_targets_are_those_of_tables_of_costs(seed):
    crowd, random = table(9, seed)
    know = Knowledge(crowd, np.arange(5), np.arange(5, 9))
    know.arrays.time[:] = random.choice([-math.inf, 5.0, 20.0, 99.0], (5, 4))
    know.arrays.identified[:] = random.integers(0, 2, (5, 4))
    visible = random.random((5, 4)) < 0.6
    acting = visible & (random.random((5, 4)) < 0.5)
    band = random.integers(0, 4, (5, 4)).astype(np.uint8)
    metres = random.choice([2.0, 3.0, np.inf], (5, 4)).astype(np.float32)
    acted_on = random.choice([-math.inf, 30.0, 40.0], (5, 4))
    active = (crowd.mode[:5] == 0)[:, None]
    after = np.where(acting & active, 100.0, acted_on)
    certain = (know.arrays.identified == 1) & (100.0 - know.arrays.time < 90.0) & active
    costs = (
        np.where(acting & active, metres, np.inf),
        np.where((band >= 1) & visible & ~acting & active, metres, np.inf),
        np.where(certain, 100.0 - know.arrays.time, np.inf),
        np.where(certain & ~visible, 100.0 - after, np.inf),
    )
    wanted = [np.where(np.isfinite(cost.min(axis=1)), cost.argmin(axis=1), -1).tolist() for cost in costs]
    assert choose(know, crowd, acting, visible, band, metres, acted_on).tolist() == wanted
    assert np.array_equal(acted_on, after)


def test_priority_outranks_nearness_and_nobody_follows_what_it_may_not():
    places, xyz = np.array([(1.0, 0.0, 0.0), (50.0, 0.0, 0.0)]), np.zeros((3, 3))
    may = np.array([[True, True, False], [True, False, False]])
    chosen = np.empty(3, np.int32)
    choose_calls(places, np.array([1.0, 2.0]), may, xyz, np.arange(3, dtype=np.int32), chosen)
    assert chosen.tolist() == [1, 0, -1]


@given(SEEDS, st.integers(0, 5))
def test_calls_are_those_of_a_sorted_list(seed, count):
    random = generator(seed, "calls")
    places, xyz = random.integers(0, 4, (count, 3)).astype(float), random.integers(0, 4, (4, 3)).astype(float)
    priority, may = random.integers(0, 3, count).astype(float), random.random((count, 4)) < 0.6
    chosen = np.empty(4, np.int32)
    choose_calls(places, priority, may, xyz, np.arange(4, dtype=np.int32), chosen)
    for i in range(4):
        ranked = sorted((-priority[c], np.abs(places[c] - xyz[i]).max(), c) for c in range(count) if may[c, i])
        assert chosen[i] == (ranked[0][2] if ranked else -1)


@given(SEEDS)
def test_spotted_are_active_watchers_near_and_in_sight(seed):
    crowd, random = table(9, seed)
    targets, watchers = np.arange(3, dtype=np.int32), np.arange(3, 9, dtype=np.int32)
    within = random.uniform(0.0, 12.0)
    spotted = np.ones((3, 6), bool)
    find_spotted(crowd, HOUSE.arrays, targets, watchers, EYES, within, spotted)
    for t, w in np.ndindex(3, 6):
        one, other = crowd.xyz[targets[t]].copy(), crowd.xyz[watchers[w]].copy()
        one[2] += EYES[crowd.stance[targets[t]]]
        other[2] += EYES[crowd.stance[watchers[w]]]
        near = math.dist(one, other) <= within
        both = crowd.mode[targets[t]] == 0 and crowd.mode[watchers[w]] == 0
        assert spotted[t, w] == (both and near and bool(sees(HOUSE, one, other)[0]))


def test_who_is_too_far_is_not_spotted():
    crowd = bodies([(1.0, 1.0), (1.5, 1.0)])
    spotted = np.zeros((1, 1), bool)
    one, other = np.array([0], np.int32), np.array([1], np.int32)
    find_spotted(crowd, HOUSE.arrays, one, other, EYES, 30.0, spotted)
    assert spotted[0, 0]
    find_spotted(crowd, HOUSE.arrays, one, other, EYES, 0.4, spotted)
    assert not spotted[0, 0]


@given(SEEDS)
def test_doors_know_the_first_who_walks_and_how_near_the_nearest_is(seed):
    crowd, random = table(7, seed)
    going, middles = random.integers(0, 2, 7).astype(np.uint8), random.uniform(0.0, 12.0, (4, 3)) * (1.0, 1.0, 0.1)
    walker, nearest = np.empty(4, np.int32), np.empty(4)
    find_near_doors(crowd, going, middles, 3.0, walker, nearest)
    for door in range(4):
        away = [math.dist(place, middles[door]) for place in crowd.xyz]
        active = [i for i in range(7) if crowd.mode[i] == 0]
        walking = [i for i in active if going[i] and away[i] <= 3.0]
        assert walker[door] == (walking[0] if walking else -1)
        assert nearest[door] == pytest.approx(min((away[i] for i in active), default=math.inf))
