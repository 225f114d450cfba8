"""Tactical questions on the 20,000-cell sample, against whole-map and one-by-one answers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lastseen.cells.build import build_layout
from lastseen.cells.layout import CellLayout
from lastseen.level.samples import sample
from lastseen.level.sight.query import sees_each
from lastseen.level.sight.sight import Sight
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.query import find_paths
from lastseen.reasoning.tactical.area import area_within
from lastseen.reasoning.tactical.cheapest_paths import CheapestPaths
from lastseen.reasoning.tactical.exits import cells_closing, exits_of
from lastseen.reasoning.tactical.exposure import cells_seen, posts_watching
from lastseen.reasoning.tactical.far_targets import detours
from lastseen.reasoning.tactical.flank import combat_line
from lastseen.reasoning.tactical.slots import slots_around
from lastseen.rng import generator

from .harness import Comparison

CREWS = 20
MEMBERS = 5
ROUNDS = 32


def comparisons() -> Iterator[Comparison | str]:
    level = sample("complex")
    layout = build_layout(build_navmesh(level))
    sight = Sight.from_level(level)
    random = generator(0, "bench tactical")
    spots = layout.arrays.cell_xyz[random.integers(0, len(layout), (ROUNDS, CREWS))].astype(np.float64)
    yield _slots(layout, spots)
    yield _flank(layout, spots)
    yield _exposure(layout, sight, spots)
    yield _detours(layout, spots)
    yield _closed_in(layout, sight, spots)


def _slots(layout: CellLayout, spots: np.ndarray) -> Comparison:
    def ours(number: int) -> object:
        return slots_around(layout, spots[number % ROUNDS], MEMBERS, 1.5)

    def peer(number: int) -> object:
        return [slots_around(layout, [spot], MEMBERS, 1.5) for spot in spots[number % ROUNDS]]

    return Comparison(f"tactical: {MEMBERS} slots round {CREWS} targets", ours, peer, 0.25, "one by one", rounds=30)


def _flank(layout: CellLayout, spots: np.ndarray) -> Comparison | str:
    """A path within 25 m against costs of all links and a search of the whole map."""
    try:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra
    except ImportError:
        return "flanking paths: scipy is not installed (make bench-peers)"
    paths, arrays = CheapestPaths(layout), layout.arrays
    xyz = arrays.cell_xyz.astype(np.float64)
    links = arrays.link_start.astype(np.int64)
    start = np.repeat(np.arange(len(layout)), links[1:] - links[:-1])
    near = [np.flatnonzero(np.linalg.norm(xyz - spot, axis=1) < 25.0) for spot in spots[:, 0]]
    fighters = [int(cells[len(cells) // 3]) for cells in near]

    def ours(number: int) -> object:
        which = combat_line(spots[number % ROUNDS, 0], [xyz[fighters[number % ROUNDS]]])
        return paths.find([xyz[fighters[number % ROUNDS]]], [spots[number % ROUNDS, 0]], which.field())

    def peer(number: int) -> object:
        which = combat_line(spots[number % ROUNDS, 0], [xyz[fighters[number % ROUNDS]]])
        cost = which.costs(xyz)
        weight = arrays.link_length * (1.0 + 0.5 * (cost[start] + cost[arrays.link_cell]))
        graph = csr_array((weight, arrays.link_cell.astype(np.int32), arrays.link_start.astype(np.int32)))
        return dijkstra(graph, indices=fighters[number % ROUNDS], return_predecessors=True)

    return Comparison(
        "tactical: a flanking path within 25 m, drawn", ours, peer, 0.8, "scipy dijkstra, not drawn", rounds=30
    )


def _exposure(layout: CellLayout, sight: Sight, spots: np.ndarray) -> Comparison:
    chests = layout.arrays.cell_xyz.astype(np.float64) + np.array([0.0, 0.0, 1.0])
    up = np.array([0.0, 0.0, 1.6])

    def ours(number: int) -> object:
        return cells_seen(layout, sight, spots[number % ROUNDS, :4] + up, reach=30.0)

    def peer(number: int) -> object:
        eyes = spots[number % ROUNDS, :4] + up
        near = np.linalg.norm(chests[None] - eyes[:, None], axis=2) <= 30.0
        return sees_each(sight, eyes, chests) & near

    return Comparison("tactical: cells seen by 4 eyes within 30 m", ours, peer, 0.5, "all rays", rounds=15)


def _detours(layout: CellLayout, spots: np.ndarray) -> Comparison:
    paths = CheapestPaths(layout)
    random = generator(1, "bench tactical")
    goals = spots + random.uniform(-8.0, 8.0, spots.shape) * np.array([1.0, 1.0, 0.0])

    def ours(number: int) -> object:
        return detours(paths, spots[number % ROUNDS], goals[number % ROUNDS])

    def peer(number: int) -> object:
        return find_paths(layout.mesh, spots[number % ROUNDS], goals[number % ROUNDS])

    name = f"tactical: is the path much longer than the line, {CREWS} pairs"
    return Comparison(name, ours, peer, 1.5, "exact paths, without an answer where there is none", rounds=30)


def _closed_in(layout: CellLayout, sight: Sight, spots: np.ndarray) -> Comparison:
    """Exits within 15 m, the fewest cells that close them and the fewest posts that watch them."""

    def ours(number: int) -> object:
        centre = spots[number % ROUNDS, 0]
        outer = area_within(layout, centre, 15.0)
        exits = exits_of(outer)
        cells_closing(area_within(layout, centre, 3.0), outer)
        return posts_watching(layout, sight, exits.xyz)

    return Comparison("tactical: exits, closing cells and posts within 15 m", ours, None, 0.030, rounds=30)
