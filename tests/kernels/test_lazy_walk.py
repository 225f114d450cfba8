"""Walks asked piece by piece give the distances of plain Dijkstra, however unlike the links are."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.lazy_walk import walk_end, walk_from, walk_to
from lastseen.reasoning.chase.workspace import Workspace
from oracles_chase import neighbours_of, walking_distances
from specimens_chase import cells_of

FLOOR = cells_of("\n".join(["......", ".##.#.", "......", ".#..#.", "......"]))


def with_lengths(lengths):
    """The same cells; links are as long as given, in turn, the same both ways is not asked for."""
    chosen = np.resize(np.array(lengths, np.float32), len(FLOOR.arrays.link_cell))
    chosen.setflags(write=False)
    return FLOOR.arrays._replace(link_length=chosen)


def at_rest(walks):
    return np.isinf(walks.metres).all() and (walks.head == -1).all() and not walks.count.any()


def test_a_corridor_is_walked_only_as_far_as_is_asked():
    corridor = cells_of("." * 40).arrays
    walks = Workspace(corridor).walks
    walk_from(walks, 0, 0)
    assert walk_to(corridor, walks, 0, 5, math.inf) == 5.0
    assert np.isfinite(walks.metres[0]).sum() <= 8
    assert walk_to(corridor, walks, 0, 30, 10.0) == math.inf
    assert np.isfinite(walks.metres[0]).sum() <= 13
    assert walk_to(corridor, walks, 0, 39, 39.0) == 39.0
    walk_from(walks, 1, 39)
    assert walk_to(corridor, walks, 1, 36, math.inf) == 3.0
    walk_end(walks, 0)
    walk_end(walks, 1)
    assert at_rest(walks)


@given(
    st.lists(st.sampled_from([0.001, 0.002, 0.5, 1.0, 1.4142135, 3.0, 40.0]), min_size=1, max_size=40),
    st.integers(0, len(FLOOR) - 1),
    st.permutations(range(len(FLOOR))),
)
def test_distances_equal_plain_dijkstra_in_any_order_of_questions(lengths, source, asked):
    # A link forty thousand times as long as another makes buckets wider than the short ones.
    arrays = with_lengths(lengths)
    true = walking_distances(arrays, neighbours_of(arrays), source)
    walks = Workspace(arrays).walks
    for _ in range(2):
        walk_from(walks, 0, source)
        for cell in asked:
            assert walk_to(arrays, walks, 0, cell, math.inf) == pytest.approx(true[cell], rel=1e-12)
        walk_end(walks, 0)
        assert at_rest(walks)


def test_cells_that_come_back_in_wide_buckets_are_never_dropped():
    # All cells in one bucket, last in first out: ways are found worst first, and each cell waits many times.
    wide = cells_of("\n".join(["." * 9] * 9))
    random = np.random.default_rng(3)
    chosen = random.uniform(0.0005, 0.02, len(wide.arrays.link_cell)).astype(np.float32)
    chosen[-1] = 60.0
    chosen.setflags(write=False)
    arrays = wide.arrays._replace(link_length=chosen)
    true = walking_distances(arrays, neighbours_of(arrays), 0)
    walks = Workspace(arrays).walks
    walk_from(walks, 0, 0)
    for cell, metres in true.items():
        assert walk_to(arrays, walks, 0, cell, math.inf) == pytest.approx(metres, rel=1e-12)
