"""Queries on a mesh that is turned, scaled, moved and tilted: tests along the axes cannot tell many faults apart.

The turn is that of the triangle 3, 4, 5, so that places on the grid stay exact numbers.
"""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from lastseen.navmesh.assembly import assemble
from lastseen.navmesh.cut import CutMesh
from lastseen.navmesh.navmesh import NavMesh
from lastseen.navmesh.query import faces_at, find_paths, heights_at, nearest_many, raycasts, reachable_many
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


SLOPE, BASE = np.array([0.5, -0.25]), 40.0
"""The floor of tilted meshes: z = 0.5 x - 0.25 y + 40."""
ALONG = np.linalg.cholesky(np.eye(2) + np.outer(SLOPE, SLOPE)).T
"""Maps a step seen from above to one of the same length as the step on the tilted floor."""


def lifted(points: np.ndarray, above: float | np.ndarray = 0.0) -> np.ndarray:
    """Return turned places on the tilted floor, or so far above it."""
    flat = turned(points)
    return np.column_stack([flat, flat @ SLOPE + BASE + above])


def tilted(boxes: list[tuple[int, int, int, int]]) -> NavMesh:
    rings = [[(left, low), (right, low), (right, high), (left, high)] for left, low, right, high in boxes]
    corners = lifted(np.concatenate(rings))
    return assemble(corners, np.arange(len(boxes) + 1) * 4, np.arange(len(corners)), body=POINT)


def on_floor(plan: shapely.Geometry) -> shapely.Geometry:
    """Return a shape of the plain mesh as it lies on the tilted floor."""
    return shapely.transform(plan, lambda points: turned(points) @ ALONG.T)


def away_from(floor: shapely.Geometry, points: np.ndarray) -> np.ndarray:
    """Return how far points are from what lies on the tilted floor, in space."""
    over = points[:, 2] - points[:, :2] @ SLOPE - BASE
    feet = points[:, :2] + np.outer(over, SLOPE) / (1.0 + SLOPE @ SLOPE)
    aside = shapely.distance(shapely.points(feet @ ALONG.T), floor)
    return np.hypot(over / np.sqrt(1.0 + SLOPE @ SLOPE), aside)


@pytest.mark.parametrize("holes", [0, 1, 2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_a_tilted_floor_has_the_same_plan_and_its_own_heights(seed, holes):
    random = np.random.default_rng(1000 + 10 * seed + holes)
    passable = random_tiles(random, 4 + seed // 2)
    passable[0, 0] = True
    boxes = rectangles_of(passable, random)
    plain, slanted = CutMesh(meshes(boxes)[0]), CutMesh(tilted(boxes))
    plan = shapely.union_all([shapely.box(*box) for box in boxes])
    for _ in range(holes):
        left, low = random.integers(0, 2 * np.array(passable.shape[::-1])) / 2.0
        right, high = (left, low) + random.integers(1, 4, 2) / 2.0
        hole = np.array([(left, low), (right, low), (right, high), (left, high)])
        plain.cut(hole, -1.0, 1.0)
        slanted.cut(turned(hole), -999.0, 999.0)
        plan = plan - shapely.box(left, low, right, high)
    starts, ends = (random.integers(-1, 2 * np.array(passable.shape[::-1]) + 2, (12, 2)) / 2.0 for _ in range(2))
    found, hits = raycasts(plain, starts, ends), raycasts(slanted, lifted(starts), lifted(ends))
    assert hits.reached.tolist() == found.reached.tolist()
    on = found.fraction > 0.0
    assert hits.fraction == pytest.approx(found.fraction, abs=1e-9)
    assert hits.xyz[on] == pytest.approx(lifted(found.xyz[on, :2]), abs=1e-6)
    here = faces_at(plain, starts)
    assert faces_at(slanted, lifted(starts, 0.25)).tolist() == here.tolist()
    assert heights_at(slanted, lifted(starts, 0.25))[here >= 0] == pytest.approx(lifted(starts)[here >= 0, 2], abs=1e-6)
    paths = find_paths(plain, starts[:6], ends[:6]), find_paths(slanted, lifted(starts[:6]), lifted(ends[:6]))
    for flat, steep in zip(*paths, strict=True):
        assert steep.reached == flat.reached
        if flat.reached:
            steps = np.diff(turned(flat.points_xyz[:, :2]), axis=0) @ ALONG.T
            assert steep.length == pytest.approx(float(np.hypot(*steps.T).sum()), abs=1e-6)
            assert steep.points_xyz == pytest.approx(lifted(steep_plan(steep.points_xyz)), abs=1e-6)
    if not plan.is_empty:
        points = lifted(starts, random.uniform(-4.0, 4.0, len(starts)))
        near = nearest_many(slanted, points)
        assert near.distance == pytest.approx(away_from(on_floor(plan), points), abs=1e-6)
        assert np.linalg.norm(near.xyz - points, axis=1) == pytest.approx(near.distance, abs=1e-6)
        assert away_from(on_floor(plan), near.xyz) == pytest.approx(0.0, abs=1e-6)


def steep_plan(points: np.ndarray) -> np.ndarray:
    """Return the places of the plain mesh at points of the turned one."""
    return np.linalg.solve(TURN, (points[:, :2] - MOVE).T).T
