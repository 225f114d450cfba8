"""The node nearest in space and time, against the cost of every node."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.kernels.spacetime.space_time_floor import AskArrays
from lastseen.kernels.spacetime.space_time_nodes import TreeArrays, nearest_at_bend, nearest_node

PACE = 0.35
MIDDLE = np.array([7.0, -4.0, 1.0])
ASK = AskArrays(np.zeros((2, 3)), np.zeros(2, np.int32), np.array([PACE, 1.0, 1.8, 0.4]), np.zeros(4, np.int64), False)


def tree_of(rng, count, size):
    xyz = rng.normal(0.0, size, (count, 3)) + MIDDLE
    return TreeArrays(xyz, rng.uniform(0.0, 40.0, count), np.arange(-1, count - 1), np.zeros(count, np.int32))


def cost(far, could):
    """Return what a walk costs: its length, a tenth of what could have been walked, four times what is out of reach."""
    return far + (0.1 * (could - far) if could >= far else 4.0 * (far - could))


@pytest.mark.parametrize("seed", range(10))
def test_the_nearest_node_costs_least_of_all_that_are_earlier(seed):
    rng = np.random.default_rng(seed)
    tree = tree_of(rng, 60, (1.0, 6.0)[seed % 2])
    for _ in range(20):
        place, step = tuple(rng.normal(0.0, 5.0, 3) + MIDDLE), float(rng.uniform(-2.0, 45.0))
        count = int(rng.integers(1, 61))
        could = (step - tree.step[:count]) * PACE
        far = [math.dist(xyz, place[:2]) for xyz in tree.xyz[:count, :2]]
        costs = [cost(*each) if each[1] > 0.0 else math.inf for each in zip(far, could)]
        expected = int(np.argmin(costs)) if min(costs) < math.inf else -1
        assert nearest_node(ASK, tree, count, place, step) == expected


@pytest.mark.parametrize("seed", range(10))
def test_the_nearest_node_at_a_bend_stands_at_one_that_sees_the_place(seed):
    """Distances between bends count the height."""
    rng = np.random.default_rng(seed)
    tree = tree_of(rng, 50, (1.0, 6.0)[seed % 2])
    for _ in range(20):
        stands, sees = rng.integers(-1, 6, 50), rng.integers(0, 2, 6).astype(np.uint8)
        place, step = tuple(rng.normal(0.0, 5.0, 3) + MIDDLE), float(rng.uniform(-2.0, 45.0))
        costs = [
            cost(math.dist(tree.xyz[n], place), (step - tree.step[n]) * PACE)
            if tree.step[n] < step and stands[n] >= 0 and sees[stands[n]]
            else math.inf
            for n in range(50)
        ]
        expected = int(np.argmin(costs)) if min(costs) < math.inf else -1
        assert nearest_at_bend(ASK, tree, 50, place, step, stands, sees) == expected


def test_of_nodes_that_cost_the_same_the_first_counts_and_the_moment_itself_is_too_late():
    tree = TreeArrays(np.zeros((3, 3)), np.array([5.0, 2.0, 2.0]), np.array([-1, 0, 0]), np.zeros(3, np.int32))
    place, stands, sees = (0.1, 0.0, 0.0), np.zeros(3, np.int64), np.ones(1, np.uint8)
    for step, expected in ((5.0, 1), (2.0, -1)):
        assert nearest_node(ASK, tree, 3, place, step) == expected
        assert nearest_at_bend(ASK, tree, 3, place, step, stands, sees) == expected
