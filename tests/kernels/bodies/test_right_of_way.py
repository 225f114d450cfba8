"""Who goes first where two are in each other's way."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.kernels.arrays.agent_arrays import STUCK, WALKING
from lastseen.kernels.bodies.contact import turn
from lastseen.kernels.bodies.right_of_way import FIRST, SECOND, rank_all
from specimens.crowds import USUAL, Crossing

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


def _ranks_by_hand(crowd: Crossing) -> tuple[np.ndarray, dict[tuple[int, int], int]]:
    """Return ranks and turns of a crowd in which nobody yields, from the rules as they are written down."""
    at, wish, slow = crowd.bodies.xyz[:, :2], crowd.wish, crowd.routes.slow
    count, turns = len(at), {}
    pace = np.linalg.norm(wish, axis=1)
    for i in range(count):
        for j in range(count):
            way = at[j] - at[i]
            close = np.hypot(*way) <= 0.6 + 0.3
            held = max(slow[i], slow[j]) >= 0.5 * USUAL.patience
            if i != j and held and close and wish[i] @ wish[j] > 0.0:
                ahead = 0.5 * way @ (wish[i] / pace[i] + wish[j] / pace[j])
                turns[i, j] = (SECOND if j < i else FIRST) if abs(ahead) <= 0.1 else SECOND if ahead > 0.0 else FIRST
    rank = list(range(count))
    for _ in range(2):
        for i in range(count):
            for j in range(count):
                if rank[j] < rank[i] and wish[i] @ wish[j] > 0.0 and np.hypot(*(at[j] - at[i])) < 0.6 + 0.8:
                    rank[i] = rank[j]
    return np.array(rank), turns


@pytest.mark.parametrize("seed", range(5))
def test_ranks_and_turns_are_those_worked_out_by_hand(seed: int) -> None:
    random = np.random.default_rng(seed)
    places = random.uniform([2.0, 1.0], [4.5, 3.5], (7, 2))
    crowd = Crossing(places.tolist(), random.uniform(0.5, 5.5, (7, 1, 2)).tolist()).steer()
    crowd.routes.slow[:] = random.uniform(0.0, USUAL.patience, 7)
    crowd.routes.slow[0] = LONG
    crowd.routes.yields[:] = 0.0
    near, rank = crowd.crowd.near, np.zeros(7, np.int64)
    rank_all(crowd.bodies, crowd.routes, near, crowd.wish, USUAL.patience, rank, crowd.crowd._turns)
    pairs = [(i, int(near.other[k])) for i in range(7) for k in range(near.start[i], near.start[i + 1])]
    expected, turns = _ranks_by_hand(crowd)
    assert rank.tolist() == expected.tolist()
    assert crowd.crowd._turns[: len(pairs)].tolist() == [turns.get(pair, 0) for pair in pairs]
    assert turns


@pytest.mark.parametrize("quarter", range(4))
def test_where_a_crowd_is_and_which_way_it_faces_changes_nothing(quarter: int) -> None:
    turned = np.linalg.matrix_power(np.array([(0.0, -1.0), (1.0, 0.0)]), quarter)
    random = np.random.default_rng(8)
    places, goals = random.uniform(-0.9, 0.9, (2, 6, 2)) * [[[1.0]], [[2.5]]]

    def steered(turn: np.ndarray, middle: tuple[float, float]) -> Crossing:
        crowd = held_up((places @ turn.T + middle).tolist(), (goals @ turn.T + middle)[:, None].tolist())
        crowd.routes.yields[5], crowd.routes.yields_to[5] = 0.05, 0
        return crowd.steer()

    plain, other = steered(np.eye(2), (3.0, 3.0)), steered(turned, (4.0, 2.75))
    assert other.wish == pytest.approx(plain.wish @ turned.T, abs=1e-9)
    assert other.velocity == pytest.approx(plain.velocity @ turned.T, abs=1e-6)
    assert yields_to(other) == yields_to(plain)
    assert other.routes.queues.tolist() == plain.routes.queues.tolist()
