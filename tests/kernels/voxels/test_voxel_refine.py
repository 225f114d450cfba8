from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lastseen.kernels.voxels.voxel_refinement import FULL, refine

SIZE = 6


def refined(floor, error, room=400):
    """Refine a square of two triangles over a (6, 6) field of heights, flat at the first; return it with deviations."""
    xy, z = np.zeros((room, 2)), np.zeros(room)
    xy[:4] = [(0, 0), (2 * SIZE, 0), (2 * SIZE, 2 * SIZE), (0, 2 * SIZE)]
    triangles, neighbour = np.zeros((2 * room, 3), np.int32), np.zeros((2 * room, 3), np.int32)
    triangles[:2], neighbour[:2] = [(0, 1, 2), (0, 2, 3)], [(-1, -1, 1), (0, -1, -1)]
    deviation = np.full(2 * room, np.inf)
    vertices, count, status = refine(
        xy, z, triangles, neighbour, np.zeros(2 * room, np.int32), deviation, 4, 2,
        np.arange(SIZE * SIZE + 1, dtype=np.uint32), np.zeros(SIZE * SIZE, np.int32),
        np.asarray(floor, np.float32).ravel(), SIZE, SIZE, 0.4, error,
    )  # fmt: skip
    return xy[:vertices], z[:vertices], triangles[:count], neighbour[:count], deviation[:count], status


def area(xy, triangle):
    a, b, c = xy[triangle]
    return ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2.0


def strayed(xy, z, triangle, floor):
    """Return how far a triangle strays from the field at the centres it covers, by barycentric coordinates."""
    worst = 0.0
    whole = area(xy, triangle)
    a, b, c = triangle
    for row in range(SIZE):
        for column in range(SIZE):
            points = np.vstack([xy, [(2 * column + 1, 2 * row + 1)]])
            p = len(xy)
            shares = [area(points, [b, c, p]) / whole, area(points, [c, a, p]) / whole, area(points, [a, b, p]) / whole]
            if min(shares) >= 0.0:
                worst = max(worst, abs(np.dot(shares, z[[a, b, c]]) - floor[row, column]))
    return worst


def test_a_level_floor_stays_as_it_is():
    xy, _, triangles, _, deviation, status = refined(np.zeros((SIZE, SIZE)), 0.1)
    assert (len(xy), len(triangles), status) == (4, 2, 0)
    assert deviation.tolist() == [0.0, 0.0]


def test_one_bump_becomes_one_corner():
    floor = np.zeros((SIZE, SIZE))
    floor[1, 3] = 0.15
    xy, z, triangles, _, _, _ = refined(floor, 0.14)
    assert xy[4:].tolist() == [[7.0, 3.0]]
    assert z[4] == np.float32(0.15)
    assert len(triangles) == 4


def test_it_says_when_the_room_is_too_small():
    floor = np.zeros((SIZE, SIZE))
    floor[1, 3] = 1.0
    assert refined(floor, 0.1, room=4)[-1] == FULL


@given(
    hnp.arrays(np.float64, (SIZE, SIZE), elements=st.sampled_from([0.0, 0.1, 0.3, 1.0])), st.sampled_from([0.05, 0.25])
)
def test_every_triangle_comes_to_lie_on_the_floor(floor, error):
    xy, z, triangles, neighbour, deviation, status = refined(floor, error)
    assert status == 0
    areas = [area(xy, triangle) for triangle in triangles]
    assert min(areas) > 0.0
    assert sum(areas) == (2.0 * SIZE) ** 2
    for triangle, told in zip(triangles, deviation):
        assert strayed(xy, z, triangle, floor) <= told + 1e-6 <= error + 2e-6
    for t, beside in enumerate(neighbour):
        for k, other in enumerate(beside):
            if other >= 0:
                assert {triangles[t][k], triangles[t][(k + 1) % 3]} <= set(triangles[other].tolist())


def inside_circle(a, b, c, d):
    """Return whether d lies inside of the circle through three corners, counter-clockwise, in whole numbers."""
    rows = [[int(p[0] - d[0]), int(p[1] - d[1]), int((p[0] - d[0]) ** 2 + (p[1] - d[1]) ** 2)] for p in (a, b, c)]
    (ax, ay, a2), (bx, by, b2), (cx, cy, c2) = rows
    return a2 * (bx * cy - by * cx) - b2 * (ax * cy - ay * cx) + c2 * (ax * by - ay * bx) > 0


@pytest.mark.parametrize("seed", range(10))
def test_no_corner_lies_inside_the_circle_of_a_neighbour(seed):
    floor = np.random.default_rng(seed).choice([0.0, 0.1, 0.3, 1.0], (SIZE, SIZE))
    xy, _, triangles, neighbour, _, _ = refined(floor, 0.05)
    assert len(triangles) > 8
    for t, beside in enumerate(neighbour):
        for other in beside:
            if other >= 0:
                [beyond] = set(triangles[other].tolist()) - set(triangles[t].tolist())
                assert not inside_circle(*xy[triangles[t]], xy[beyond])
