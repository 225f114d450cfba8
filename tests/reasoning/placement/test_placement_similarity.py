"""Distances of paths: cases by hand, a finely sampled oracle, and properties of every distance."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as some
from hypothesis.extra.numpy import arrays

from lastseen.errors import InputError
from lastseen.reasoning.placement.verify.similarity import (
    area_between,
    cluster,
    distances,
    frechet,
    hausdorff,
    with_feet,
)

LINE = [[0.0, 0.0], [10.0, 0.0]]

paths = some.integers(1, 7).flatmap(
    lambda count: arrays(np.float64, (count, 2), elements=some.floats(-8.0, 8.0).map(lambda x: round(x, 2)))
)


def sampled(path: np.ndarray, step: float) -> np.ndarray:
    """Return the path with corners at most `step` apart."""
    pieces = [path[:1]]
    for start, end in pairwise(path):
        count = math.ceil(math.dist(start, end) / step) + 1
        pieces.append(np.linspace(start, end, count + 1)[1:])
    return np.concatenate(pieces)


@pytest.mark.parametrize(("base", "height"), [(10.0, 0.5), (100.0, 0.01), (3.0, 2.0)])
def test_the_isosceles_triangle_of_the_source(base: float, height: float) -> None:
    straight = [[0.0, 0.0], [base, 0.0]]
    sides = [[0.0, 0.0], [base / 2, height], [base, 0.0]]
    assert frechet(straight, sides) == pytest.approx(height, rel=1e-12)
    assert frechet(straight, sides, kind="refined") == pytest.approx(height, rel=1e-12)
    # not the printed sqrt(a² + ε²): the apex is half a base from either corner
    assert frechet(straight, sides, kind="discrete") == pytest.approx(math.hypot(base / 2, height), rel=1e-12)


def test_going_back_on_the_way_costs_half_the_detour() -> None:
    # 0 → 8 → 2 → 10 next to 0 → 10: the one that goes straight waits at 5, the other turns at 8 and 2
    assert frechet(LINE, [[0, 0], [8, 0], [2, 0], [10, 0]]) == pytest.approx(3.0)
    assert hausdorff(LINE, [[0, 0], [8, 0], [2, 0], [10, 0]]) == pytest.approx(0.0, abs=1e-6)


def test_a_path_walked_the_other_way_is_as_far_as_its_ends() -> None:
    assert frechet(LINE, LINE[::-1]) == pytest.approx(10.0)
    assert hausdorff(LINE, LINE[::-1]) == 0.0


def test_somebody_who_waits_and_heights_count() -> None:
    assert frechet([[3.0, 4.0]], LINE) == pytest.approx(math.hypot(7.0, 4.0))
    assert frechet([[0, 0, 0], [9, 0, 0]], [[0, 0, 3], [9, 0, 3]]) == pytest.approx(3.0)


def test_hausdorff_finds_the_place_between_corners() -> None:
    # the middle of a line between two points is farthest from them, where there is no corner
    posts = [[0.0, 0.0], [0.0, 100.0], [10.0, 100.0], [10.0, 0.0]]
    assert hausdorff(LINE, [[0.0, 0.0], [0.0, 4.0], [10.0, 4.0], [10.0, 0.0]]) == pytest.approx(4.0)
    assert hausdorff([*posts, [0.0, 0.0]], posts) == pytest.approx(5.0)


def test_area_between_paths_that_cross_and_wind() -> None:
    assert area_between(LINE, [[0, 2], [10, 2]]) == pytest.approx(20.0)
    assert area_between([[0, 0], [10, 10]], [[0, 10], [10, 0]]) == pytest.approx(50.0)
    assert area_between(LINE, LINE) == 0.0
    twice = [[0, 0], [4, 0], [4, 4], [0, 4], [0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]
    assert area_between(twice, [[0, 0]]) == pytest.approx(32.0)


def test_feet_lie_on_the_path_in_order() -> None:
    found = with_feet(np.array(LINE), np.array([[7.0, 3.0], [2.0, -1.0], [20.0, 0.0]]))
    assert found.tolist() == [[0, 0], [2, 0], [7, 0], [10, 0]]


def test_clusters_hold_no_two_paths_further_apart_than_asked() -> None:
    rows = [np.array([[0.0, y], [10.0, y]]) for y in (0.0, 0.4, 0.8, 5.0, 5.1)]
    apart = distances(rows)
    assert apart[0, 3] == pytest.approx(5.0)
    assert cluster(apart, within=0.5).tolist() == [0, 0, 1, 2, 2]
    assert cluster(apart, within=1.0).tolist() == [0, 0, 0, 1, 1]
    assert cluster(np.zeros((0, 0)), within=1.0).tolist() == []
    assert cluster(apart, within=0.0).tolist() == [0, 1, 2, 3, 4]


@settings(max_examples=75, deadline=None)
@given(first=paths, second=paths)
def test_the_exact_distance_lies_within_what_sampling_allows(first: np.ndarray, second: np.ndarray) -> None:
    exact, step = frechet(first, second), 0.05
    fine = frechet(sampled(first, step), sampled(second, step), kind="discrete")
    assert fine - step - 1e-9 <= exact <= fine + 1e-9


@settings(max_examples=75, deadline=None)
@given(first=paths, second=paths, third=paths)
def test_what_every_distance_obeys(first: np.ndarray, second: np.ndarray, third: np.ndarray) -> None:
    exact = frechet(first, second)
    assert exact == pytest.approx(frechet(second, first), abs=1e-9)
    assert exact == pytest.approx(frechet(first[::-1], second[::-1]), abs=1e-9)
    assert exact <= frechet(first, third) + frechet(third, second) + 1e-9
    assert exact <= frechet(first, second, kind="refined") + 1e-9
    assert hausdorff(first, second) <= exact + 1e-6
    assert frechet(first, first) == 0.0


def coupled(first: np.ndarray, second: np.ndarray) -> float:
    """Return the discrete distance as Eiter and Mannila define it, by recursion.

    Not by GEOS: 3.14.1 gives 1 instead of 0 for 0 0 1 0 0 0 0 beside 0 0 0 0 0 1 0 0.
    """

    @cache
    def longest(i: int, j: int) -> float:
        before = [(i - 1, j), (i, j - 1), (i - 1, j - 1)]
        ways = [longest(*each) for each in before if min(each) >= 0]
        return max(math.dist(first[i], second[j]), min(ways, default=0.0))

    return longest(len(first) - 1, len(second) - 1)


@settings(max_examples=50, deadline=None)
@given(first=paths, second=paths)
def test_discrete_distances_are_those_of_couplings_and_hausdorff_those_of_samples(
    first: np.ndarray, second: np.ndarray
) -> None:
    assert frechet(first, second, kind="discrete") == pytest.approx(coupled(first, second), abs=1e-9)
    one, other = np.concatenate([first, first[-1:]]), np.concatenate([second, second[-1:]])
    there = shapely.distance(shapely.points(sampled(first, 0.05)), shapely.LineString(other)).max()
    back = shapely.distance(shapely.points(sampled(second, 0.05)), shapely.LineString(one)).max()
    assert max(there, back) - 1e-6 <= hausdorff(first, second) <= max(there, back) + 0.026


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: frechet([], LINE), "first is empty"),
        (lambda: frechet(LINE, [[0, math.nan]]), "must be finite"),
        (lambda: frechet(LINE, LINE, kind="discret"), "did you mean 'discrete'"),
        (lambda: distances([LINE], kind="refined"), "pair by pair"),
        (lambda: distances([LINE, []]), r"paths\[1\] is empty"),
        (lambda: cluster([[0, 1], [2, 0]], within=1.0), "symmetric"),
        (lambda: cluster([[0, 1, 2], [1, 0, 2]], within=1.0), r"shape \(2, 3\); give a symmetric"),
        (lambda: cluster([0.0, 1.0], within=1.0), r"shape \(2,\); give a symmetric"),
        (lambda: cluster([[0, math.nan], [math.nan, 0]], within=1.0), "without NaN"),
        (lambda: cluster([[0.0]], within=-1), "within"),
    ],
)
def test_bad_input_is_told(call: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        call()  # type: ignore[operator]
