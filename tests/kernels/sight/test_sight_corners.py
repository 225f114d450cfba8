"""Towards which corners an eye looks, worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.kernels.sight.sight_area import BORDER, _slice_triangle, _slice_wall, add_ray, corner_rays
from specimens.perception import block, hall, sight_of


def test_rays_go_to_the_corners_within_view_and_reach():
    sight = sight_of(hall(obstacles=[block(14, 18, 16, 22, height=2.0)]))
    seen = np.zeros(len(sight.wall) + len(sight.triangle), np.uint32)
    eye, none = (10.0, 20.0, 1.6), np.zeros((0, 4))
    args = sight, none, eye, (1.0, 0.0), math.radians(60.0), 8.0, seen
    most = corner_rays(*args, 1, np.empty((0, 4)))
    rays = np.empty((most, 4))
    count = corner_rays(*args, 2, rays)
    assert count <= most
    ends = {(round(x, 6), round(y, 6)) for x, y in rays[:count, 1:3].tolist()}
    assert ends == {(4.0, -2.0), (4.0, 2.0), (6.0, -2.0), (6.0, 2.0)}
    above = corner_rays(sight, none, (10.0, 20.0, 2.5), (1.0, 0.0), math.radians(60.0), 8.0, seen, 3, np.empty((99, 4)))
    assert above == 0, "one looks over the crate"


def test_rays_out_of_view_are_left_out_but_for_the_borders():
    rays = np.zeros((2, 4))
    assert add_ray(rays, 0, 0.0, 1.0, 0.0, (1.0, 0.0), 1.0) == 0
    assert add_ray(rays, 0, 0.0, 1.0, BORDER, (1.0, 0.0), 1.0) == 1
    assert rays[0, 0] == pytest.approx(math.pi / 2)


def test_a_wall_stands_at_a_height_where_it_is_neither_below_nor_above():
    random, shares = np.random.default_rng(2), np.linspace(0.0, 1.0, 1001)
    for _ in range(200):
        bottom, top, bottom_end, top_end = np.sort(random.integers(0, 9, 4) / 4)[[0, 2, 1, 3]]
        if random.random() < 0.5:
            bottom, top, bottom_end, top_end = bottom_end, top_end, bottom, top
        z = random.integers(0, 9) / 4 + 0.1
        stands, first, last = _slice_wall(np.array([(0, 0, 1, 0, bottom, top, bottom_end, top_end)], float), 0, z)
        low, high = bottom + shares * (bottom_end - bottom), top + shares * (top_end - top)
        there = shares[(low <= z) & (z <= high)]
        assert stands == (len(there) > 1)
        if stands:
            assert (first, last) == pytest.approx((there[0], there[-1]), abs=2e-3)


def test_a_triangle_cuts_a_plane_between_the_corners_on_either_side_of_it():
    random, ends = np.random.default_rng(3), np.empty((2, 2))
    for _ in range(100):
        corners = random.uniform(-4.0, 4.0, (3, 3))
        row = np.concatenate([np.zeros(7), corners.ravel()])[None]
        expected = []
        for one, other in ((0, 1), (1, 2), (2, 0)):
            if (corners[one, 2] > 0.5) != (corners[other, 2] > 0.5):
                expected.append(
                    [
                        np.interp(0.5, *zip(*sorted(zip(corners[[one, other], 2], corners[[one, other], k]))))
                        for k in (0, 1)
                    ]
                )
        assert _slice_triangle(row, 0, 0.5, ends) == bool(expected)
        if expected:
            assert ends == pytest.approx(np.array(expected))
