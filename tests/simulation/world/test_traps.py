"""Traps: they spring once, for agents of other teams that come near, and fell, snare or give them away."""

from __future__ import annotations

import pytest

from lastseen.errors import ScenarioError
from lastseen.kernels.arrays.agent_arrays import ACTIVE, BODY
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.simulation.world.puppet import PlayerInput, apply_input
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
    ],
)
def test_faults_in_traps_are_found_with_their_line(trap, words):
    with pytest.raises(ScenarioError) as raised:
        parse_scenario(PATH.replace("TRAP", trap))
    assert words in str(raised.value)
    assert "line 5" in str(raised.value)
