"""Powers of intruders: blinking, and decoys that watchers see instead."""

from __future__ import annotations

import math

import pytest

from lastseen.errors import ScenarioError
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.simulation.world.puppet import PlayerInput, apply_input
from lastseen.views.prose.sentences import Sentences
from specimens.worlds import Play

ROOMS = """
level: corridor
seconds: 60
step: 0.05
ends: []
agents:
  - {{name: Ames, at: [6, 4], heading: 0.0, patrol: ""}}
  - {{name: you, brain: puppet, at: [14, 4]{own}}}
"""
HERE = (14.0, 4.0, 0.0)


def play_of(own: str = "") -> Play:
    return Play(ROOMS.format(own=own))


def give(play: Play, **wanted: object) -> Play:
    """Give one input and let a step pass."""
    apply_input(play.world, 1, PlayerInput(**wanted))
    play.run(play.world.step)
    apply_input(play.world, 1, PlayerInput())
    return play


@pytest.mark.parametrize(
    ("to", "lands"),
    [
        ((20.0, 4.0, 0.0), True),
        ((23.5, 4.0, 0.0), False),  # further than 8 m
        ((13.5, 1.5, 0.0), True),  # an alcove it sees
        ((9.5, 6.5, 0.0), False),  # behind a corner
        ((6.2, 4.0, 0.0), False),  # on the guard
        ((16.0, 0.2, 0.0), False),  # in a wall
    ],
)
def test_a_blink_ends_on_free_floor_in_sight_and_reach(to: tuple[float, ...], lands: bool) -> None:
    play = give(play_of(), blink=to)
    place = play.world.bodies.xyz[1].tolist()
    assert (math.dist(place, to) < 0.5) == lands
    assert (math.dist(place, HERE) < 0.1) != lands
    assert play.kinds("you") == ["blinked"] * lands
    if lands:
        assert play.of_kind("blinked")[0].start == HERE


def test_a_blink_takes_a_rest_and_needs_the_power() -> None:
    play = play_of()
    play.world.bodies.mode[0] = 2  # nobody is after it
    give(play, blink=(18.0, 4.0, 0.0))
    give(play, blink=(14.0, 4.0, 0.0))
    assert len(play.of_kind("blinked")) == 1
    play.run(4.0)
    give(play, blink=(14.0, 4.0, 0.0))
    assert len(play.of_kind("blinked")) == 2
    assert not give(play_of(", powers: [decoy]"), blink=(18.0, 4.0, 0.0)).of_kind("blinked")
    with pytest.raises(ScenarioError, match=r"line 8 .*did you mean .blink."):
        parse_scenario(ROOMS.format(own=", powers: [blinc]"))


def test_one_that_blinks_out_of_sight_is_lost_where_it_was() -> None:
    play = play_of().run(1.0)
    assert "sees" in play.kinds("Ames")
    give(play, blink=(13.5, 1.5, 0.0)).run(3.0)
    lost = play.of_kind("lost")[0]
    assert math.dist(lost.at, HERE) < 1.0
    assert math.dist(play.of_kind("flood")[0].seen_at, HERE) < 1.0


def seconds_until_lost(play: Play, kind: str) -> float:
    """Return the seconds from the first event of a kind until the guard lost the player."""
    since = play.of_kind(kind)[0].tick
    lost = next(event for event in play.of_kind("lost") if event.tick >= since)
    return (lost.tick - since) * play.world.step


def test_what_vanishes_in_front_of_a_guard_is_lost_without_a_hold() -> None:
    """A watcher acts on a target out of sight for a moment, as it knows where it went; not on one that vanished."""
    blinks = give(play_of().run(1.0), blink=(13.5, 1.5, 0.0)).run(3.0)
    assert seconds_until_lost(blinks, "blinked") <= 0.1 < blinks.world.scenario.sighting_hold
    away = "script: [{at: 1.2, do: place, agent: you, place: [29.5, 1.5]}]"
    decoy = Play(ROOMS.format(own="") + away).run(1.0)
    give(decoy, decoy=True).run(6.0)
    assert seconds_until_lost(decoy, "decoy gone") <= 0.1


def test_a_watcher_that_appears_elsewhere_acts_on_nothing_it_saw_before() -> None:
    turned = "at: [20, 4], heading: 3.14, brain: teleporter"
    play = Play(ROOMS.format(own="").replace("at: [6, 4], heading: 0.0", turned)).run(3.0)
    appears = play.of_kind("appears")[0]
    lost = next(event for event in play.of_kind("lost") if event.tick >= appears.tick)
    assert lost.tick - appears.tick <= 2


def test_watchers_see_the_decoy_until_one_comes_up_to_it() -> None:
    play = play_of().run(1.0)
    give(play, decoy=True)
    give(play, blink=(21.5, 4.0, 0.0))
    assert [kind for kind in play.kinds("you") if kind != "said"] == ["left decoy", "blinked"]
    known = []
    play.run(4.0, lambda world: known.append(tuple(world.knowledge.arrays.xyz[0, 0].tolist())))
    gone = play.of_kind("decoy gone")[0]
    assert gone.other == 0
    until = gone.tick - play.of_kind("left decoy")[0].tick - 3
    assert all(math.dist(place, HERE) < 0.1 for place in known[:until])
    assert Sentences.of_world(play.world)(gone) == "the decoy of you vanishes: Ames came up to it"
    assert math.dist(play.world.bodies.xyz[0].tolist(), HERE) < 8.0


def test_a_decoy_nobody_comes_up_to_lasts_its_time() -> None:
    play = give(play_of(), decoy=True)
    play.world.bodies.mode[0] = 2
    play.run(8.0)
    left, gone = play.of_kind("left decoy")[0], play.of_kind("decoy gone")[0]
    assert (gone.tick - left.tick) * 0.05 == pytest.approx(left.seconds, abs=0.06)
    assert gone.other == -1


def test_steps_of_one_that_left_a_decoy_are_heard_where_it_is() -> None:
    play = play_of().run(1.0)
    give(play, decoy=True)
    for _ in range(20):
        apply_input(play.world, 1, PlayerInput(move=(1, 0), gait="run"))
        play.run(play.world.step)
    steps = [sound for sound in play.world.senses.heard.sounds if sound.kind == "footstep" and sound.made_by == 1]
    assert steps
    assert math.dist(steps[0].xyz.tolist(), play.world.bodies.xyz[1].tolist()) < 0.5
