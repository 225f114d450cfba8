"""Who goes first where two are in each other's way."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.kernels.arrays.agent_arrays import STUCK, WALKING
from lastseen.kernels.bodies.contact import turn
from walks import USUAL, Crossing

EAST, WEST = [(7.5, 3.0)], [(0.5, 3.0)]
LONG = 2.0 * USUAL.patience


def held_up(places: list, ways: list) -> Crossing:
    """Return a crowd whose members have not got on for a second."""
    crowd = Crossing(places, ways)
    crowd.routes.slow[:] = LONG
    return crowd


def yields_to(crowd: Crossing) -> list[int | None]:
    routes = crowd.routes
    return [int(to) if yields > 0.0 else None for yields, to in zip(routes.yields, routes.yields_to)]


@pytest.mark.parametrize("swapped", [False, True])
def test_of_two_abreast_the_lower_number_goes_first_and_the_other_leaves_it_the_room(swapped: bool) -> None:
    places = [(2.0, 2.69), (2.0, 3.31)]
    meeting = [[(2.6, 3.0)], [(2.6, 3.0)]]
    crowd = held_up(places[::-1] if swapped else places, meeting)
    crowd.steer()
    assert crowd.velocity[0] @ crowd.wish[0] > 0.99 * np.hypot(*crowd.velocity[0]) * np.hypot(*crowd.wish[0]) > 0.0
    assert crowd.velocity[1] @ crowd.wish[1] < 0.9 * np.hypot(*crowd.velocity[1]) * np.hypot(*crowd.wish[1])


def test_who_is_ahead_goes_first_whatever_the_numbers() -> None:
    crowd = held_up([(2.0, 2.69), (2.3, 3.31)], [[(3.0, 3.0)], [(3.0, 3.0)]]).steer()
    assert crowd.velocity[1] @ crowd.wish[1] > 0.99 * np.hypot(*crowd.velocity[1]) * np.hypot(*crowd.wish[1])
    assert crowd.velocity[0] @ crowd.wish[0] < 0.9 * np.hypot(*crowd.velocity[0]) * np.hypot(*crowd.wish[0])


def test_of_two_who_meet_the_higher_number_gives_way_and_only_when_held_up() -> None:
    places = [(4.0, 3.0), (4.8, 3.0)]
    assert yields_to(held_up(places, [EAST, WEST]).steer()) == [None, 0]
    assert yields_to(held_up(places[::-1], [WEST, EAST]).steer()) == [None, 0]
    assert yields_to(Crossing(places, [EAST, WEST]).steer()) == [None, None]
    strangers = held_up(places, [EAST, WEST])
    strangers.bodies.team[1] = 1
    assert yields_to(strangers.steer()) == [None, None]


def test_a_file_goes_before_those_it_meets_by_its_lowest_number() -> None:
    # 2 meets 1; behind 2 comes 0 the same way.
    assert yields_to(held_up([(0.5, 0.5), (4.0, 3.0), (4.8, 3.0)], [[], EAST, WEST]).steer()) == [None, None, 1]
    assert yields_to(held_up([(5.6, 3.0), (4.0, 3.0), (4.8, 3.0)], [WEST, EAST, WEST]).steer()) == [None, 2, None]


def test_who_stands_behind_one_that_backs_off_yields_at_once_to_the_same() -> None:
    crowd = Crossing([(4.0, 3.0), (4.7, 3.0), (5.4, 3.1)], [EAST, WEST, WEST])
    crowd.routes.yields[1], crowd.routes.yields_to[1] = 1.0, 0
    assert yields_to(crowd.steer()) == [None, 0, 0]
    # One who goes the same way as the first, or comes before it, does not.
    other = Crossing([(4.0, 3.0), (4.7, 3.0), (5.4, 3.1)], [EAST, WEST, EAST])
    other.routes.yields[1], other.routes.yields_to[1] = 1.0, 0
    assert yields_to(other.steer()) == [None, 0, None]


@pytest.mark.parametrize(("y", "stays"), [(3.5, True), (4.0, False)])
def test_one_stays_aside_while_the_next_comes_along_its_lane(y: float, stays: bool) -> None:
    crowd = Crossing([(4.0, 3.0), (5.0, y)], [EAST, WEST])
    crowd.routes.yields[1], crowd.routes.yields_to[1] = 0.05, 0
    crowd.steer()
    assert bool(crowd.routes.yields[1] > 0.0) is stays
    assert bool(crowd.routes.count[1] == 0) is not stays, "its way is asked for again when it goes on"


def test_a_queue_is_others_ahead_who_walk_too() -> None:
    crowd = Crossing([(4.0, 3.0), (4.9, 3.0), (6.5, 3.0)], [EAST, EAST, EAST]).steer()
    assert crowd.routes.queues.tolist() == [1, 0, 0]
    crowd = Crossing([(4.0, 3.0), (4.9, 3.0)], [EAST, []]).steer()
    assert crowd.routes.queues.tolist() == [0, 0]


@pytest.mark.parametrize(("queues", "seconds"), [(0, 8.0 * USUAL.patience), (1, 40.0 * USUAL.patience)])
def test_a_queue_is_borne_five_times_as_long_before_one_is_stuck(queues: int, seconds: float) -> None:
    crowd = Crossing([(4.0, 3.0)], [EAST]).steer()
    crowd.routes.queues[0] = queues
    speeds, now = crowd.crowd.turn_speed, 0.0
    while crowd.routes.status[0] == WALKING and now < 100.0:
        turn(crowd.bodies, crowd.bodies, crowd.orders, crowd.routes, crowd.wish, speeds, 8.0, 1.5, 0.1, USUAL.patience)
        now += 0.1
    assert crowd.routes.status[0] == STUCK
    assert now == pytest.approx(seconds, abs=0.21)
    assert crowd.routes.count[0] == 0, "it asks for its way again"
