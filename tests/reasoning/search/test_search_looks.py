"""What looks at a search map show, which way most is left to see, and what a searcher is done with."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.cells.query import cell_at
from lastseen.reasoning.search.map.destination import Scoring
from lastseen.reasoning.search.map.search_map import SearchMap
from oracles.chase import neighbours_of, plain_sight
from specimens.cells import passable, tile_layout

FLOOR = """
    ............
    ....#.......
    ....#....##.
    ............
    ..##........
    .......#....
    ............
"""
GAIN = Scoring(by="gain", view=4.5)


def searched(seed: int) -> tuple[SearchMap, np.random.Generator]:
    """Return a map with influence in a third of its cells."""
    rng, layout = np.random.default_rng(seed), tile_layout(passable(FLOOR))
    search = SearchMap(layout)
    for value in (0.3, 1.0):
        search.seed(rng.choice(len(layout), len(layout) // 6, replace=False).astype(np.int32), value)
    return search, rng


@pytest.mark.parametrize("seed", range(8))
def test_the_direction_to_look_is_the_one_with_most_influence_in_view(seed: int) -> None:
    """Bins of 15 degrees, five of which are in view; turning costs a tenth per radian."""
    search, rng = searched(seed)
    layout, value = search.layout, search.value01
    arrays, neighbours, turned = layout.arrays, neighbours_of(layout.arrays), 0
    for _ in range(12):
        source, heading = int(rng.integers(len(layout))), float(rng.uniform(-3.0, 3.0))
        most, view = float(rng.uniform(0.4, 3.1)), float(rng.uniform(2.0, 8.0))
        place = arrays.cell_xyz[source].astype(float)
        bins = np.zeros(24)
        for cell in plain_sight(arrays, neighbours, source, view):
            dx, dy = (arrays.cell_xyz[cell].astype(float) - place)[:2]
            bins[math.floor(math.atan2(dy, dx) / math.tau * 24 + 0.5) % 24] += value[cell]
        found = []
        for number in range(24):
            way = math.tau * number / 24
            turn = abs(math.remainder(way - heading, math.tau))
            inside = sum(bins[(number + off) % 24] for off in (-2, -1, 0, 1, 2))
            if turn <= most and inside > 0.0:
                found.append((inside * (1.0 - 0.1 * turn), way, inside))
        way, shows = search.unseen_direction(place, heading, most=most, distance=view)
        if not found:
            assert (way, shows) == (heading, 0.0)
            continue
        best = max(found)
        assert shows == pytest.approx(next(inside for _, one, inside in found if one == pytest.approx(way)))
        assert next(worth for worth, one, _ in found if one == pytest.approx(way)) == pytest.approx(best[0])
        turned += 1
    assert turned > 6


@pytest.mark.parametrize("seed", range(4))
def test_a_look_gains_what_it_shows_squared_and_after_it_nothing_is_left(seed: int) -> None:
    search, rng = searched(seed)
    layout = search.layout
    arrays, neighbours = layout.arrays, neighbours_of(layout.arrays)
    source = int(rng.integers(len(layout)))
    place = arrays.cell_xyz[source].astype(float)
    value = search.value01.astype(float)
    far = search.gain(place, scoring=GAIN)
    seen = plain_sight(arrays, neighbours, source, GAIN.view)
    assert far == pytest.approx(sum(value[cell] ** 2 for cell in seen), rel=1e-6)
    search.dismiss(place, scoring=GAIN)
    assert search.gain(place, scoring=GAIN) == 0.0
    after = search.value01
    for cell in range(len(layout)):
        assert after[cell] == (0.0 if cell in seen else np.float32(value[cell]))


def test_a_hiding_place_is_dismissed_only_from_where_it_is() -> None:
    search = SearchMap(tile_layout(passable(FLOOR)))
    search.add_spot("chest", (6.5, 3.5, 0.0))
    chest = cell_at(search.layout, (6.5, 3.5, 0.0))
    search.seed(np.array([chest], np.int32), 1.0)
    search.dismiss((7.5, 3.5, 0.0), scoring=GAIN)
    assert search.value01[chest] == 1.0
    search.dismiss((6.6, 3.4, 0.0))
    assert search.value01[chest] == 0.0


def test_with_nothing_in_view_one_looks_ahead() -> None:
    search = SearchMap(tile_layout(passable(FLOOR)))
    assert search.unseen_direction((1.5, 1.5, 0.0), 0.7) == (0.7, 0.0)
    search.seed(np.array([cell_at(search.layout, (10.5, 1.5, 0.0))], np.int32), 1.0)
    assert search.unseen_direction((1.5, 1.5, 0.0), 0.7, distance=3.0) == (0.7, 0.0)
    assert search.unseen_direction((8.5, 1.5, 0.0), 2.5, most=1.0, distance=5.0) == (2.5, 0.0), "it is behind"
    way, shows = search.unseen_direction((8.5, 1.5, 0.0), 0.6, distance=5.0)
    assert abs(math.remainder(way, math.tau)) <= math.radians(30.0) + 1e-9
    assert shows == pytest.approx(1.0)
