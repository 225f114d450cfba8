"""The Fréchet distance: paths that turn back, against couplings of many points; the farthest point of a path."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from lastseen.kernels.placement.path_distance import discrete_frechet, farthest_from, frechet, frechet_pairs

PARTS = 10


def dense(path: np.ndarray, parts: int = PARTS) -> np.ndarray:
    """Return the corners of a path with `parts` - 1 points between each two."""
    share = np.linspace(0.0, 1.0, parts, endpoint=False)[:, None]
    inside = [one + share * (other - one) for one, other in pairwise(path)]
    return np.concatenate([*inside, path[-1:]])


def coupled(first: np.ndarray, second: np.ndarray) -> float:
    """Return the discrete Fréchet distance: both go on point by point, and never back."""
    apart = np.linalg.norm(first[:, None] - second[None], axis=2)
    best = np.full(apart.shape, np.inf)
    for i, j in np.ndindex(apart.shape):
        before = [best[i - 1, j] if i else np.inf, best[i, j - 1] if j else np.inf]
        before.append(best[i - 1, j - 1] if i and j else np.inf)
        best[i, j] = max(apart[i, j], min(before) if i or j else 0.0)
    return float(best[-1, -1])


@pytest.mark.parametrize("seed", range(30))
def test_it_is_at_most_that_of_many_points_and_little_less(seed):
    random = np.random.default_rng(seed)
    first, second = (random.integers(-4, 5, (random.integers(2, 6), 3)).astype(float) for _ in range(2))
    many = [dense(path) for path in (first, second)]
    step = max(np.linalg.norm(np.diff(path, axis=0), axis=1).max() for path in many)
    found = frechet(first, second)
    assert found <= coupled(*many) + 1e-9
    assert found >= coupled(*many) - step
    assert frechet(second, first) == pytest.approx(found, abs=1e-9)


def test_a_path_that_leaves_its_start_and_comes_back_is_as_far_as_it_goes():
    still, trip = np.array([[0.0, 0, 0], [1.0, 0, 0]]), np.array([[0.0, 0, 0], [0.0, 5, 0], [0.0, 0, 0], [1.0, 0, 0]])
    assert frechet(still, trip) == pytest.approx(5.0)
    assert frechet(trip, still) == pytest.approx(5.0)


@pytest.mark.parametrize("seed", range(10))
def test_the_farthest_point_is_that_of_many_points(seed):
    """Oblique paths in space, some of which stand still for a piece."""
    random = np.random.default_rng(seed)
    first, second = (random.integers(-4, 5, (random.integers(2, 6), 3)) * 0.7 + 1.3 for _ in range(2))
    second = np.concatenate([second, second[-1:]]) if seed % 3 == 0 else second
    begin, along = second[:-1], np.diff(second, axis=0)
    points = dense(first, 200)
    straight = np.maximum((along**2).sum(axis=1), 1e-300)
    share = np.clip(((points[:, None] - begin) * along).sum(axis=2) / straight, 0.0, 1.0)
    away = np.linalg.norm(points[:, None] - begin - share[:, :, None] * along, axis=2).min(axis=1).max()
    step = np.linalg.norm(np.diff(points, axis=0), axis=1).max()
    for within in (1e-9, 0.05):
        assert away - within <= farthest_from(first, second, within) + 1e-12
        assert farthest_from(first, second, within) <= away + step
    assert farthest_from(second, second, 1e-9) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("continuous", [True, False])
def test_tables_of_distances_are_those_of_pairs(continuous):
    random = np.random.default_rng(7)
    paths = [random.normal(0.0, 4.0, (count, 3)) for count in (2, 5, 3, 4)]
    start, table = np.cumsum([0, 2, 5, 3, 4]).astype(np.uint64), np.full((4, 4), np.nan)
    frechet_pairs(np.concatenate(paths), start, continuous, table)
    for i, j in np.ndindex(4, 4):
        slow = 0.0 if i == j else frechet(paths[i], paths[j]) if continuous else coupled(paths[i], paths[j])
        assert table[i, j] == pytest.approx(slow, abs=1e-9)
        assert discrete_frechet(paths[i], paths[j]) == pytest.approx(coupled(paths[i], paths[j]), abs=1e-12)
