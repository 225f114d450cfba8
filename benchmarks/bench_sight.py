"""Sight: lines against the same grid in C and against shapely, on maps of any size; areas."""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import shapely

from lastseen.kernels.sight.sight_line import clear_lines
from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.level.samples import sample
from lastseen.level.sight.query import sees, sees_each, visible_areas
from lastseen.level.sight.sight import Sight
from lastseen.rng import generator

from .harness import Comparison

LINES, SETS = 1_000, 16
"""Few lines a call: calls of some tenths of a millisecond are seldom cut off by other programs."""
SOURCE = Path(__file__).with_name("sight.c")


def comparisons() -> Iterator[Comparison | str]:
    level = sample("complex")
    sight, passable = Sight.from_level(level), level.surface.floors[0].passable
    sets = [_lines(passable, LINES, 15.0, seed) for seed in range(SETS)]
    yield _against_c(sight, sets)
    yield _against_shapely(sight, sets)
    yield _on_a_large_map()
    yield _pairs(sight, passable)
    yield _areas(sight, passable)


def _lines(passable: np.ndarray, count: int, reach: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Eyes anywhere on the floor, 1.6 m up, and points up to `reach` metres away, as high as a chest."""
    random = generator(seed, "bench sight")
    rows, columns = np.nonzero(passable)
    tile = random.integers(0, len(rows), count)
    flat = np.column_stack([columns[tile], rows[tile]]) + random.random((count, 2))
    turn, length = random.uniform(0.0, 2.0 * np.pi, count), random.uniform(1.0, reach, count)
    away = flat + np.column_stack([np.cos(turn), np.sin(turn)]) * length[:, None]
    return np.column_stack([flat, np.full(count, 1.6)]), np.column_stack([away, np.full(count, 1.3)])


def _against_c(sight: Sight, sets: list[tuple[np.ndarray, np.ndarray]]) -> Comparison | str:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return "lines of sight against C: there is no C compiler"
    library = Path(tempfile.mkdtemp(prefix="lastseen-bench-")) / "sight.so"
    # No fused multiplications: both sides round alike and must agree on every line.
    options = ["-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run([compiler, *options, "-o", str(library), str(SOURCE), "-lm"], check=True, capture_output=True)
    peer_lines = ctypes.CDLL(str(library)).clear_lines
    out, ours_out = np.zeros(LINES, np.uint8), np.zeros(LINES, np.bool_)
    fixed = [ctypes.c_void_p(array.ctypes.data) for array in sight.arrays]

    def peer(number: int) -> object:
        ends = [ctypes.c_void_p(array.ctypes.data) for array in sets[number % SETS]]
        return peer_lines(*fixed, ctypes.c_long(LINES), *ends, ctypes.c_void_p(out.ctypes.data))

    def ours(number: int) -> object:
        return clear_lines(sight.arrays, *sets[number % SETS], ours_out)

    for number in range(SETS):
        peer(number)
        ours(number)
        if not (out == ours_out).all():
            raise AssertionError("the peer in C sees otherwise")
    return Comparison("one line of sight", ours, peer, 1.6, "the same in C", items=LINES, peer_items=LINES, rounds=201)


def _against_shapely(sight: Sight, sets: list[tuple[np.ndarray, np.ndarray]]) -> Comparison:
    """Walls as tall as the room, as lines in a tree; low cover is left out, so shapely answers less."""
    wall = sight.arrays.wall
    tree = shapely.STRtree(shapely.linestrings(wall[wall[:, 5] > 1.6][:, :4].reshape(-1, 2, 2)))

    def peer(number: int) -> object:
        eyes, points = (array[:100, :2] for array in sets[number % SETS])
        hit = tree.query(shapely.linestrings(np.stack([eyes, points], axis=1)), predicate="intersects")[0]
        return np.bincount(hit, minlength=100) == 0

    return Comparison(
        "one line of sight, asked from outside",
        lambda number: sees(sight, *sets[number % SETS]),
        peer,
        0.15,
        "shapely's tree of walls",
        items=LINES,
        peer_items=100,
        rounds=101,
    )


def _blocks(edge: int) -> np.ndarray:
    """A town: blocks of 8 tiles with streets of 4 between them."""
    place = np.arange(edge) % 12 < 8
    return ~(place[:, None] & place[None])


def _on_a_large_map() -> Comparison:
    towns = [_blocks(1344), _blocks(192)]
    sights = [Sight.from_level(Level(Tiles((TileFloor(town),)))) for town in towns]
    # The same places on both: scattered over the whole map, looks would also wait for memory the caches do not hold.
    sets = [_lines(towns[1], LINES, 15.0, seed) for seed in range(SETS)]
    return Comparison(
        "one line of sight on 1.8 km²",
        lambda number: sees(sights[0], *sets[number % SETS]),
        lambda number: sees(sights[1], *sets[number % SETS]),
        1.25,
        "on 0.04 km²",
        items=LINES,
        peer_items=LINES,
        rounds=201,
    )


def _pairs(sight: Sight, passable: np.ndarray) -> Comparison:
    eyes = [_lines(passable, 100, 1.0, seed)[0] for seed in range(SETS)]
    points = [_lines(passable, 10, 1.0, 100 + seed)[0] for seed in range(SETS)]

    def ours(number: int) -> object:
        return sees_each(sight, eyes[number % SETS], points[number % SETS])

    return Comparison("all pairs of 100 eyes and 10 points", ours, None, 0.5e-3, rounds=101)


def _areas(sight: Sight, passable: np.ndarray) -> Comparison:
    eyes = [_lines(passable, 10, 1.0, seed)[0] for seed in range(SETS)]

    def ours(number: int) -> object:
        return visible_areas(sight, eyes[number % SETS], 0.7 * number, math.radians(90.0), 15.0)

    return Comparison("one visible area, 90 degrees and 15 m", ours, None, 0.25e-3, items=10, rounds=201)
