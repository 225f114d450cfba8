from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.voxels.voxel_rasterisation import NONE, _insert, by_column, rasterise
from oracles.voxels import solid_columns


def columns_of(points, triangles, walkable, width, depth, gap=0.1, room=4096):
    points, triangles = np.array(points, dtype=float), np.array(triangles, dtype=np.int32)
    head = np.full(width * depth, NONE, np.uint32)
    following, spans = np.empty(room, np.uint32), np.empty((room, 4), np.float32)
    done, used = rasterise(points, triangles, np.array(walkable), 0, width, depth, gap, head, following, spans, 0)
    assert done == len(triangles)
    start, ordered = np.empty(len(head) + 1, np.uint32), np.empty((used, 4), np.float32)
    by_column(head, following, spans, start, ordered)
    return {c: ordered[start[c] : start[c + 1]].tolist() for c in range(len(head)) if start[c] < start[c + 1]}


def test_a_slope_over_two_columns():
    spans = columns_of([(0, 0, 0), (2, 0, 2), (2, 1, 2), (0, 1, 0)], [[0, 1, 2], [0, 2, 3]], [True, True], 2, 1)
    assert spans == {0: [[0.0, 1.0, 0.5, 1.0]], 1: [[1.0, 2.0, 1.5, 2.0]]}


def test_surfaces_nearer_than_the_gap_are_one():
    points = [
        (0, 0, 0),
        (1, 0, 0),
        (0, 1, 0),
        (0, 0, 0.09),
        (1, 0, 0.09),
        (0, 1, 0.09),
        (0, 0, 1),
        (1, 0, 1),
        (0, 1, 1),
    ]
    spans = columns_of(points, [[0, 1, 2], [6, 7, 8], [3, 4, 5]], [True, False, False], 1, 1)
    assert np.allclose(spans[0], [[0.0, 0.09, 0.09, 0.0], [1.0, 1.0, 1.0, -np.inf]])


def test_a_wall_between_two_columns_belongs_to_the_one_behind_it():
    facing_east = [(1, 0, 0), (1, 1, 0), (1, 1, 1)]
    assert set(columns_of(facing_east, [[0, 1, 2]], [False], 2, 1)) == {0}
    assert set(columns_of(facing_east, [[0, 2, 1]], [False], 2, 1)) == {1}
    facing_north = [(0, 1, 0), (0, 1, 1), (1, 1, 1)]
    assert set(columns_of(facing_north, [[0, 1, 2]], [False], 1, 2)) == {0}
    assert set(columns_of(facing_north, [[0, 2, 1]], [False], 1, 2)) == {1}


def test_touching_the_next_column_is_not_covering_it():
    spans = columns_of([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [[0, 1, 2], [0, 2, 3]], [True, True], 3, 3)
    assert set(spans) == {0}


def test_it_stops_when_the_room_runs_out_and_goes_on():
    points = np.array([(0.1, 0.1, 0), (5.9, 0.1, 0), (5.9, 5.9, 0), (0.1, 5.9, 0)])
    triangles = np.array([[0, 1, 2], [0, 2, 3]], np.int32)
    head = np.full(36, NONE, np.uint32)
    following, spans = np.empty(8, np.uint32), np.empty((8, 4), np.float32)
    up = np.array([True, True])
    done, used = rasterise(points, triangles, up, 0, 6, 6, 0.1, head, following, spans, 0)
    assert (done, used) == (0, 6)
    following, spans = np.r_[following, np.empty(40, np.uint32)], np.r_[spans, np.empty((40, 4), np.float32)]
    done, used = rasterise(points, triangles, up, done, 6, 6, 0.1, head, following, spans, used)
    assert (done, used) == (2, 36)


# Never on a column's edge, where rounding decides who covers it.
coordinate = st.floats(0.0, 4.99).map(lambda value: round(value, 3) + 0.0004321)
corner = st.tuples(coordinate, coordinate, st.floats(0.0, 3.0).map(lambda value: round(value, 3)))
soups = st.lists(st.tuples(corner, corner, corner), min_size=1, max_size=5)


@given(soups)
def test_like_clipping_every_triangle_to_every_column(soup):
    points = np.array(soup).reshape(-1, 3)
    triangles = np.arange(len(points), dtype=np.int32).reshape(-1, 3)
    a, b, c = points[triangles].transpose(1, 0, 2)
    normal = np.cross(b - a, c - a)
    size = np.linalg.norm(normal, axis=1)
    triangles, normal, size = triangles[size > 1e-3], normal[size > 1e-3], size[size > 1e-3]
    walkable = normal[:, 2] > 0.5 * size
    wanted = solid_columns(points, triangles, walkable, 5, 5, 0.1)
    given_back = columns_of(points, triangles.reshape(-1, 3), walkable, 5, 5)
    assert wanted.keys() == given_back.keys()
    for column in wanted:
        assert len(wanted[column]) == len(given_back[column])
        assert np.allclose(wanted[column], given_back[column], atol=1e-4)


@given(soups, st.randoms(use_true_random=False))
def test_the_order_of_triangles_does_not_matter(soup, random):
    shuffled = list(soup)
    random.shuffle(shuffled)
    numbers = np.arange(3 * len(soup)).reshape(-1, 3)
    one, other = (columns_of(np.array(s).reshape(-1, 3), numbers, [False] * len(s), 5, 5) for s in (soup, shuffled))
    assert one == other


@pytest.mark.parametrize("seed", range(20))
def test_spans_no_further_apart_than_the_gap_become_one(seed):
    """On quarters of a metre, so that many are exactly as far apart as that."""
    random = np.random.default_rng(seed)
    head, following, spans = np.full(1, NONE, np.uint32), np.empty(40, np.uint32), np.empty((40, 4), np.float32)
    used, gap, given = np.uint64(0), 0.25, []
    for _ in range(8):
        low = random.integers(0, 24) / 4.0
        high = low + random.integers(0, 4) / 4.0
        given.append((low, high, high, random.integers(0, 9) / 4.0))
        used = _insert(head, following, spans, 0, used, np.array(given[-1], np.float32), gap)
    merged: list[list[float]] = []
    for low, *tops in sorted(given):
        if merged and low <= merged[-1][1] + gap:
            merged[-1][1:] = np.maximum(merged[-1][1:], tops).tolist()
        else:
            merged.append([low, *tops])
    start, ordered = np.empty(2, np.uint32), np.empty((int(used), 4), np.float32)
    count = by_column(head, following, spans, start, ordered)
    assert ordered[:count].tolist() == merged
