"""What crews do around searches and among themselves: cordons, bodies, talks, pairs, the missing, calls by radio."""

from __future__ import annotations

import math
from functools import cache

import pytest

from lastseen.agents.brains.leaves.teamwork import NoteAwaited, is_overdue, take_worry
from lastseen.simulation.scenario.reader import scenario_text
from lastseen.simulation.world.world import World
from lastseen.vocabulary.events import AnyEvent
from specimens.worlds import Play

STEP = 0.1


def coarse(text: str) -> str:
    return f"step: {STEP}\n{text}"


def phases(play: Play, kind: str = "role") -> list[str]:
    """Return the roles that were given, in order, each once in a row."""
    found: list[str] = []
    for event in play.of_kind(kind):
        role = event.role
        if role and (not found or found[-1] != role):
            found.append(role)
    return found


def seconds(event: AnyEvent) -> float:
    return event.tick * STEP


def said(play: Play, trigger: str) -> list[AnyEvent]:
    return [one for one in play.of_kind("said") if one.facts.get("bark.trigger") == trigger]


class Watched(Play):
    """A run that keeps who had which role where, at every step."""

    def __init__(self, text: str):
        super().__init__(text)
        self.moments: list[tuple[float, dict[str, str], dict[str, tuple[float, float, float]], dict[str, str]]] = []

    def look(self, world: World) -> None:
        roles = {world.names[at]: one.role for at, one in enumerate(world.teamwork.directions) if one is not None}
        places = dict(zip(world.names, map(tuple, world.bodies.xyz.tolist()), strict=True))
        states = {name: world.state_of(at) for at, name in enumerate(world.names)}
        self.moments.append((world.time, roles, places, states))


@cache
def watched(name: str) -> Watched:
    play = Watched(coarse(scenario_text(name)))
    play.run(200.0, play.look)
    return play


def searched_without_leave(play: Watched) -> list[str]:
    """Return who chose a place to look at while its crew had it do something else."""
    roles = {round(now / STEP): given for now, given, _, _ in play.moments}
    asked = [(play.world.names[event.agent], event.tick) for event in play.of_kind("searches") if seconds(event) > 5.0]
    assert asked
    return [name for name, tick in asked if roles[tick + 1].get(name, "search") not in ("search", "comb")]


def test_two_search_others_hold_ways_out_until_the_area_is_searched() -> None:
    play = watched("cordon")
    busy = [moment for moment in play.moments if moment[1]]
    assert max(list(roles.values()).count("search") for _, roles, _, _ in busy) == 2
    holds = {event.agent: event for event in play.of_kind("role") if event.role == "hold"}
    assert len(holds) == 3
    slots = [event.slot for event in holds.values()]
    assert len(set(slots)) == 3
    combs = {event.agent: event for event in play.of_kind("role") if event.role == "comb"}
    assert combs.keys() == holds.keys()
    for agent, event in holds.items():
        name, place, left = play.world.names[agent], event.watch, seconds(combs[agent])
        away = [math.dist(places[name], place) > 1.6 for now, _, places, _ in busy if now < left - STEP]
        assert away.index(False) * STEP < 8.0, "it ran there"
        assert not any(away[away.index(False) :]), "it stood there until it was relieved"
        assert left - event.tick * STEP > 15.0
        after = {roles.get(name) for now, roles, _, _ in busy if now > left + STEP}
        assert after <= {"comb", None}, "who was relieved goes to no post again"
    assert not searched_without_leave(play)


def test_they_give_up_one_after_another_as_without_crews() -> None:
    gave_up = [event.tick for event in watched("cordon").of_kind("gives up")]
    assert len(gave_up) == 5
    assert len(set(gave_up)) == 5


@pytest.mark.parametrize("search", ["coordinator", "both"])
def test_a_coordinator_sends_only_those_who_may_search(search: str) -> None:
    text = coarse(scenario_text("cordon")).replace("search_seconds: 45", f"search_seconds: 25\nsearch: {search}")
    play = Watched(text)
    play.run(40.0, play.look)
    holders = {event.agent for event in play.of_kind("role") if event.role == "hold"}
    assert len(holders) == 3
    assert not searched_without_leave(play)
    gave_up = [event.tick for event in play.of_kind("gives up")]
    assert len(gave_up) == 5
    assert len(set(gave_up)) >= 4


