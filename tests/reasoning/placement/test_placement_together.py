"""Guards chosen together: never less than one by one from the same draw, and close to the optimum."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from lastseen.reasoning.placement.guard_routes import GuardKind, GuardRoute
from lastseen.reasoning.placement.place.candidates import Candidate, choose_together
from lastseen.reasoning.placement.place.place import GuardPlanner
from lastseen.reasoning.placement.placement_settings import GUARD_TERMS, PlacementSettings
from oracles.guard_choice import allowed, best_of_all, judged, value
from oracles.placement import hall

WALKING, CAMERA = GuardKind(view_distance=4.0, passive=0.5), GuardKind("camera", speed=0.0, view_distance=4.0)
PATH = [(0.5, 0.5), (11.5, 0.5)]
LEVEL = hall(12, 10, (5, 4, 7, 6), (1, 7, 4, 7.5))
QUICK = PlacementSettings(candidates=8)


def drawn(seed: int, guards: int, floor: int, path: int) -> tuple[list[Candidate], np.ndarray]:
    """Return a pool of walking guards and cameras with random views."""
    random = np.random.default_rng(seed)
    kinds = [(WALKING, CAMERA)[int(random.integers(2))] for _ in range(guards)]
    shares = np.round(random.random((guards, floor + path)), 1) * (random.random((guards, floor + path)) < 0.3)
    pool = []
    for number, (kind, share) in enumerate(zip(kinds, shares)):
        points = [(0, 0), (1, 0)] if kind.walks else [(0, 0)]
        place = -1 if kind.walks else number if number < 3 else int(random.integers(5))
        pool.append(Candidate(GuardRoute(kind, points), share, place))
    return pool, shares


@settings(max_examples=40, deadline=None)
@given(some.integers(0, 2**32 - 1), some.sampled_from([0.0, 1.0, 4.0]))
def test_what_is_chosen_is_near_the_best_of_all_choices(seed, spare):
    """Compare with all choices from small pools: usually optimal, never worse than the initial choice."""
    floor = 70
    pool, shares = drawn(seed, 9, floor, 4)
    kinds, places = [one.route.kind for one in pool], [one.place for one in pool]
    chosen = choose_together(pool, 3, floor, spare).tolist()
    assert allowed(kinds, places, kinds[:3], chosen)
    before, after = judged(shares, range(3), floor), judged(shares, chosen, floor)
    assert after[0] >= before[0]
    assert after[1] >= before[1] - 1e-9
    assert spare == 0.0 or after[2] <= before[2] + 1e-9
    best, begin = best_of_all(shares, kinds, places, 3, floor, spare), value(shares, range(3), floor, spare)
    found = value(shares, chosen, floor, spare)
    assert begin - 1e-9 <= found <= best + 1e-9


def test_most_choices_are_the_best_there_is():
    exact, gain = 0, 0.0
    for seed in range(20):
        pool, shares = drawn(seed, 9, 70, 4)
        kinds, places = [one.route.kind for one in pool], [one.place for one in pool]
        best = best_of_all(shares, kinds, places, 3, 70, 1.0)
        found = value(shares, choose_together(pool, 3, 70, 1.0), 70, 1.0)
        exact += found >= best - 1e-9
        gain += best - found
    assert exact >= 16
    assert gain / 20 < 0.01


@pytest.fixture(scope="module")
def planner() -> GuardPlanner:
    return GuardPlanner(LEVEL, PATH, kinds=[WALKING, replace(CAMERA, passive=0.5)], settings=QUICK)


@settings(max_examples=15, deadline=None)
@given(some.integers(0, 2**31), some.integers(1, 5), some.sampled_from([0.0, 2.0]), some.sampled_from(GUARD_TERMS))
def test_together_never_cover_less_than_one_by_one(planner, seed, guards, path_cost, term):
    """Check the same draw on the same floor; guards never see more of the path."""
    base = replace(QUICK, path_cost=path_cost, guard_term=term)
    one = planner.with_settings(replace(base, together=False)).place(guards, seed=seed).coverage
    both = planner.with_settings(base).place(guards, seed=seed).coverage
    assert both.ever >= one.ever
    assert both.mean >= one.mean - 1e-9
    assert both.path <= one.path + 1e-9


def test_together_they_cover_clearly_more():
    planner = GuardPlanner(LEVEL, PATH, kinds=replace(WALKING, view_distance=2.5), settings=QUICK)
    alone = planner.with_settings(replace(QUICK, together=False))
    seen = np.array([[one.place(3, seed=seed).coverage.ever for one in (alone, planner)] for seed in range(6)])
    assert seen[:, 1].mean() > seen[:, 0].mean() + 0.05


def test_a_check_that_one_by_one_pass_is_passed(planner):
    """Check that when guards chosen together are rejected, those of the same draw one by one are tried next."""
    alone = planner.with_settings(replace(QUICK, together=False, redraws=1)).place(2, seed=3)

    def same(routes) -> bool:
        return all(np.array_equal(a.points, b.points) for a, b in zip(routes, alone.routes, strict=True))

    found = planner.with_settings(replace(QUICK, redraws=1)).place(2, seed=3, check=same)
    assert found.passed is True
    assert found.coverage == alone.coverage
    assert found.notes[-1] == "1 placement was rejected by the check before this one"


def test_where_costs_of_guards_leave_no_room_those_together_still_find_some():
    setting = replace(QUICK, guard_cost=50.0, attempts=20, drop_off=1.0, path_cost=0.0)
    planner = GuardPlanner(LEVEL, PATH, kinds=WALKING, settings=setting)
    assert len(planner.place(9, seed=0).routes) == 9
