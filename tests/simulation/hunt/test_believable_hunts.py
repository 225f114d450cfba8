"""Hunts that stay believable: sight that does not flicker, ends that are known, giving up for good, stable roles."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.errors import ScenarioError
from lastseen.simulation.experiments.believability.experiment import values_of
from lastseen.simulation.experiments.believability.gauge import Gauge
from lastseen.simulation.game_loop import run
from lastseen.simulation.scenario.reader import parse_scenario, scenario_text
from lastseen.simulation.world.setup import make_world
from lastseen.simulation.world.world import World
from specimens.worlds import Play

GONE_FOR = """
level: corridor
seconds: 20
step: 0.1
ends: []
{more}
agents:
  - {{name: Ames, at: [6, 4], heading: 0.0, patrol: "", {own}}}
  - {{name: you, brain: puppet, at: [14, 4]}}
script:
  - {{at: 1.5, do: smoke, place: [10, 4], radius: 2, seconds: {seconds}}}
"""


@pytest.mark.parametrize(
    ("seconds", "more", "own", "losses"),
    [
        (0.5, "", "", 0),
        (0.5, "sighting_hold: 0", "", 1),
        (0.5, "", "sighting_hold: 0", 1),
        (0.5, "teams: {guards: {sighting_hold: 0}}", "", 1),
        (0.5, "sighting_hold: 0", "sighting_hold: 1", 0),
    ],
)
def test_a_sighting_is_held_for_a_moment(seconds: float, more: str, own: str, losses: int) -> None:
    play = Play(GONE_FOR.format(seconds=seconds, more=more, own=own)).run(3.0)
    assert len(play.of_kind("lost")) == losses
    assert len(play.of_kind("flood")) == losses


@pytest.mark.parametrize("value", ["-1", "11", "long"])
def test_a_hold_out_of_range_is_refused_when_it_is_read(value: str) -> None:
    with pytest.raises(ScenarioError, match="sighting_hold"):
        parse_scenario(f"level: hall\nsighting_hold: {value}\nagents: [{{name: Ames, at: [6, 8]}}]")


CAPTURE = """
level: hall
seconds: 60
step: 0.1
ends: []
crews: true
sharing: {sharing}
agents:
  - {{name: Ames, at: [9, 9], heading: 0.0, patrol: ""}}
  - {{name: Bell, at: [7, 9], heading: 0.0, patrol: ""}}
  - {{name: Cole, at: [{far}, 9], heading: 0.0, patrol: ""}}
  - {{name: you, brain: puppet, at: [12, 9]}}
"""


def alarmed(sharing: str, far: float) -> Play:
    """A hunt in which all search, and Ames catches the intruder."""
    play = Play(CAPTURE.format(sharing=sharing, far=far))
    for agent in range(3):
        play.world.hunt.alert(agent)
    play.world.hunt.perceive((28.0, 4.0, 0.0), 0.0, sure=True, agents=[0, 1, 2], places=play.world.bodies.xyz[:3])
    return play.run(30.0)


def test_a_capture_ends_the_hunt_for_those_that_know() -> None:
    play = alarmed("on contact", 5.0)
    caught, down = play.of_kind("caught")[0].tick, play.of_kind("stands down")
    assert {event.agent for event in down} == {0, 1, 2}
    assert all(0 < event.tick - caught <= 12 for event in down)
    assert not play.of_kind("gives up")
    assert len(play.of_kind("search over")) == 1
    assert not [event for event in play.of_kind("searches") if event.tick > caught + 12]
    assert [states[-1] for states in list(play.states.values())[:3]] == ["patrol"] * 3
    assert not play.world.teamwork.crews.standing  # type: ignore[union-attr]


def test_news_by_radio_takes_a_moment_and_without_one_the_far_guard_searches_on() -> None:
    for sharing, knows in (("broadcast", True), ("private", False)):
        play = Play(CAPTURE.format(sharing=sharing, far=30.0))
        for agent in range(3):
            play.world.hunt.alert(agent)
        play.world.hunt.perceive((30.0, 16.0, 0.0), 0.0, sure=True, agents=[2], places=play.world.bodies.xyz[[2]])
        play.run(6.0)
        caught = play.of_kind("caught")[0].tick
        told = [event.tick - caught for event in play.of_kind("stands down") if event.agent == 2]
        assert [ticks >= 5 for ticks in told] == [True] * knows


SHOT = """
level: hall
seconds: 60
step: {step}
search: {search}
search_seconds: 12
agents:
{guards}
  - {{name: you, brain: puppet, at: [2, 2]}}
