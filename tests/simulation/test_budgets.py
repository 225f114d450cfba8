"""Worlds with little time for each step: rays, waves and looks of searchers are spread over steps."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.agents.senses.vision.sightings import REASONS
from lastseen.errors import ScenarioError
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.simulation.world.setup import make_world
from lastseen.simulation.world.world import World
from specimens.worlds import Play

CROWD = """
level: hall
seconds: 6
ends: []
seed: 3
{more}
reaction: at once
agents:
  - {{name: A, at: [4, 4], heading: 0.7, vision: coffin}}
  - {{name: B, at: [4, 14], heading: -0.7}}
  - {{name: C, at: [14, 4], heading: 2.4}}
  - {{name: D, at: [14, 14], heading: -2.4}}
  - {{name: you, brain: puppet, at: [9, 9]}}
  - {{name: friend, brain: puppet, at: [9, 7]}}
  - {{name: other, brain: puppet, at: [7, 9]}}
"""
LOST = """
level: hall
seconds: 30
search: influence
search_seconds: 15
ends: []
seed: 3
{more}
agents:
  - {{name: Ames, at: [4, 9], heading: 0.0}}
  - {{name: you, brain: puppet, at: [9, 9]}}
script:
  - {{at: 1.5, do: remove, agent: you}}
"""
DEFERRED = REASONS.index("deferred")


def looks(more: str) -> tuple[Play, list[int], int]:
    """Return a run of the crowd, the rays of its steps, and how many answers were put off."""
    rays: list[int] = []
    put_off = 0

    def note(world: World) -> None:
        nonlocal put_off
        if world.senses.sightings is not None:
            rays.append(world.senses.sightings.rays)
            put_off += int((world.senses.sightings.reason == DEFERRED).sum())

    return Play(CROWD.format(more=more)).run(3.0, note), rays, put_off


def test_few_rays_a_step_are_kept_put_answers_off_and_still_everybody_is_seen() -> None:
    free, plenty, none_off = looks("")
    tight, few, put_off = looks("rays: 9")
    assert none_off == 0
    assert max(plenty) > 9
    assert max(few) <= 9
    assert put_off > 0
    for play in (free, tight):
        assert {event.other for event in play.of_kind("sees")} == {4, 5, 6}
    assert looks("rays: 9")[0].outcome.digest == tight.outcome.digest
    assert looks("rays: 10000")[0].outcome.digest == free.outcome.digest


def spread(more: str) -> tuple[Play, list[int], list[float]]:
    """Return a run of the lost one, the cells the wave newly came to in each step, and the metres it was behind."""
    taken: list[int] = []
    behind: list[float] = []
    before = 0

    def note(world: World) -> None:
        nonlocal before
        now = len(world.hunt.search.reached)
        taken.append(max(0, now - before))
        behind.append(world.hunt.search.behind)
        before = now

    return Play(LOST.format(more=more)).run(12.0, note), taken, behind


def test_a_wave_with_few_cells_a_step_lags_and_catches_up() -> None:
    free, many, none_behind = spread("")
    tight, few, behind = spread("search_cells: 1")
    assert max(many) > 2
    assert max(none_behind) == 0.0
    # A seed shows at once; beside it the wave takes one cell a step.
    assert max(few) <= 2
    assert max(behind) > 1.0
    assert sum(few) > 100, "it goes on all the same"
    assert "searches" in tight.kinds("Ames")
    assert spread("search_cells: 1")[0].outcome.digest == tight.outcome.digest
    assert tight.outcome.digest != free.outcome.digest
    some, _, lag = spread("search_cells: 4")
    assert max(lag) > 0.0
    assert lag[-1] == 0.0, "there is time to catch up"
    assert "searches" in some.kinds("Ames")


def test_few_lines_a_step_clean_less_at_once_and_the_rest_later() -> None:
    def cleaned(more: str) -> tuple[Play, list[int]]:
        clean: list[int] = []

        def note(world: World) -> None:
            search = world.hunt.search
            clean.append(int((search.value01[search.reached] < 0.5).sum()))

        return Play(LOST.format(more=more)).run(8.0, note), clean

    free, whole = cleaned("")
    tight, slowly = cleaned("search_lines: 2")
    assert max(np.diff(slowly)) < max(np.diff(whole))
    assert max(slowly) > 5
    assert cleaned("search_lines: 2")[0].outcome.digest == tight.outcome.digest
    assert tight.outcome.digest != free.outcome.digest


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("rays: 0", "line 6 \\(rays\\): expected a whole number, at least 1"),
        ("search_cells: some", "line 6 \\(search_cells\\)"),
        ("search_lines: 1.5", "line 6 \\(search_lines\\)"),
        ("rays: 8", "rays: rays is 8, but one pair of each of 2 vision models may need 9; give at least 9"),
    ],
)
def test_budgets_that_cannot_be_kept_are_refused(more: str, words: str) -> None:
    with pytest.raises(ScenarioError, match=words):
        make_world(parse_scenario(CROWD.format(more=more)))
