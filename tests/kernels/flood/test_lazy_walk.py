"""Walks asked piece by piece give the distances of plain Dijkstra, however unlike the links are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.cells.build import build_layout
from lastseen.kernels.flood.lazy_walk import at_least, walk_end, walk_from, walk_to_all
from lastseen.kernels.jit import jit
from lastseen.level.samples import sample
from lastseen.navmesh.build import build_navmesh
from lastseen.reasoning.chase.flood.workspace import Workspace
from oracles.chase import neighbours_of, walking_distances
from specimens.chase import cells_of

FLOOR = cells_of("\n".join(["......", ".##.#.", "......", ".#..#.", "......"]))


def with_lengths(lengths):
    """The same cells; links are as long as given, in turn, the same both ways is not asked for."""
    chosen = np.resize(np.array(lengths, np.float32), len(FLOOR.arrays.link_cell))
    chosen.setflags(write=False)
    return FLOOR.arrays._replace(link_length=chosen)


def walk_to(arrays, walks, cells, most=-1e9):
    """Ask for some cells at once; `most`: how far the guard may walk beyond the runner."""
    targets = np.zeros((3, len(arrays.cell_grid)), np.uint32)
    targets[1, : len(cells)] = cells
    walk_to_all(arrays, walks, 0, targets, 1, len(cells), walks.reach, np.inf)
    walk_to_all(arrays, walks, 1, targets, 1, len(cells), walks.metres[0], most)


def at_rest(walks):
    return np.isinf(walks.metres).all() and (walks.head == -1).all() and not walks.count.any()


def test_a_corridor_is_walked_only_as_far_as_is_asked():
    corridor = cells_of("." * 40).arrays
    walks = Workspace(corridor).walks
    walk_from(walks, 0, 0)
    walk_from(walks, 1, 39)
    walk_to(corridor, walks, [5])
    assert walks.metres[0, 5] == 5.0
    assert np.isfinite(walks.metres[0]).sum() <= 8
    assert np.isfinite(walks.metres[1]).sum() == 1
    walk_to(corridor, walks, [9], 4.0)  # the guard is 30 m away: whether it is 13 needs 13 m of its walk only
    assert walks.metres[1, 9] > 13.0
    assert 14 <= np.isfinite(walks.metres[1]).sum() <= 17
    walk_to(corridor, walks, [3, 20], 4.0)
    assert walks.metres[:, 20].tolist() == [20.0, 19.0]
    walk_to(corridor, walks, [39])
    assert walks.metres[0, 39] == 39.0
    walk_end(walks, 0)
    walk_end(walks, 1)
    assert at_rest(walks)


@given(
    st.lists(st.sampled_from([0.001, 0.002, 0.5, 1.0, 1.4142135, 3.0, 40.0]), min_size=1, max_size=40),
    st.integers(0, len(FLOOR) - 1),
    st.integers(0, len(FLOOR) - 1),
    st.permutations(range(len(FLOOR))),
    st.integers(1, 9),
    st.sampled_from([-1.0, 0.0, 1.5, 60.0]),
)
def test_distances_equal_plain_dijkstra_in_any_order_of_questions(lengths, source, guard, asked, together, most):
    # A link forty thousand times as long as another makes buckets wider than the short ones.
    arrays = with_lengths(lengths)
    true = [walking_distances(arrays, neighbours_of(arrays), one) for one in (source, guard)]
    walks = Workspace(arrays).walks
    for _ in range(2):
        walk_from(walks, 0, source)
        walk_from(walks, 1, guard)
        for first in range(0, len(asked), together):
            some = asked[first : first + together]
            walk_to(arrays, walks, some, most)
            for cell in some:
                runner, later = walks.metres[:, cell].tolist()
                assert runner == pytest.approx(true[0][cell], rel=1e-12)
                if true[1][cell] <= true[0][cell] + most - 1e-9:
                    assert later == pytest.approx(true[1][cell], rel=1e-12)
                else:
                    assert later >= true[1][cell] * (1.0 - 1e-12)
        walk_end(walks, 0)
        walk_end(walks, 1)
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
        walk_to(arrays, walks, [cell])
        assert walks.metres[0, cell] == pytest.approx(metres, rel=1e-12)


@jit
def least(cells, walks, here, other):
    return at_least(cells, walks, np.uint64(here), np.uint64(other))


@pytest.mark.parametrize("is_square", [True, False])
def test_no_walk_is_shorter_than_its_bound_and_on_open_squares_none_is_longer(is_square):
    layout = cells_of("\n".join(["." * 12] * 9)) if is_square else build_layout(build_navmesh(sample("rooms")))
    arrays, walks = layout.arrays, Workspace(layout.arrays).walks
    assert (walks.numbers[1] > 0.0) == is_square
    for start in range(0, len(layout), len(layout) // 7):
        for other, walked in walking_distances(arrays, neighbours_of(arrays), start).items():
            bound = least(arrays, walks, start, other)
            assert bound <= walked
            if is_square:
                assert walked == pytest.approx(bound, rel=1e-5)
