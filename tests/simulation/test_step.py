"""One step: systems in their order, two generations, scripts, and endings with a name."""

from __future__ import annotations

import pytest

from lastseen.kernels.arrays.agent_arrays import BODY, GONE
from lastseen.simulation.game_loop import run, step
from lastseen.simulation.systems import SYSTEMS
from specimens.worlds import Play

PUPPET = "level: {}\nseconds: {}\nends: [{}]\nagents:\n  - {{name: you, brain: puppet, at: {}}}\n"


def test_systems_run_in_the_order_the_design_names_and_are_timed():
    play = Play(PUPPET.format("rooms", 10, "escaped", [2.5, 2.5])).run(0.2)
    names = [system.__name__ for system in SYSTEMS]
    assert names == ["script", "sense", "remember", "crews", "think", "coordinate", "act", "speak", "move", "referee"]
    assert list(play.world.trace.timings) == names
    assert all(seconds >= 0.0 for seconds in play.world.trace.timings.values())


def test_generations_are_swapped_and_time_is_counted_in_steps():
    world = Play(PUPPET.format("rooms", 10, "escaped", [2.5, 2.5])).world
    present, following, digest = world.bodies, world.motion.following, world.trace.digest.hexdigest()
    step(world)
    assert world.bodies is following
    assert world.motion.following is present
    assert (world.tick, world.time) == (1, world.step)
    assert world.trace.digest.hexdigest() != digest


@pytest.mark.parametrize(
    ("text", "reason", "seconds"),
    [
        (PUPPET.format("rooms", 0.5, "caught", [2.5, 2.5]), "time over", 0.5),
        (PUPPET.format("corridor", 20, "escaped", "{exit}"), "escaped", 0.0),
    ],
)
def test_an_episode_ends_for_a_named_reason(text, reason, seconds):
    if "{exit}" in text:
        level = Play(PUPPET.format("corridor", 1, "caught", [4.0, 4.0])).world.level
        place = next(marker.xyz for marker in level.markers if marker.kind == "exit")
        text = text.replace("{exit}", str(list(place[:2])))
    world = Play(text).world
    outcome = run(world)
    assert outcome.reason == reason
    assert outcome.seconds == pytest.approx(seconds, abs=2 * world.step)
    assert outcome.ticks == world.tick
    assert outcome.ending is not None


def test_a_script_is_carried_out_when_it_is_due():
    play = Play("""
level: rooms
seconds: 10
agents:
  - {name: Ames, at: [20, 8], heading: 1.57}
  - {name: Bell, at: [20, 2], heading: -1.57}
  - {name: you, brain: puppet, at: [2.5, 2.5]}
script:
  - {at: 0.6, do: place, agent: you, place: [3.5, 8.5]}
  - {at: 0.2, do: close door, door: door 1}
  - {at: 0.4, do: open door, door: door 1}
  - {at: 0.5, do: fell, agent: Bell}
  - {at: 0.8, do: remove, agent: you}
  - {at: 0.1, do: set, agent: Ames, key: patrol_at, value: 7}
""")
    world = play.world
    play.run(0.15)
    assert world.minds[0].blackboard["patrol_at"] == 7
    play.run(0.15)
    assert world.doors.shut[0]
    play.run(0.35)
    assert not world.doors.shut[0]
    assert world.bodies.mode[1] == BODY
    assert world.bodies.xyz[2, :2].tolist() == [3.5, 8.5]
    play.run(0.25)
    assert world.bodies.mode[2] == GONE
    assert len(play.of_kind("script")) == 6
    assert [round(event.tick * world.step, 1) for event in play.of_kind("script")] == [0.1, 0.2, 0.4, 0.5, 0.6, 0.8]
