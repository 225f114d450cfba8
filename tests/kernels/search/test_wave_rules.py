"""Waves that meet, bleed, are held and pass closed links, worked by hand and compared with a plain search."""

from __future__ import annotations

import heapq
import math

import numpy as np
import pytest

from lastseen.kernels.search.search_wave import (
    BEHIND,
    FLAG,
    IS_SPOT,
    TICK,
    TOUCHED,
    VALUE,
    WAITING,
    Spreading,
    forget_wave,
    run_wave,
    start_wave,
)
from lastseen.reasoning.search.map.wave import wave_arrays
from oracles.layers import links_of
from specimens.layers import GridLayout, bit_field, grid_layout

PLAIN = Spreading(fade=0.0, diagonals=True, hold=False, bleed=False)
ENDLESS = 2**62


def _wave(layout: GridLayout):
    return wave_arrays(layout, np.zeros(len(layout), np.int8))


def _seed(layout, wave, cell, strength=127.0, number=1, metres=0.0):
    start_wave(layout.arrays, wave, np.array([cell], np.int32), np.array([strength], np.float32), number, metres)


def _link(layout, here, there) -> int:
    arrays = layout.arrays
    return next(
        link for link in range(arrays.link_start[here], arrays.link_start[here + 1]) if arrays.link_cell[link] == there
    )


def _arrivals(layout, seeds: list[tuple[float, int]], diagonals: bool) -> dict[int, float]:
    """Return when the first of several waves arrives at each cell."""
    ways, grid = links_of(layout), layout.arrays.cell_grid[:, :2].astype(int)
    waiting, found = [seed for seed in seeds if seed[1] in ways], {}
    heapq.heapify(waiting)
    while waiting:
        metres, cell = heapq.heappop(waiting)
        if cell not in found:
            found[cell] = metres
            for other, length in ways[cell]:
                if diagonals or not (grid[cell] != grid[other]).all():
                    heapq.heappush(waiting, (metres + length, other))
    return found