def test_one_searches_alone_where_the_scenario_says_so() -> None:
    text = coarse(scenario_text("cordon")).replace("crews: true", "crews: {search: search_alone}")
    play = Watched(text.replace("search_seconds: 45", "search_seconds: 15"))
    play.run(20.0, play.look)
    busy = [list(roles.values()) for _, roles, _, _ in play.moments if len(roles) == 5]
    assert busy
    assert {roles.count("search") for roles in busy} == {1}


def test_without_crews_everybody_searches() -> None:
    text = coarse(scenario_text("cordon")).replace("crews: true", "crews: false")
    play = Play(text.replace("search_seconds: 45", "search_seconds: 10")).run(20.0)
    assert len({event.agent for event in play.of_kind("searches")}) == 5
    assert not play.of_kind("crew")
    assert not play.of_kind("role")


def test_a_body_is_gathered_round_split_from_and_debriefed_over() -> None:
    play = watched("found_lying")
    assert phases(play) == ["gather", "orders", "listen", "search", "report", "debrief", "answer"]
    body = play.world.bodies.xyz[play.world.names.index("Cole")].tolist()
    for role in ("orders", "debrief"):
        at = next(moment for moment in play.moments if role in moment[1].values())
        assert all(math.dist(at[2][name], body) < 3.5 for name in at[1]), role
    spread = max(
        math.dist(places[name], body)
        for _, roles, places, _ in play.moments
        for name in roles
        if roles[name] == "search"
    )
    assert spread > 8.0
    assert len(said(play, "ORDER_SPLIT")) == len(said(play, "DEBRIEF")) == 1
    assert said(play, "ANSWER")
    assert play.outcome.reason == "all calm"


SIGHTING = """  - {at: 5, do: fell, agent: Cole}
  - {at: 14, do: place, agent: you, place: [24, 14.5]}
"""


def test_a_sighting_interrupts_the_gathering() -> None:
    text = coarse(scenario_text("found_lying")).replace("  - {at: 5, do: fell, agent: Cole}\n", SIGHTING)
    text = text.replace("script:", "  - {name: you, brain: puppet, at: [30.5, 17.5]}\nscript:")
    text = text.replace("[all calm]", "[caught]")
    play = Play(text).run(40.0)
    over = [event for event in play.of_kind("crew") if (event.objective, event.change) == ("body", "ended")]
    seen = play.of_kind("sees")[0]
    assert phases(play)[0] == "gather"
    assert seen.tick <= over[0].tick <= seen.tick + 5
    assert not said(play, "DEBRIEF")
    assert play.outcome.reason == "caught"


def test_a_talk_is_taken_up_at_the_beginning_of_the_block_it_was_in() -> None:
    play = watched("interrupted_talk")
    lines = [(one.facts["talk.turn"], one.agent) for one in said(play, "TALK")]
    turns = [turn for turn, _ in lines]
    assert turns[-4:] == [3, 4, 5, 6]
    assert len(turns) > 6
    # Whoever says a line always says it: they take turns.
    assert all(agent == (turn - 1) % 2 for turn, agent in lines)
    for one in said(play, "TALK_RESUME"):
        after = next(line for line in said(play, "TALK") if line.tick > one.tick)
        before = [line for line in said(play, "TALK") if line.tick < one.tick][-1]
        turn = after.facts["talk.turn"]
        assert turn % 2 == 1
        assert turn <= before.facts["talk.turn"]


def test_the_first_noise_is_let_be_and_the_second_looked_into_by_one_of_them() -> None:
    play = watched("interrupted_talk")
    shrugged = play.of_kind("shrugs off")
    assert [event.stimulus for event in shrugged] == ["bottle"], "one bottle, once"
    looks = play.of_kind("investigates")
    assert len(looks) == 1
    assert 22.0 < seconds(looks[0]) < 24.0
    who = looks[0].agent
    covers = next(event for event in play.of_kind("role") if event.role == "cover")
    assert covers.agent == 1 - who
    assert len(said(play, "TALK_REMARK")) == 1
    assert len(said(play, "TALK_RESUME")) == 2


