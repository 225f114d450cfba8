"""Items that players take, and guards that they take out where there is no other way."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from lastseen.errors import InputError
from lastseen.level.features import Marker
from lastseen.reasoning.placement.guard_routes import GuardKind, GuardRoute
from lastseen.reasoning.placement.placement_settings import VerifySettings
from lastseen.reasoning.placement.verify.sneak_ground import SneakGround
from lastseen.reasoning.placement.verify.verify import verify
from oracles.placement import hall

WATCHMAN = GuardKind("standing", speed=0.0, view_distance=9.0, view_angle=math.radians(100), passive=0.5)
# A corridor whose only way on is in full view of a guard that looks east; the player comes from the west.
CORRIDOR = SneakGround(hall(16, 2))
GUARD = GuardRoute(WATCHMAN, [(6.0, 1.0)], heading=0.0)
QUICK = VerifySettings(seconds=20.0, runs=2, trees=2, nodes=100)


def found(*guards, takedowns=1, seconds=20.0):
    chosen = replace(QUICK, takedowns=takedowns, seconds=seconds)
    return verify(CORRIDOR, list(guards), (1.0, 1.0), (15.0, 1.0), settings=chosen)


def test_a_guard_in_the_way_is_taken_out_from_behind():
    assert found(GUARD, takedowns=0).takedowns is None
    told = found(GUARD)
    assert told.solvable is False
    (taken,) = told.takedowns.takedowns
    assert taken.guard == 0
    assert taken.xyz[0] < 6.0
    assert math.dist(taken.xyz[:2], (6.0, 1.0)) <= 0.6 + 0.5 + 1e-9
    path = told.takedowns.path
    np.testing.assert_allclose(path[-1, :2], (15.0, 1.0))
    assert (np.diff(path[:, 3]) >= 0.0).all()
    length = np.linalg.norm(np.diff(path[:, :3], axis=0), axis=1)
    assert (length <= QUICK.speed * np.diff(path[:, 3]) + 1e-6).all()
    before = path[path[:, 3] <= taken.seconds]
    assert before[-1, 0] == pytest.approx(taken.xyz[0])


def test_two_guards_need_two_takedowns_and_one_that_looks_back_prevents_both():
    other = GuardRoute(WATCHMAN, [(11.0, 1.0)], heading=0.0)
    assert found(GUARD, other).takedowns is None
    pair = found(GUARD, other, takedowns=2).takedowns
    assert [one.guard for one in pair.takedowns] == [0, 1]
    assert pair.takedowns[0].seconds < pair.takedowns[1].seconds < pair.path[-1, 3]
    wary = GuardRoute(replace(WATCHMAN, view_distance=4.5), [(8.0, 1.0)], heading=math.pi)
    assert found(GUARD, wary, takedowns=2).takedowns is None


def test_no_guard_is_taken_out_without_need_or_time():
    assert found(GuardRoute(replace(WATCHMAN, view_distance=0.5), [(6.0, 1.9)], heading=math.pi / 2)).takedowns is None
    assert found(GUARD, seconds=5.0).takedowns is None
    with pytest.raises(InputError, match="takedowns is 4; give 0 to 3"):
        VerifySettings(takedowns=4)


def test_items_are_passed_by_solutions_or_out_of_reach():
    on, off, seen = (
        Marker((x, y, 0.0), "item", name) for x, y, name in ((8, 0.5, "on"), (1, 9, "off"), (11, 9, "seen"))
    )
    level = replace(hall(12, 10), markers=(on, off, seen, Marker((3, 3, 0.0), "exit")))
    eyes = GuardRoute(replace(WATCHMAN, view_distance=3.0, view_angle=6.28), [(11.0, 8.5)], heading=math.pi / 2)
    told = verify(level, [eyes], (0.5, 0.5), (11.5, 0.5), settings=replace(QUICK, runs=4))
    first, second, third = told.items
    assert (first.name, first.taken.hits, first.taken.of) == ("on", 4, 4)
    assert second.taken.hits == third.taken.hits == 0
    assert first.seconds == pytest.approx(7.5 / 2.5, abs=0.1)
    assert second.seconds == pytest.approx(8.5 / 2.5, abs=0.1)
    assert math.isinf(third.seconds)
    assert told.as_object()["items"][2]["reachable"] is False
    assert told.collected.shape == (0, 4)


def test_all_items_are_taken_on_one_way_in_time():
    near, far = Marker((3.0, 5.0, 0.0), "item", "near"), Marker((9.0, 5.0, 0.0), "item", "far")
    level = replace(hall(12, 10), markers=(far, near))
    eyes = GuardRoute(replace(WATCHMAN, view_distance=1.0), [(6.0, 9.0)], heading=math.pi / 2)
    path = verify(level, [eyes], (0.5, 0.5), (11.5, 0.5), settings=QUICK).collected
    stops = [(0.5, 0.5), near.xyz[:2], far.xyz[:2], (11.5, 0.5)]
    shortest = sum(math.dist(a, b) for a, b in pairwise(stops))
    assert np.linalg.norm(np.diff(path[:, :3], axis=0), axis=1).sum() == pytest.approx(shortest, rel=0.05)
    at = [int(np.linalg.norm(path[:, :2] - stop, axis=1).argmin()) for stop in stops]
    assert at == sorted(at)
    assert all(np.linalg.norm(path[row, :2] - stop) < 1e-6 for row, stop in zip(at, stops))
    assert path[-1, 3] == pytest.approx(shortest / QUICK.speed, rel=0.06)
    assert (np.diff(path[:, 3]) >= 0.0).all()
    hurried = verify(level, [eyes], (0.5, 0.5), (11.5, 0.5), settings=replace(QUICK, seconds=5.0))
    assert hurried.exact.found
    assert len(hurried.collected) == 0
    assert verify(hall(12, 10), [eyes], (0.5, 0.5), (11.5, 0.5), settings=QUICK).collected is None
