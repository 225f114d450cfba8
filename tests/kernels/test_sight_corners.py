"""Towards which corners an eye looks, worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.kernels.sight.sight_area import BORDER, add_ray, corner_rays
from specimens_perception import block, hall, sight_of


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
