"""Stopping time for all but one agent, and taking control of another: what others sense, and what they do after."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from lastseen.errors import ScenarioError
from lastseen.simulation.game_loop import step
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.world_columns import record
from lastseen.simulation.replay.account import account_of
from lastseen.simulation.scenario.reader import parse_scenario, scenario_text
from lastseen.simulation.world.puppet import PlayerInput, apply_input
from lastseen.simulation.world.setup import make_world
from lastseen.views.prose.account import held_words
from lastseen.views.prose.sentences import Sentences
from lastseen.vocabulary.words import Hold, Release
from specimens.worlds import Play

TWO = """
level: corridor
seconds: 60
step: 0.05
reaction: at once
sighting_hold: 0
ends: [{ends}]
power_rules: {{time_stop: 2, time_stop_rest: 6, possess: 4, possess_rest: 5, daze: 1{rules}}}
agents:
  - {{name: Ames, at: [6, 4], heading: 0.0, patrol: ""}}
  - {{name: you, brain: puppet, at: [{at}]{own}}}
{more}
"""


def play_of(*, at: str = "14, 4", own: str = "", more: str = "", ends: str = "", rules: str = "") -> Play:
    return Play(TWO.format(at=at, own=own, more=more, ends=ends, rules=rules))


def give(play: Play, steps: int = 1, **wanted: object) -> Play:
    """Give the same input in so many steps, what applies once in the first."""
    for _ in range(steps):
        apply_input(play.world, 1, PlayerInput(**wanted))
        wanted = {name: value for name, value in wanted.items() if name in ("move", "gait")}
        step(play.world)
        play.events += play.world.events
    apply_input(play.world, 1, PlayerInput())
    return play


def columns_of(play: Play) -> list[np.ndarray]:
    """Return all that the guard is and knows."""
    world = play.world
    know = world.knowledge.arrays
    rows = [column[0] for column in (*world.bodies, *world.crowd.routes, *know, *world.orders.arrays)]
    return [np.array(one) for one in (*rows, world.state[0], world.hunt.search.layer.values)]


def test_time_stands_still_for_all_others_and_then_goes_on() -> None:
    play = play_of().run(0.5)
    now = play.world.time
    give(play, time_stop=True)
    before = columns_of(play)
    give(play, 39, move=(1, 0), gait="run")
    for one, other in zip(before, columns_of(play)):
        np.testing.assert_array_equal(one, other)
    assert play.world.time == pytest.approx(now + 0.05)
    assert play.world.bodies.xyz[1, 0] > 20.0
    give(play, 2)
    stops, goes_on = play.of_kind("time stops")[0], play.of_kind("time goes on")[0]
    assert (goes_on.tick - stops.tick) * 0.05 == pytest.approx(2.0)
    assert play.world.time == pytest.approx(now + 0.1)
    assert Sentences.of_world(play.world)(stops) == "you stops time"


def test_what_is_out_of_sight_afterwards_is_lost_where_time_stopped() -> None:
    play = play_of().run(0.5)
    assert "sees" in play.kinds("Ames")
    give(play, time_stop=True)
    give(play, 12, move=(-0.2, -1), gait="run")
    assert not play.of_kind("lost")
    give(play, 28).run(2.0)
    assert abs(play.world.bodies.xyz[1, 1] - 4.0) > 1.5
    assert play.of_kind("lost")[0].tick > play.of_kind("time goes on")[0].tick
    assert math.dist(play.of_kind("lost")[0].at, (14.0, 4.0, 0.0)) < 0.3
    assert math.dist(play.of_kind("flood")[0].seen_at, (14.0, 4.0, 0.0)) < 0.3


def test_no_grace_tells_where_one_is_that_ran_while_time_stood_still() -> None:
    for more, far in ((", time_stop=True", False), ("", True)):
        play = Play(
            TWO.format(at="14, 4", own="", more="", ends="", rules="").replace("sighting", "grace: followed\nsighting")
        )
        play.run(0.5)
        give(play, time_stop=bool(more))
        give(play, 12, move=(-0.2, -1), gait="run")
        give(play, 29)
        believed = play.world.knowledge.arrays.xyz[0, 0].tolist()
        assert (math.dist(believed, play.world.bodies.xyz[1].tolist()) < 0.3) == far


def test_a_standstill_needs_the_power_and_a_rest_that_begins_at_its_end() -> None:
    play = give(play_of(own=", powers: [blink]"), time_stop=True)
    assert not play.of_kind("time stops")
    play = play_of(at="30, 4")
    play.world.bodies.mode[0] = 2  # nobody is after it
    give(give(give(play, time_stop=True), 41), time_stop=True)
    assert len(play.of_kind("time stops")) == 1
    give(play.run(6.0), time_stop=True)
    assert len(play.of_kind("time stops")) == 2
    assert play.of_kind("time stops")[1].tick * 0.05 >= 8.0


def test_doors_open_for_the_one_that_walks_and_acts_of_others_wait() -> None:
    play = Play(TWO.format(at="9.5, 5.5", own="", more="", ends="", rules="").replace("corridor", "rooms"))
    play.world.bodies.mode[0] = 2
    give(play, time_stop=True)
    give(play, 20, move=(1, 0))
    moved = play.of_kind("door")
    assert [event.agent for event in moved] == [1]
    heard = len(play.of_kind("heard"))
    give(play, 30)
    assert heard == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("time_stop: 0", "time_stop"),
        ("possess: 61", "possess"),
        ("time_stop_rest: 0.5", "time_stop_rest"),
        ("posess: 4", "did you mean .possess."),
    ],
)
def test_rules_of_powers_are_checked_at_load(text: str, words: str) -> None:
    with pytest.raises(ScenarioError, match=f"line 2.*{words}"):
        parse_scenario(f"level: corridor\npower_rules: {{{text}}}")
    with pytest.raises(ScenarioError, match=r"line 3.*did you mean .possess."):
        parse_scenario("level: corridor\nagents:\n  - {name: you, brain: puppet, at: [4, 4], powers: [posess]}")


BEHIND = {"at": "2.5, 4", "more": '  - {name: Bell, at: [16, 4], heading: 3.14, patrol: ""}'}


def test_the_guard_goes_where_the_player_walks_and_the_player_is_unseen() -> None:
    seen = {}
    for possess in (True, False):
        play = play_of(at="2.5, 4", more='  - {name: Bell, at: [21, 4], heading: 3.14, patrol: ""}')
        if not possess:
            play.world.bodies.mode[0] = 3  # the player walks by itself, and no one else is there
        give(play, possess=possess)
        start = play.world.bodies.xyz[0, 0]
        give(play, 70, move=(1, 0))
        seen[possess] = "sees" in play.kinds("Bell")
        if possess:
            bodies = play.world.bodies
            np.testing.assert_allclose(bodies.xyz[0], bodies.xyz[1])
            assert bodies.xyz[0, 0] == pytest.approx(start + 70 * 0.05 * 1.6, abs=0.3)
            assert play.world.state[0] == 0
            assert not play.world.knowledge.arrays.source.any()
    assert seen == {True: False, False: True}


def test_after_its_time_the_guard_is_dazed_then_comes_to_and_sees_again() -> None:
    play = give(play_of(**BEHIND).run(0.5), possess=True)
    give(play, 80)
    released = play.of_kind("releases")[0]
    assert (released.tick - play.of_kind("possesses")[0].tick) * 0.05 == pytest.approx(4.0, abs=0.06)
    assert released.reason is Release.TIME
    apart = play.world.bodies.xyz[1] - play.world.bodies.xyz[0]
    assert 0.6 <= np.linalg.norm(apart) < 1.0
    assert apart[0] < 0.0  # behind its back
    give(play, 20)
    assert [event.tick - released.tick for event in play.of_kind("comes to")] == [20]
    play.run(3.0)
    assert "sees" in play.kinds("Bell")


def test_one_lets_go_by_itself_or_when_the_host_goes_down_and_cannot_escape_in_it() -> None:
    play = give(give(play_of(**BEHIND, ends="escaped"), possess=True), 10, move=(1, 0))
    give(play, possess=True)
    assert play.of_kind("releases")[0].reason is Release.ITSELF
    play = give(play_of(at="31, 4", ends="escaped").run(0.05), possess=True)
    assert not play.of_kind("possesses")  # out of reach
    play = give(play_of(**BEHIND), possess=True)
    play.world.bodies.mode[0] = 2
    give(play, 2)
    assert play.of_kind("releases")[0].reason is Release.HOST_DOWN
    assert not play.world.acts.dazed


def test_a_possessed_guard_hears_nothing_and_starts_no_search() -> None:
    play = give(play_of(**BEHIND).run(0.5), possess=True)
    row = "  - {at: 1.5, do: sound, kind: gunshot, place: [8, 4]}"
    loud = give(play_of(at="2.5, 4", more=f"script:\n{row}").run(0.5), possess=True)
    give(loud, 60, move=(1, 0))
    assert "heard" not in loud.kinds("Ames")
    assert not loud.world.hunt.is_on(loud.world.time)
    assert play.world.acts.suspended == [0]


def test_in_its_own_body_the_thief_falls_in_the_wall_of_light() -> None:
    text = scenario_text("body_thief")
    guest, alone = (
        Play(text).run(40.0),
        Play(text.replace("brain: body_thief,", "brain: body_thief, powers: [],")).run(40.0),
    )
    assert guest.world.ending is not None
    assert guest.world.ending.reason == "escaped"
    assert {"sees", "trap"}.isdisjoint(guest.kinds())
    assert "trap" in alone.kinds("Rook") or "sees" in alone.kinds()
    assert alone.world.ending is None or alone.world.ending.reason != "escaped"


def test_recordings_say_what_holds_an_agent(tmp_path: Path) -> None:
    setting = parse_scenario(
        """
level: corridor
seconds: 8
power_rules: {time_stop: 1, possess: 1, daze: 1}
agents:
  - {name: Ames, at: [6, 4], heading: 0.0, patrol: ""}
  - {name: Vera, brain: timekeeper, at: [12, 4]}
  - {name: Rook, brain: body_thief, at: [2.5, 4]}
"""
    )
    record(make_world(setting), tmp_path / "run.rec")
    recording = Recording.read(tmp_path / "run.rec")
    of = Sentences.of_recording(recording)
    found = {
        account.hold: held_words(account)
        for tick in range(len(recording))
        for account in [account_of(recording, "Ames", tick * recording.about.step)]
    }
    assert found[Hold.POSSESSED] == "Rook has control of it"
    assert "dazed" in found[Hold.DAZED]
    said = [of(event) for event in recording.events()]
    assert "Rook takes control of Ames" in said
    assert any(text.startswith("Rook comes out of Ames") for text in said)
