"""Teams as data: attitudes that differ, and that change when a blow falls or the script says so."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.brains.relations import ATTITUDES, TEAMS, Relations, attitude_table
from lastseen.agents.senses.vision.sightings import REASONS
from lastseen.errors import ScenarioError
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.world_columns import record
from lastseen.simulation.replay.account import account_of
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.simulation.world.puppet import PlayerInput, apply_input
from lastseen.simulation.world.setup import make_world
from lastseen.views.cli.app.main import cli
from specimens.worlds import Play

MEETING = """
level: hall
seconds: 8
ends: []
teams:
  rebels: {{attitudes: {{guards: {attitude}}}}}
agents:
  - {{name: Ames, at: [6, 9], heading: 0, patrol: ""}}
  - {{name: Rook, team: rebels, at: [12, 9], heading: 3.14, patrol: ""}}
"""


@pytest.mark.parametrize(("attitude", "fights"), [("hostile", True), ("neutral", False), ("allied", False)])
def test_any_team_is_a_target_of_those_hostile_to_it_and_of_no_others(attitude, fights):
    play = Play(MEETING.format(attitude=attitude)).run(4)
    seen = {(event.agent, event.other) for event in play.of_kind("sees")}
    assert seen == ({(0, 1), (1, 0)} if fights else set())
    assert ("engage" in play.states["Ames"]) == fights


def test_guards_of_another_team_are_caught_like_any_target():
    play = Play(MEETING.format(attitude="hostile").replace("heading: 3.14", "heading: 0")).run(8)
    assert [(event.agent, event.other) for event in play.of_kind("caught")][:1] == [(0, 1)]


def test_guards_hunt_civilians_where_the_scenario_says_so():
    play = Play("""
level: hall
seconds: 6
ends: []
teams: {civilians: {attitudes: {guards: hostile}}}
agents:
  - {name: Ames, at: [6, 9], heading: 0, patrol: ""}
  - {name: Mia, brain: civilian, at: [12, 9], heading: 3.14}
""").run(6)
    assert "engage" in play.states["Ames"]
    assert "flee" in play.states["Mia"]


def test_an_attitude_ends_by_the_script_and_what_was_known_is_forgotten():
    script = "script: [{at: 1, do: attitude, team: guards, toward: rebels, value: allied}]\n"
    play = Play(script + MEETING.format(attitude="hostile")).run(1)
    assert play.states["Ames"][-1] == "engage"
    assert play.world.knowledge.arrays.source.any()
    play.run(3)
    assert [(one.team, one.toward, one.attitude) for one in play.of_kind("attitude")] == [
        ("guards", "rebels", "allied")
    ]
    assert not play.world.knowledge.arrays.source.any()
    assert play.states["Ames"][-1] in ("return", "patrol")
    assert not play.of_kind("lost")
    assert not play.of_kind("search begins")


def test_footsteps_of_neutrals_call_no_one_and_those_of_enemies_do():
    text = """
