"""Leaves of guards that walk, investigate and search, tick by tick in a world of a few numbers."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lastseen.agents.behaviour.status import FAILURE, RUNNING, SUCCESS
from lastseen.agents.bodies.orders import SPEEDS
from lastseen.agents.brains.hunt import SearchOrder
from lastseen.agents.brains.leaves.conditions import (
    has_lost_intruder,
    is_near_post,
    is_told,
    search_stands,
    searches,
    was_called_away,
)
from lastseen.agents.brains.leaves.investigation import (
    Stare,
    calm_down,
    close_call,
    is_called,
    is_suspicious,
    notices_something,
    shut_door,
    suspect,
    take_call,
)
from lastseen.agents.brains.leaves.movement import GoTo, LookRound, Pursue, ReturnToPost, TurnTo
from lastseen.agents.brains.leaves.search import GiveUp, GoSearching, OpenSpot
from lastseen.agents.brains.surroundings import STATES
from lastseen.agents.senses.vision.sightings import BANDS
from lastseen.kernels.arrays.agent_arrays import ARRIVED, NO_WAY
from specimens.worlds import acts_of, mind_in

PLACES = ((3.0, 4.0, 0.0), (20.0, 9.0, 0.0), (30.0, 2.0, 0.0), (12.0, 7.0, 0.0))
"""Two guards, of which the second is the one asked, and two intruders."""


def guard(state: str = "patrol", time: float = 20.0, **more: Any) -> Any:
    mind = mind_in(PLACES, 1, time=time, **more)
    mind.world.state[1] = STATES.index(state)
    mind.blackboard.update(
        approach=False, chased=-1.0, call=-1, call_kind="", call_hostile=False, call_about=-1, call_until=-math.inf,
        noticed=-math.inf, noticed_at=None, suspects_until=-math.inf,
    )  # fmt: skip
    return mind


def orders(mind: Any) -> tuple[bool, list[float], float]:
    """Return whether the agent is to walk, where, and how fast."""
    arrays = mind.world.orders.arrays
    return bool(arrays.going[1]), arrays.goal_xyz[1].tolist(), float(arrays.speed[1])


def arrive(mind: Any, way: int = ARRIVED) -> None:
    mind.world.tick += 1
    mind.world.snapshot.ways[1] = way


# What a guard knows


@pytest.mark.parametrize("column", [0, 1])
def test_an_intruder_is_lost_for_a_while_and_until_it_was_run_after(column: int) -> None:
    mind, name = guard(), "CD"[column]
    assert has_lost_intruder(mind) == (False, "has lost nobody")
    mind.attention.lost[1], mind.attention.acted_on[1, column] = column, 12.5
    assert has_lost_intruder(mind) == (True, f"lost {name} 7.5 s ago")
    assert mind.blackboard["target"] == column
    assert not has_lost_intruder(mind, within=7.4)[0]
    assert has_lost_intruder(mind, within=7.5)[0]
    mind.blackboard["chased"] = 12.5
    assert has_lost_intruder(mind) == (False, "has run after it already")
    mind.world.state[1] = STATES.index("chase")
    assert has_lost_intruder(mind, within=1.0) == (True, f"runs after {name}")
    mind.blackboard["approach"] = True
    assert has_lost_intruder(mind) == (False, "waits instead")


def test_one_is_told_of_an_intruder_that_a_colleague_saw() -> None:
    mind = guard(hunt=SimpleNamespace(coordinator=None))
    know, attention = mind.world.knowledge.arrays, mind.attention
    assert is_told(mind) == (False, "knows of no intruder")
    attention.known[1], know.time[1, 1] = 1, 19.0
    assert is_told(mind) == (False, "no colleague saw D")
    attention.acted_on[0, 1] = 18.5
    assert is_told(mind) == (True, "a colleague saw D 1.5 s ago")
    assert mind.blackboard["target"] == 1
    know.time[1, 1] = 17.9
    assert is_told(mind) == (False, "a colleague saw D 2.1 s ago"), "the news are older than what it saw"
    mind.world.state[1] = STATES.index("chase")
    assert is_told(mind)[0], "one that runs goes on for twice as long"
    assert not is_told(mind, within=1.0)[0]
    mind.world.state[1], know.time[1, 1] = STATES.index("patrol"), 19.5
    attention.lost[1], attention.acted_on[1, 1] = 1, 19.0
    assert is_told(mind) == (False, "has lost it itself")
    mind.blackboard["chased"] = 19.0
    assert is_told(mind)[0]
    mind.blackboard["approach"] = True
    assert is_told(mind) == (False, "does not run in after a loss")
    attention.seen[0] = 1
    assert is_told(mind)[0]


def test_a_search_is_joined_by_those_that_know_or_were_alerted() -> None:
    hunt = SimpleNamespace(alerted=set(), deadline=32.0, is_on=lambda now, agent: (now, agent) < (31.0, 1))
    mind = guard(hunt=hunt)
    assert searches(mind) == (False, "knows of nobody to search for")
    hunt.alerted.add(1)
    assert searches(mind) == (True, "searches 12 s more")
    hunt.alerted.clear()
    mind.attention.known[1] = 0
    assert searches(mind)[0]
    mind.world.time = 31.0
    assert searches(mind) == (False, "the search is over")


@pytest.mark.parametrize(
    ("moved", "spent", "why"),
    [(1, 1, "heard something elsewhere"), (0, 1, "nothing left to see there"), (0, 0, "nothing new")],
)
def test_a_search_stands_until_it_moves_or_nothing_is_left_to_see(moved: int, spent: int, why: str) -> None:
    hunt = SimpleNamespace(has_moved=lambda agent: agent == 1 and moved, is_spent=lambda agent: agent == 1 and spent)
    assert search_stands(guard(hunt=hunt)) == (not (moved or spent), why)


def test_one_is_near_its_post_or_called_away() -> None:
    mind = guard()
    mind.world.snapshot.places[1] = (18.0, 11.0, 1.0)
    assert is_near_post(mind) == (True, "3.0 m from its post")
    assert not is_near_post(mind, metres=2.9)[0]
    assert was_called_away(mind) == (False, "is on patrol")
    assert was_called_away(guard("return")) == (True, "comes back: return")


# Calls and what is noticed


def called(mind: Any, kind: str = "open door", xyz: Any = (14.0, 1.0, 0.0), **more: Any) -> int:
    number = mind.attention.stimuli.post(kind, xyz, now=mind.time, priority=2.0, **more).number
    mind.attention.calls[:] = -1, number
    return int(number)


def test_a_call_is_taken_kept_and_closed() -> None:
    mind = guard()
    assert is_called(mind) == (False, "nothing calls")
    number = called(mind, about=4)
    assert is_called(mind) == (True, "open door 10 m away")
    assert is_called(mind, kind="open door")[0]
    assert is_called(mind, kind="body") == (False, "a open door calls")
    assert not is_called(mind, hostile=True)[0]
    assert take_call(mind) == (SUCCESS, "open door")
    board = mind.blackboard
    assert [board[key] for key in ("goal", "call", "call_kind", "call_hostile", "call_about", "call_until")] == [
        (14.0, 1.0, 0.0), number, "open door", False, 4, 80.0,
    ]  # fmt: skip
    assert [(one.agent, one.at, one.stimulus) for one in mind.world.events] == [(1, (14.0, 1.0, 0.0), "open door")]
    mind.attention.calls[1] = -1
    assert not is_called(mind)[0], "it is not on its way yet"
    mind.world.state[1] = STATES.index("suspicious")
    assert is_called(mind) == (True, "looks into a open door")
    assert is_called(mind, kind="open door")[0]
    assert not is_called(mind, kind="body")[0]
    assert not is_called(mind, hostile=True)[0]
    board["call_hostile"] = True
    assert is_called(mind, hostile=True)[0]
    mind.world.time = 80.0
    assert not is_called(mind)[0], "it took too long"
    assert shut_door(mind) == (SUCCESS, "shuts the door")
    assert acts_of(mind) == [("close door", 4, None, None)]
    assert close_call(mind) is SUCCESS
    assert (board["call"], mind.attention.stimuli.get(number)) == (-1, None)
    board["call_kind"] = "body"
    assert shut_door(mind) is SUCCESS
    assert len(acts_of(mind)) == 1


def test_a_call_that_another_has_taken_is_not_taken_again() -> None:
    mind = guard()
    number = called(mind)
    mind.attention.stimuli.claim(number, 0)
    assert take_call(mind) == (FAILURE, "another agent looks into it")
    assert mind.world.events == []


def noticing(mind: Any, column: int, band: str, awareness: float = 0.4) -> Any:
    shape = mind.attention.acted_on.shape
    bands, aware = np.zeros(shape, int), np.zeros(shape)
    if column >= 0:
        bands[1, column], aware[1, column] = BANDS.index(band), awareness
    mind.senses.sightings = SimpleNamespace(band=bands, awareness=aware)
    mind.attention.noticed[1], mind.attention.glimpses = column, np.zeros(shape)
    return mind


def test_what_is_noticed_stays_in_mind_for_a_moment() -> None:
    mind = noticing(guard(), -1, "")
    assert notices_something(mind) == is_suspicious(mind) == (False, "notices nothing")
    assert suspect(mind) is FAILURE
    noticing(mind, 1, "investigate")
    assert notices_something(mind) == (True, "notices something, 40% sure")
    assert (mind.blackboard["target"], mind.blackboard["noticed_at"]) == (1, PLACES[3])
    noticing(mind, -1, "")
    mind.world.time = 21.0
    assert notices_something(mind) == (True, "noticed something 1.0 s ago")
    mind.world.time = 21.5
    assert not notices_something(mind)[0]
    assert notices_something(mind, keeps=1.5)[0]
    assert suspect(mind) is SUCCESS
    assert mind.blackboard["goal"] == mind.world.events[0].at == PLACES[3]
    mind.world.time = 51.4
    assert is_suspicious(mind) == (True, "goes to see what that was")
    mind.world.time = 51.5
    assert not is_suspicious(mind)[0]
    mind.world.time = 21.0
    calm_down(mind)
    assert is_suspicious(mind) == (False, "notices nothing")


def test_one_stares_until_it_is_worth_going_there() -> None:
    def stared(band: str, glimpses: float = 0.0) -> float:
        """Return the seconds after which it is over."""
        mind, leaf = noticing(guard(), 1, band), Stare()
        mind.attention.glimpses[1, 0] = glimpses
        mind.blackboard["noticed_at"] = PLACES[3]
        leaf.enter(mind)
        while leaf.tick(mind) is RUNNING:
            mind.world.time += 0.25
        assert mind.world.orders.arrays.face[1] == pytest.approx(math.atan2(-2.0, -8.0))
        return mind.world.time - 20.0

    assert stared("investigate") == 2.0
    assert stared(BANDS[BANDS.index("investigate") - 1]) == 6.0
    assert stared("investigate", 2.5) == 0.0
    assert stared("investigate", 2.4) == 2.0


def test_the_look_counts_from_when_it_was_first_worth_it() -> None:
    mind, leaf = noticing(guard(), -1, ""), Stare(seconds=1.0, at_most=9.0)
    mind.blackboard["noticed_at"] = PLACES[3]
    leaf.enter(mind)
    mind.world.time = 23.0
    assert leaf.tick(mind) is RUNNING
    noticing(mind, 0, "investigate")
    assert leaf.tick(mind) is RUNNING
    noticing(mind, -1, "")
    mind.world.time = 24.0
    assert leaf.tick(mind) is SUCCESS


# Walking


def test_one_goes_to_its_goal_at_its_gait() -> None:
    mind, leaf = guard(crowd=SimpleNamespace(routes=SimpleNamespace(left=np.array([1.0, 7.4, 2.0, 3.0])))), None
    leaf = GoTo(gait="run", pace=0.5)
    mind.blackboard["goal"] = (4.0, 5.0, 1.0)
    assert (leaf.tick(mind), leaf.reason) == (RUNNING, "7 m to go")
    assert orders(mind) == (True, [4.0, 5.0, 1.0], SPEEDS["run"] * 0.5)
    arrive(mind, NO_WAY)
    assert (leaf.tick(mind), leaf.reason) == (FAILURE, "no way on")
    arrive(mind)
    assert (leaf.tick(mind), leaf.reason) == (SUCCESS, "there")
    leaf.exit(mind, SUCCESS)
    assert not orders(mind)[0]


def test_one_pursues_and_catches_what_it_sees_within_reach() -> None:
    mind, leaf = guard(), Pursue(reach=2.0)
    mind.blackboard["target"] = 1
    assert (leaf.tick(mind), leaf.reason) == (FAILURE, "knows nothing of it")
    know = mind.world.knowledge.arrays
    know.source[1, 1], know.xyz[1, 1] = 1, (18.5, 10.0, 0.0)
    assert (leaf.tick(mind), leaf.reason) == (RUNNING, "1.8 m behind D")
    assert orders(mind) == (True, [18.5, 10.0, 0.0], SPEEDS["run"])
    assert mind.world.orders.arrays.toward[1] == 3
    assert mind.world.orders.arrays.gaze[1] == pytest.approx(math.atan2(1.0, -1.5))
    assert acts_of(mind) == []
    mind.attention.seen[1] = 1
    leaf.tick(mind)
    assert acts_of(mind) == [("catch", 3, None, None)]
    know.xyz[1, 1] = 18.0, 10.0, 0.0
    leaf.tick(mind)
    assert len(acts_of(mind)) == 1, "2.2 m"


def test_one_returns_to_its_post_and_faces_as_at_first() -> None:
    mind, leaf = guard(), ReturnToPost()
    mind.world.cast.home_heading = np.array([0.0, 0.75, 0.0, 0.0])
    mind.world.snapshot.places[1] = (19.6, 9.4, 0.0)
    assert leaf.tick(mind) is RUNNING
    assert orders(mind) == (True, list(PLACES[1]), SPEEDS["walk"])
    arrive(mind, NO_WAY)
    assert leaf.tick(mind) is FAILURE
    mind.world.snapshot.places[1] = (19.7, 9.3, 0.0)
    assert leaf.tick(mind) is SUCCESS
    assert not orders(mind)[0]
    assert mind.world.orders.arrays.face[1] == 0.75


def test_one_looks_round_once_and_to_both_sides() -> None:
    mind, leaf = guard(), LookRound(seconds=2.0)
    mind.world.bodies.heading[1] = 0.5
    leaf.enter(mind)
    arrays = mind.world.orders.arrays
    for seconds in (0.0, 0.4, 1.1, 1.9):
        mind.world.time = 20.0 + seconds
        assert leaf.tick(mind) is RUNNING
        assert arrays.face[1] == pytest.approx(0.5 + math.pi * seconds)
        assert arrays.gaze[1] - arrays.face[1] == pytest.approx(math.sin(3.0 * math.pi * seconds))
    mind.world.time = 22.0
    assert leaf.tick(mind) is SUCCESS
    still = LookRound(seconds=0.0)
    still.enter(mind)
    assert still.tick(mind) is SUCCESS


def test_one_turns_to_its_goal_for_a_moment() -> None:
    mind, leaf = guard(), TurnTo()
    mind.blackboard["goal"] = (22.0, 6.0, 0.0)
    leaf.enter(mind)
    assert leaf.tick(mind) is RUNNING
    assert mind.world.orders.arrays.face[1] == mind.world.orders.arrays.gaze[1] == pytest.approx(math.atan2(-3.0, 2.0))
    mind.world.time = 20.7
    assert leaf.tick(mind) is RUNNING
    mind.world.time = 20.8
    assert leaf.tick(mind) is SUCCESS


# Searching


def searching(order: SearchOrder, gap: Any = None, estimate: Any = None) -> Any:
    looked: list[Any] = []
    hunt = SimpleNamespace(
        stands=lambda agent: agent == 1, glance_at=lambda agent, now: gap, looked=looked,
        look_in=lambda agent, now: looked.append((agent, now)), coordinator=SimpleNamespace(estimate_xyz=estimate),
        search=SimpleNamespace(unseen_direction=lambda xyz, heading, most: (heading + 0.6, 2.5)),
    )  # fmt: skip
    mind = guard("search", hunt=hunt)
    mind.blackboard.update(order=order, goal=(26.0, 17.0, 0.0))
    return mind


def test_a_searcher_goes_where_its_order_says_until_that_changes() -> None:
    leaf = GoSearching()
    mind = searching(SearchOrder("sweep", gait="walk", pace=1.25))
    assert (leaf.tick(mind), leaf.reason) == (RUNNING, "sweep: 10 m to go")
    assert orders(mind) == (True, [26.0, 17.0, 0.0], SPEEDS["walk"] * 1.25)
    assert np.isnan(mind.world.orders.arrays.gaze[1]), "it does not weigh what it would see"
    arrive(mind, NO_WAY)
    assert (leaf.tick(mind), leaf.reason) == (FAILURE, "no way on")
    arrive(mind)
    assert (leaf.tick(mind), leaf.reason) == (SUCCESS, "there")
    mind.world.hunt.stands = lambda agent: agent != 1
    assert (leaf.tick(mind), leaf.reason) == (SUCCESS, "has a new order")


def test_a_searcher_by_gain_turns_its_head_to_what_is_left_to_see() -> None:
    order = SearchOrder("sweep", found=SimpleNamespace(by="gain"))  # type: ignore[arg-type]
    mind, leaf = searching(order), GoSearching()
    gaze = mind.world.orders.arrays.gaze
    leaf.tick(mind)
    assert gaze[1] == pytest.approx(0.6)
    mind.world.hunt.search.unseen_direction = lambda xyz, heading, most: (heading - most, 2.1)
    mind.world.time = 20.2
    leaf.tick(mind)
    assert gaze[1] == pytest.approx(0.6), "it chose a moment ago"
    mind.world.time = 20.3
    leaf.tick(mind)
    assert gaze[1] == pytest.approx(-math.radians(75.0))
    mind.world.hunt.search.unseen_direction = lambda xyz, heading, most: (heading + 0.6, 2.0)
    mind.world.time, gaze[1] = 20.6, np.nan
    leaf.tick(mind)
    assert np.isnan(gaze[1]), "that is not worth a look"


def gap_at(xyz: Any, response: str) -> Any:
    return SimpleNamespace(xyz=np.array(xyz), response=response, side="left", heading=-2.0)


def test_a_searcher_looks_into_openings_as_it_passes() -> None:
    place, leaf = (20.0, 12.0, 0.0), GoSearching()
    mind = searching(SearchOrder("sweep"), gap_at(place, "glance"))
    arrays = mind.world.orders.arrays
    assert (leaf.tick(mind), leaf.reason) == (RUNNING, "looks into an opening on the left")
    assert (orders(mind)[1], arrays.gaze[1]) == ([26.0, 17.0, 0.0], pytest.approx(math.pi / 2))
    assert np.isnan(arrays.face[1])
    mind.world.snapshot.places[1] = (20.0, 11.5, 0.0)
    leaf.tick(mind)
    assert arrays.gaze[1] == -2.0, "from the opening itself it looks in"
    mind = searching(SearchOrder("sweep"), gap_at(place, "turn"))
    leaf.tick(mind)
    assert not orders(mind)[0]
    assert mind.world.orders.arrays.face[1] == pytest.approx(math.pi / 2)


def test_only_sweepers_walk_over_to_an_opening() -> None:
    place, leaf = (20.0, 12.0, 0.0), GoSearching()
    mind = searching(SearchOrder("sweep", pace=0.9), gap_at(place, "walk over"))
    assert (leaf.tick(mind), leaf.reason) == (RUNNING, "walks over to an opening on the left")
    assert orders(mind) == (True, list(place), SPEEDS["walk"] * 0.9)
    assert mind.world.hunt.looked == []
    mind.world.snapshot.places[1] = (20.0, 11.4, 0.0)
    leaf.tick(mind)
    assert mind.world.hunt.looked == [(1, 20.0)]
    for way in (ARRIVED, NO_WAY):
        mind = searching(SearchOrder("sweep"), gap_at(place, "walk over"))
        leaf.tick(mind)
        arrive(mind, way)
        leaf.tick(mind)
        assert mind.world.hunt.looked == [(1, 20.0)]
    mind = searching(SearchOrder("investigate"), gap_at(place, "walk over"))
    leaf.tick(mind)
    assert orders(mind)[1] == [26.0, 17.0, 0.0]


def test_supporters_stand_and_watch_where_the_target_may_be() -> None:
    leaf = GoSearching()
    mind = searching(SearchOrder("support"), estimate=np.array([23.0, 5.0, 0.0]))
    assert leaf.tick(mind) is RUNNING
    assert orders(mind)[0], "it is on its way"
    mind.world.snapshot.places[1] = (25.7, 17.3, 0.0)
    assert (leaf.tick(mind), leaf.reason) == (RUNNING, "covers the others")
    assert not orders(mind)[0]
    assert mind.world.orders.arrays.face[1] == pytest.approx(math.atan2(5.0 - 17.3, 23.0 - 25.7))
    mind = searching(SearchOrder("support"))
    leaf.tick(mind)
    arrive(mind)
    assert (leaf.tick(mind), leaf.reason) == (RUNNING, "covers the others")


def test_hiding_places_within_reach_are_opened() -> None:
    spots = [SimpleNamespace(xyz=(20.0, 10.5, 0.0), name="chest"), SimpleNamespace(xyz=(20.0, 10.6, 0.0), name="")]
    mind, leaf = guard(level=SimpleNamespace(hiding_places=spots)), OpenSpot(trigger="SPOT")
    assert (leaf.tick(mind), leaf.reason) == (SUCCESS, "opens chest")
    assert acts_of(mind) == [("use spot", 0, None, None)]
    assert mind.world.orders.barks == [(1, "SPOT", "patrol")]
    assert OpenSpot(reach=1.6).tick(mind) is SUCCESS
    assert [act[1] for act in acts_of(mind)] == [0, 0, 1]
    assert len(mind.world.orders.barks) == 1


@pytest.mark.parametrize(
    ("state", "released", "gave_up", "told", "said"),
    [
        ("search", False, False, True, True),
        ("search", False, True, False, True),
        ("chase", False, True, True, True),
        ("flee", False, False, True, True),
        ("flee", True, False, False, False),
        ("patrol", False, False, False, False),
    ],
)
def test_giving_up_is_told_once(state: str, released: bool, gave_up: bool, told: bool, said: bool) -> None:
    hunt = SimpleNamespace(released={1} if released else {0}, gave_up={1} if gave_up else {0})
    mind = guard(state, hunt=hunt)
    assert GiveUp(line="Nothing.", trigger="GIVE_UP").tick(mind) is SUCCESS
    assert [(one.agent, one.at, str(one.state)) for one in mind.world.events] == [(1, PLACES[1], state)] * told
    assert mind.world.orders.lines == [(1, "Nothing.")] * said
    assert mind.world.orders.barks == [(1, "GIVE_UP", state)] * said