def test_a_talk_is_dropped_when_one_of_them_falls() -> None:
    text = coarse(scenario_text("interrupted_talk")).replace("{at: 8, do: sound, kind: bottle, place: [20, 7]}",
                                                             "{at: 8, do: fell, agent: Bell}")  # fmt: skip
    play = Play(text).run(20.0)
    over = next(event for event in play.of_kind("crew") if event.change == "ended")
    assert seconds(over) == pytest.approx(8.0, abs=0.3)
    assert all(seconds(one) < 8.3 for one in said(play, "TALK"))


def test_one_goes_to_look_and_the_other_covers_it_from_where_it_sees_the_place() -> None:
    play = watched("in_pairs")
    first = [event for event in play.of_kind("role") if seconds(event) < 20.0]
    assert {event.role for event in first} >= {"investigate", "cover", "clear"}
    assert [event.agent for event in play.of_kind("investigates")][:2] == [0, 0]
    announce, answer = said(play, "ANNOUNCE")[0], said(play, "ANSWER")[0]
    assert (announce.agent, answer.agent) == (0, 1)
    assert announce.tick < answer.tick
    there = [places for _, roles, places, _ in play.moments[60:100] if roles.get("Bell") == "cover"]
    assert min(math.dist(places["Bell"], (14.0, 8.0, 0.0)) for places in there) > 2.0


def test_one_who_does_not_come_back_is_missed_where_it_was_and_all_are_called() -> None:
    play = watched("in_pairs")
    missed = play.of_kind("missing")[0]
    assert missed.agent == 1
    assert 34.0 + 3.5 < seconds(missed) < 34.0 + 6.0
    last = next(places["Ames"] for now, _, places, _ in reversed(play.moments) if now < 34.0)
    assert math.dist(missed.at, last) < 1.0
    formed = next(event for event in play.of_kind("crew") if (event.objective, event.change) == ("missing", "formed"))
    assert formed.members == (1, 2)
    assert play.of_kind("search begins")


def test_a_pair_goes_to_where_a_missing_colleague_was_and_then_all_search() -> None:
    play = watched("no_answer")
    assert phases(play)[:5] == ["ask", "listen", "look", "wait", "search"]
    assert len({event.agent for event in play.of_kind("role") if event.role == "look"}) == 2
    assert said(play, "RADIO")
    begun = play.of_kind("search begins")[0]
    assert math.dist(begun.at, (20.0, 11.6, 0.0)) < 1.0


def test_if_the_missing_one_is_found_lying_they_gather_round_it() -> None:
    text = coarse(scenario_text("no_answer")).replace("do: remove", "do: fell")
    play = Play(text).run(60.0)
    objectives = [event.objective for event in play.of_kind("crew") if event.change == "formed"]
    assert objectives[:2] == ["missing", "body"]
    assert said(play, "FIND_BODY")
    assert "gather" in phases(play)


def test_a_call_by_radio_draws_those_within_reach_only() -> None:
    play = watched("radio_call")
    members = {name for _, roles, _, _ in play.moments for name in roles}
    assert members == {"Ames", "Bell", "Cole"}
    assert {states["Dane"] for _, _, _, states in play.moments} == {"patrol"}
    assert {one.agent for one in said(play, "TALK")} == {0, 1, 2}


MEETING = """
level: hall
seconds: 60
step: 0.1
crews: {crews}
rules: none
ends: []
agents:
  - {{name: Ames, at: [8, 9], heading: 0.0, patrol: "", settings: {{talks: true}}}}
  - {{name: Bell, at: [10, 9], heading: 3.14, patrol: ""}}
"""


def test_guards_who_like_to_talk_do_so_when_they_meet_and_not_again_at_once() -> None:
    play = Play(MEETING.format(crews="true")).run(60.0)
    formed = [event for event in play.of_kind("crew") if event.change == "formed"]
    assert [event.objective for event in formed] == ["talk"]
    assert [event.change for event in play.of_kind("crew")] == ["formed", "ended"]


