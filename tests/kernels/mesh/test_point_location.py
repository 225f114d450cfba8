"""Floor under points and the nearest points of a mesh, against a look at every face."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.kernels.mesh.point_location import faces_under, nearest_on_mesh
from specimens.cells import faces_mesh

BELOW, ABOVE = 1.6, 0.5


def scattered(seed):
    """Return a mesh of slopes at all heights, crowded in one half, and its faces as corners (n, 3)."""
    rng = np.random.default_rng(seed)
    faces = []
    for _ in range(45):
        turns = np.array([0.2, 1.7, 3.3, 4.9])[: rng.integers(3, 5)] + rng.uniform(0.0, 6.0)
        middle = rng.uniform((-20.0, 5.0), (20.0, 20.0)) * (rng.choice([0.3, 1.0]), 1.0)
        xy = middle + rng.uniform(0.6, 4.0) * np.column_stack([np.cos(turns), 0.8 * np.sin(turns)])
        a, b, c = *rng.uniform(-0.6, 0.6, 2), rng.uniform(-3.0, 6.0)
        faces.append(np.column_stack([xy, (xy - middle) @ (a, b) + c]))
    mesh = faces_mesh(*(list(map(tuple, face)) for face in faces))
    assert mesh.arrays.grid_shape.min() > 2
    return mesh.arrays, [mesh.face_xyz(face) for face in range(45)], rng


def plane(corners):
    """Return a, b, c of z = a x + b y + c."""
    return np.linalg.solve(np.column_stack([corners[:3, :2], np.ones(3)]), corners[:3, 2])


def is_inside(corners, xy):
    """Return whether points (..., 2) lie inside a face, seen from above."""
    along = np.roll(corners, -1, axis=0)[:, :2] - corners[:, :2]
    off = np.asarray(xy)[..., None, :] - corners[:, :2]
    return (along[:, 0] * off[..., 1] - along[:, 1] * off[..., 0]).min(axis=-1) >= 0.0


def nearest_of_face(corners, point):
    """Return the nearest point of a face in space: the foot on its plane if that is inside, else one of its rim."""
    a, b, _ = plane(corners)
    normal = np.array([-a, -b, 1.0]) / math.sqrt(a * a + b * b + 1.0)
    foot = point - (point - corners[0]) @ normal * normal
    if is_inside(corners, foot[:2]):
        return foot
    along = np.roll(corners, -1, axis=0) - corners
    share = np.clip(((point - corners) * along).sum(axis=1) / (along**2).sum(axis=1), 0.0, 1.0)
    on_rim = corners + share[:, None] * along
    return on_rim[np.linalg.norm(on_rim - point, axis=1).argmin()]


@pytest.mark.parametrize("seed", range(6))
def test_the_nearest_point_is_that_of_the_nearest_face(seed):
    mesh, faces, rng = scattered(seed)
    points = rng.uniform((-35.0, -5.0, -6.0), (35.0, 32.0, 9.0), (25, 3))
    points[0] = (90.0, -70.0, 3.0)
    feet = np.array([[nearest_of_face(face, point) for face in faces] for point in points])
    away = np.linalg.norm(feet - points[:, None], axis=2)
    for radius in (2.5, math.inf):
        found, place, metres = np.empty(25, np.int32), np.empty((25, 3)), np.empty(25)
        nearest_on_mesh(mesh, points, radius, found, place, metres)
        near = away.min(axis=1) < radius
        assert near.all() == math.isinf(radius)
        assert found.tolist() == np.where(near, away.argmin(axis=1), -1).tolist()
        assert metres[near] == pytest.approx(away.min(axis=1)[near])
        assert place[near] == pytest.approx(feet[np.arange(25), away.argmin(axis=1)][near], abs=1e-6)
        assert np.isnan(metres[~near]).all()
        assert np.isnan(place[~near]).all()


@pytest.mark.parametrize("seed", range(6))
def test_the_floor_under_a_point_is_the_nearest_in_height_within_reach(seed):
    mesh, faces, rng = scattered(seed)
    points = np.concatenate([rng.dirichlet(np.ones(len(face)), 3) @ face for face in faces])
    points += rng.normal(0.0, 1.0, points.shape)
    floors = np.array([points[:, :2] @ plane(face)[:2] + plane(face)[2] for face in faces])
    reach = (points[:, 2] - BELOW <= floors) & (floors <= points[:, 2] + ABOVE)
    away = np.where(reach & [is_inside(face, points[:, :2]) for face in faces], abs(floors - points[:, 2]), math.inf)
    expected = np.where(np.isfinite(away.min(axis=0)), away.argmin(axis=0), -1)
    found, heights = np.empty(len(points), np.int32), np.empty(len(points))
    faces_under(mesh, points, BELOW, ABOVE, found, heights)
    assert found.tolist() == expected.tolist()
    on = expected >= 0
    assert heights[on] == pytest.approx(floors[expected, np.arange(len(points))][on])
    assert np.isnan(heights[~on]).all()
    assert 30 < on.sum() < len(points)
