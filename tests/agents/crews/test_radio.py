"""One asks, and those within radio reach are drawn into the crew."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.crews.grouping import drawn
from lastseen.agents.requests import Request, RequestBoard
from lastseen.kernels.arrays.agent_arrays import BODY
from specimens.crews import Hall, told

ALL = "root: {roles: [{role: {name: come}}]}"
ROW = [(2.0, 6.0), (5.0, 6.0), (8.0, 6.0), (18.0, 6.0)]


def test_one_who_asks_draws_those_within_its_reach_and_no_others() -> None:
    hall = Hall(ALL, ROW)
    hall.ask([0], draws=7.0)
    assert told(hall, hall.update(), "crew") == ["crew 0 (fight) is formed: g0, g1, g2"]
    assert hall.roles() == {"g0": "come", "g1": "come", "g2": "come"}


def test_without_reach_one_who_asks_stays_alone() -> None:
    hall = Hall(ALL, ROW)
    hall.ask([0])
    assert hall.update(3) == []


def test_who_comes_into_reach_joins_and_who_has_joined_stays_however_far_it_goes() -> None:
    hall = Hall(ALL, ROW)
    hall.ask([0], draws=7.0)
    hall.update()
    hall.world.bodies.xyz[1, :2] = 19.0, 2.0
    hall.world.bodies.xyz[3, :2] = 7.0, 6.0
    hall.update(40)
    assert told(hall, hall.events, "crew")[1:] == ["g3 joins crew 0 (fight)"]
    assert set(hall.roles()) == {"g0", "g1", "g2", "g3"}


def test_the_nearest_come_until_there_are_as_many_as_are_wanted() -> None:
    hall = Hall(ALL, ROW)
    hall.ask([0], draws=50.0, wants=2)
    hall.update(30)
    assert set(hall.roles()) == {"g0", "g1"}
    hall.world.bodies.mode[1] = BODY
    hall.update(30)
    assert set(hall.roles()) == {"g0", "g2"}


def test_who_has_something_more_urgent_to_do_is_not_drawn_away() -> None:
    hall = Hall(ALL, ROW)
    hall.ask([1, 2], "chase", priority=3.0)
    hall.ask([0], draws=50.0, priority=1.0)
    hall.update()
    assert sorted(told(hall, hall.events, "crew")) == [
        "crew 0 (chase) is formed: g1, g2",
        "crew 1 (fight) is formed: g0, g3",
    ]


def test_the_other_team_does_not_hear_it() -> None:
    call = Request("fight", -1, 1.0, 0, draws=100.0)
    place = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]
    found = drawn([call], [0, 1, 0], np.array(place), [True] * 3, {})
    assert [one.by for one in found] == [0, 2]
    assert [one.draws for one in found] == [100.0, 0.0]


@given(st.lists(st.tuples(st.floats(0, 50), st.booleans()), min_size=1, max_size=8), st.integers(2, 10))
def test_nobody_is_drawn_twice_nor_beyond_reach_nor_more_than_are_wanted(
    people: list[tuple[float, bool]], wants: int
) -> None:
    places = np.array([[x, 0.0, 0.0] for x, _ in people])
    can_act = [able for _, able in people]
    call = Request("fight", 3, 1.0, 0, draws=20.0, wants=wants)
    found = drawn([call], [0] * len(people), places, can_act, {})
    agents = [one.by for one in found]
    assert len(agents) == len(set(agents)) <= max(wants, 1)
    assert all(abs(people[agent][0] - people[0][0]) <= 20.0 + 1e-9 and can_act[agent] for agent in agents if agent)


def test_those_at_the_very_end_of_its_reach_are_drawn_too() -> None:
    places = np.array([(0.0, 0.0, 0.0), (3.0, 4.0, 0.0), (5.0, 0.1, 0.0)])
    found = drawn([Request("fight", 3, 1.0, 0, draws=5.0)], [0] * 3, places, [True] * 3, {})
    assert [one.by for one in found] == [0, 1]


def test_a_renewed_request_stands_longer_as_it_was() -> None:
    board = RequestBoard()
    assert not board.renew(0, "fight", -1, seconds=5.0, now=0.0)
    board.post(0, "fight", seconds=1.0, draws=9.0, now=0.0)
    version = board.version
    assert board.renew(0, "fight", -1, seconds=5.0, now=0.5)
    board.expire(5.0)
    assert [one.draws for one in board] == [9.0]
    assert board.version == version
    board.expire(5.6)
    assert len(board) == 0


def test_two_matters_of_one_objective_are_two_crews_and_each_draws_its_own() -> None:
    hall = Hall("root: {roles: [{role: {name: stay}}]}", [(2.0, 6.0), (4.0, 6.0), (16.0, 6.0), (18.0, 6.0)])
    for agent, matter in ((0, 7), (2, 9)):
        options = {"now": 0.0, "seconds": 9.0, "draws": 5.0, "place": (float(matter), 6.0, 0.0)}
        hall.world.teamwork.requests.post(agent, "fight", matter=matter, **options)
    hall.update()
    crews = hall.crews.standing.values()
    assert [(crew.members, crew.matter) for crew in crews] == [((0, 1), 7), ((2, 3), 9)]
    assert [hall.crews._minds[crew.number].known.place for crew in crews] == [(7.0, 6.0, 0.0), (9.0, 6.0, 0.0)]
    board = hall.world.teamwork.requests
    assert board.until(0, "fight", matter=7) == 9.0
    assert board.until(0, "fight") == -math.inf
    assert board.renew(0, "fight", -1, seconds=20.0, now=0.0, matter=7)
