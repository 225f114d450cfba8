"""The wave of the influence layer: its speed, its reach and its cost."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.cells.query import position, positions
from lastseen.kernels.search.search_wave import FLAG, VALUE
from lastseen.navmesh.query import find_path, find_paths
from lastseen.reasoning.search.map.search_map import SearchMap
from lastseen.reasoning.search.search_settings import SearchSettings
from oracles import search as search_oracle
from specimens.chase import cell_of, cells_of
from specimens.search import CORRIDOR, HALL, PILLARS, filled, level_cells


def test_propagation_speed_equals_the_setting_on_a_grid():
    layout = cells_of(HALL)
    middle = cell_of(layout, 20, 20)
    for speed in (1.5, 4.0):
        search = SearchMap(layout, SearchSettings(speed=speed))
        search.seed([middle])
        for tick in range(1, 61):
            search.advance(0.05)
            gone = speed * 0.05 * tick
            away = positions(layout, search.reached) - position(layout, middle)
            straight, slanted = np.abs(away[away[:, 1] == 0, 0]).max(), away[away[:, 0] == away[:, 1], 0].max()
            assert straight == math.floor(gone + 1e-9)
            assert slanted == math.floor(gone / math.sqrt(2.0) + 1e-6)
            # Between axes and diagonals a walk from cell to cell is up to 8.3 % longer: late, never early.
            assert np.linalg.norm(away, axis=1).max() <= gone + 1e-6
            everywhere = positions(layout, range(len(layout))) - position(layout, middle)
            surely = np.linalg.norm(everywhere, axis=1) * 1.083 <= gone
            assert set(np.flatnonzero(surely)) <= set(search.reached.tolist())


@pytest.mark.parametrize("name", ["house", "loop"])
def test_propagation_speed_equals_the_setting_on_irregular_cells(name):
    layout = level_cells(name)
    start = len(layout) // 3
    expected = search_oracle.arrivals(layout, {start: 0.0})
    search = SearchMap(layout, SearchSettings(speed=3.0))
    search.seed([start])
    for tick in range(1, 80):
        search.advance(0.1)
        assert search.reached.tolist() == sorted(cell for cell, metres in expected.items() if metres <= 0.3 * tick)
    shares = [
        expected[cell] / find_path(layout.mesh, position(layout, start), position(layout, cell)).length
        for cell in range(0, len(layout), 7)
        if cell != start
    ]
    # Never early; late by the extra length of a walk from cell to cell over the shortest path.
    assert min(shares) >= 1.0 - 1e-6
    assert np.mean(shares) <= 1.11
    assert max(shares) <= 1.2


@pytest.mark.parametrize("name", ["house", "loop", "grid"])
def test_propagation_speed_along_shortest_ways_equals_the_setting_in_the_mean(name):
    layout = cells_of(HALL) if name == "grid" else level_cells(name)
    search = SearchMap(layout, SearchSettings(speed=2.0, pace="shortest"))
    start = len(layout) // 3
    search.seed([start])
    arrived = {}
    for _ in range(600):
        search.advance(0.05)
        for cell in search.reached.tolist():
            arrived.setdefault(cell, search.seconds - 0.025)
    others = [cell for cell in range(0, len(layout), 5) if arrived.get(cell, 0.0) > 1.5]
    starts = np.broadcast_to(position(layout, start), (len(others), 3))
    metres = find_paths(layout.mesh, starts, positions(layout, others)).length
    pace = metres / np.array([arrived[cell] for cell in others])
    assert np.mean(pace) == pytest.approx(2.0, rel=0.03)
    assert np.abs(pace / 2.0 - 1.0).max() <= 0.15


def test_a_byte_holds_seven_bits_of_value_and_the_flag_of_propagation():
    search = SearchMap(cells_of(CORRIDOR), SearchSettings(speed=2.0))
    search.seed([0], 0.5)
    search.advance(1.0)
    assert search.layer.dtype == np.int8
    bytes_ = search.layer.values.view(np.uint8)
    assert (bytes_[:3] & FLAG).all()
    assert not bytes_[3:].any()
    assert (bytes_[:3] & VALUE).tolist() == [64, 64, 64]
    assert search.value01[:4] == pytest.approx([64 / 127] * 3 + [0])


def test_influence_may_fade_with_the_metres_walked():
    search = SearchMap(cells_of(CORRIDOR), SearchSettings(speed=2.0, fade=0.1))
    search.seed([0])
    search.advance(100.0)
    assert search.value01[:10] == pytest.approx([1 - 0.1 * metres for metres in range(10)], abs=0.5 / 127)
    assert not search.value01[10:].any()


@given(st.lists(st.floats(0.0, 1.5), min_size=1, max_size=12), st.integers(1, 9))
def test_however_time_is_cut_up_the_wave_is_the_same(times, budget):
    layout = cells_of(PILLARS)
    whole, parts = SearchMap(layout), SearchMap(layout)
    for search in (whole, parts):
        search.seed([0, 30], 0.5)
    whole.advance(sum(times))
    for seconds in times:
        parts.advance(seconds, budget=budget)
    while parts.behind:
        parts.advance(0.0, budget=budget)
    assert (whole.layer.values == parts.layer.values).all()


seeds = st.lists(st.tuples(st.integers(0, 80), st.floats(0.0, 0.7)), min_size=1, max_size=6)


@given(seeds, st.floats(0.5, 9.0))
def test_seeds_at_any_time_spread_from_then_on(given_seeds, speed):
    layout = cells_of(PILLARS)
    search = SearchMap(layout, SearchSettings(speed=speed, gather=1e6))
    starts = {}
    for cell, seconds in given_seeds:
        search.seed([cell])
        starts[cell] = min(starts.get(cell, math.inf), speed * search.seconds)
        search.advance(seconds)
    expected = search_oracle.arrivals(layout, starts)
    gone = speed * search.seconds
    reached = set(search.reached.tolist())
    assert {cell for cell, metres in expected.items() if metres <= gone - 1e-5} <= reached
    assert reached <= {cell for cell, metres in expected.items() if metres <= gone + 1e-5}


def test_seeds_of_a_later_time_start_when_they_were_set_however_late_the_work_is_done():
    layout = cells_of(CORRIDOR)
    prompt, late = SearchMap(layout, SearchSettings(speed=1.0)), SearchMap(layout, SearchSettings(speed=1.0))
    for search, budget in ((prompt, None), (late, 1)):
        search.seed([0])
        search.advance(5.0, budget=budget)
        search.seed([39])
        search.advance(4.0, budget=budget)
    assert late.behind > 0.0
    while late.behind:
        late.advance(0.0, budget=3)
    assert prompt.active.tolist() == late.active.tolist() == [*range(10), *range(35, 40)]


def test_a_strong_seed_is_felt_beyond_a_weak_one():
    layout = cells_of(CORRIDOR)
    for first, second in (((20, 0.3), (0, 1.0)), ((0, 1.0), (20, 0.3))):
        search = SearchMap(layout)
        for cell, value in (first, second):
            search.seed([cell], value)
            search.advance(0.5)
        search.advance(30.0)
        assert (search.value01 == 1.0).all()


def test_cost_per_frame_is_bounded_by_the_time_slice():
    layout = cells_of(HALL)
    search = SearchMap(layout, SearchSettings(speed=100.0))
    search.seed([cell_of(layout, 20, 20)])
    had, calls = 1, 0
    search.advance(1.0, budget=50)
    while search.behind:
        now = len(search.reached)
        assert now - had <= 50
        had, calls = now, calls + 1
        search.advance(0.0, budget=50)
    assert len(search.reached) == len(layout)
    assert calls >= len(layout) // 50 - 1
    # With a limit of lines per call, the whole view is done in the end.
    at, look = (20.5, 20.5), {"angle": 1.0, "distance": 15.0}
    once = filled(layout)
    everything = once.clean_view([at], 0.3, **look)
    assert everything > 100
    sliced, calls = filled(layout), 0
    cleaned = 0
    while cleaned < everything:
        part = sliced.clean_view([at], 0.3, budget=20, **look)
        assert part <= 20
        cleaned, calls = cleaned + part, calls + 1
    assert calls <= everything // 20 + 1
    assert (once.layer.values == sliced.layer.values).all()


def test_lines_that_reach_nothing_do_not_use_up_the_slices_of_others():
    text = """
        ..........
        .########.
        ..........
        ..........
    """
    search = filled(cells_of(text))
    before = len(search.active)
    for _ in range(40):
        search.clean_view([(5.5, 2.5), (5.5, 2.5)], [-math.pi / 2, math.pi / 2], angle=2.5, distance=3.0, budget=2)
    # The first looks at a wall, the second at the lowest row.
    assert before - len(search.active) > 6


BEHIND_A_WALL = """
    .........................
    .#######################.
    .#.....................#.
    .#.....................#.
    .#######################.
    .........................
"""


@pytest.mark.parametrize(("seed", "metres"), [((0.5, 3.5), 3.0), ((12.5, 0.5), 29.0), ((12.5, 2.5), math.inf)])
def test_distances_to_influence_nearby_behind_a_wall_and_out_of_reach(seed, metres):
    """From the middle below: straight 5 m to the middle above, 12 + 5 + 12 m around the wall; inside is no way."""
    search = SearchMap(cells_of(BEHIND_A_WALL))
    search.seed(np.array([seed]))
    found = search.destination((0.5, 0.5) if metres == 3.0 else (12.5, 5.5))
    if metres < math.inf:
        assert (found.reason, found.metres.tolist()) == ("best", [metres])
    else:
        assert (found.reason, found.candidates) == ("no_path", 0)
