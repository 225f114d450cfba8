"""Two states of a level: travel between them, what those left behind know, and ways that lead through both."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from lastseen.agents.brains.leaves.flight import ChooseCrossing
from lastseen.agents.brains.mind import Mind
from lastseen.errors import ScenarioError
from lastseen.simulation.game_loop import step
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.world_columns import record
from lastseen.simulation.scenario.reader import parse_scenario, shipped_scenario
from lastseen.simulation.world.puppet import PlayerInput, apply_input
from lastseen.simulation.world.setup import make_world
from lastseen.views.prose.sentences import Sentences
from specimens.worlds import Play

APART = 23.0
"""Metres from a place in the present of the sample to the same place in its past."""
MANOR = """
level: manor
seconds: 60
step: 0.05
reaction: at once
level_states: [present, past]
ends: []
agents:
  - {{name: Ames, at: {guard}, heading: 0, patrol: ""}}
  - {{name: you, brain: {brain}, at: {at}}}
{more}
"""


def play_of(*, at: str = "[7.5, 3.5]", guard: str = "[2, 8]", more: str = "", brain: str = "puppet") -> Play:
    return Play(MANOR.format(at=at, guard=guard, more=more, brain=brain))


def travel(play: Play) -> Play:
    apply_input(play.world, 1, PlayerInput(travel=True))
    step(play.world)
    play.events += play.world.events
    apply_input(play.world, 1, PlayerInput())
    return play


def test_a_traveller_stands_at_the_same_place_in_the_other_state_and_comes_back_after_a_rest() -> None:
    play = travel(play_of())
    assert play.world.place_of(1) == pytest.approx((7.5 + APART, 3.5, 0.0))
    travel(play.run(2.0))
    assert play.world.place_of(1)[0] == pytest.approx(7.5 + APART)  # the power rests for 3 s
    travel(play.run(1.0))
    assert play.world.place_of(1) == pytest.approx((7.5, 3.5, 0.0))
    assert [(one.state, one.start[0]) for one in play.of_kind("travelled")] == [("past", 7.5), ("present", 7.5 + APART)]


@pytest.mark.parametrize("more", ["", "traps: [{place: [30.5, 3.5], team: '', effect: snare}]"])
def test_no_agent_travels_to_where_there_is_no_floor_or_another_stands(more: str) -> None:
    crates = travel(play_of(at="[3, 3]", more=more))
    assert crates.world.place_of(1) == pytest.approx((3.0, 3.0, 0.0))
    assert not crates.of_kind("travelled")
    assert crates.world.acts.can_use(1, "travel", crates.world.time)  # and it need not wait for another try
    taken = travel(play_of(guard=f"[{7.5 + APART}, 3.5]", more=more))
    assert not taken.of_kind("travelled")


def test_a_snared_agent_cannot_travel() -> None:
    play = play_of(more="traps: [{place: [7.5, 3.5], team: guards, effect: snare, seconds: 5}]").run(0.5)
    assert play.of_kind("trap")
    assert not travel(play).of_kind("travelled")


def test_guards_left_behind_lose_it_where_it_vanished_and_look_in_their_own_state_only() -> None:
    play = play_of(guard="[2, 2]", at="[7.5, 3.5]").run(0.5)
    assert play.of_kind("sees")
    cole = len(play.events)
    travel(play).run(20.0)
    lost, flood = play.of_kind("lost")[0], play.of_kind("flood")[0]
    assert lost.at == pytest.approx((7.5, 3.5, 0.0), abs=0.3)
    assert math.dist(lost.at, play.of_kind("travelled")[0].start) < 0.3
    states = play.world.level_states
    assert states is not None
    assert states.holds(np.array([flood.at])).tolist() == [[True, False]]
    searched = [one.at for one in play.events[cole:] if one.kind == "searches"]
    assert searched
    assert states.holds(np.array(searched))[:, 0].all()


def test_a_guard_of_the_other_state_sees_the_traveller_and_learns_nothing_from_those_left_behind() -> None:
    more = "  - {name: Cole, at: [40, 8], heading: 0, patrol: ''}"
    play = travel(play_of(guard="[2, 2]", more=more).run(0.5)).run(15.0)
    row = int(play.world.cast.watcher_row[2])
    assert play.world.knowledge.arrays.source[row].tolist() == [0]
    seen = play_of(at=f"[{5.5}, 7.5]", guard="[18, 2]", more="  - {name: Cole, at: [40, 8], heading: 3.14, patrol: ''}")
    travel(seen).run(1.0)
    assert [event.agent for event in seen.of_kind("sees")] == [2]


def test_a_row_of_the_script_lets_an_agent_travel_without_the_power() -> None:
    play = play_of(at="[7.5, 3.5]", more="script: [{at: 1, do: travel, agent: Ames}, {at: 2, do: travel, agent: Ames}]")
    play.run(1.5)
    assert play.world.place_of(0)[0] == pytest.approx(2.0 + APART)
    play.run(1.0)
    assert play.world.place_of(0)[0] == pytest.approx(2.0)
    of = Sentences.of_world(play.world)
    assert [of(event) for event in play.of_kind("script")] == ["travel Ames", "travel Ames"]
    assert "Ames travels to the state past" in [of(event) for event in play.of_kind("travelled")]


def crossing(at: str, *, anywhere: bool = False, to: str = "") -> tuple[float, ...] | None:
    """Return the place an agent in the manor chooses to travel from."""
    world = play_of(at=at, brain="traveller", guard="[18, 8]").world
    mind = world.minds[1]
    assert isinstance(mind, Mind)
    mind.blackboard["to"] = to
    world.snapshot.places = [world.place_of(0), world.place_of(1)]
    status = ChooseCrossing(anywhere=anywhere).tick(mind)
    return tuple(mind.blackboard["goal"]) if status.name == "SUCCESS" else None


def test_a_crossing_is_the_nearest_place_that_leads_on_worked_by_hand() -> None:
    # The crates of the past cover x < 6: the first column with floor in both states is that of x = 6.5.
    assert crossing("[1.5, 1.5]") == pytest.approx((6.5, 1.5, 0.0), abs=0.4)
    # In the past beyond the wall, the nearest place is where it stands; behind the wall, the first column after it.
    assert crossing("[38.5, 2.5]") == pytest.approx((38.5, 2.5, 0.0), abs=0.4)
    assert crossing("[30.5, 3.5]") == pytest.approx((11.5 + APART, 3.5, 0.0), abs=0.4)
    assert crossing("[18.5, 2.5]") is None  # the exit is reached from here
    assert crossing("[18.5, 2.5]", anywhere=True) == pytest.approx((18.5, 2.5, 0.0), abs=0.4)


def test_the_cells_of_two_states_are_each_others_twins() -> None:
    world = play_of().world
    states, places = world.level_states, world.cells.arrays.cell_xyz
    assert states is not None
    paired = np.flatnonzero(states.twin >= 0)
    assert (states.twin[states.twin[paired]] == paired).all()
    assert np.abs(places[states.twin[paired]] - places[paired])[:, 0] == pytest.approx(APART, abs=0.2)
    assert len(paired) == 2 * sum(  # by hand: cells of the present with floor APART further on
        bool((np.linalg.norm(places - (x + APART, y, z), axis=1) < 0.4).any()) for x, y, z in places[places[:, 0] < 22]
    )


def test_it_is_recorded_replayed_and_explained(tmp_path: Path) -> None:
    setting = shipped_scenario("now_and_then")
    outcome = record(make_world(setting), tmp_path / "run.rec")
    recording = Recording.read(tmp_path / "run.rec")
    travels = [event for event in recording.events() if event.kind == "travelled"]
    assert [event.state for event in travels] == ["past", "present"]
    frame = recording.frame(travels[0].tick)
    assert frame.columns["xyz"][2, 0] - travels[0].start[0] == pytest.approx(APART, abs=0.1)
    again = make_world(setting)
    while again.ending is None:
        step(again)
    assert again.trace.digest.hexdigest() == outcome.digest


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[present, past]", "[present, passed]", "no zone 'passed' (did you mean 'past'?)"),
        ("[present, past]", "[present, present]", "both states are 'present'"),
        ("[present, past]", "[present]", "expected a list of length 2 or more"),
        ("[present, past]", "present", "level_states"),
        ("level: manor", "level: yard", "no zone 'present'"),
        ("reaction: at once", "hearing: radius", "sounds would pass through the air"),
        ("reaction: at once", "sharing: broadcast", "what agents know would pass"),
        ("level_states: [present, past]", "", "the level has one state, so no agent can travel"),
        ("brain: traveller", "brain: traveller, powers: [blink]", "'you' cannot travel"),
        ("do: travel, agent: you", "do: travel", "'travel' needs 'agent'"),
        ("do: travel, agent: you", "do: travel, agent: yu", "no agent 'yu' (did you mean 'you'?)"),
        ("do: travel, agent: you", "do: travel, agent: you, place: [1, 1]", "'travel' has no 'place'"),
        ("reaction: at once", "power_rules: {travel_rest: 0}", "travel_rest"),
    ],
)
def test_bad_states_are_reported_at_load(old: str, new: str, words: str) -> None:
    text = MANOR.format(
        guard="[2, 8]", at="[7.5, 3.5]", brain="traveller", more="script: [{at: 1, do: travel, agent: you}]"
    )
    assert old in text
    with pytest.raises(ScenarioError) as error:
        parse_scenario(text.replace(old, new, 1))
    assert words in str(error.value)


TWO_ROOMS = """
legend: , = zone "now" kind=state
legend: _ = zone "then" kind=state

