"""Rules between bodies on random crowds, each as a plain line of Python states it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.agents.bodies.bodies import bodies, copy_of
from lastseen.kernels.arrays.agent_arrays import GONE, STUCK, WALKING
from lastseen.kernels.bodies.contact import turn
from lastseen.kernels.bodies.neighbours import Nearby, find_near_doors, find_nearby
from lastseen.kernels.bodies.right_of_way import retreat, stays_aside, waits_in_queue
from lastseen.kernels.bodies.steering import accelerate
from specimens.crowds import USUAL, Crossing

COUNT = 12


@pytest.mark.parametrize("seed", range(8))
def test_neighbours_are_all_pairs_within_reach_and_height(seed):
    """On a lattice of quarters, where many pairs are exactly as far apart as they may be."""
    random = np.random.default_rng(seed)
    xyz = random.integers(-8, 9, (COUNT, 3)) / 4.0 + (9.0, -9.0, 3.0)
    table, reach, height = bodies(xyz.tolist()), 1.25, 0.75
    table.mode[[3, 7]] = GONE
    near = Nearby(np.zeros(COUNT + 1, np.int32), np.zeros(200, np.int32))
    find_nearby(table, reach, height, np.zeros(16, np.int32), np.zeros(COUNT, np.int32), near)
    xyz = table.xyz.astype(float)
    for i in range(COUNT):
        expected = [
            j for j in range(COUNT)
            if i != j and not {i, j} & {3, 7}
            and math.dist(xyz[i, :2], xyz[j, :2]) <= reach and abs(xyz[i, 2] - xyz[j, 2]) <= height
        ]  # fmt: skip
        assert near.other[near.start[i] : near.start[i + 1]].tolist() == expected


@pytest.mark.parametrize("seed", range(6))
def test_doors_know_their_first_walker_and_how_near_anybody_is(seed):
    random = np.random.default_rng(seed)
    table = bodies((random.integers(-8, 9, (COUNT, 3)) / 2.0).tolist())
    table.mode[random.integers(COUNT, size=3)] = GONE
    going, middles = random.integers(0, 2, COUNT).astype(np.uint8), random.integers(-8, 9, (5, 3)) / 2.0
    walker, nearest = np.empty(5, np.int64), np.empty(5)
    find_near_doors(table, going, middles, 2.5, walker, nearest)
    for door in range(5):
        away = {i: math.dist(table.xyz[i], middles[door]) for i in range(COUNT) if table.mode[i] != GONE}
        here = [i for i in away if away[i] <= 2.5 and going[i]]
        assert walker[door] == min(here, default=-1)
        assert nearest[door] == pytest.approx(min(away.values()))


def _angle(value: float) -> float:
    return math.remainder(value, 2.0 * math.pi)


@pytest.mark.parametrize("seed", range(6))
def test_bodies_turn_their_heading_gaze_and_clocks(seed):
    random = np.random.default_rng(seed)
    crowd = Crossing(random.uniform(1.0, 5.0, (COUNT, 2)).tolist(), [[(3.0, 3.0)]] * COUNT)
    table, orders, routes = crowd.bodies, crowd.orders, crowd.routes
    table.mode[4] = GONE
    table.heading[:], table.gaze[:] = random.uniform(-math.pi, math.pi, (2, COUNT))
    orders.face[:] = np.where(random.random(COUNT) < 0.4, random.uniform(-math.pi, math.pi, COUNT), np.nan)
    orders.gaze[:] = np.where(random.random(COUNT) < 0.5, random.uniform(-math.pi, math.pi, COUNT), np.nan)
    orders.stance[:] = random.integers(0, 4, COUNT)
    wish = random.uniform(-1.5, 1.5, (COUNT, 2))
    wish[0], wish[1] = 0.0, (0.03, 0.04)
    routes.slow[:], routes.held[:] = random.uniform(0.0, 9.0 * USUAL.patience, (2, COUNT))
    routes.slow[2] = routes.held[2] = 0.1
    wish[2] = 0.0
    routes.queues[:], routes.yields[:] = random.integers(0, 2, COUNT), random.integers(0, 2, COUNT)
    routes.count[:], routes.status[:] = 3, WALKING
    following, before = copy_of(table), (routes.slow.copy(), routes.held.copy())
    following.xyz[:, :2] += random.uniform(-0.2, 0.2, (COUNT, 2))
    speeds, seconds = random.uniform(0.5, 4.0, COUNT), 0.25
    turn(table, following, orders, routes, wish, speeds, 6.0, 1.2, seconds, USUAL.patience)
    velocity = (following.xyz - table.xyz)[:, :2] / seconds
    for i in [i for i in range(COUNT) if i != 4]:
        goal = table.heading[i] if math.hypot(*wish[i]) <= 0.05 else math.atan2(wish[i, 1], wish[i, 0])
        goal = goal if math.isnan(orders.face[i]) else orders.face[i]
        most = speeds[i] * seconds
        heading = _angle(table.heading[i] + min(max(_angle(goal - table.heading[i]), -most), most))
        assert _angle(following.heading[i] - heading) == pytest.approx(0.0, abs=1e-5)
        assert abs(following.heading[i]) <= math.pi + 1e-6
        look = heading if math.isnan(orders.gaze[i]) else orders.gaze[i]
        look = heading + min(max(_angle(look - heading), -1.2), 1.2)
        gaze = table.gaze[i] + min(max(_angle(look - table.gaze[i]), -1.5), 1.5)
        assert _angle(following.gaze[i] - gaze) == pytest.approx(0.0, abs=1e-5)
        assert following.velocity_xy[i] == pytest.approx(velocity[i], abs=1e-5)
        assert following.stance[i] == orders.stance[i]
        wanted = math.hypot(*wish[i])
        slow = bool(wanted) and velocity[i] @ wish[i] / wanted < 0.3 * wanted
        step = (seconds, seconds / 5.0 if routes.queues[i] else seconds) if slow else (-2.0 * seconds,) * 2
        expected = [max(0.0, old[i] + more) for old, more in zip(before, step)]
        assert [routes.slow[i], routes.held[i]] == pytest.approx(expected, abs=1e-5)
        asks = slow and expected[0] > 2.0 * USUAL.patience and not routes.yields[i]
        assert routes.count[i] == (0 if asks else 3)
        assert routes.status[i] == (STUCK if expected[1] > 8.0 * USUAL.patience else WALKING)
    assert (routes.slow[4], routes.held[4]) == (before[0][4], before[1][4])


def _crowd(seed: int) -> Crossing:
    """Return bodies close together, of two teams, some of which yield, stand or are stuck."""
    random = np.random.default_rng(seed)
    crowd = Crossing(random.uniform((2.0, 2.0), (4.5, 4.5), (COUNT, 2)).tolist(), [[(3.0, 3.0)]] * COUNT)
    crowd.wish[:] = random.uniform(-1.5, 1.5, (COUNT, 2))
    crowd.wish[5] = 0.0
    crowd.bodies.team[:] = random.random(COUNT) < 0.2
    crowd.bodies.radius[:] = random.uniform(0.2, 0.5, COUNT)
    crowd.routes.yields[:] = np.where(random.random(COUNT) < 0.3, 0.4, 0.0)
    crowd.routes.yields_to[:] = random.integers(COUNT, size=COUNT)
    crowd.orders.going[:] = random.random(COUNT) < 0.8
    crowd.routes.status[:] = np.where(random.random(COUNT) < 0.3, STUCK, WALKING)
    find_nearby(crowd.bodies, 2.0, 1.2, *crowd.crowd._grid, crowd.crowd.near)
    return crowd


def _near(crowd: Crossing, i: int) -> list[int]:
    near = crowd.crowd.near
    return near.other[near.start[i] : near.start[i + 1]].tolist()


@pytest.mark.parametrize("seed", range(12))
def test_who_waits_in_a_queue_and_who_stays_aside(seed):
    crowd, rank = _crowd(seed), np.random.default_rng(seed).integers(0, 4, COUNT)
    routes, at, wish = crowd.routes, crowd.bodies.xyz[:, :2].astype(float), crowd.wish
    yields = routes.yields.copy() > 0.0
    for i in range(COUNT):
        queue = any(
            crowd.orders.going[j] and (routes.status[j] == WALKING or yields[j]) and (at[j] - at[i]) @ wish[i] > 0.0
            and math.dist(at[i], at[j]) < crowd.bodies.radius[i] + crowd.bodies.radius[j] + 0.5
            for j in _near(crowd, i)
        )  # fmt: skip
        found = waits_in_queue(i, crowd.bodies, crowd.orders, routes, crowd.crowd.near, wish)
        assert found == (queue or yields[i])
        comes = [
            j for j in _near(crowd, i)
            if not yields[j] and crowd.bodies.team[i] == crowd.bodies.team[j] and rank[j] <= rank[i]
            and (at[j] - at[i]) @ wish[i] > 0.0 > (at[j] - at[i]) @ wish[j] and wish[i] @ wish[j] < 0.0
            and math.dist(at[i], at[j]) < 1.5
            and abs(np.cross([*(at[j] - at[i]), 0], [*wish[j], 0])[2]) < 0.8 * math.hypot(*wish[j])
        ]  # fmt: skip
        own = routes._replace(yields=routes.yields.copy(), yields_to=routes.yields_to.copy())
        assert stays_aside(i, crowd.bodies, own, crowd.crowd.near, wish, rank) == bool(comes)
        if comes:
            assert (own.yields[i], own.yields_to[i]) == (pytest.approx(0.3), comes[0])


@pytest.mark.parametrize("seed", range(4))
def test_one_gives_way_along_with_the_other_and_to_its_own_side(seed):
    crowd = _crowd(seed)
    at, wish = crowd.bodies.xyz[:, :2].astype(float), crowd.wish
    for i in range(COUNT):
        for speed in (0.5, 2.0):
            j = int(crowd.routes.yields_to[i])
            velocity = np.array(retreat(i, crowd.bodies, crowd.routes, wish, speed))
            pace = math.hypot(*wish[j])
            if not pace:
                assert velocity.tolist() == [0.0, 0.0]
                continue
            ahead = wish[j] / pace
            left = np.array([-ahead[1], ahead[0]])
            side = 1.0 if (at[i] - at[j]) @ left >= 0.0 else -1.0
            expected = ahead + 0.7 * side * left
            assert velocity == pytest.approx(expected / math.hypot(*expected) * max(speed, 1.0))


def test_a_velocity_changes_by_no_more_than_allowed():
    random = np.random.default_rng(0)
    present, wanted = random.uniform(-2.0, 2.0, (2, 20, 2))
    mode, velocity = np.zeros(20, np.uint8), wanted.copy()
    mode[3] = GONE
    accelerate(mode, present, 1.5, velocity)
    for n in range(20):
        change = wanted[n] - present[n]
        share = 1.0 if n == 3 else min(1.0, 1.5 / math.hypot(*change))
        assert velocity[n] == pytest.approx(present[n] + share * change)
