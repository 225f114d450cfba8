"""Layers: traversal, choice, combination and spreading, each against the way one would do it without them."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import numpy as np

from lastseen.cells.build import build_layout
from lastseen.cells.layout import CellLayout
from lastseen.layers.combination import weighted_sum
from lastseen.layers.layer import Layer, enabled_cells
from lastseen.layers.selection import best_cells, next_cell
from lastseen.layers.spread import Spread
from lastseen.layers.stack import LayerStack
from lastseen.level.samples import sample
from lastseen.navmesh.build import build_navmesh
from lastseen.rng import generator

from .harness import Comparison

REACH = 40.0


def comparisons() -> Iterator[Comparison | str]:
    layout = build_layout(build_navmesh(sample("complex")))
    random = generator(0, "bench layers")
    stack = LayerStack(layout)
    for layer in stack.add_block({f"layer {number}": "made up" for number in range(12)}):
        layer.values[:] = random.integers(-100, 100, len(layout))
    sources = random.integers(0, len(layout), 64).tolist()
    yield _traversal(layout, random)
    yield _choice(layout, random)
    yield _combination(stack)
    yield _spread_plain(layout, sources)
    yield _spread_scipy(layout, sources)


def _traversal(layout: CellLayout, random: np.random.Generator) -> Comparison:
    layer = Layer(layout, "heat", "int8")
    layer.values[random.integers(0, len(layout), 20)] = 20
    enabled = enabled_cells(layout)
    starts = random.integers(0, len(layout) // 2, 64).tolist()

    def plain(number: int) -> object:
        start = starts[number % 64]
        return start + int(np.argmax((layer.values[start:] >= 20) & enabled[start:]))

    def ours(number: int) -> object:
        return next_cell(layer, at_least=20, start=starts[number % 64])

    return Comparison("next warm cell along a layer", ours, plain, 1.5, "numpy.argmax of a mask", rounds=200)


def _choice(layout: CellLayout, random: np.random.Generator) -> Comparison:
    layers = [Layer.of(layout, "score", random.random(len(layout)).astype(np.float32)) for _ in range(8)]

    def plain(number: int) -> object:
        return np.argsort(-layers[number % 8].values, kind="stable")[:10]

    return Comparison(
        "ten best cells", lambda number: best_cells(layers[number % 8], 10), plain, 0.5, "a full sort", rounds=50
    )


def _combination(stack: LayerStack) -> Comparison:
    layers = list(stack)
    out = Layer(stack.layout, "score", "float32")

    def plain(number: int) -> object:
        total = np.zeros(len(out))
        for place, layer in enumerate(layers):
            total += float(place + number % 3) * layer.values
        return total.astype(np.float32)

    def ours(number: int) -> object:
        return weighted_sum([(layer, place + number % 3) for place, layer in enumerate(layers)], out=out)

    return Comparison("weighted sum of 12 layers", ours, plain, 2.0, "plain numpy, unchecked", rounds=50)


def _spread_plain(layout: CellLayout, sources: list[int]) -> Comparison:
    walk = Spread(layout)
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
                if cell[link] not in found and metres + length[link] <= REACH:
                    heapq.heappush(waiting, (metres + length[link], cell[link]))
        return found

    def ours(number: int) -> object:
        return walk.distances([sources[number % 64]], reach=REACH)

    return Comparison("walking distances within 40 m", ours, plain, 1 / 6, "heapq in Python", rounds=50)


def _spread_scipy(layout: CellLayout, sources: list[int]) -> Comparison | str:
    try:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra
    except ImportError:
        return "walking distances against scipy: scipy is not installed (make bench-peers)"
    walk = Spread(layout)
    arrays = layout.arrays
    graph = csr_array(
        (arrays.link_length.astype(float), arrays.link_cell.astype(np.int32), arrays.link_start.astype(np.int32)),
        shape=(len(layout), len(layout)),
    )

    def peer(number: int) -> object:
        return dijkstra(graph, indices=sources[number % 64], limit=REACH)

    def ours(number: int) -> object:
        return walk.distances([sources[number % 64]], reach=REACH)

    return Comparison("walking distances within 40 m, compiled", ours, peer, 0.8, "scipy dijkstra", rounds=50)