ALONE = """
level: rooms
seconds: 40
step: 0.1
seed: 3
crews: {crews}
ends: []
agents:
  - {{name: Ames, at: [16, 2.5], patrol: "", settings: {{talks: true}}}}
  - {{name: you, brain: puppet, at: [2.5, 2.5]}}
script:
  - {{at: 2, do: sound, kind: bottle, place: [14, 8]}}
  - {{at: 12, do: sound, kind: gunshot, place: [14, 8]}}
"""


def test_one_alone_does_the_same_with_crews_and_without() -> None:
    runs = [Play(ALONE.format(crews=crews)).run(40.0) for crews in ("true", "false")]
    assert runs[0].outcome.digest == runs[1].outcome.digest
    assert "searches" in runs[0].kinds()
    assert "investigates" in runs[0].kinds()


TWO_NOISES = """
level: warehouse
seconds: 10
seed: 1
rules: none
crews: {pair: pair}
agents:
  - {name: Ames, at: [11, 14], heading: 0.0, patrol: ""}
  - {name: Bell, at: [11, 16], heading: 0.0, patrol: ""}
  - {name: Cole, at: [34, 15], heading: 3.14, patrol: ""}
  - {name: Dane, at: [34, 17], heading: 3.14, patrol: ""}
script:
  - {at: 0.5, do: sound, kind: bottle, place: [14, 14]}
  - {at: 0.5, do: sound, kind: bottle, place: [31, 15]}
"""


def test_two_noises_are_two_matters_and_make_two_pairs() -> None:
    play = Play(coarse(TWO_NOISES))
    play.run(3.0)
    assert play.world.teamwork.crews is not None
    crews = list(play.world.teamwork.crews.standing.values())
    assert sorted(crew.members for crew in crews) == [(0, 1), (2, 3)]
    assert len({crew.matter for crew in crews}) == 2
    spots = [play.world.teamwork.crews._minds[crew.number].known.place for crew in crews]
    assert [None if spot is None else round(spot[0]) for spot in spots] == [14, 31]


def test_who_comes_back_late_but_alive_is_missed_and_then_waited_for_no_more() -> None:
    play = Play(coarse(TWO_NOISES))
    play.run(0.2)
    mind = play.world.minds[0]
    board = mind.blackboard
    board.update(awaited=1, awaited_since=mind.time, awaited_at=play.world.snapshot.places[1], heard_of=mind.time)
    assert is_overdue(mind, seconds=40.0, silent=4.0) == (False, "heard of Bell 0.0 s ago")
    # It is heard of all the time, but does not come back.
    board.update(awaited_since=mind.time - 40.0)
    assert is_overdue(mind, seconds=40.0, silent=4.0) == (True, "Bell has been away for 40 s")
    assert take_worry(mind)[0].name == "SUCCESS"
    assert (board["call_kind"], board["call_about"], board["awaited"]) == ("missing colleague", 1, -1)
    board.update(awaited=1)
    assert NoteAwaited().tick(mind).name == "SUCCESS"
    assert board["awaited"] == -1, "it is up and about: nobody waits for it any more"


LATE = """
step: 0.2
level: warehouse
seconds: 60
seed: 1
rules: none
crews: {pair: pair}
agents:
  - {name: Ames, at: [11, 14], heading: 0.0, patrol: "", speed: 0.05}
  - {name: Bell, at: [6, 14], heading: 0.0, patrol: "", speed: 0.05}
script:
  - {at: 0.4, do: sound, kind: bottle, place: [14, 14]}
"""


def test_the_other_of_a_pair_worries_about_one_who_is_late_though_alive() -> None:
    play = Play(LATE)
    play.run(50.0)
    given = [(event.tick * 0.2, event.role, event.agent) for event in play.of_kind("role")]
    worried = [(now, agent) for now, role, agent in given if role == "worry"]
    assert len(worried) == 1
    assert 42.0 <= worried[0][0] <= 45.0
    looked = [agent for _, role, agent in given if role == "investigate"]
    assert worried[0][1] != looked[0], "who went to look is not worried about itself"
    missed = play.of_kind("missing")
    assert [(event.agent, event.other) for event in missed] == [(worried[0][1], looked[0])]
