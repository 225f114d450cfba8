"""Rings around what convex cuts leave of a face, against shapely and against cells counted one by one."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from lastseen.kernels.mesh.cut_outline import rings_left

WELD, SPLINTER = 1e-6, 1e-6


def left(*outlines):
    """Return the rings around the first outline without the others, and for each the ring in which it is a hole."""
    start = np.cumsum([0, *map(len, outlines)])
    corners = np.concatenate([np.asarray(one, float) for one in outlines])
    room = 2 * len(corners)
    ring, ring_start, shell = np.empty((room, 2)), np.empty(room + 1, np.int64), np.empty(room, np.int64)
    count = rings_left(corners, start, WELD, SPLINTER, ring, ring_start, shell)
    assert count >= 0
    return [ring[ring_start[k] : ring_start[k + 1]] for k in range(count)], shell[:count].tolist()


def polygons(rings, shell):
    """Return rings as shapely polygons; shells run counter-clockwise, holes clockwise."""
    for ring, outer in zip(rings, shell):
        assert shapely.LinearRing(ring).is_ccw == (rings[outer] is ring)
    return [
        shapely.Polygon(ring, [hole for j, hole in enumerate(rings) if shell[j] == k != j])
        for k, ring in enumerate(rings)
        if shell[k] == k
    ]


def convex(rng, middle, size):
    """Return the corners of a convex polygon, counter-clockwise."""
    turns = np.sort(rng.uniform(0.0, math.tau, 7))
    points = middle + size * np.column_stack([np.cos(turns), 0.7 * np.sin(turns)])
    return shapely.get_coordinates(shapely.MultiPoint(points).convex_hull.normalize().reverse())[:-1]


@pytest.mark.parametrize("seed", range(25))
def test_oblique_cuts_leave_what_shapely_leaves(seed):
    rng = np.random.default_rng(seed)
    middle = np.array([3.0, -2.0])
    face = convex(rng, middle, 6.0)
    cuts = [convex(rng, middle + rng.normal(0.0, 2.5, 2), rng.uniform(0.5, 2.5)) for _ in range(rng.integers(2, 6))]
    expected = shapely.difference(shapely.Polygon(face), shapely.union_all([shapely.Polygon(one) for one in cuts]))
    found = polygons(*left(face, *cuts))
    assert all(one.is_valid for one in found)
    assert len(found) == len(shapely.get_parts(expected))
    assert shapely.symmetric_difference(shapely.union_all(found), expected).area < 1e-7


@pytest.mark.parametrize("seed", range(25))
def test_cuts_that_share_edges_and_corners_leave_the_cells_they_spare(seed):
    """Boxes on a grid, which is turned, so that edges lie on one another in both directions and corners touch."""
    rng = np.random.default_rng(seed)
    wide, high, turn = 5, 4, 0.3 * seed
    cos, sin = math.cos(turn), math.sin(turn)
    turned = np.array([(cos, sin), (-sin, cos)])

    def box(x0, y0, x1, y1):
        corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], float)
        return np.roll(corners, rng.integers(4), axis=0) @ turned

    spared, cuts = np.ones((wide + 4, high + 4), bool), []
    for _ in range(rng.integers(2, 7)):
        x, y = rng.integers(-1, wide), rng.integers(-1, high)
        x1, y1 = x + rng.integers(1, 4), y + rng.integers(1, 3)
        spared[max(x, 0) : x1, max(y, 0) : y1] = False
        cuts.append(box(x, y, x1, y1))
    spared = spared[:wide, :high]
    found = polygons(*left(box(0, 0, wide, high), *cuts))
    assert all(one.is_valid for one in found)
    assert sum(one.area for one in found) == pytest.approx(spared.sum(), abs=1e-6)
    middles = np.argwhere(np.ones((wide, high))) + 0.5
    covered = shapely.contains_xy(shapely.union_all(found), middles @ turned)
    assert covered.tolist() == spared.ravel().tolist()


def test_a_hole_belongs_to_the_smallest_shell_around_it():
    """Four bars cut a ring out of a square; on the island inside it stands a pillar."""
    square = [(0, 0), (20, 0), (20, 20), (0, 20)]
    bars = [(3, 3, 17, 5), (3, 15, 17, 17), (3, 3, 5, 17), (15, 3, 17, 17)]
    pillar = [(9, 9.5), (10, 9), (11, 9.5), (10.5, 11)]
    rings, shell = left(square, *([(a, b), (c, b), (c, d), (a, d)] for a, b, c, d in bars), pillar)
    area = [shapely.Polygon(ring).area for ring in rings]
    holes = {round(area[k], 6): round(area[outer], 6) for k, outer in enumerate(shell) if outer != k}
    assert holes == {196.0: 400.0, round(shapely.Polygon(pillar).area, 6): 100.0}


def test_nothing_is_left_under_a_cut_and_splinters_are_dropped():
    square = [(0, 0), (4, 0), (4, 4), (0, 4)]
    assert left(square, [(-1, -1), (5, -1), (5, 2), (-1, 2)], [(-1, 2), (5, 2), (5, 5), (-1, 5)])[0] == []
    sliver = 2e-7
    almost = [(0, 0), (4, 0), (4, 4 - sliver), (0, 4 - sliver)]
    assert left(square, almost, [(6, 6), (7, 6), (7, 7)])[0] == []


def test_rings_without_room_are_refused():
    square, cut = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)], [(1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 2.0)]
    corners, start = np.array(square + cut), np.array([0, 4, 8])
    for room, found in ((7, -1), (8, 2)):
        outcome = np.empty((room, 2)), np.empty(room + 1, np.int64), np.empty(room, np.int64)
        assert rings_left(corners, start, WELD, SPLINTER, *outcome) == found
