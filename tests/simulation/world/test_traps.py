"""Traps: they spring once, for agents of other teams that come near, and fell, snare or give them away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lastseen import Level, Recording, record
from lastseen.errors import LevelError, ScenarioError
from lastseen.kernels.arrays.agent_arrays import ACTIVE, BODY
from lastseen.level import Trap
from lastseen.simulation.replay.account import account_of
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.simulation.world.puppet import PlayerInput, apply_input
from lastseen.views.cli.run.why import as_lines
from lastseen.views.prose.sentences import Sentences
from lastseen.views.scene.recorded_scene import RecordedScene
from specimens.worlds import Play

PATH = """
level: corridor
seconds: 20
ends: []
traps: [TRAP]
agents: [{name: you, brain: puppet, at: [3, 4]}, {name: Ames, at: [31, 3.5], heading: 0, patrol: ''}]
"""


def _walk(trap: str, seconds: float = 5.0) -> Play:
    play = Play(PATH.replace("TRAP", trap))
    return play.run(seconds, each=lambda world: apply_input(world, 0, PlayerInput(move=(1, 0), gait="run")))


def test_a_trap_fells_the_agent_that_comes_within_its_radius():
    play = _walk("{place: [10, 4], team: guards}")
    (sprung,) = play.of_kind("trap")
    assert (sprung.agent, sprung.effect) == (0, "fell")
    assert play.world.bodies.mode[0] == BODY
    assert play.states["you"][-1] == "down"
    assert 9.1 <= play.world.bodies.xyz[0, 0] <= 9.5


@pytest.mark.parametrize("trap", ["{place: [10, 4], team: intruders}", "{place: [10, 2.5], team: guards}"])
def test_neither_its_own_team_nor_those_out_of_reach_trigger_it(trap):
    play = _walk(trap)
    assert not play.of_kind("trap")
    assert play.world.bodies.xyz[0, 0] > 15.0


def test_a_snare_holds_an_agent_for_its_time_and_then_is_spent():
    play = _walk("{place: [10, 4], team: guards, effect: snare, seconds: 2}", 2.5)
    held = play.world.bodies.xyz[0, 0]
    assert play.world.bodies.mode[0] == ACTIVE
    assert held < 10.5
    play.run(0.5)
    assert play.world.bodies.xyz[0, 0] == pytest.approx(held, abs=0.05)
    play.run(3, each=lambda world: apply_input(world, 0, PlayerInput(move=(1, 0), gait="run")))
    assert play.world.bodies.xyz[0, 0] > 12.0
    assert len(play.of_kind("trap")) == 1


def test_a_noise_gives_the_agent_away_at_the_marker_it_is_set_at():
    play = _walk("{marker: exit 1, team: guards, radius: 10, effect: noise, sound: alarm}", 7.0)
    assert [(one.trap, one.effect) for one in play.of_kind("trap")] == [("exit 1", "noise")]
    assert "alarm" in [one.sound for one in play.of_kind("heard")]


def test_the_chasing_guard_goes_down_without_a_script_and_is_found():
    from lastseen.simulation.scenario.reader import scenario_text

    text = scenario_text("lured")
    assert "script" not in text
    play = Play(text).run(20)
    sprung, found = play.of_kind("trap")[0], play.of_kind("found")[0]
    assert play.world.names[sprung.agent] == "Ames"
    assert sprung.tick < found.tick
    assert found.thing == "body"


def test_a_trap_of_no_team_springs_for_every_team():
    assert _walk("{place: [10, 4], team: ''}").of_kind("trap")[0].agent == 0
    guards = Play(PATH.replace("TRAP", "{place: [31, 3.5], team: ''}")).run(0.2)
    assert guards.of_kind("trap")[0].agent == 1


def test_a_trap_set_in_play_fells_the_guard_that_comes_and_not_its_own_side():
    play = Play(PATH.replace("[TRAP]", "[]").replace("[31, 3.5]", "[3, 4]").replace("at: [3, 4]}", "at: [9, 4]}"))
    apply_input(play.world, 0, PlayerInput(trap=True))
    play.run(0.1)
    apply_input(play.world, 0, PlayerInput(trap=True, move=(1, 0), gait="run"))  # ten seconds until the next
    play.run(3)
    (trap,) = play.of_kind("set trap")
    assert trap.at[:2] == pytest.approx((9.0, 4.0), abs=0.01)
    (sprung,) = play.of_kind("trap")
    assert (sprung.agent, sprung.other, sprung.number) == (1, 0, 0)
    assert play.world.bodies.mode[1] == BODY
    assert play.world.bodies.mode[0] == ACTIVE


def test_without_the_power_no_trap_is_set():
    play = Play(PATH.replace("[TRAP]", "[]").replace("puppet,", "puppet, powers: [blink],"))
    apply_input(play.world, 0, PlayerInput(trap=True))
    assert not play.run(0.2).of_kind("set trap")


def test_a_script_waits_for_a_trap_to_spring():
    rows = "script: [{do: alarm, place: [5, 4], when: {event: springs trap, agent: you}}]"
    play = Play(PATH.replace("TRAP", "{place: [10, 4], team: guards}") + rows)
    play.run(5, each=lambda world: apply_input(world, 0, PlayerInput(move=(1, 0), gait="run")))
    (done,) = play.of_kind("script")
    assert (done.action, done.other) == ("alarm", 0)
    assert Sentences.of_world(play.world)(done) == "alarm, because you sprang a trap"


def test_traps_of_a_level_take_part_and_are_shown_until_they_spring(tmp_path):
    level = Level.sample("corridor")
    replace(level, traps=(Trap((10, 4), "net", "guards", effect="snare", seconds=1.0),)).write(tmp_path / "own.geojson")
    play = Play(PATH.replace("corridor", "own.geojson").replace("[TRAP]", "[{place: [20, 4]}]"), tmp_path)
    run = record(play.world, tmp_path / "run.rec", each=_run_east)
    scene = RecordedScene(Recording.read(tmp_path / "run.rec"))
    (sprung,) = [event for event in scene.recording.events() if event.kind == "trap"]
    assert (sprung.trap, sprung.effect) == ("net", "snare")
    shown = [[is_set for _, is_set in scene.moment(tick).traps] for tick in (sprung.tick - 1, sprung.tick)]
    assert shown == [[True, True], [False, True]]
    assert run.ticks > sprung.tick


def _run_east(world):
    apply_input(world, 0, PlayerInput(move=(1, 0), gait="run"))


@pytest.mark.parametrize(
    ("trap", "words"),
    [
        ("{team: guards}", "a trap is at one place"),
        ("{place: [1, 1], marker: exit 1}", "a trap is at one place"),
        ("{marker: exit}", "no marker 'exit' (did you mean 'exit 1'?)"),
        ("{place: [1, 1], team: gards}", "no team 'gards' (did you mean 'guards'?)"),
        ("{place: [1, 1], sound: bel}", "no sound 'bel'"),
        ("{place: [1, 1], effect: snar}", "did you mean 'snare'"),
        ("{place: [1, 1], radius: 0}", "more than 0"),
        ("{place: [1, 1], effect: fell, seconds: 6}", "a trap with the effect fell has no 'seconds'; remove it"),
    ],
)
def test_faults_in_traps_are_found_with_their_line(trap, words):
    with pytest.raises(ScenarioError) as raised:
        parse_scenario(PATH.replace("TRAP", trap))
    assert words in str(raised.value)
    assert "line 5" in str(raised.value)


def test_a_trap_of_the_level_for_an_unknown_team_is_a_fault_of_the_scenario(tmp_path):
    level = Level.sample("corridor")
    replace(level, traps=(Trap((10, 4), team="gards"),)).write(tmp_path / "own.geojson")
    with pytest.raises(ScenarioError, match=r"line 2 \(level\): .*'gards' \(did you mean 'guards'\?\)"):
        parse_scenario(PATH.replace("corridor", "own.geojson").replace("[TRAP]", "[]"), folder=tmp_path)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"radius": 0.0}, "its radius is 0 m"),
        ({"seconds": -1.0}, "it holds for -1 s"),
        ({"effect": "snar"}, "did you mean 'snare'"),
    ],
)
def test_faults_of_a_trap_in_a_level_are_found(wrong, words):
    with pytest.raises(LevelError, match=words):
        Level.from_array([[1] * 8] * 8, traps=[Trap((4, 4), **wrong)])


def test_an_agent_in_a_snare_cannot_blink_until_it_is_free():
    play = _walk("{place: [10, 4], team: guards, effect: snare, seconds: 2}", 2.5)
    assert [one.effect.value for one in play.of_kind("trap")] == ["snare"]
    held = play.world.bodies.xyz[0, 0]

    def try_it(world):
        apply_input(world, 0, PlayerInput(blink=(14.0, 4.0, 0.0)))

    until = play.world.traps.held[0]
    play.run(until - play.world.time - 0.1, each=try_it)
    assert play.world.bodies.xyz[0, 0] == pytest.approx(held, abs=0.05)
    play.run(0.3, each=try_it)
    assert play.world.bodies.xyz[0, 0] == pytest.approx(14.0, abs=0.2)


def test_a_snared_guard_does_not_investigate_its_own_trap_but_colleagues_do():
    text = PATH.replace("TRAP", "{place: [10, 4], team: intruders, effect: snare}").replace(
        "{name: you, brain: puppet, at: [3, 4]}",
        "{name: you, brain: puppet, at: [2, 4]}, {name: Bell, at: [9.5, 4], heading: 0, patrol: ''}, "
        "{name: Cole, at: [14, 4], heading: 0, patrol: ''}",
    )
    play = Play(text).run(5.0)
    names = [play.world.names[event.agent] for event in play.of_kind("investigates")]
    assert "Cole" in names
    assert "Bell" not in names


def test_an_account_of_a_felled_agent_says_why_it_is_down(tmp_path):
    play = _walk("{place: [10, 4], team: guards}", 0.0)
    record(play.world, tmp_path / "run.rec", each=lambda now: apply_input(now, 0, PlayerInput((1, 0), "run")))
    recording = Recording.read(tmp_path / "run.rec")
    account = account_of(recording, "you", 10.0)
    assert account.out is not None
    assert account.out.kind == "trap"
    told = as_lines(account, Sentences.of_recording(recording))
    assert told[1].startswith("lies on the floor, to be found, since ")
    assert told[1].endswith(": you goes down in a trap")
    assert account_of(recording, "Ames", 10.0).out is None
