"""Targets, by how much runs miss them, and races between placements."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import InputError
from lastseen.reasoning.placement.guard_routes import Coverage
from lastseen.reasoning.placement.improve.targets import (
    Entry,
    Misses,
    Targets,
    aim,
    hope,
    in_threads,
    middle,
    race,
    rungs,
    surely_met,
)

INF = math.inf
apart = st.lists(st.one_of(st.just(INF), st.floats(0.0, 100.0)), min_size=1, max_size=12)


def test_misses_by_hand():
    targets = Targets(success=(0.2, 0.5), closeness=4.0, coverage=0.6)
    assert targets.misses(np.array([2.0, INF, 3.0, INF]), 0.7) == Misses(0.0, 0.0, 0.0)
    missed = targets.misses(np.array([8.0, 6.0, 10.0, INF]), 0.5)
    assert missed == Misses(pytest.approx(0.25), pytest.approx(0.5), pytest.approx(0.1))
    assert missed.total == pytest.approx(0.85)
    assert targets.misses(np.array([INF, INF]), 1.0) == Misses(0.2, 1.0, 0.0)
    assert Targets(coverage=0.5).misses(np.array([INF]), 0.2) == Misses(0.0, 0.0, pytest.approx(0.3))


@given(apart)
def test_the_middle_is_the_median_of_ways_that_were_found(values):
    found = [value for value in values if value < INF]
    assert middle(np.array([values]))[0] == pytest.approx(float(np.median(found)) if found else INF)


@given(apart, st.floats(0.0, 1.0))
def test_totals_are_misses_and_a_pull_by_effort_beside_the_range_only(values, seen):
    targets = Targets(success=(0.3, 0.6), closeness=20.0, coverage=0.5)
    row, missed = np.array([values]), targets.misses(np.array(values), seen)
    share = float(np.isfinite(row).mean())
    for effort in (0.0, 0.5, 1.0):
        pull = 0.1 * (1.0 - effort if share > 0.6 else effort if share < 0.3 else 0.0)
        assert targets.totals(row, np.full_like(row, effort), seen)[0] == pytest.approx(missed.total + pull)


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({}, "no target is given"),
        ({"success": (0.6, 0.2)}, "success is 0.6 to 0.2; give the minimum first"),
        ({"success": (0.2, 1.2)}, "success is 1.2"),
        ({"success": 0.4}, "success is 0.4; give the minimum and maximum"),
        ({"closeness": 0.0}, "closeness is 0"),
        ({"coverage": 1.5}, "coverage is 1.5"),
    ],
)
def test_targets_that_make_no_sense_are_refused(wanted, words):
    with pytest.raises(InputError, match=words):
        Targets(**wanted)


def test_rungs_double_up_to_all_runs():
    assert rungs(40) == (10, 20, 40)
    assert rungs(64) == (8, 16, 32, 64)
    assert rungs(5) == (5,)


class Runs:
    """A judge whose runs have given results, and which counts the runs of each entry."""

    def run(self, entries, runs):
        for entry in entries:
            entry.apart = np.array(entry.question[:runs], float)
            entry.effort = np.where(np.isfinite(entry.apart), 0.0, 1.0)


def entry(outcomes, seen=0.5, runs=0) -> Entry:
    one = Entry((), Coverage(seen, seen, 0.0), outcomes)
    Runs().run([one], runs)
    return one


def outcomes(share: float, count: int) -> list[float]:
    """Return runs that succeed at an even rate."""
    return [1.0 if math.floor((n + 1) * share) > math.floor(n * share) else INF for n in range(count)]


TARGETS = Targets(success=(0.4, 0.6))


def test_the_one_inside_the_range_wins_and_those_far_behind_get_few_runs():
    champion, far, near = entry(outcomes(0.9, 128), runs=128), entry(outcomes(1.0, 128)), entry(outcomes(0.5, 128))
    assert race(Runs(), TARGETS, champion, [far, near], 0) is near
    assert len(near.apart) == 128
    assert len(far.apart) < 64
    assert race(Runs(), TARGETS, near, [champion, far], 0) is near


def test_one_that_is_better_by_luck_is_turned_down_by_the_other_half():
    champion = entry(outcomes(0.7, 64), runs=64)
    lucky = entry(outcomes(0.5, 32) + [1.0] * 32)
    assert race(Runs(), TARGETS, champion, [lucky], 0) is champion
    assert len(lucky.apart) == 64


def test_the_middle_of_a_range_is_better_than_its_edge():
    edge, inside = entry(outcomes(0.4, 200), runs=200), entry(outcomes(0.5, 200), runs=200)
    assert TARGETS.misses(edge.apart, 0.5).total == TARGETS.misses(inside.apart, 0.5).total == 0.0
    assert aim(TARGETS, inside, 0) < aim(TARGETS, edge, 0)
    assert surely_met(TARGETS, inside, 0)
    assert not surely_met(TARGETS, edge, 0)


def test_hope_counts_ties_half():
    assert hope(np.array([0.1, 0.2, 0.3, 0.3]), np.array([0.2, 0.2, 0.2, 0.2])) == pytest.approx(0.375)


def test_threads_keep_the_order_and_end_what_has_not_begun():
    assert in_threads(lambda number: number * number, range(9), 4) == [n * n for n in range(9)]
    begun = SimpleNamespace(count=0)

    def fails(number):
        begun.count += 1
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        in_threads(fails, range(1000), 1)
    assert begun.count == 1
