"""The queries with a slow, obvious answer: tests compare both on small questions, benchmarks time them on large ones.

A row makes a question of a given size; `fast` and `slow` answer it, in the same form.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import shapely

from lastseen.cells.query import cells_at, cells_within_many
from lastseen.layers.layer import Layer
from lastseen.layers.selection import best_cells
from lastseen.layers.spread import Spread
from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.level.sight.query import sees
from lastseen.level.sight.sight import Sight
from lastseen.navmesh.query import find_paths, raycasts
from oracles import cells as cells_oracle
from oracles import layers as layers_oracle
from oracles import queries as queries_oracle
from oracles import sight as sight_oracle
from specimens.cells import tile_layout

__all__ = ["ROWS", "Row"]


@dataclass(frozen=True)
class Row:
    """One query: sizes are tiles along the side of a square map; `at_most` is fast / slow on large questions."""

    name: str
    make: Callable[[int, np.random.Generator], tuple[Any, ...]]
    fast: Callable[..., Any]
    slow: Callable[..., Any]
    small: int
    large: int
    at_most: float


def _tiles(size: int, random: np.random.Generator) -> np.ndarray:
    """Return a map of which about a fifth is wall, with its middle free."""
    passable = random.random((size, size)) > 0.2
    passable[size // 2, size // 2] = True
    return passable


def _places(passable: np.ndarray, count: int, random: np.random.Generator) -> np.ndarray:
    """Return points within free tiles, at eighths of a tile so that fractions stay short, off every border."""
    free = np.argwhere(passable)[:, ::-1]
    return free[random.integers(len(free), size=count)] + random.integers(1, 8, (count, 2)) / 8


def _cells(size: int, random: np.random.Generator) -> tuple[Any, ...]:
    layout = tile_layout(_tiles(size, random))
    low, high = (
        layout.arrays.origin_xyz - 1.0,
        layout.arrays.origin_xyz + layout.arrays.shape * layout.arrays.size_xyz + 1.0,
    )
    return layout, random.uniform(low, high, (8 * size, 3))


def _walk(size: int, random: np.random.Generator) -> tuple[Any, ...]:
    layout = tile_layout(_tiles(size, random))
    sources = random.integers(0, len(layout), 2).tolist()
    return Spread(layout), layers_oracle.links_of(layout), sources, float(random.uniform(2.0, 2.0 * size))


def _scores(size: int, random: np.random.Generator) -> tuple[Any, ...]:
    layout = tile_layout(_tiles(size, random))
    layer = Layer.of(layout, "score", random.integers(0, 50, len(layout)).astype(np.float32))
    return layer, 10, float(random.uniform(0.0, 4.0))


def _lines(size: int, random: np.random.Generator) -> tuple[Any, ...]:
    passable = _tiles(size, random)
    starts, ends = (_places(passable, 4 * size, random) for _ in range(2))
    return passable, queries_oracle.tile_mesh(passable), starts, ends


def _looks(size: int, random: np.random.Generator) -> tuple[Any, ...]:
    passable, _, eyes, points = _lines(size, random)
    walls = [(shapely.box(x, y, x + 1, y + 1), 0.0, 3.0) for y, x in np.argwhere(~passable).tolist()]
    around = shapely.difference(shapely.box(-5, -5, size + 5, size + 5), shapely.box(0, 0, size, size))
    apart = (eyes != points).any(axis=1)
    eyes, points = (np.column_stack([each[apart], np.full(apart.sum(), 1.0)]) for each in (eyes, points))
    return Sight.from_level(Level(Tiles((TileFloor(passable),)))), [(around, 0.0, 3.0), *walls], eyes, points


def _exact(points: np.ndarray) -> list[tuple[Fraction, Fraction]]:
    return [(Fraction(x), Fraction(y)) for x, y in points.tolist()]


def _slow_lines(passable: np.ndarray, _: object, starts: np.ndarray, ends: np.ndarray) -> list[float]:
    found = [queries_oracle.walk_line(passable, *ends_of) for ends_of in zip(_exact(starts), _exact(ends))]
    return [round(float(share or 0), 9) for share in found]


def _fast_lines(_: object, mesh: Any, starts: np.ndarray, ends: np.ndarray) -> list[float]:
    return raycasts(mesh, starts, ends).fraction.round(9).tolist()


def _slow_paths(passable: np.ndarray, _: object, starts: np.ndarray, ends: np.ndarray) -> list[float]:
    lengths = [queries_oracle.shortest_on_tiles(passable, *pair) for pair in zip(_exact(starts), _exact(ends))]
    return [round(length, 6) for length in lengths]


def _fast_paths(_: object, mesh: Any, starts: np.ndarray, ends: np.ndarray) -> list[float]:
    paths = find_paths(mesh, starts, ends)
    return [round(path.length, 6) if path.reached else np.inf for path in paths]


def _few(make: Callable[..., tuple[Any, ...]], count: int) -> Callable[..., tuple[Any, ...]]:
    """Return a maker of questions about `count` lines only."""

    def made(size: int, random: np.random.Generator) -> tuple[Any, ...]:
        *rest, starts, ends = make(size, random)
        return *rest, starts[:count], ends[:count]

    return made


def _fast_best(layer: Layer, count: int, spacing: float) -> list[int]:
    return best_cells(layer, count, spacing=spacing).tolist()


def _slow_best(layer: Layer, count: int, spacing: float) -> list[int]:
    positions = layer.layout.arrays.cell_xyz.tolist()
    return layers_oracle.best(layer.values, count, allowed=range(len(positions)), positions=positions, spacing=spacing)


def _fast_walk(walk: Spread, _: object, sources: list[int], reach: float) -> dict[int, float]:
    found = walk.distances(sources, reach=reach)
    return dict(zip(found.cells.tolist(), found.metres.tolist()))


ROWS = (
    Row(
        "cells at points", _cells,
        lambda layout, points: cells_at(layout, points).tolist(),
        lambda layout, points: [cells_oracle.cell_by_dict(layout, point) for point in points],
        small=6, large=20, at_most=0.01,
    ),
    Row(
        "cells within 2 m", _cells,
        lambda layout, points: [sorted(found.tolist()) for found in cells_within_many(layout, points, 2.0)],
        lambda layout, points: [np.flatnonzero(cells_oracle.distances(layout, at) <= 2.0).tolist() for at in points],
        small=6, large=60, at_most=0.5,
    ),
    Row(
        "walking distances", _walk, _fast_walk,
        lambda _, links, sources, reach: layers_oracle.distances_over(links, sources, reach),
        small=7, large=100, at_most=1 / 6,
    ),
    Row("ten best cells apart", _scores, _fast_best, _slow_best, small=6, large=100, at_most=0.1),
    Row("walked lines", _lines, _fast_lines, _slow_lines, small=6, large=40, at_most=0.01),
    Row("shortest paths", _few(_lines, 3), _fast_paths, _slow_paths, small=5, large=7, at_most=0.02),
    Row(
        "lines of sight", _looks,
        lambda sight, _, eyes, points: sees(sight, eyes, points).tolist(),
        lambda _, solids, eyes, points: [sight_oracle.is_clear(solids, *pair) for pair in zip(eyes, points)],
        small=5, large=12, at_most=0.01,
    ),
)  # fmt: skip
