"""Words and leaves of crews that search and live together."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.agents.behaviour.files.definition import TreeFileError
from lastseen.agents.behaviour.files.read import parse_trees
from lastseen.agents.brains.surroundings import STATES
from lastseen.agents.crews.crew_mind import CrewMind
from lastseen.agents.crews.crew_trees import crew_tree, crew_tree_text, shipped_crews
from lastseen.agents.crews.shipped.conversation import Talk, talk_of
from lastseen.agents.crews.shipped.posts import is_relieved
from lastseen.agents.crews.shipped.society import (
    gathered,
    held_for,
    intruder_seen,
    is_calm,
    members_called,
    role_is,
)
from lastseen.kernels.arrays.agent_arrays import BODY
from specimens.crews import Hall, told

THREE = [(4.0, 6.0), (6.0, 6.0), (8.0, 3.0)]
GO_ON = "root: {reactive_sequence: [{go_on: {seconds: 1}}, {roles: [{role: {name: stay}}]}]}"


def mind_of(hall: Hall) -> CrewMind:
    return next(iter(hall.crews._minds.values()))


def quiet(hall: Hall) -> None:
    """Nobody sees or is called to anything."""
    hall.world.attention.seen = hall.world.attention.noticed = hall.world.attention.calls = [-1] * hall.count


def test_a_crew_whose_tree_goes_on_lasts_longer_than_what_was_asked_for() -> None:
    for tree, lasts in ((GO_ON, True), ("root: {roles: [{role: {name: stay}}]}", False)):
        hall = Hall(tree, THREE)
        hall.ask(range(3), seconds=0.5)
        hall.update(90)
        assert bool(hall.crews.standing) == lasts


def test_who_was_drawn_in_goes_on_though_the_one_who_called_is_gone() -> None:
    hall = Hall(GO_ON, THREE)
    hall.ask([0], seconds=0.5, draws=20.0)
    hall.update(5)
    hall.world.bodies.mode[0] = BODY
    hall.update(90)
    assert set(hall.roles()) == {"g1", "g2"}


def test_going_on_leaves_more_urgent_requests_alone() -> None:
    hall = Hall(GO_ON, THREE)
    hall.ask(range(3))
    hall.update(2)
    hall.ask([1, 2], "chase", priority=5.0)
    hall.update(2)
    assert "crew 1 (chase) is formed: g1, g2" in told(hall, hall.events, "crew")


def test_a_crew_that_disbands_is_over_in_the_next_step() -> None:
    hall = Hall("root: {sequence: [{wait: {seconds: 0.5}}, disband]}", THREE)
    hall.ask(range(3))
    hall.update(10)
    assert hall.crews.standing
    hall.update(10)
    assert not hall.crews.standing
    assert len(hall.world.teamwork.requests) == 0


WATCH = """
root:
  roles:
    - role:
        name: hold
        least: 0
        may: [{not: {is_relieved: {radius: 4, seconds: 1}}}]
        prefer: {near_place: 1, stays: 1}
        places: {gathering: {radius: 1.5}}
        directions: {watch: place}
    - role: {name: comb, least: 0, may: [{is_relieved: {radius: 4, seconds: 1}}], directions: {search: true}}
