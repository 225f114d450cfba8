"""Fresh stimuli change a chase and a search that are under way."""

from __future__ import annotations

import math

import pytest

from specimens.worlds import Play

SHOT, BLAST = (4.0, 15.0, 0.0), (28.0, 3.0, 0.0)
LOST = """
level: hall
seconds: 120
step: 0.05
ends: []
{more}
agents:
  - {{name: Ames, at: [8, 4], heading: 0.0, patrol: ""}}
  - {{name: you, brain: puppet, at: [16, 4]}}
script:
  - {{at: 1.5, do: remove, agent: you}}
"""


def play_of(*script: str, more: str = "") -> Play:
    return Play(LOST.format(more=more) + "".join(f"  - {{{line}}}\n" for line in script))


def noise(at: float, kind: str, place: tuple[float, ...]) -> str:
    return f"at: {at}, do: sound, kind: {kind}, place: {list(place[:2])}"


def visits(play: Play, place: tuple[float, ...], seconds: float, within: float = 5.5) -> bool:
    """Let time pass; return whether Ames comes near a place."""
    near = []
    play.run(seconds, lambda world: near.append(math.dist(world.bodies.xyz[0].tolist(), place)))
    return min(near) < within


def test_a_gunshot_restarts_the_flood_of_a_chasing_guard_where_it_was_heard() -> None:
    play = play_of(noise(2.5, "gunshot", SHOT)).run(2.5)
    assert play.states["Ames"][-1] == "chase"
    assert visits(play, SHOT, 8.0)
    lost, shot = play.of_kind("flood")
    assert (lost.stimulus, shot.stimulus) == ("", "gunshot")
    assert shot.seen_at == SHOT
    assert not any(shot.heading)
    assert math.dist(shot.at, SHOT) < 6.0 < math.dist(lost.at, SHOT)
    assert "search" not in play.states["Ames"][: play.states["Ames"].index("chase")]


def test_one_that_looks_around_after_its_run_is_drawn_away_too() -> None:
    quiet = play_of().run(30.0)
    arrival = next(event.tick for event in quiet.events if event.kind == "state" and event.state == "search") * 0.05
    play = play_of(noise(round(arrival - 1.0, 1), "gunshot", SHOT)).run(arrival)
    lost, shot = play.of_kind("flood")
    assert (lost.stimulus, shot.stimulus) == ("", "gunshot")
    assert math.dist(shot.at, SHOT) < math.dist(lost.at, SHOT) - 5.0
    assert visits(play, shot.at, 8.0, 1.0)


@pytest.mark.parametrize("kind", ["bottle", "alarm", "footstep"])
def test_weak_sounds_and_calls_for_help_do_not(kind: str) -> None:
    play = play_of(noise(2.5, kind, SHOT)).run(4.0)
    assert [event.stimulus for event in play.of_kind("flood")] == [""]


def test_a_chase_restarts_only_so_often() -> None:
    places = [(4.0 + 6.0 * (number % 4), 15.0 if number % 2 else 3.0) for number in range(8)]
    play = play_of(*(noise(2.0 + 0.5 * number, "gunshot", place) for number, place in enumerate(places))).run(8.0)
    assert [event.stimulus for event in play.of_kind("flood")] == ["", *["gunshot"] * 3]


def test_the_same_shot_does_not_restart_it_twice() -> None:
    play = play_of(*(noise(2.0 + 0.3 * number, "gunshot", SHOT) for number in range(5))).run(5.0)
    assert [event.stimulus for event in play.of_kind("flood")] == ["", "gunshot"]


def test_a_sound_off_the_floor_leaves_the_chase_as_it_is() -> None:
    play = play_of(noise(2.5, "gunshot", (-20.0, 4.0)), more="hearing: radius").run(6.0)
    assert [event.stimulus for event in play.of_kind("flood")] == [""]


@pytest.mark.parametrize("search", ["gain", "influence", "careful", "bleeding", "coordinator", "both"])
def test_an_explosion_draws_a_searching_guard_at_once(search: str) -> None:
    def one(*script: str) -> Play:
        return play_of(*script, more=f"search: {search}\nsearch_seconds: 60").run(15.0)

    play = one(noise(15.0, "explosion", BLAST))
    assert play.states["Ames"][-1] == "search"
    assert math.dist(play.world.bodies.xyz[0].tolist(), BLAST) > 6.0
    assert visits(play, BLAST, 20.0, 3.0)
    chosen = [event for event in play.of_kind("searches") if event.tick > 300]
    assert math.dist(chosen[0].at, BLAST) < 3.0
    assert (chosen[0].tick - 300) * 0.05 < 1.5, "it turns to the explosion instead of finishing its look around"
