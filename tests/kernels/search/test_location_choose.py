"""Choosing by score, by chance and among the best, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.kernels.arrays.location_arrays import Rows
from lastseen.kernels.search.location_choice import BEST, TOP, WEIGHTED, choose_rows
from oracles.layers import best

XYZ = np.array([(float(x), 0.0, 0.0) for x in range(6)], np.float32)


def _chosen(scores, rule, *, places=1, numbers=0.0, sharpness=1.0, share=0.25, spacing=0.0, apart=0.0, askers=1):
    count = len(scores)
    rows = Rows(
        np.tile(np.arange(count, dtype=np.int32), askers), np.repeat(np.arange(askers, dtype=np.int32), count), XYZ
    )
    start = np.arange(askers + 1) * count
    chosen, found = np.full((askers, places), -1, np.int64), np.zeros(askers, np.int64)
    live = np.tile(np.array(scores, np.float64), askers)
    draws = np.full((askers, places), numbers)
    choose_rows(rows, start, live, rule, sharpness, share, spacing, apart, draws, chosen, found)
    return [(row[row >= 0] % count).tolist() for row in chosen]


def test_the_best_keep_apart_and_nothing_is_never_chosen():
    assert _chosen([0.2, 0.9, 0.8, 0.0, 0.5, 0.4], BEST, places=6, spacing=2.0) == [[1, 4]]
    assert _chosen([0.5, 0.5], BEST) == [[0]]
    assert _chosen([0.0, 0.0], BEST) == [[]]


def test_askers_are_served_in_their_order():
    assert _chosen([0.2, 0.9, 0.8, 0.1, 0.5, 0.4], BEST, askers=3, apart=1.5) == [[1], [4], []]
    assert _chosen([0.2, 0.9, 0.8, 0.1, 0.5, 0.4], BEST, askers=2) == [[1], [1]]


@pytest.mark.parametrize(("number", "row"), [(0.0, 0), (0.24, 0), (0.26, 2), (0.99, 2)])
def test_by_chance_rows_are_as_wide_as_their_score(number, row):
    assert _chosen([0.1, 0.0, 0.3], WEIGHTED, numbers=number) == [[row]]


@pytest.mark.parametrize(("number", "row"), [(0.05, 0), (0.11, 2)])
def test_a_power_makes_good_ones_likelier(number, row):
    assert _chosen([0.1, 0.0, 0.3], WEIGHTED, numbers=number, sharpness=2.0) == [[row]]


@pytest.mark.parametrize(("number", "row"), [(0.0, 1), (0.49, 1), (0.51, 3)])
def test_of_the_top_all_are_alike(number, row):
    assert _chosen([0.7, 1.0, 0.1, 0.8], TOP, numbers=number) == [[row]]


@pytest.mark.parametrize("seed", range(6))
def test_the_best_keep_apart_in_space(seed):
    random = np.random.default_rng(seed)
    xyz, scores = (random.integers(-6, 7, (30, 3)) / 2.0 + (9.0, -4.0, 5.0)).astype(np.float32), random.permutation(30)
    rows, live = Rows(np.arange(30, dtype=np.int32), np.zeros(30, np.int32), xyz), scores.astype(np.float64)
    chosen, found = np.full((1, 30), -1, np.int64), np.zeros(1, np.int64)
    choose_rows(rows, np.array([0, 30]), live, BEST, 1.0, 0.25, 2.5, 0.0, np.zeros((1, 30)), chosen, found)
    expected = best(scores, 30, allowed=np.flatnonzero(scores > 0).tolist(), positions=xyz.tolist(), spacing=2.5)
    assert chosen[0, : found[0]].tolist() == expected