script:
  - {{at: 0.5, do: remove, agent: you}}
  - {{at: 1.0, do: sound, kind: gunshot, place: [16, 9]}}
"""
PLACES = ((8, 4), (8, 14), (12, 9), (20, 4), (24, 14))
GUARDS = "\n".join(f'  - {{name: guard {n}, at: [{x}, {y}], patrol: ""}}' for n, (x, y) in enumerate(PLACES))


@pytest.mark.parametrize("search", ["coordinator", "influence"])
@pytest.mark.parametrize("step", [0.1, 0.0333333])
def test_giving_up_is_final_and_reported_once(search: str, step: float) -> None:
    play = Play(SHOT.format(search=search, step=step, guards=GUARDS)).run(55.0)
    gave_up = [event.agent for event in play.of_kind("gives up")]
    assert sorted(gave_up) == sorted(set(gave_up))
    last = {event.agent: event.tick for event in play.of_kind("gives up")}
    again = [event for event in play.of_kind("investigates") if event.tick > last.get(event.agent, 10**9)]
    assert not again
    assert {play.states[f"guard {number}"][-1] for number in range(5)} == {"patrol"}


def test_all_members_of_an_ambush_close_in_within_two_seconds() -> None:
    play = Play(scenario_text("ambush").replace("\nseconds:", "\nstep: 0.1\nseconds:", 1))
    speeds: dict[float, np.ndarray] = {}

    def look(world: World) -> None:
        speeds[world.time] = np.hypot(*world.bodies.velocity_xy[:4].T)

    play.run(60.0, look)
    sprung = play.of_kind("sprung")[0].tick * play.world.step
    after = np.array([speed for time, speed in speeds.items() if sprung + 0.2 <= time <= sprung + 2.0])
    assert (after.max(axis=0) > 3.0).all(), "each runs"
    assert (after > 1.5).mean() > 0.8


@pytest.mark.parametrize(
    "name", ["brawl", "headed_off", "cut_off", "ambush", "closed_off", "far_target", "found_lying"]
)
def test_roles_and_places_change_at_most_six_times_per_guard_minute(name: str) -> None:
    world = make_world(parse_scenario(scenario_text(name)))
    gauge = Gauge(world)
    run(world, each=gauge.note)
    assert values_of(gauge)["reassigned"] <= 6.0
    assert math.isfinite(gauge.minutes)
    assert gauge.fast == 0, "no news before a voice or a radio could bring it"
    assert gauge.alarms <= max(1, len(gauge.causes))


SEEN = """
level: hall
seconds: 5
step: 0.05
ends: []
sharing: private
agents:
  - {name: Ames, at: [6, 9], heading: 0.0, patrol: "", reaction: usual}
  - {name: Bell, at: [9, 9], heading: 0.0, patrol: "", reaction: usual}
  - {name: Cole, at: [7, 10], heading: 0.0, patrol: "", reaction: usual}
  - {name: you, brain: puppet, at: [14, 9]}
"""


def test_the_nearest_of_those_that_see_an_intruder_raises_the_alarm() -> None:
    play = Play(SEEN).run(3.0)
    assert {event.agent for event in play.of_kind("sees")} == {0, 1, 2}
    assert [event.agent for event in play.of_kind("alarm")] == [1]


def test_who_did_not_hear_the_alarm_raises_its_own() -> None:
    play = Play(SEEN).run(3.0, lambda world: world.senses.sounds.clear())
    assert sorted(event.agent for event in play.of_kind("alarm")) == [0, 1, 2]
    first, *others = play.of_kind("alarm")
    assert all((event.tick - first.tick) * play.world.step >= 0.5 for event in others), "they let it shout first"
