"""Cells: look-ups against a dict, nearby cells against SciPy's k-d tree, building and loading against the clock."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from lastseen.cells.build import build_layout
from lastseen.cells.cell_file import load_layout, save_layout
from lastseen.cells.layout import CellLayout
from lastseen.cells.live import LiveLayout
from lastseen.cells.query import cells_at, cells_within, cells_within_many
from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.level.samples import sample
from lastseen.navmesh.assembly import assemble
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.cut import Cut, CutMesh

from .harness import Comparison

MILLION = 1_000_000


def comparisons() -> Iterator[Comparison | str]:
    complex_layout = build_layout(build_navmesh(sample("complex"), Body()))
    yield from _look_ups("dense", complex_layout)
    yield from _look_ups("hash", _scattered())
    yield from _nearby(complex_layout)
    yield from _files(complex_layout)
    yield from _cuts(complex_layout)
    yield from _builds()


def _scattered() -> CellLayout:
    """20,000 cells on small floors far apart: too sparse for a dense table."""
    at = np.random.default_rng(1).integers(0, 1900, (800, 2)) * 10.0
    corner = np.array([(0, 0), (5, 0), (5, 5), (0, 5)], dtype=float)
    vertices = (at[:, None] + corner).reshape(-1, 2)
    xyz = np.column_stack([vertices, np.repeat(at[:, 0] % 70, 4)])
    return build_layout(assemble(xyz, np.arange(0, len(xyz) + 1, 4), np.arange(len(xyz)), body=Body(radius=0.0)))


def _points(layout: CellLayout, count: int, seed: int) -> np.ndarray:
    """Positions of feet within a metre of some cell: most have one, some do not."""
    random = np.random.default_rng(seed)
    cell = random.integers(0, len(layout), count)
    return layout.arrays.cell_xyz[cell] + random.uniform([-1, -1, 0], [1, 1, 0.5], (count, 3))


def _look_ups(kind: str, layout: CellLayout) -> Iterator[Comparison]:
    assert (kind == "dense") == bool(len(layout.arrays.dense))
    batches = [_points(layout, MILLION, seed) for seed in range(3)]
    few = [tuple(map(tuple, batch[:20_000].tolist())) for batch in batches]
    table = {tuple(grid): cell for cell, grid in enumerate(layout.arrays.cell_grid.tolist())}
    left, low, bottom = layout.arrays.origin_xyz.tolist()
    size, _, height = layout.arrays.size_xyz.tolist()

    def by_dict(number: int) -> list[int]:
        get = table.get
        return [
            get((int((x - left) // size), int((y - low) // size), int((z - bottom) // height)), -1)
            for x, y, z in few[number % 3]
        ]

    def ours(number: int) -> object:
        return cells_at(layout, batches[number % 3])

    if kind == "dense":
        yield Comparison("cells: look-up", ours, None, 10e-9, items=MILLION)
    yield Comparison(f"cells: look-up ({kind})", ours, by_dict, 1 / 20, "dict of tuples", MILLION, 20_000)


def _nearby(layout: CellLayout) -> Iterator[Comparison | str]:
    try:
        from scipy.spatial import cKDTree
    except ImportError:
        yield "cells within 5 m against SciPy's k-d tree: SciPy is not installed (make bench-peers)"
        return
    tree = cKDTree(layout.arrays.cell_xyz.astype(np.float64))
    batches = [_points(layout, 5_000, seed) for seed in range(3)]

    def ours(number: int) -> object:
        return cells_within_many(layout, batches[number % 3], 5.0)

    def theirs(number: int) -> object:
        return tree.query_ball_point(batches[number % 3], 5.0)

    def ours_alone(number: int) -> object:
        return [cells_within(layout, point, 5.0) for point in batches[number % 3][:500]]

    def theirs_alone(number: int) -> object:
        return [tree.query_ball_point(point, 5.0) for point in batches[number % 3][:500]]

    peer = "cKDTree.query_ball_point"
    yield Comparison("cells: all within 5 m, 5,000 points at once", ours, theirs, 1 / 3, peer, 5_000, 5_000)
    # One point a call is the price of a call from Python, on both sides: no more is claimed than that it is alike.
    yield Comparison("cells: all within 5 m, one point a call", ours_alone, theirs_alone, 2.0, peer, 500, 500)


def _files(layout: CellLayout) -> Iterator[Comparison]:
    folder = tempfile.TemporaryDirectory()
    paths = [Path(folder.name) / f"{number}.cells" for number in range(3)]
    for path in paths:
        save_layout(layout, path)

    def load(number: int) -> object:
        return load_layout(paths[number % len(paths)]), folder

    yield Comparison("cells: load 20,000 cells", load, None, 0.020)


def _cuts(layout: CellLayout) -> Iterator[Comparison]:
    """One cut and its lift against the mesh built again without the place, alone and among 500 cuts in force."""
    yield _cut_and_lift("close and open a door, mesh only", CutMesh(layout.mesh), layout, 0, 0.02)
    yield _cut_and_lift("close and open a door", LiveLayout(layout), layout, 0, 0.02)
    yield _cut_and_lift("close and open a door among 500 cuts", LiveLayout(layout), layout, 500, 0.03)
    yield _crowd("hall")


def _cut_and_lift(
    name: str, live: CutMesh | LiveLayout, layout: CellLayout, standing: int, at_most: float
) -> Comparison:
    level = sample("complex")
    places = _points(layout, 200 + standing, 5)
    took: dict[str, list[float]] = {"cut": [], "lift": []}

    def door(number: int) -> Cut:
        x, y, z = places[number]
        return live.cut([(x, y), (x + 1.2, y), (x + 1.2, y + 0.2), (x, y + 0.2)], z - 1.0, z + 2.0)

    def cut_and_lift(number: int) -> None:
        for each in range(20 * number, 20 * number + 20):
            start = time.perf_counter()
            cut = door(each % 200)
            middle = time.perf_counter()
            live.lift(cut)
            took["cut"].append(middle - start)
            took["lift"].append(time.perf_counter() - middle)

    for number in range(standing):
        door(200 + number)
    return Comparison(
        f"cells: {name}",
        cut_and_lift,
        lambda _: build_navmesh(level, Body()),
        at_most,
        "build the navmesh again",
        items=20,
        rounds=5,
        parts=lambda: _spread(took, 40),
    )


def _spread(took: dict[str, list[float]], skipped: int) -> dict[str, float]:
    """Return the median and the worst of what was measured, without the first calls."""
    return {
        f"{which} {kind}": measure(times[skipped:])
        for which, times in took.items()
        for kind, measure in (("median", statistics.median), ("worst", max))
    }


def _crowd(name: str) -> Comparison:
    """500 cuts, a third of them about twelve places, lifted in random order: dozens overlap on one face."""
    base = build_navmesh(sample(name), Body())
    mesh, random = CutMesh(base), np.random.default_rng(7)
    at = _points(build_layout(base), 500, 7)
    at[:166] = at[random.integers(0, 12, 166)]
    at[:, :2] += random.uniform(-1.5, 1.5, (500, 2))
    outlines = [_convex(random) + middle[:2] for middle in random.permutation(at)]
    took: dict[str, list[float]] = {"cut": [], "lift": []}

    def place_and_lift(_: int) -> None:
        cuts = []
        for outline in outlines:
            start = time.perf_counter()
            cuts.append(mesh.cut(outline, 0.0, 2.0))
            took["cut"].append(time.perf_counter() - start)
        for number in random.permutation(len(cuts)).tolist():
            start = time.perf_counter()
            mesh.lift(cuts[number])
            took["lift"].append(time.perf_counter() - start)

    return Comparison(
        f"cells: one of 500 cuts that overlap in the {name}, placed or lifted",
        place_and_lift,
        None,
        0.002,
        items=2 * len(outlines),
        rounds=2,
        parts=lambda: _spread(took, 500),
    )


def _convex(random: np.random.Generator) -> np.ndarray:
    """Return a convex outline of half a metre to three about the origin."""
    count = int(random.integers(3, 9))
    angle = 2.0 * np.pi * (np.arange(count) + random.uniform(0.0, 0.7, count)) / count
    return random.uniform(0.25, 1.5) * np.column_stack([np.cos(angle), np.sin(angle)])


def _builds() -> Iterator[Comparison]:
    hall = build_navmesh(Level(Tiles((TileFloor(np.ones((1000, 1000), bool)),))), Body(radius=0.0))
    rooms = np.ones((1100, 1100), bool)
    rooms[::11] = rooms[:, ::11] = False
    rooms[::11, 5::11] = rooms[5::11, ::11] = True
    many = build_navmesh(Level(Tiles((TileFloor(rooms),))), Body(radius=0.0))
    yield Comparison("cells: build 1,000,000 cells of one hall", lambda _: build_layout(hall), None, 4.0, rounds=3)
    yield Comparison("cells: build 1,000,000 cells of 10,000 rooms", lambda _: build_layout(many), None, 8.0, rounds=3)
