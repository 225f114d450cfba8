"""Where everybody wants to go, and how they keep out of one another's way."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.bodies.crowd import MoveSettings
from lastseen.kernels.arrays.agent_arrays import ARRIVED, GONE
from oracles.movement import avoiding, cost_of, wish
from specimens.crowds import USUAL, Crossing

STEP = 0.1
POINTS = st.tuples(st.floats(0.0, 8.0), st.floats(0.0, 6.0))


def test_alone_one_goes_straight_and_gains_speed_by_the_acceleration() -> None:
    one = Crossing([(1.0, 1.0)], [[(7.0, 1.0)]]).steer()
    assert one.wish[0] == pytest.approx([2.0, 0.0])
    assert one.velocity[0] == pytest.approx([12.0 * STEP, 0.0])
    one.bodies.velocity_xy[0] = one.velocity[0]
    assert one.steer().velocity[0] == pytest.approx([2.0, 0.0])
    assert one.routes.left[0] == pytest.approx(6.0)


def test_bends_are_gone_to_one_after_another_and_the_last_is_the_end() -> None:
    one = Crossing([(1.0, 1.0)], [[(1.1, 1.0), (1.1, 5.0)]]).steer()
    assert one.routes.at[0] == 1, "the first is within 0.2 m"
    assert one.wish[0, 1] > 1.9
    one.bodies.xyz[0] = (1.1, 4.9, 0.0)
    assert one.steer().wish[0].tolist() == [0.0, 0.0]
    assert one.routes.status[0] == ARRIVED


@pytest.mark.parametrize("axes", [(0, 1), (1, 0)])
@pytest.mark.parametrize(("ahead", "aside", "passed"), [(0.25, 0.2, True), (-0.25, 0.2, False), (0.5, 0.2, False)])
def test_a_bend_is_passed_where_it_lies_close_behind_along_the_next_stretch(axes, ahead, aside, passed) -> None:
    place = np.array([1.0 + aside, 2.0 + ahead])[list(axes)]
    bends = np.array([(4.0, 2.0), (1.0, 2.0), (1.0, 5.0)])[:, axes]
    one = Crossing([place], [bends.tolist()])
    one.routes.at[0] = 1
    assert one.steer().routes.at[0] == (2 if passed else 1)


def test_two_who_meet_both_turn_to_the_right() -> None:
    two = Crossing([(2.0, 3.0), (5.0, 3.0)], [[(7.0, 3.0)], [(0.5, 3.0)]])
    two.bodies.velocity_xy[:] = [(2.0, 0.0), (-2.0, 0.0)]
    two.steer()
    assert two.velocity[0, 1] < 0.0 < two.velocity[1, 1]


def test_who_stands_or_is_gone_is_not_moved_and_whom_one_runs_up_to_is_not_avoided() -> None:
    two = Crossing([(2.0, 3.0), (3.5, 3.0)], [[(7.0, 3.0)], []])
    two.bodies.velocity_xy[0] = (2.0, 0.0)
    assert two.steer().velocity[1].tolist() == [0.0, 0.0]
    assert two.velocity[0, 1] != 0.0
    two.orders.toward[0] = 1
    assert two.steer().velocity[0] == pytest.approx([2.0, 0.0])
    two.bodies.mode[0] = GONE
    assert two.steer().velocity.tolist() == [[0.0, 0.0], [0.0, 0.0]]


@given(POINTS, st.lists(POINTS, min_size=1, max_size=5), st.floats(0.5, 5.0))
def test_wishes_equal_the_plain_way_along_bends(place: tuple[float, float], way: list, speed: float) -> None:
    one = Crossing([place], [way], speed).steer()
    expected, at = wish(np.array(place), np.array(way), speed, USUAL.arrive)
    assert one.wish[0] == pytest.approx(expected, abs=1e-9)
    assert one.routes.at[0] == at


@given(st.lists(st.tuples(POINTS, POINTS, st.booleans()), min_size=2, max_size=5))
def test_of_all_velocities_tried_the_cheapest_is_taken(crowd: list) -> None:
    ways = [[goal] if going else [] for _, goal, going in crowd]
    many = Crossing([place for place, _, _ in crowd], ways)
    many.bodies.velocity_xy[:] = [(math.cos(number), math.sin(number)) for number in range(len(crowd))]
    many.steer(MoveSettings(acceleration=1000.0))
    xy, velocity = many.bodies.xyz[:, :2], many.bodies.velocity_xy
    for agent in range(len(crowd)):
        near = [other for other in range(len(crowd)) if other != agent and np.hypot(*(xy[other] - xy[agent])) <= 3.0]
        others = [(xy[other] - xy[agent], velocity[other], bool(many.orders.going[other])) for other in near]
        around = (others, 0.65, USUAL.horizon)
        expected, least = avoiding(many.wish[agent], velocity[agent], *around)
        # Of two that cost the same within rounding, either is right.
        if not np.allclose(many.velocity[agent], expected, atol=1e-6):
            assert cost_of(many.velocity[agent], many.wish[agent], velocity[agent], *around) == pytest.approx(least)


@given(st.lists(st.tuples(POINTS, POINTS), min_size=1, max_size=6))
def test_nobody_changes_speed_faster_than_allowed(crowd: list) -> None:
    many = Crossing([place for place, _ in crowd], [[goal] for _, goal in crowd], 4.5)
    for _ in range(3):
        before = many.bodies.velocity_xy.copy()
        many.steer()
        change = np.hypot(*(many.velocity - before).T)
        assert (change <= USUAL.acceleration * STEP + 1e-9).all()
        many.bodies.velocity_xy[:] = many.velocity
