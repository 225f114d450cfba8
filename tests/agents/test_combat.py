"""Who stands in the line of a shot? Hand-worked, and against points along the line."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.bodies.combat import Combat, CombatRules, friend_in_line
from lastseen.kernels.arrays.agent_arrays import BODY

coordinate = st.integers(-40, 40).map(lambda tenth: tenth / 4.0)
place = st.tuples(coordinate, coordinate)


def line(*places, team=None, radius=0.3):
    """Return who is in the line from the first to the second."""
    table = bodies([(x, y, 0.0) for x, y in places], team=[0, 1, *[0] * (len(places) - 2)] if team is None else team)
    table.radius[:] = radius
    return friend_in_line(table, 0, 1)


def test_a_colleague_within_its_radius_of_the_line_stands_in_it():
    assert line((0, 0), (10, 0), (5, 0.3)) == 2
    assert line((0, 0), (10, 0), (5, 0.31)) == -1


def test_behind_the_shooter_and_behind_the_target_is_not_in_the_line():
    assert line((0, 0), (10, 0), (-1, 0), (11, 0)) == -1


def test_of_several_the_nearest_counts():
    assert line((0, 0), (10, 0), (7, 0), (4, 0.1), (5, 0)) == 3


def test_foes_bodies_and_those_on_another_floor_do_not_count():
    assert line((0, 0), (10, 0), (5, 0), team=[0, 1, 1]) == -1
    table = bodies([(0, 0, 0), (10, 0, 0), (5, 0, 3.0), (6, 0, 0)], team=[0, 1, 0, 0])
    table.mode[3] = BODY
    assert friend_in_line(table, 0, 1) == -1


def test_who_stands_in_one_place_with_the_target_shoots_nobody():
    assert line((3, 3), (3, 3), (3, 3)) == -1


@given(st.tuples(place, place), st.lists(place, max_size=6))
def test_it_equals_walking_along_the_line(ends, others):
    (ax, ay), (bx, by) = ends
    found = line((ax, ay), (bx, by), *others)
    shares = np.linspace(0.0, 1.0, 2001)
    along = np.column_stack([ax + shares * (bx - ax), ay + shares * (by - ay)])
    nearest = [np.hypot(*(along - other).T) for other in others]
    inside = [one for one, metres in enumerate(nearest) if metres.min() <= 0.29 and 0 < metres.argmin() < 2000]
    outside = [one for one, metres in enumerate(nearest) if metres.min() > 0.31]
    assert (found == -1) <= (not inside)
    assert found - 2 not in outside


def test_one_may_attack_when_its_rest_is_over_and_ranged_arms_keep_away():
    ready, draw = np.array([3.0, -np.inf]), np.random.default_rng(0)
    combat = Combat(CombatRules(range=8.0), ("melee", "ranged"), np.ones(2), np.ones(2), ready, draw)
    assert (combat.waits(0, 1.0), combat.waits(0, 3.0), combat.waits(1, 0.0)) == (2.0, 0.0, 0.0)
    assert combat.distance(0) == (0.0, 0.75 * 1.8)
    assert combat.distance(1) == (4.0, 6.4)
    combat.ended[1] = (2.0, "held")
    assert combat.has_held(1, 3.0)
    assert not combat.has_held(1, 3.1)
    assert not combat.has_held(0, 3.0)