"""


def cordon() -> Hall:
    """Return a hall in which three hold what surrounds a loss; nobody has looked there yet."""
    hall = Hall(WATCH, THREE)
    hall.world.hunt.perceive((10.0, 6.0, 0.0), 0.0, sure=True)
    hall.world.hunt.search.advance(1.5)
    hall.ask(range(3), seconds=60.0)
    hall.update()
    return hall


def look_everywhere(hall: Hall) -> None:
    hall.world.hunt.search.clean(np.arange(len(hall.world.cells)))


def take_posts(hall: Hall, *agents: int) -> None:
    for agent in agents:
        hall.world.bodies.xyz[agent] = hall.world.teamwork.directions[agent].values["watch"]


def test_posts_are_held_until_what_they_close_off_is_searched() -> None:
    hall = cordon()
    take_posts(hall, 0, 1)
    hall.update(100)
    assert set(hall.roles().values()) == {"hold"}, "nobody has searched there"
    found, why = is_relieved(mind_of(hall), 1, 4.0, 1.0)
    assert not found
    assert why.startswith("holds its post: 100%")
    look_everywhere(hall)
    hall.update(15)
    assert hall.roles() == {"g0": "comb", "g1": "comb", "g2": "hold"}, "g2 is still on its way"
    assert is_relieved(mind_of(hall), 1, 4.0, 1.0) == (True, "is relieved of its post")
    # A new loss begins another search: posts are to be held again.
    hall.world.hunt.perceive((10.0, 6.5, 0.0), hall.world.time, sure=True)
    hall.update(10)
    assert set(hall.roles().values()) == {"hold"}


def test_a_post_is_not_left_at_once_where_all_is_searched_already() -> None:
    hall = cordon()
    look_everywhere(hall)
    take_posts(hall, 0)
    hall.update(10)
    assert is_relieved(mind_of(hall), 0, 4.0, 3.0)[1].startswith("at its post for ")
    assert set(hall.roles().values()) == {"hold"}


def test_who_does_not_get_to_its_post_in_time_combs_too() -> None:
    hall = cordon()
    hall.update(10)
    hall.world.time += 11.0
    hall.update(15)
    assert set(hall.roles().values()) == {"comb"}


@pytest.mark.parametrize("name", ["search", "cordon_search", "search_alone"])
def test_who_holds_a_post_does_not_take_the_place_of_a_searcher_that_is_gone(name: str) -> None:
    posts = [(1.0, 1.0), (19.0, 1.0), (1.0, 11.0), (19.0, 11.0)]
    hall = Hall(crew_tree_text(name).replace("radius: 12", "radius: 5"), [(9.0, 6.0), (11.0, 6.0), *posts])
    quiet(hall)
    hall.world.hunt.perceive((10.0, 6.0, 0.0), 0.0, sure=True)
    hall.ask(range(6))
    hall.update(30)
    before = hall.roles()
    holds = {agent for agent, role in before.items() if role == "hold"}
    (gone, *_) = [agent for agent, role in before.items() if role == "search"]
    assert holds or name == "cordon_search", "a hall has no chokepoints"
    hall.world.bodies.mode[hall.world.names.index(gone)] = BODY
    hall.update(30)
    assert {agent for agent, role in hall.roles().items() if role == "hold"} >= holds


def test_gathered_waits_for_everybody_of_the_role() -> None:
    hall = Hall("root: {role: {name: meet, places: {gathering: {radius: 1.5}}, directions: {watch: place}}}", THREE)
    hall.ask(range(3))
    hall.update()
    mind = mind_of(hall)
    assert gathered(mind, "meet")[0] is False
    assert gathered(mind, "report") == (False, "nobody is report")
    for agent in range(3):
        hall.world.bodies.xyz[agent] = hall.world.teamwork.directions[agent].values["watch"]
    assert gathered(mind, "meet") == (True, "all are there")
    hall.world.bodies.xyz[1] += (3.0, 0.0, 0.0)
    assert gathered(mind, "meet") == (False, "waits for g1")
    places = [hall.world.teamwork.directions[agent].values["watch"] for agent in range(3)]
    assert len(set(places)) == 3


def test_roles_are_held_for_as_long_as_they_are_kept() -> None:
    hall = Hall("root: {role: {name: meet}}", THREE)
    hall.ask(range(3))
    hall.update(31)
    mind = mind_of(hall)
    assert held_for(mind, "meet", 0.9)[0]
    assert not held_for(mind, "meet", 1.5)[0]
    assert not held_for(mind, "report", 0.1)[0]
    assert role_is(mind, "meet", "patrol")[0]
    hall.world.state[1] = STATES.index("search")
    assert not role_is(mind, "meet", "patrol")[0]
    assert not role_is(mind, "report", "patrol")[0]


def test_whoever_sees_or_runs_after_somebody_ends_what_is_less_urgent() -> None:
    hall = Hall(GO_ON, THREE)
    hall.ask(range(3))
    quiet(hall)
    hall.update()
    mind = mind_of(hall)
    assert intruder_seen(mind) == (False, "no member sees an intruder")
    hall.world.state[2] = STATES.index("chase")
    assert intruder_seen(mind) == (True, "g2 pursues an intruder")
    hall.world.attention.seen[0] = 0
    assert intruder_seen(mind) == (True, "g0 sees an intruder")


def test_small_things_are_shrugged_off_and_serious_ones_are_not() -> None:
    hall = Hall("root: shrug_off", THREE)
    hall.ask(range(3))
    quiet(hall)
    board = hall.world.attention.stimuli
    small = board.post("bottle", (5.0, 5.0, 0.0), now=0.0, priority=1.0).number
    shot = board.post("gunshot", (5.0, 5.0, 0.0), now=0.0, nature="hostile").number
    hall.world.attention.calls = [small, shot, -1]
    events = hall.update()
    assert told(hall, events, "shrugs off") == ["g0 thinks nothing of a bottle"]
    assert board.get(small) is None
    assert board.get(shot) is not None
    mind = mind_of(hall)
    assert members_called(mind) == (True, "a gunshot calls g1")
    assert members_called(mind, kind="body") == (False, "nothing calls")
    assert members_called(mind, nature="distraction") == (False, "nothing calls")
    assert [is_calm(mind, member)[0] for member in range(3)] == [True, False, True]


def test_a_search_begins_for_all_members_at_the_place_they_asked_about() -> None:
    hall = Hall("root: begin_search", THREE, knows=False)
    for agent in range(3):
        hall.world.teamwork.requests.post(agent, "fight", -1, seconds=9.0, place=(7.0, 7.0, 0.0))
    quiet(hall)
    events = hall.update()
    assert hall.world.hunt.alerted == {0, 1, 2}
    assert hall.world.hunt.place == (7.0, 7.0, 0.0)
    assert hall.world.hunt.goes_on(hall.world.time)
    assert told(hall, events, "search begins") == ["crew 0 (fight) begins a search"]


def test_ways_out_are_held_by_different_members_and_overlooks_are_apart() -> None:
    for places in ("ways_out: {radius: 5}", "overlooks: {count: 3}", "chokepoints: {radius: 50}"):
        tree = f"root: {{role: {{name: hold, least: 0, places: {{{places}}}, directions: {{watch: place}}}}}}"
        hall = Hall(tree, THREE)
        hall.world.hunt.perceive((10.0, 6.0, 0.0), 0.0, sure=True)
        hall.ask(range(3))
        hall.update()
        given = [one.values["watch"] for one in hall.world.teamwork.directions if one is not None]
        assert len(given) == len(set(given))
        # An empty hall has no narrow place; it can be left in every direction, and overlooked from everywhere.
        assert len(given) == (0 if places.startswith("choke") else 3)


LINES = "root: {reactive_sequence: [{talk_on: {lines: 3, topic: lights}}, {role: {name: stay}}]}"


def test_lines_are_said_in_turn_and_the_talk_ends_after_the_last() -> None:
    hall = Hall("root: {reactive_sequence: [{talk_on: {seconds: 0.5, lines: 4, topic: lights}}]}", THREE)
    hall.ask(range(3))
    speakers, turns = [], []
    for _ in range(70):
        hall.update()
        talk = talk_of(mind_of(hall))
        if not turns or turns[-1] != talk.turn:
            turns.append(talk.turn)
            speakers.append(talk.speaker)
    assert turns == [1, 2, 3, 4]
    assert speakers == [0, 1, 2, 0]
    assert mind_of(hall).crew.tree.find("talk_on").status.name == "FAILURE"


@pytest.mark.parametrize(("turn", "again"), [(0, 0), (1, 0), (2, 0), (3, 2), (4, 2), (5, 4), (6, 4)])
def test_a_talk_is_taken_up_at_its_block(turn: int, again: int) -> None:
    hall = Hall("root: take_up_talk", THREE)
    hall.ask(range(3))
    hall.update()
    mind = mind_of(hall)
    mind.blackboard["talk"] = Talk("lights", 6, (0, 1), turn, 5.0)
    hall.update()
    assert talk_of(mind).turn == again


def test_a_talk_that_lost_a_speaker_fails() -> None:
    hall = Hall(LINES, THREE)
    hall.ask(range(3))
    hall.update()
    hall.world.bodies.mode[1] = BODY
    hall.update(2)
    assert mind_of(hall).crew.tree.find("talk_on").reason == "g1 is gone"


def test_the_ready_trees_are_there_and_unknown_states_are_refused() -> None:
    assert {"search", "body", "pair", "missing", "talk"} <= set(shipped_crews())
    for name in ("search", "body", "pair", "missing", "talk"):
        assert crew_tree_text(name).startswith("# ")
    with pytest.raises(TreeFileError, match=r"state is 'patroll' \(did you mean 'patrol'\?\)"):
        crew_tree(parse_trees("root: {role: {name: a, directions: {state: patroll}}}"))


@pytest.mark.parametrize("member", [0, 1, 2])
def test_a_member_that_noticed_any_target_is_not_calm(member: int) -> None:
    hall = Hall(GO_ON, THREE)
    hall.ask(range(3))
    hall.update(1)
    quiet(hall)
    mind = mind_of(hall)
    assert is_calm(mind, member)[0]
    hall.world.attention.noticed = [0 if row == member else -1 for row in range(3)]
    assert [is_calm(mind, each)[0] for each in range(3)] == [each != member for each in range(3)]