== ground z=0
{}
"""


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (("########", "#,,##__#", "#,,##__#", "########"), ""),
        (("########", "#,,##__#", "#,,##_##", "########"), ""),  # other walls, the same box
        (("########", "#,,##__#", "#,,####", "########"), "measures 2 x 2 m, 'then' 2 x 1 m"),
        (("########", "#,,..__#", "#,,##__#", "########"), "agents could walk from one to the other"),
        (("########", "#,,cc__#", "#,,##__#", "########"), "could see to"),
        (("########", "#,,_####", "#,__####", "########"), "'now' and 'then' overlap"),
    ],
)
def test_states_have_one_size_and_nothing_leads_or_looks_from_one_to_the_other(
    tmp_path: Path, rows: tuple[str, ...], words: str
) -> None:
    (tmp_path / "two.txt").write_text(TWO_ROOMS.format("\n".join(rows)))
    agent = "{name: you, brain: puppet, at: [1.5, 1.5]}"
    text = f"level: two.txt\nradius: 0.1\nlevel_states: [now, then]\nagents: [{agent}]"
    if not words:
        assert make_world(parse_scenario(text, folder=tmp_path)).level_states is not None
        return
    with pytest.raises(ScenarioError) as error:
        make_world(parse_scenario(text, folder=tmp_path))
    assert words in str(error.value)
