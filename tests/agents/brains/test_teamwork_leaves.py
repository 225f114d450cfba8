"""Leaves by which agents work together, tick by tick in a world of a few numbers."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lastseen.agents.behaviour.status import FAILURE, RUNNING, SUCCESS
from lastseen.agents.bodies.orders import SPEEDS
from lastseen.agents.brains.leaves.teamwork import (
    BeAsTold,
    GetsRole,
    LeaveSearch,
    NoteAwaited,
    Notify,
    Request,
    SayAsTold,
    TakeStand,
    has_direction,
    is_overdue,
    may_search,
    meets_colleague,
    noticed_by_crew,
    take_worry,
)
from lastseen.agents.brains.surroundings import STATES
from lastseen.agents.directions import ORDER, Direction
from lastseen.agents.requests import RequestBoard
from lastseen.kernels.arrays.agent_arrays import ARRIVED, BODY, NO_WAY
from specimens.worlds import mind_in

PLACES = ((3.0, 4.0, 0.0), (20.0, 9.0, 0.0), (30.0, 2.0, 0.0), (12.0, 7.0, 0.0))
"""Guards A and B, of which B is the one asked, and intruders C and D."""


def guard(role: str = "", state: str = "patrol", time: float = 20.0, **values: Any) -> Any:
    """Return the mind of B; with a role, crew 5 directs it."""
    mind = mind_in(PLACES, 1, time=time)
    mind.world.state[1] = STATES.index(state)
    mind.world.state_of = lambda agent: STATES[mind.world.state[agent]]
    mind.blackboard.update(
        awaited=-1, awaited_since=-math.inf, awaited_at=None, heard_of=-math.inf, worries_until=-math.inf, call=-1,
        talks=True, talked=-math.inf,
    )  # fmt: skip
    mind.teamwork.crew_numbers = {0: 4, 1: 5}
    given = Direction(5, role, 12.0, "is nearest", values) if role else None
    mind.teamwork.directions = [Direction(4, "other", 1.0, "", {}), given, None, None]
    return mind


def direct(mind: Any, role: str, since: float = 12.0, **values: Any) -> None:
    mind.teamwork.directions[1] = Direction(5, role, since, "is nearest", values)


def test_directions_count_by_role_and_by_what_they_say() -> None:
    assert has_direction(guard()) == (False, "has no direction of a crew")
    mind = guard("flank", attack=False, gait="run", watch=None)
    assert has_direction(mind) == has_direction(mind, "flank") == (True, "is nearest")
    assert has_direction(mind, "hold") == (False, "is flank")
    assert has_direction(mind, key="gait") == (True, "is nearest")
    assert has_direction(mind, key="attack") == (False, "is flank, told not to attack")
    assert has_direction(mind, key="watch") == (False, "is flank, no value for watch")


def test_one_may_search_unless_the_crew_forbids_it() -> None:
    assert may_search(guard()) == may_search(guard("hold")) == (True, "is free to search")
    assert may_search(guard("hold", search=True)) == (True, "is nearest")
    assert not may_search(guard("hold", search=False))[0]


def test_notices_of_ones_own_crew_count_for_a_while() -> None:
    mind = guard()
    mind.teamwork.notify(4, "seen", True, 19.0)
    assert noticed_by_crew(mind, "seen") == (False, "no notice seen")
    mind.teamwork.notify(5, "seen", True, 15.0)
    assert noticed_by_crew(mind, "seen") == (True, "notice seen 5.0 s ago")
    assert not noticed_by_crew(mind, "seen", within=4.9)[0]
    Notify(key="seen", value=False).tick(mind)
    assert noticed_by_crew(mind, "seen") == (False, "no notice seen")
    assert mind.teamwork.notices[5]["seen"] == (False, 20.0)
    del mind.teamwork.crew_numbers[1]
    assert Notify(key="gone").tick(mind) is SUCCESS
    assert set(mind.teamwork.notices) == {4, 5}
    assert not noticed_by_crew(mind, "seen")[0]


def test_a_colleague_is_overdue_when_it_stays_away_or_is_silent() -> None:
    mind = guard()
    board = mind.blackboard
    assert is_overdue(mind) == (False, "waits for nobody")
    board.update(awaited=0, awaited_since=-19.9, heard_of=16.1)
    assert is_overdue(mind) == (False, "heard of A 3.9 s ago")
    board["heard_of"] = 16.0
    assert is_overdue(mind) == (True, "heard of A 4.0 s ago")
    board.update(awaited_since=-20.0, heard_of=19.0)
    assert is_overdue(mind) == (True, "A has been away for 40 s")
    board.update(awaited=-1, worries_until=20.5, call=0)
    assert not is_overdue(mind)[0], "it does not look for it yet"
    mind.world.state[1] = STATES.index("suspicious")
    assert is_overdue(mind) == (True, "looks for an overdue colleague")
    board["call"] = -1
    assert not is_overdue(mind)[0]
    board.update(call=0, worries_until=20.0)
    assert not is_overdue(mind)[0]


def test_one_awaits_whom_the_crew_names_until_it_is_heard_of() -> None:
    mind, leaf = guard("wait", **{"await": 0}), NoteAwaited()
    board = mind.blackboard
    leaf.tick(mind)
    assert [board[key] for key in ("awaited", "awaited_since", "awaited_at", "heard_of")] == [0, 20.0, PLACES[0], 20.0]
    mind.world.time, mind.world.snapshot.places[0] = 23.0, (4.0, 4.0, 0.0)
    leaf.tick(mind)
    assert [board[key] for key in ("awaited_since", "awaited_at", "heard_of")] == [20.0, (4.0, 4.0, 0.0), 23.0]
    mind.teamwork.directions[1] = None
    mind.world.bodies.mode[0] = BODY
    leaf.tick(mind)
    assert board["awaited"] == 0, "it is silent, and the crew is gone"
    mind.world.bodies.mode[0] = 0
    leaf.tick(mind)
    assert board["awaited"] == -1
    board["awaited"], mind.world.bodies.mode[0] = 0, BODY
    direct(mind, "wait", **{"await": 1})
    leaf.tick(mind)
    assert board["awaited"] == -1, "nobody waits for itself"


def test_a_worry_is_a_call_for_where_the_colleague_was() -> None:
    mind = guard()
    assert take_worry(mind) == (FAILURE, "waits for nobody")
    mind.blackboard.update(awaited=0, awaited_at=(7.0, 6.0, 0.0), awaited_since=1.0)
    assert take_worry(mind) == (SUCCESS, "A did not come back")
    board, (missing,) = mind.blackboard, mind.world.events
    (posted,) = list(mind.attention.stimuli)
    assert (posted.kind, posted.xyz.tolist(), posted.priority, posted.about, posted.lifetime) == (
        "missing colleague", [7.0, 6.0, 0.0], 2.0, 0, 60.0,
    )  # fmt: skip
    assert mind.attention.stimuli.claimed_by(posted.number) == (1,)
    assert (missing.agent, missing.at, missing.other) == (1, (7.0, 6.0, 0.0), 0)
    keys = ("goal", "call", "call_hostile", "call_about", "call_until", "worries_until", "awaited", "awaited_since")
    assert [board[key] for key in keys] == [(7.0, 6.0, 0.0), posted.number, False, 0, 80.0, 80.0, -1, -math.inf]


def meeting(**changes: Any) -> Any:
    mind = guard()
    mind.world.snapshot.places[0] = (18.0, 7.0, 1.0)
    for name, value in changes.items():
        if name in mind.blackboard:
            mind.blackboard[name] = value
    return mind


def test_colleagues_on_patrol_meet_and_talk_now_and_then() -> None:
    mind = meeting()
    assert meets_colleague(mind) == (True, "meets A")
    assert mind.blackboard["talked"] == 20.0
    mind.world.time = 79.9
    assert meets_colleague(mind) == (False, "has talked recently")
    mind.world.time = 80.0
    assert meets_colleague(mind)[0]
    assert meets_colleague(meeting(talks=False)) == (False, "does not talk")
    assert not meets_colleague(meeting(), metres=2.9)[0]
    for state, mode, team in (("chase", 0, 0), ("patrol", BODY, 0), ("patrol", 0, 1)):
        mind = meeting()
        mind.world.state[0], mind.world.bodies.mode[0], mind.world.bodies.team[0] = STATES.index(state), mode, team
        assert meets_colleague(mind) == (False, "meets nobody")


# Requests


def test_requests_are_about_the_target_a_call_or_nobody() -> None:
    mind = guard()
    mind.teamwork.requests = RequestBoard()
    mind.blackboard.update(target=1, goal=(7.0, 6.0, 0.0), call=9, call_about=2, call_kind="noise")
    mind.world.doors = SimpleNamespace(shut=np.zeros(2, bool))
    assert Request(objective="fight", priority=3.0, seconds=2.5, draws=15.0, wants=3).tick(mind) is SUCCESS
    Request(objective="talk", about="nobody").tick(mind)
    Request(objective="noise", about="call").tick(mind)
    mind.blackboard["call_kind"] = "missing colleague"
    Request(objective="seek", about="call").tick(mind)
    mind.blackboard.update(call_kind="body", call_about=2)
    Request(objective="body", about="call").tick(mind)
    found = {one.objective: (one.target, one.matter, one.place) for one in mind.teamwork.requests}
    assert found == {
        "fight": (3, -1, None),
        "talk": (-1, -1, None),
        "noise": (-1, 9, (7.0, 6.0, 0.0)),
        "seek": (2, -1, (7.0, 6.0, 0.0)),
        "body": (0, -1, (7.0, 6.0, 0.0)),
    }
    first = next(iter(mind.teamwork.requests))
    assert (first.objective, first.priority, first.by, first.draws, first.wants) == ("fight", 3.0, 1, 15.0, 3)
    assert mind.teamwork.requests.until(1, "fight", 3) == 22.5
    mind.blackboard["target"] = -1
    Request(objective="chase").tick(mind)
    assert mind.teamwork.requests.until(1, "chase", -1) == 21.0


def test_a_request_renews_another_about_the_same_instead() -> None:
    mind = guard()
    mind.teamwork.requests = RequestBoard()
    mind.blackboard["target"] = 0
    hunt = Request(objective="search", renews="chase", seconds=4.0)
    hunt.tick(mind)
    assert [one.objective for one in mind.teamwork.requests] == ["search"]
    mind.teamwork.requests.post(1, "chase", 2, now=20.0)
    mind.world.time = 20.5
    hunt.tick(mind)
    assert mind.teamwork.requests.until(1, "chase", 2) == 24.5
    assert mind.teamwork.requests.until(1, "search", 2) == 24.0
    mind.teamwork.requests = RequestBoard(is_read=False)
    assert hunt.tick(mind) is SUCCESS
    assert list(mind.teamwork.requests) == []


# What the crew tells


def test_one_takes_its_stand_and_faces_what_it_should() -> None:
    leaf, place, face = TakeStand(), (23.0, 5.0, 0.0), (22.0, 1.0, 0.0)
    mind = guard("hold", stand=place, face=face, gait="walk")
    arrays = mind.world.orders.arrays
    assert (leaf.tick(mind), leaf.reason) == (RUNNING, "is nearest; 5.0 m to go")
    assert (arrays.going[1], arrays.goal_xyz[1].tolist(), arrays.speed[1]) == (1, list(place), SPEEDS["walk"])
    assert arrays.gaze[1] == pytest.approx(math.atan2(-8.0, 2.0))
    mind.world.tick += 1
    mind.world.snapshot.ways[1] = NO_WAY
    assert (leaf.tick(mind), leaf.reason) == (FAILURE, "no way there")
    mind.world.snapshot.ways[1] = ARRIVED
    assert (leaf.tick(mind), leaf.reason) == (RUNNING, "is nearest; there")
    assert arrays.going[1] == 0
    assert arrays.face[1] == pytest.approx(math.atan2(-8.0, 2.0))
    mind.world.snapshot.places[1], mind.world.snapshot.ways[1] = (23.0, 5.3, 0.0), 0
    leaf.tick(mind)
    assert arrays.going[1] == 0
    direct(mind, "hold", stand=(23.0, 5.0, 0.3))
    leaf.tick(mind)
    assert (arrays.going[1], arrays.speed[1]) == (1, SPEEDS["run"])
    assert np.isnan(arrays.gaze[1])
    assert (TakeStand(key="watch").tick(mind), leaf.tick(guard())) == (FAILURE, FAILURE)
    assert leaf.reason == "no place to stand"


def test_one_says_once_per_role_what_it_is_told() -> None:
    mind, leaf = guard("flank", say="FLANK"), SayAsTold()
    barks = mind.world.orders.barks
    leaf.tick(mind)
    leaf.tick(mind)
    assert barks == [(1, "FLANK", "patrol")]
    direct(mind, "flank", 13.0, say="FLANK")
    leaf.tick(mind)
    assert len(barks) == 2, "it got the role again"
    direct(mind, "hold", 13.0)
    leaf.tick(mind)
    assert len(barks) == 2
    leaf.forget()
    direct(mind, "flank", 13.0, say="FLANK")
    leaf.tick(mind)
    assert len(barks) == 3


def test_orders_are_given_once_by_those_that_should() -> None:
    mind, leaf = guard(), SayAsTold()
    barks = mind.world.orders.barks
    mind.teamwork.notify(5, ORDER + "split", ("ORDER_SPLIT", 0), 18.0)
    mind.teamwork.notify(5, "split", ("SPLIT", 1), 18.0)
    leaf.tick(mind)
    assert barks == [], "that is for A to say"
    mind.teamwork.notify(5, ORDER + "attack", ("ORDER_ATTACK", 1), 18.0)
    leaf.tick(mind)
    leaf.tick(mind)
    assert barks == [(1, "ORDER_ATTACK", "patrol")]
    mind.teamwork.notify(5, ORDER + "attack", ("ORDER_ATTACK", 1), 19.0)
    leaf.tick(mind)
    assert len(barks) == 2


def test_words_of_a_scene_are_said_once_per_step() -> None:
    mind, leaf = guard("actor", line="Here.", turn=1, say="TALK"), SayAsTold()
    lines = mind.world.orders.lines
    leaf.tick(mind)
    leaf.tick(mind)
    assert lines == [(1, "Here.")]
    direct(mind, "actor", line="Here.", turn=2)
    leaf.tick(mind)
    assert len(lines) == 2
    direct(mind, "actor", line="", turn=3)
    leaf.tick(mind)
    assert len(lines) == 2
    assert mind.world.orders.barks == []


def test_states_are_taken_on_as_told_and_reported_once() -> None:
    mind, leaf = guard("hold", state="patrol"), BeAsTold()
    leaf.tick(mind)
    assert mind.blackboard["talked"] == -math.inf
    direct(mind, "hold", state="suspicious", topic="rain")
    leaf.tick(mind)
    leaf.tick(mind)
    assert mind.state == "suspicious"
    assert mind.blackboard["talked"] == 20.0
    assert [(one.agent, str(one.before), str(one.state), one.is_told) for one in mind.world.events] == [
        (1, "patrol", "suspicious", True)
    ]
    assert leaf.tick(guard()) is SUCCESS


def test_only_members_leave_a_search() -> None:
    for members, left in (((0,), []), ((0, 1), [(1, 20.0)])):
        mind, gone = guard(), []
        mind.world.hunt = SimpleNamespace(members=members, leave=lambda *given: gone.append(given))  # noqa: B023
        assert LeaveSearch().tick(mind) is SUCCESS
        assert gone == left


def test_a_role_goes_to_one_agent_at_a_time() -> None:
    mind, leaf = guard(), GetsRole(role="spokesman", mode="first come")
    assert (leaf.tick(mind), leaf.reason) == (SUCCESS, "is spokesman")
    other = mind_in(PLACES, 0, time=20.0, teamwork=mind.teamwork)
    theirs = GetsRole(role="spokesman", mode="first come")
    assert (theirs.tick(other), theirs.reason) == (FAILURE, "B is spokesman")
    stranger = mind_in(PLACES, 2, time=20.0, teamwork=mind.teamwork)
    assert GetsRole(role="spokesman", mode="first come").tick(stranger) is SUCCESS, "of another team"
