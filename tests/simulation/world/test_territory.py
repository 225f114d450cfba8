"""Territory: restricted zones make guards warn, escort and attack neutral agents; safe zones shelter enemies."""

from __future__ import annotations

import pytest

from lastseen.errors import ScenarioError
from lastseen.kernels.arrays.agent_arrays import BODY
from lastseen.level.samples import sample
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.world_columns import record
from lastseen.simulation.replay.account import account_of
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.simulation.world.lighting import within
from lastseen.simulation.world.setup import make_world
from specimens.worlds import Play

ROOM = """
level: warehouse
seconds: 40
ends: []
territory: {patience: 2, escort: 3, forgives: 1}
teams: {visitors: {side: intruders, attitudes: {guards: neutral}}}
agents:
  - {name: Ames, at: [38, 8.5], heading: 0, patrol: ""}
  - {name: Vera, brain: puppet, team: visitors, at: [41.5, 9], heading: 3.14}
"""
DOCK = """
level: warehouse
seconds: 20
ends: []
territory: {forgives: 1}
agents:
  - {name: Ames, at: [2.5, 2.5], heading: 0, patrol: ""}
  - {name: you, brain: puppet, at: [7, 2.5]}
"""


def _steps(play: Play) -> list[tuple[float, str]]:
    return [(round(one.tick * play.world.step, 1), str(one.step)) for one in play.of_kind("trespass")]


def test_a_stranger_that_stays_is_warned_escorted_and_attacked():
    play = Play(ROOM).run(8)
    assert _steps(play)[:3] == [(0.0, "warned"), (2.0, "escorted"), (5.0, "wanted")]
    assert [one.zone for one in play.of_kind("trespass")] == ["control room"] * 3
    assert [line.line for line in play.of_kind("said")][:2] == [
        "You there. This is no place for you.",
        "Out. Come with me.",
    ]
    assert play.of_kind("sees")[0].tick * play.world.step > 5.0
    assert play.of_kind("caught")


def test_a_stranger_that_leaves_is_let_go_only_after_a_while():
    play = Play(ROOM + "script: [{at: 1, do: place, agent: Vera, place: [35, 8.5]}]\n").run(8)
    assert _steps(play) == [(0.0, "warned"), (2.0, "free")]
    assert not play.of_kind("sees")


def test_stepping_out_and_in_again_does_not_start_over():
    rows = [f"{{at: {at}, do: place, agent: Vera, place: {place}}}" for at, place in ((1, [35, 8.5]), (1.5, [41.5, 9]))]
    play = Play(f"{ROOM}script: [{', '.join(rows)}]\n").run(4)
    assert _steps(play) == [(0.0, "warned"), (2.0, "escorted")]


def test_no_one_is_warned_unseen_nor_while_no_guard_can_act():
    play = Play(ROOM.replace("heading: 0", "heading: 3.14"))
    play.run(3)
    assert _steps(play) == []
    play = Play(ROOM)
    play.world.bodies.mode[0] = BODY
    assert _steps(play.run(3)) == []


def test_allies_may_go_anywhere_and_without_territory_so_may_all():
    assert _steps(Play(ROOM.replace("neutral", "allied")).run(3)) == []
    assert _steps(Play(ROOM.replace("territory: {patience: 2, escort: 3, forgives: 1}", "")).run(3)) == []


def test_an_enemy_is_left_alone_in_a_safe_zone_and_a_while_after_it():
    play = Play(DOCK + "script: [{at: 2, do: place, agent: you, place: [9.5, 5]}]\n").run(2)
    assert not play.of_kind("sees")
    assert [one.is_safe for one in play.of_kind("sheltered")] == [True]
    play.run(4)
    over = play.of_kind("sheltered")[1]
    assert not over.is_safe
    assert over.tick * play.world.step == pytest.approx(3.0, abs=0.1)


def test_without_territory_safe_zones_shelter_no_one():
    assert Play(DOCK.replace("territory: {forgives: 1}", "")).run(2).of_kind("sees")


def test_civilians_run_to_a_safe_zone():
    play = Play("""
level: warehouse
seconds: 12
ends: []
territory: true
agents:
  - {name: Mia, brain: civilian, at: [12, 8.5], heading: 0}
  - {name: you, brain: puppet, at: [17, 8.5]}
""").run(12)
    dock = next(zone for zone in sample("warehouse").zones if zone.kind == "safe")
    assert "flee" in play.states["Mia"]
    assert within(dock, play.world.bodies.xyz[:1]).all()


def test_why_names_the_trespasser_a_guard_sees_off(tmp_path):
    first, second = (record(make_world(parse_scenario(ROOM)), tmp_path / "run.rec").digest for _ in range(2))
    assert first == second
    told = account_of(Recording.read(tmp_path / "run.rec"), "Ames", 3.0)
    assert any("escorted Vera" in line.reason for line in told.tree)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("level: warehouse\nagents: [{name: Ames}]\nterritory: {patence: 1}\n", "patence"),
        ("level: warehouse\nagents: [{name: Ames}]\nterritory: {escort: -1}\n", "at least 0"),
        ("level: hall\nagents: [{name: Ames}]\nterritory: true\n", "the level has no restricted or safe zone"),
    ],
)
def test_faults_in_territory_are_found_with_their_line(text, words):
    with pytest.raises(ScenarioError) as raised:
        parse_scenario(text)
    assert words in str(raised.value)
    assert "line 3" in str(raised.value)