level: corridor
seconds: 9
ends: []
teams: {rebels: {side: intruders, attitudes: {guards: ATTITUDE}}}
agents: [{name: Ames, at: [6, 4], heading: 3.14, patrol: ''}, {name: Rook, brain: puppet, team: rebels, at: [9, 4]}]
"""
    heard = {}
    for attitude in ("neutral", "hostile"):
        play = Play(text.replace("ATTITUDE", attitude))
        play.run(1, each=lambda world: apply_input(world, 1, PlayerInput(move=(1, 0), gait="run")))
        heard[attitude] = [event.sound for event in play.of_kind("heard")]
    assert heard == {"neutral": [], "hostile": ["footstep"]}


def test_bodies_of_enemies_alarm_no_one():
    found = {}
    for attitude in ("neutral", "hostile"):
        text = f"script: [{{at: 0, do: fell, agent: Rook}}]\n{MEETING.format(attitude=attitude)}"
        found[attitude] = [event.thing for event in Play(text).run(3).of_kind("found")]
    assert found == {"neutral": ["body"], "hostile": []}


def test_why_says_that_a_neutral_is_not_noticed(tmp_path):
    record(make_world(parse_scenario(MEETING.format(attitude="neutral"))), tmp_path / "run.rec")
    recording = Recording.read(tmp_path / "run.rec")
    assert recording.about.notes["team_names"] == ["guards", "rebels"]
    told = account_of(recording, "Ames", 2.0)
    assert [one.sight for one in told.known if one.target == "Rook"] == ["neutral"]


@given(
    st.lists(st.sampled_from(TEAMS), min_size=1, max_size=5),
    st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), st.sampled_from(ATTITUDES)),
)
def test_the_table_equals_the_words_of_the_documentation(sides, stated):
    stated = {pair: value for pair, value in stated.items() if pair[0] != pair[1] and max(pair) < len(sides)}
    table = attitude_table(sides, stated)
    for one, side in enumerate(sides):
        for other, its in enumerate(sides):
            if (one, other) in stated:
                wanted = stated[one, other]
            elif (other, one) in stated:
                wanted = stated[other, one]
            elif one == other:
                wanted = "allied"
            else:
                wanted = "hostile" if {side, its} > {"intruders"} else "neutral"
            assert ATTITUDES[table[one, other]] == wanted


def test_only_a_stated_neutrality_ends_with_a_blow():
    team = np.array([0, 3, 4], np.uint8)
    table = attitude_table(["guards", "intruders", "civilians", "guards", "guards"], {(3, 0): "neutral"})
    relations = Relations((*TEAMS, "a", "b"), team, np.arange(3), np.arange(2), table, frozenset({(3, 0), (0, 3)}))
    assert relations.is_provoked(1, 0)
    assert not relations.is_provoked(2, 0)
    assert relations.change(3, 0, "hostile")
    assert not relations.change(3, 0, "hostile")
    assert not relations.is_provoked(1, 0)
    assert REASONS[relations.reasons[2, 0]] == "neutral"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("teams: {rebels: {attitudes: {gards: hostile}}}", "no team 'gards' (did you mean 'guards'?)"),
        ("teams: {rebels: {attitudes: {guards: hostil}}}", "no attitude 'hostil' (did you mean 'hostile'?)"),
        ("teams: {rebels: {attitudes: {rebels: hostile}}}", "cannot have an attitude to themselves"),
        (
            "teams: {rebels: {side: gods}}",
            "no side 'gods' (did you mean 'guards'?)",
        ),
        ("teams: {guards: {side: intruders}}", "guards are always on the side guards"),
        ("script: [{at: 1, do: attitude, team: gards, toward: intruders, value: hostile}]", "did you mean 'guards'"),
        ("script: [{at: 1, do: attitude, team: guards, toward: intruder, value: hostile}]", "did you mean 'intruders'"),
        ("script: [{at: 1, do: attitude, team: guards, toward: intruders, value: frendly}]", "no attitude 'frendly'"),
        ("script: [{at: 1, do: attitude, team: guards, value: hostile}]", "'attitude' needs 'toward'"),
    ],
)
def test_faults_in_teams_are_found_with_their_line(line, words):
    with pytest.raises(ScenarioError) as raised:
        parse_scenario(f"level: hall\nagents: [{{name: Ames, at: [6, 9]}}]\n{line}\n")
    assert words in str(raised.value)
    assert "line 3" in str(raised.value)


def test_an_agent_of_an_unknown_team_is_refused():
    with pytest.raises(ScenarioError, match="no team 'rebls' \\(did you mean 'rebels'\\?\\)"):
        parse_scenario("level: hall\nteams: {rebels: {}}\nagents: [{name: Ames, team: rebls, at: [6, 9]}]\n")


def test_an_attitude_changed_by_the_script_is_told_once(tmp_path):
    script = "script: [{at: 0.5, do: attitude, team: guards, toward: rebels, value: allied}]\n"
    text = (script + MEETING.format(attitude="neutral")).replace("seconds: 8", "seconds: 1")
    (tmp_path / "peace.yaml").write_text(text)
    ran = CliRunner().invoke(cli, ["run", str(tmp_path / "peace.yaml"), "-o", str(tmp_path / "peace.rec")])
    told = CliRunner().invoke(cli, ["replay", str(tmp_path / "peace.rec")])
    for output in (ran.output, told.output):
        assert output.count("allied") == 1, output


def test_no_agent_is_said_to_know_itself(tmp_path):
    record(make_world(parse_scenario(MEETING.format(attitude="hostile"))), tmp_path / "run.rec")
    recording = Recording.read(tmp_path / "run.rec")
    for name in recording.about.agents:
        assert name not in [known.target for known in account_of(recording, name, 1.0).known]
