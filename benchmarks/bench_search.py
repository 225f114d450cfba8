"""Search: a step of the wave on 20,000 cells, views of a hundred searchers, a destination; cost follows the front."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import numpy as np

from lastseen.cells.build import build_layout
from lastseen.cells.layout import CellLayout
from lastseen.layers.spread import Spread
from lastseen.level.samples import sample
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.query import raycasts
from lastseen.reasoning.search.map.search_map import SearchMap
from lastseen.reasoning.search.search_settings import SearchSettings
from lastseen.rng import generator

from .harness import Comparison

TICK = 1.0 / 60.0
RUNNING = 15.0
"""Seconds after which the front is widest on this map."""


def comparisons() -> Iterator[Comparison | str]:
    layout = build_layout(build_navmesh(sample("complex")))
    random = generator(0, "bench search")
    sources = random.integers(0, len(layout), 64).tolist()
    yield _step_of_all(layout)
    yield _step_of_a_wave(layout, sources)
    yield _whole_wave(layout, sources)
    yield _front(layout, sources)
    yield _views(layout, random)
    yield _destination(layout, random)


def _step_of_all(layout: CellLayout) -> Comparison:
    """Every cell is seeded, cleaned and regenerating, so that each step has all of them to do."""
    search = SearchMap(layout, SearchSettings(regeneration=1.0, threshold=1.0))
    search.seed(np.arange(len(layout)))

    def ours(number: int) -> object:
        if number % 20 == 0:
            search.clean(np.arange(len(layout)))
        return search.advance(TICK)

    return Comparison("search step, all cells regenerating", ours, None, 0.2e-3, rounds=120)


def _step_of_a_wave(layout: CellLayout, sources: list[int]) -> Comparison:
    """Eight waves at once, at their widest."""
    search = SearchMap(layout)

    def ours(number: int) -> object:
        if number % 60 == 0:
            search.clear()
            search.seed(sources[:8])
            search.advance(RUNNING / 4.0)
        return search.advance(TICK)

    return Comparison("search step, eight waves at once", ours, None, 0.2e-3, rounds=240)


def _whole_wave(layout: CellLayout, sources: list[int]) -> Comparison:
    """One wave over the whole map in one call, against the same walk in Python."""
    search = SearchMap(layout)
    arrays = layout.arrays
    start, cell, length = arrays.link_start.tolist(), arrays.link_cell.tolist(), arrays.link_length.tolist()

    def plain(number: int) -> object:
        waiting, found = [(0.0, sources[number % 64])], {}
        while waiting:
            metres, here = heapq.heappop(waiting)
            if here in found:
                continue
            found[here] = metres
            for link in range(start[here], start[here + 1]):
                if cell[link] not in found:
                    heapq.heappush(waiting, (metres + length[link], cell[link]))
        return found

    def ours(number: int) -> object:
        search.clear()
        search.seed([sources[number % 64]])
        return search.advance(1000.0)

    return Comparison("search wave over all cells in one call", ours, plain, 1 / 12, "heapq in Python", rounds=9)


def _front(layout: CellLayout, sources: list[int]) -> Comparison:
    """A step while a wave has just begun costs little of one at its widest: cost follows the front, not the map."""
    young, old = SearchMap(layout), SearchMap(layout)

    def step(search: SearchMap, number: int, seconds: float) -> object:
        if number % 10 == 0:
            search.clear()
            search.seed([sources[number % 64]])
            search.advance(seconds)
        return search.advance(1.0)

    return Comparison(
        "search step of a second, small front",
        lambda number: step(young, number, 1.0),
        lambda number: step(old, number, RUNNING),
        0.7,
        "of the widest front",
        rounds=100,
    )


def _views(layout: CellLayout, random: np.random.Generator) -> Comparison:
    """Views of a hundred searchers over full cells, against a mask and a line to every cell in it."""
    search = SearchMap(layout)
    where = layout.arrays.cell_xyz.astype(np.float64)
    feet = where[random.integers(0, len(layout), (8, 100))]
    facing = random.uniform(-np.pi, np.pi, (8, 100))
    rules = search.settings

    search.seed(np.arange(len(layout)))
    full = search.layer.values.copy()

    def ours(number: int) -> object:
        search.layer.values[:] = full
        return search.clean_view(feet[number % 8], facing[number % 8])

    def plain(number: int) -> object:
        total = 0
        for xyz, heading in zip(feet[number % 8], facing[number % 8]):
            away = where - xyz
            ahead = away[:, 0] * np.cos(heading) + away[:, 1] * np.sin(heading)
            aside = away[:, 1] * np.cos(heading) - away[:, 0] * np.sin(heading)
            inside = np.flatnonzero((ahead <= rules.distance) & (np.abs(aside) <= ahead * np.tan(rules.angle / 2)))
            total += int(raycasts(layout.mesh, np.broadcast_to(xyz, (len(inside), 3)), where[inside]).reached.sum())
        return total

    return Comparison("search views of 100 guards", ours, plain, 1 / 5, "numpy mask and raycasts", rounds=8)


def _destination(layout: CellLayout, random: np.random.Generator) -> Comparison:
    search = SearchMap(layout)
    search.seed(np.arange(len(layout)))
    where = layout.arrays.cell_xyz.astype(np.float64)
    starts = random.integers(0, len(layout), 64)
    places, walk = where[starts], Spread(layout)

    def ours(number: int) -> object:
        return search.destination(places[number % 64], places[:10])

    def peer(number: int) -> object:
        return walk.distances([starts[number % 64]])

    return Comparison("search destination among all cells", ours, peer, 3.0, "walking distances alone", rounds=40)