def _random_layout(random: np.random.Generator) -> GridLayout:
    rows = ["".join("." if one else "#" for one in row) for row in random.random((6, 7)) > 0.2]
    layout = grid_layout("\n".join(rows))
    links = len(layout.arrays.link_cell)
    blocked = bit_field(links, random.integers(links, size=links // 8).tolist())
    return GridLayout(layout.arrays._replace(disabled=bit_field(len(layout), [2, 9]), blocked=blocked))


@pytest.mark.parametrize("seed", range(12))
def test_waves_arrive_when_a_plain_search_does_however_the_work_is_divided(seed):
    random = np.random.default_rng(seed)
    layout = _random_layout(random)
    wave, diagonals = _wave(layout), bool(seed % 2)
    seeds = [(0.37 * n, int(cell)) for n, cell in enumerate(random.choice(len(layout), 4, replace=False))]
    budget, metres = int(random.integers(1, 6)), 0.0
    for when, cell in seeds:
        _seed(layout, wave, cell, metres=when)
    rounds = 0
    while wave.count[WAITING] and rounds < 300:
        metres += 0.41
        while run_wave(layout.arrays, wave, metres, budget, PLAIN._replace(diagonals=diagonals)) and wave.count[BEHIND]:
            rounds += 1
        rounds += 1
    expected = _arrivals(layout, seeds, diagonals)
    assert set(np.flatnonzero(wave.byte == FLAG | VALUE).tolist()) == set(expected)
    assert sorted(wave.touched[: wave.count[TOUCHED]].tolist()) == sorted(expected)
    for cell, when in expected.items():
        assert wave.due[cell] == pytest.approx(when, abs=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_left_of_a_wave_follows_from_the_metres_it_came(seed):
    random = np.random.default_rng(100 + seed)
    layout = _random_layout(random)
    wave, start, fade = _wave(layout), int(random.integers(len(layout))), float(random.uniform(2.0, 9.0))
    _seed(layout, wave, start, 20.0)
    run_wave(layout.arrays, wave, 99.0, ENDLESS, PLAIN._replace(fade=fade))
    left = {cell: 20.0 - fade * metres for cell, metres in _arrivals(layout, [(0.0, start)], True).items()}
    for cell in range(len(layout)):
        expected = left.get(cell, 0.0)
        assert wave.byte[cell] == (FLAG | round(expected) if expected >= 0.5 else 0)
        assert wave.strength[cell] == pytest.approx(max(expected, 0.0) if expected >= 0.5 else 0.0, abs=1e-4)


def test_waves_that_meet_go_on_as_the_newest_strongest_and_earliest():
    layout = grid_layout(".....")
    wave = _wave(layout)
    _seed(layout, wave, 0, 60.0, number=7)
    _seed(layout, wave, 2, 90.0, number=3, metres=0.25)
    run_wave(layout.arrays, wave, 0.5, ENDLESS, PLAIN)
    assert (wave.wave[1], wave.strength[1], wave.due[1], wave.source[1]) == (7, 90.0, 1.0, 0)
    assert (wave.wave[3], wave.strength[3], wave.due[3], wave.source[3]) == (3, 90.0, 1.25, 2)


def test_an_earlier_wave_takes_the_place_of_a_queued_one_in_its_bucket():
    layout = grid_layout("...\n...\n...")
    wave = _wave(layout)
    _seed(layout, wave, 0)
    _seed(layout, wave, 1, metres=0.25)
    run_wave(layout.arrays, wave, 0.125, ENDLESS, PLAIN)
    assert (wave.source[4], wave.due[4]) == (0, pytest.approx(math.sqrt(2.0)))
    run_wave(layout.arrays, wave, 0.25, ENDLESS, PLAIN)
    assert (wave.source[4], wave.due[4]) == (1, 1.25)
    run_wave(layout.arrays, wave, 9.0, ENDLESS, PLAIN)
    assert wave.count[WAITING] == 0
    assert (wave.byte == FLAG | VALUE).all()


def test_seeds_in_disabled_cells_are_left_out_and_the_stronger_of_two_stays():
    layout = grid_layout("...", disabled=[1])
    wave = _wave(layout)
    _seed(layout, wave, 1)
    assert wave.count[WAITING] == wave.count[TOUCHED] == 0
    for strength, metres in ((40.0, 0.0), (30.0, 0.5)):
        _seed(layout, wave, 0, strength, metres=metres)
    assert (wave.strength[0], wave.due[0], wave.count[WAITING]) == (40.0, 0.5, 1)


def test_a_cell_disabled_while_the_wave_was_on_its_way_stops_it():
    layout = grid_layout("...")
    wave = _wave(layout)
    _seed(layout, wave, 0)
    run_wave(layout.arrays, wave, 0.5, ENDLESS, PLAIN)
    closed = layout.arrays._replace(disabled=bit_field(3, [1]))
    run_wave(closed, wave, 9.0, ENDLESS, PLAIN)
    assert wave.byte.tolist() == [FLAG | VALUE, 0, 0]
    assert (wave.due[1], wave.wave[1], wave.strength[1]) == (math.inf, 0, 0.0)


BLEED = PLAIN._replace(bleed=True, fade=2.0)


def _bled(layout, queued: int, values: dict[int, int], rule: Spreading = BLEED, cleaned: int = 0):
    """Return a wave that has taken `queued` from cell 0, which was cleaned before it arrived."""
    wave = _wave(layout)
    _seed(layout, wave, cleaned)
    run_wave(layout.arrays, wave, 0.5, ENDLESS, PLAIN)
    assert wave.source[queued] == cleaned
    wave.byte[cleaned] = FLAG
    for cell, value in values.items():
        wave.byte[cell], wave.wave[cell] = FLAG | value, 5 + cell
    run_wave(layout.arrays, wave, float(wave.due[queued]), ENDLESS, rule)
    return wave


def test_a_wave_whose_source_was_cleaned_ends():
    wave = _bled(grid_layout("...."), 1, {})
    assert wave.byte.tolist() == [FLAG, 0, 0, 0]
    assert (wave.due[1], wave.wave[1], wave.strength[1]) == (math.inf, 0, 0.0)


def test_a_wave_whose_source_has_influence_goes_on_as_it_was():
    layout = grid_layout("....")
    wave = _wave(layout)
    _seed(layout, wave, 0)
    run_wave(layout.arrays, wave, 9.0, ENDLESS, BLEED)
    assert (wave.byte & VALUE).tolist() == [127, 125, 123, 121]
    assert wave.wave.tolist() == [1, 1, 1, 1]


def test_a_cell_that_bleeds_is_fed_by_its_strongest_neighbour():
    wave = _bled(grid_layout("....\n####"), 1, {2: 40})
    assert (wave.strength[1], wave.source[1], wave.wave[1]) == (38.0, 2, 7)
    assert wave.byte[1] == FLAG | 38


@pytest.mark.parametrize(("value", "flag"), [(1, 0), (2, 0), (3, FLAG)])
def test_a_neighbour_feeds_it_only_with_half_a_unit_or_more(value, flag):
    rule = BLEED._replace(fade=2.0 if value < 3 else 2.5)
    wave = _bled(grid_layout("....\n####"), 1, {2: value}, rule)
    assert wave.byte[1] == flag  # 3 - 2.5 is half a unit, which rounds to nothing
    assert wave.strength[1] == (0.5 if flag else 0.0)


def test_of_a_straight_and_a_diagonal_neighbour_the_stronger_at_the_cell_counts():
    layout = grid_layout("...\n...\n...")
    straight, diagonal, fade = 3, 8, 1.0
    values = {straight: 40, diagonal: 41}
    wave = _bled(layout, 4, values, BLEED._replace(fade=fade), cleaned=1)
    assert wave.source[4] == diagonal
    assert wave.strength[4] == pytest.approx(41.0 - math.sqrt(2.0), abs=1e-5)
    wave = _bled(layout, 4, values, BLEED._replace(fade=fade, diagonals=False), cleaned=1)
    assert (wave.source[4], wave.strength[4]) == (straight, 39.0)
    shut = GridLayout(layout.arrays._replace(blocked=bit_field(40, [_link(layout, 4, diagonal)])))
    wave = _bled(shut, 4, values, BLEED._replace(fade=fade), cleaned=1)
    assert (wave.source[4], wave.strength[4]) == (straight, 39.0)


HOLD = PLAIN._replace(hold=True)


@pytest.mark.parametrize(("seen", "spot", "held"), [(4, 0, True), (5, 0, True), (3, 0, False), (4, IS_SPOT, False)])
def test_a_watched_cell_holds_the_wave_until_it_is_not(seen, spot, held):
    layout = grid_layout(".....")
    wave = _wave(layout)
    wave.count[TICK], wave.cleaned[2], wave.state[2] = 5, seen, spot
    _seed(layout, wave, 0)
    run_wave(layout.arrays, wave, 4.0, ENDLESS, HOLD)
    assert (wave.byte > 0).tolist() == [True, True, *[not held] * 3]
    if held:
        assert wave.due[2] == pytest.approx(4.0 + 1.5 * wave.width[0])
        wave.count[TICK] = seen + 2
        run_wave(layout.arrays, wave, 9.0, ENDLESS, HOLD)
        assert (wave.byte > 0).all()
        assert wave.due[3] == pytest.approx(5.0 + 1.5 * wave.width[0])


def test_a_seed_in_a_watched_cell_is_not_held():
    layout = grid_layout("...")
    wave = _wave(layout)
    wave.count[TICK], wave.cleaned[0] = 5, 5
    _seed(layout, wave, 0)
    run_wave(layout.arrays, wave, 9.0, ENDLESS, HOLD)
    assert (wave.byte > 0).all()


def test_a_wave_forgotten_on_its_way_leaves_nothing_waiting():
    layout = grid_layout(".....")
    wave = _wave(layout)
    _seed(layout, wave, 0)
    run_wave(layout.arrays, wave, 9.0, 2, PLAIN)
    assert wave.count[WAITING] == wave.count[BEHIND] == 1
    forget_wave(wave)
    assert wave.count[[WAITING, BEHIND, TOUCHED]].tolist() == [0, 0, 0]
    _seed(layout, wave, 4, metres=20.0)
    run_wave(layout.arrays, wave, 21.5, ENDLESS, PLAIN)
    assert (wave.byte > 0).tolist() == [False, False, False, True, True]
