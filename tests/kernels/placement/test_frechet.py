"""The Fréchet distance: paths that turn back, against couplings of many points."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from lastseen.kernels.placement.path_distance import frechet

PARTS = 10


def dense(path: np.ndarray) -> np.ndarray:
    """Return the corners of a path with `PARTS` - 1 points between each two."""
    share = np.linspace(0.0, 1.0, PARTS, endpoint=False)[:, None]
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
