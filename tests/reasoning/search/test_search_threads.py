"""Cleaning on several threads removes what one thread removes, to the bit."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.cells.query import positions
from lastseen.errors import InputError, ScenarioError
from lastseen.reasoning.search.map.search_map import SearchMap
from lastseen.simulation.scenario.reader import parse_scenario
from specimens.search import filled, level_cells
from specimens.worlds import Play


def state_of(search: SearchMap) -> dict[str, bytes]:
    """Return all that a search map holds, as bytes."""
    work = search._wave.work
    kept = {name: column.tobytes() for name, column in work._asdict().items() if name != "regrowing"}
    return kept | {"regrowing": work.regrowing[: search.regenerating].tobytes()}


@pytest.mark.parametrize("preset", ["influence", "careful", "bleeding"])
@pytest.mark.parametrize("threads", [2, 5])
def test_any_number_of_threads_leaves_the_same_map(preset: str, threads: int) -> None:
    layout, rng = level_cells("warehouse"), np.random.default_rng(threads)
    places = positions(layout, np.arange(len(layout)))
    one, several = SearchMap(layout, preset), SearchMap(layout, preset, threads=threads)
    for step in range(60):
        feet = places[rng.integers(0, len(places), 7)]
        heading = rng.uniform(-np.pi, np.pi, 7)
        cleaned = []
        for search in (one, several):
            if step % 20 == 0:
                search.seed(places[[5, 100 + step]])
            search.advance(0.5)
            cleaned.append((search.clean_cube(feet), search.clean_view(feet, heading, distance=18.0)))
        assert cleaned[0] == cleaned[1]
        assert state_of(one) == state_of(several), step
    assert one.regenerating or preset == "bleeding"


def test_views_that_overlap_count_a_cell_once() -> None:
    layout = level_cells("hall")
    one, several = filled(layout), filled(layout, threads=3)
    feet, heading = np.array([[6.5, 2.5, 0.0]] * 3), np.zeros(3)
    assert one.clean_view(feet, heading) == several.clean_view(feet, heading) > 20


def test_a_budget_of_lines_is_kept_on_one_thread() -> None:
    layout = level_cells("hall")
    one, several = filled(layout), filled(layout, threads=2)
    feet, heading = np.array([[6.5, 2.5, 0.0], [8.5, 9.5, 0.0]]), np.zeros(2)
    for _ in range(4):
        assert one.clean_view(feet, heading, budget=5) == several.clean_view(feet, heading, budget=5)
        assert one.clean_view(feet, heading) == several.clean_view(feet, heading)
    assert state_of(one) == state_of(several)


def test_a_scenario_runs_the_same_with_threads_and_refuses_none_or_too_many() -> None:
    text = """
level: warehouse
seconds: 20
step: 0.1
ends: []
script: [{at: 0.5, do: sound, kind: gunshot, place: [16, 8]}]
agents:
  - {name: Ames, at: [13, 15]}
  - {name: Bell, at: [20, 11]}
  - {name: Cole, at: [25, 15]}
"""
    plain, threaded = (Play(text + more).run(20.0) for more in ("", "search_threads: 3\n"))
    assert plain.world.hunt.search.reached.size > 50
    assert plain.outcome.digest == threaded.outcome.digest
    with pytest.raises(ScenarioError, match="search_threads"):
        parse_scenario(text + "search_threads: 0\n")
    with pytest.raises(InputError, match="threads is 65; give 1 to 64"):
        SearchMap(level_cells("hall"), threads=65)
