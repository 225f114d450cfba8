"""Queries on a mesh that is turned, scaled and moved: tests along the axes cannot tell many faults apart.

The turn is that of the triangle 3, 4, 5, so that places on the grid stay exact numbers.
"""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.navmesh.assembly import assemble
from lastseen.navmesh.cut import CutMesh
from lastseen.navmesh.navmesh import NavMesh
from lastseen.navmesh.query import faces_at, find_paths, nearest_many, raycasts, reachable_many
from oracles.paths import random_tiles, rectangles_of
from oracles.queries import POINT

TURN, MOVE = np.array([(3.0, -4.0), (4.0, 3.0)]), np.array([7.0, -11.0])
LENGTH = 5.0


def turned(points: np.ndarray) -> np.ndarray:
    return np.asarray(points, float) @ TURN.T + MOVE


def meshes(boxes: list[tuple[int, int, int, int]]) -> tuple[NavMesh, NavMesh]:
    """Return a mesh of rectangles as they are, and turned."""
    corners = [
        (c, r) for left, low, right, high in boxes for c, r in ((left, low), (right, low), (right, high), (left, high))
    ]
    start = np.arange(len(boxes) + 1) * 4
    both = (np.array(corners, float), turned(corners))
    return tuple(  # type: ignore[return-value]
        assemble(np.column_stack([flat, np.zeros(len(flat))]), start, np.arange(len(flat)), body=POINT) for flat in both
    )


def require_same(plain, other, random: np.random.Generator, shape: tuple[int, int]) -> None:
    """Compare every query for lines between corners, middles of sides and of tiles, on the map and around it."""
    starts, ends = (random.integers(-1, 2 * np.array(shape[::-1]) + 2, (30, 2)) / 2.0 for _ in range(2))
    for strict in (False, True):
        found, as_turned = (
            raycasts(plain, starts, ends, strict=strict),
            raycasts(other, turned(starts), turned(ends), strict=strict),
        )
        assert as_turned.reached.tolist() == found.reached.tolist()
        assert as_turned.fraction == pytest.approx(found.fraction, abs=1e-9)
        assert as_turned.xyz[:, :2] == pytest.approx(turned(found.xyz[:, :2]), abs=1e-7)
        assert as_turned.normal_xy == pytest.approx(found.normal_xy @ TURN.T / LENGTH, abs=1e-7)
    assert faces_at(other, turned(starts)).tolist() == faces_at(plain, starts).tolist()
    assert reachable_many(other, turned(starts), turned(ends)).tolist() == reachable_many(plain, starts, ends).tolist()
    near, as_turned = nearest_many(plain, starts, 3.0), nearest_many(other, turned(starts), 3.0 * LENGTH)
    assert as_turned.distance == pytest.approx(near.distance * LENGTH, abs=1e-9, nan_ok=True)
    paths, as_turned = find_paths(plain, starts[:8], ends[:8]), find_paths(other, turned(starts[:8]), turned(ends[:8]))
    assert as_turned.reached.tolist() == paths.reached.tolist()
    assert as_turned.length[paths.reached] == pytest.approx(paths.length[paths.reached] * LENGTH, abs=1e-7)


@pytest.mark.parametrize("seed", range(16))
def test_every_query_answers_alike(seed):
    random = np.random.default_rng(seed)
    passable = random_tiles(random, 4 + seed // 3)
    passable[0, 0] = True
    require_same(*meshes(rectangles_of(passable, random)), random, passable.shape)


@pytest.mark.parametrize("seed", range(16))
def test_every_query_on_a_cut_mesh_answers_alike(seed):
    random = np.random.default_rng(100 + seed)
    passable = random_tiles(random, 4 + seed // 3)
    passable[0, 0] = True
    plain, other = (CutMesh(mesh) for mesh in meshes(rectangles_of(passable, random)))
    for _ in range(random.integers(1, 4)):
        left, low = random.integers(0, 2 * np.array(passable.shape[::-1])) / 2.0
        right, high = (left, low) + random.integers(1, 5, 2) / 2.0
        hole = [(left, low), (right, low), (right, high), (left, high)]
        plain.cut(hole, -1.0, 1.0)
        other.cut(turned(hole).tolist(), -1.0, 1.0)
    require_same(plain, other, random, passable.shape)
