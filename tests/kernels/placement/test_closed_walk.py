"""Closed walks: a triangle by hand, the inequality word by word, and any graph."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.placement.closed_walk import GraphArrays, closed_walk, costs_home
from oracles import placement as oracle


def graph_of(pairs, count):
    rows = sorted([(a, b, n) for n, (a, b) in enumerate(pairs)] + [(b, a, n) for n, (a, b) in enumerate(pairs)])
    start = np.searchsorted([row[0] for row in rows], np.arange(count + 1)).astype(np.uint32)
    table = np.array(rows, np.uint32).reshape(-1, 3)
    return GraphArrays(start, table[:, 1].copy(), table[:, 2].copy())


def walk(pairs, weights, count, home, most, random):
    graph, weight = graph_of(pairs, count), np.array(weights, float)
    back = np.empty(count)
    costs_home(graph, weight, home, back)
    out = np.empty(len(random) + count + 1, np.int32)
    length, cost = closed_walk(graph, weight, back, home, most, np.array(random, float), out)
    return out[:length].tolist(), cost


TRIANGLE = [(0, 1), (0, 2), (1, 2)]


def test_a_triangle_by_hand():
    """With 12 to spend, 0 → 1 (3) leaves 1 → 2 (4) and home (5): just enough; nothing is left then."""
    assert walk(TRIANGLE, [3, 5, 4], 3, 0, 12.0, [0.0, 0.99, 0.5, 0.5]) == ([0, 1, 2, 0], 12.0)
    # With less the way by 2 cannot be paid, so back it is; and again while money lasts.
    assert walk(TRIANGLE, [3, 5, 4], 3, 0, 11.9, [0.0, 0.99, 0.5]) == ([0, 1, 0], 6.0)
    assert walk(TRIANGLE, [3, 5, 4], 3, 0, 5.9, [0.5]) == ([0], 0.0)


def test_an_edge_of_half_the_most_is_paced_back_and_forth():
    """What the source warns of: a dear edge on the path leaves nothing but the way back over it."""
    assert walk([(0, 1), (1, 2)], [10.0, 1.0], 3, 0, 21.0, [0.3, 0.9, 0.1]) == ([0, 1, 0], 20.0)


def test_out_of_numbers_it_goes_home_the_cheapest_way():
    nodes, cost = walk([(0, 1), (1, 2), (2, 3), (0, 3)], [1, 1, 1, 9], 4, 0, 100.0, [0.0, 0.99, 0.99])
    assert (nodes, cost) == ([0, 1, 2, 3, 2, 1, 0], 6.0)


def test_what_cannot_be_reached_costs_without_end():
    out = np.empty(3)
    costs_home(graph_of([(0, 1)], 3), np.array([2.0]), 0, out)
    assert out.tolist() == [0.0, 2.0, math.inf]


@st.composite
def graphs(draw):
    count = draw(st.integers(2, 9))
    every = [(a, b) for a in range(count) for b in range(a + 1, count)]
    pairs = draw(st.lists(st.sampled_from(every), min_size=1, unique=True))
    weights = draw(st.lists(st.integers(1, 64), min_size=len(pairs), max_size=len(pairs)))
    random = draw(st.lists(st.floats(0.0, 1.0, exclude_max=True, width=32), max_size=30))
    return pairs, [weight / 8 for weight in weights], count, draw(st.integers(0, count - 1)), random


@given(graphs(), st.integers(1, 60))
def test_walks_are_those_of_the_words_and_close_within_the_cost(made, most):
    pairs, weights, count, home, random = made
    nodes, cost = walk(pairs, weights, count, home, float(most), random)
    assert (nodes, cost) == oracle.closed_walk(pairs, weights, count, home, float(most), random)
    assert nodes[0] == nodes[-1] == home
    assert cost <= most
    price = {frozenset(pair): weight for pair, weight in zip(pairs, weights)}
    assert cost == pytest.approx(sum(price[frozenset(step)] for step in pairwise(nodes)))
    out = np.empty(count)
    costs_home(graph_of(pairs, count), np.array(weights), home, out)
    assert out.tolist() == oracle.cheapest(pairs, weights, count, home)
