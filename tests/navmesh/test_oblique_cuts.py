"""Small meshes cut at every angle, against meshes built without the place: floor, lines, paths and nearest points."""

from __future__ import annotations

import math
from itertools import groupby

import numpy as np
import pytest
import shapely

from lastseen.level.level import Level
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.cut import CutMesh
from lastseen.navmesh.navmesh import NavMesh
from lastseen.navmesh.query import faces_at, find_paths, heights_at, nearest_many, raycasts
from specimens.cells import faces_mesh

POINT = Body(radius=0.0)
QUADS = (
    [(0, 0), (5, -1), (6, 4), (1, 5)],
    [(5, -1), (10, -2), (10.5, 1), (5.6, 2)],
    [(5, 4.2), (5.5, 8), (2.5, 9), (2, 4.8)],
)
"""Three faces: the second and third meet parts of the first's edges."""


def turned(points, turn: float) -> np.ndarray:
    cos, sin = math.cos(turn), math.sin(turn)
    return np.asarray(points, float) @ np.array([(cos, sin), (-sin, cos)])


def height(xy: np.ndarray) -> np.ndarray:
    """Return the height of a slope that runs askew to everything."""
    return 0.2 * xy[..., 0] - 0.13 * xy[..., 1] + 3.0


def quad(rng: np.random.Generator, middle: np.ndarray) -> np.ndarray:
    """Return a convex outline with four corners."""
    turns = np.array([0.3, 1.9, 3.4, 5.1]) + rng.uniform(-0.3, 0.3, 4) + rng.uniform(0.0, 6.0)
    return middle + rng.uniform(0.5, 1.4) * np.column_stack([np.cos(turns), np.sin(turns)])


def cut_and_built(seed: int) -> tuple[CutMesh, NavMesh, shapely.Geometry, np.random.Generator]:
    """Return a sloping mesh under some cuts, a flat one built without them, what is left, and a generator."""
    rng = np.random.default_rng(seed)
    faces = [turned(each, 0.7 * seed) for each in QUADS]
    mesh = CutMesh(faces_mesh(*([(*xy, height(xy)) for xy in each] for each in faces), body=POINT))
    left = shapely.union_all([shapely.Polygon(each) for each in faces])
    middles = turned([(3, 2), (5.6, 1), (8, 0), (4, 4.5), (3.5, 6)], 0.7 * seed)
    cuts = [quad(rng, middle + rng.normal(0.0, 0.5, 2)) for middle in middles[rng.permutation(5)[: 2 + seed % 3]]]
    for outline in cuts:
        mesh.cut(outline, -9.0, 9.0)
        left = left - shapely.Polygon(outline)
    pieces = [piece for piece in shapely.get_parts(left) if piece.area > 1e-6]
    return mesh, build_navmesh(Level.from_polygons(pieces), POINT), left, rng


def places(left: shapely.Geometry, rng: np.random.Generator, count: int) -> np.ndarray:
    """Return points well inside of what is left."""
    x0, y0, x1, y1 = left.bounds
    points = rng.uniform((x0, y0), (x1, y1), (40 * count, 2))
    return points[shapely.contains_xy(left.buffer(-0.02), points)][:count]


@pytest.mark.parametrize("seed", range(12))
def test_a_cut_slope_answers_like_a_flat_mesh_without_the_place(seed):
    mesh, built, left, rng = cut_and_built(seed)
    starts, goals = places(left, rng, 24), places(left, rng, 24)[::-1]
    ends = goals + rng.normal(0.0, 3.0, goals.shape)
    sloping, level = (np.column_stack([xy, height(xy)]) for xy in (starts, goals))
    flat = np.column_stack([starts, np.zeros(len(starts))])

    here, there = raycasts(mesh, sloping, np.column_stack([ends, height(ends)])), raycasts(built, flat, ends)
    assert here.outcome.tolist() == there.outcome.tolist()
    assert here.fraction == pytest.approx(there.fraction, abs=1e-5)
    assert here.xyz[:, 2] == pytest.approx(height(here.xyz[:, :2]), abs=1e-6)
    assert here.normal_xy == pytest.approx(there.normal_xy, abs=1e-5)

    here, there = find_paths(mesh, sloping, level), find_paths(built, flat, goals)
    assert here.reason.tolist() == there.reason.tolist()
    for k in np.flatnonzero(here.reason == 0):
        mine, other = (each.points_xyz[each.point_start[k] : each.point_start[k + 1], :2] for each in (here, there))
        assert mine.shape == other.shape
        assert mine == pytest.approx(other, abs=1e-5)


@pytest.mark.parametrize("seed", range(12))
def test_the_floor_left_is_that_of_shapely(seed):
    mesh, built, left, rng = cut_and_built(seed)
    x0, y0, x1, y1 = left.bounds
    points = rng.uniform((x0 - 1, y0 - 1), (x1 + 1, y1 + 1), (150, 2))
    clear = points[np.abs(shapely.distance(left.boundary, shapely.points(points))) > 1e-4]
    slope = np.column_stack([clear, height(clear)])
    on = shapely.contains_xy(left, clear)
    assert ((faces_at(mesh, slope) >= 0) == on).all()
    assert heights_at(mesh, slope)[on] == pytest.approx(height(clear[on]))
    assert (faces_at(built, clear) >= 0).tolist() == on.tolist()
    near = nearest_many(mesh, slope[:40])
    assert near.xyz[:, 2] == pytest.approx(height(near.xyz[:, :2]), abs=1e-6)
    assert shapely.distance(left, shapely.points(near.xyz[:, :2])) == pytest.approx(0.0, abs=1e-5)
    assert near.xyz[on[:40]] == pytest.approx(slope[:40][on[:40]], abs=1e-6)


@pytest.mark.parametrize("seed", range(12))
def test_paths_follow_the_slope_from_face_to_face_and_back_the_same_way(seed):
    mesh, _, left, rng = cut_and_built(seed)
    starts, goals = (np.column_stack([xy, height(xy)]) for xy in np.array_split(places(left, rng, 48), 2))
    there, back = find_paths(mesh, starts, goals, on_floor=True), find_paths(mesh, goals, starts, on_floor=True)
    assert there.length.tolist() == back.length.tolist()
    for k in np.flatnonzero(there.reason == 0):
        points = there.points_xyz[there.point_start[k] : there.point_start[k + 1]]
        assert points == pytest.approx(back.points_xyz[back.point_start[k] : back.point_start[k + 1]][::-1])
        assert (points[0], points[-1]) == (pytest.approx(starts[k]), pytest.approx(goals[k]))
        assert points[:, 2] == pytest.approx(height(points[:, :2]))
        assert there.length[k] == pytest.approx(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
        on = faces_at(mesh, (points[:-1] + points[1:]) / 2.0)
        assert there.faces[there.face_start[k] : there.face_start[k + 1]].tolist() == [one for one, _ in groupby(on)]
