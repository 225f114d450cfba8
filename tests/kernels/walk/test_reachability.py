"""What can be reached over links, on maps with more faces than the kernels' queues begin with."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.kernels.walk.reachability import closest_reachable, pairs_meet
from lastseen.navmesh.navmesh import NavMesh
from oracles.queries import box_mesh

SIZE = 11


def random_map(seed: int) -> tuple[NavMesh, list[tuple[int, int]], np.random.Generator]:
    """Return a mesh of one face per tile, and the tiles (column, row) by face."""
    random = np.random.default_rng(seed)
    tiles = [(c, r) for r in range(SIZE) for c in range(SIZE) if random.random() > (0.25, 0.4, 0.02)[seed % 3]]
    return box_mesh([(c, r, c + 1, r + 1) for c, r in tiles]), tiles, random


def joined(tiles: list[tuple[int, int]], start: tuple[int, int]) -> set[tuple[int, int]]:
    """Return the tiles that are connected with one over sides."""
    free, found = set(tiles), {start}
    waiting = [start]
    while waiting:
        c, r = waiting.pop()
        near = {(c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1)} & free - found
        found |= near
        waiting += near
    return found


@pytest.mark.parametrize("seed", range(9))
def test_pairs_meet_where_a_flood_over_tiles_joins_them(seed):
    mesh, tiles, random = random_map(seed)
    picks = [[tiles[n] for n in random.integers(len(tiles), size=40)] for _ in range(2)]
    places = [np.array([(c + 0.5, r + 0.5, 0.0) for c, r in each]) for each in picks]
    outside = np.array([[-3.0, 1.0, 0.0]])
    starts, goals = np.vstack([places[0], outside, places[0][:1]]), np.vstack([places[1], places[1][:1], outside])
    found = np.ones(len(starts), np.bool_)
    marks = np.zeros(len(tiles), np.int32)
    pairs_meet(mesh.arrays, np.zeros(len(tiles), np.int32), starts, goals, 0.5, 0.5, marks, found)
    assert found.tolist() == [other in joined(tiles, one) for one, other in zip(*picks)] + [False, False]
    # Without marks components alone decide.
    component = np.array([min(joined(tiles, tile)) for tile in tiles])[:, 0].astype(np.int32)
    pairs_meet(mesh.arrays, component, starts, goals, 0.5, 0.5, np.zeros(0, np.int32), found)
    assert found[:-2].tolist() == [
        component[tiles.index(one)] == component[tiles.index(other)] for one, other in zip(*picks)
    ]


@pytest.mark.parametrize("seed", range(9))
def test_the_closest_reachable_place_is_that_of_the_nearest_tile(seed):
    mesh, tiles, random = random_map(seed)
    for _ in range(4):
        start = int(random.integers(len(tiles)))
        x, y = random.uniform(-2.0, SIZE + 2.0, 2)
        away = {
            (math.hypot(max(c - x, 0.0, x - c - 1), max(r - y, 0.0, y - r - 1))): (c, r)
            for c, r in joined(tiles, tiles[start])
        }
        face, *place = closest_reachable(mesh.arrays, start, x, y, 0.0)
        column, row = tiles[face]
        assert (column, row) in joined(tiles, tiles[start])
        assert math.dist(place, (x, y, 0.0)) == pytest.approx(min(away), abs=1e-12)
        assert column - 1e-9 <= place[0] <= column + 1 + 1e-9
        assert row - 1e-9 <= place[1] <= row + 1 + 1e-9
