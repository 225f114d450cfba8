"""Hints of a crew change what a guard would rather do; without any it does as its tree is written."""

from __future__ import annotations

from types import SimpleNamespace

from lastseen.agents.directions import Direction
from specimens.worlds import Play

TEXT = """
level: corridor
seconds: 30
rules: none
reaction: at once
ends: []
agents:
  - {name: Dora, at: [4, 4], patrol: ""}
  - {name: you, brain: puppet, at: [12, 4]}
"""
AVOIDED = dict.fromkeys(("engage", "assist", "chase", "notice", "hurry", "search"), "negative")


def hinted(hints: dict[str, str] | None, play: Play, seconds: float) -> Play:
    """Let a crew that says this and nothing else direct the guard."""
    play.world.teamwork.crews = SimpleNamespace(update=lambda world: None)  # type: ignore[assignment]
    direction = None if hints is None else Direction(1, "decoy", 0.0, "", {"hints": hints})

    def direct(world) -> None:
        world.teamwork.directions = [direction, None]

    return play.run(seconds, direct)


def test_a_guard_avoids_what_its_crew_hints_it_should_and_does_it_when_the_hint_is_over() -> None:
    play = hinted(AVOIDED, Play(TEXT), 4.0)
    assert play.world.attention.seen == [0]
    assert play.states["Dora"] == ["patrol"]
    (told,) = play.of_kind("hint")
    assert (told.agent, told.hints["engage"]) == (0, "negative")
    assert "engage, assist, chase, search, hurry, notice last, crew: decoy" in play.world.trees[0].reasons[0]
    hinted(None, play, 2.0)
    assert play.states["Dora"][1] == "engage"
    assert len(play.of_kind("hint")) == 2


def test_without_hints_everything_is_as_without_a_crew() -> None:
    alone = Play(TEXT).run(6.0)
    assert hinted({}, Play(TEXT), 6.0).outcome.digest == alone.outcome.digest
    assert hinted({"branch of another brain": "positive"}, Play(TEXT), 6.0).outcome.digest == alone.outcome.digest


def test_a_hint_of_no_type_ends_the_episode_with_words() -> None:
    play = hinted({"engage": "maybe"}, Play(TEXT), 1.0)
    assert play.outcome.reason == "brain failed"
    assert "'maybe'" in play.ending
