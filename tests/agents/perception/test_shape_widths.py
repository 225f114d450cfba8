"""Widths and reaches of shapes of vision, worked by hand, and their limits."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.senses.vision.shapes import Narrowing, Outline, Sector
from lastseen.errors import InputError
from lastseen.kernels.senses.vision_rays import find_spotted
from lastseen.level.sight.sight import Sight
from specimens.perception import hall


@pytest.mark.parametrize(
    ("half_angle", "ahead", "width"),
    [
        (math.pi / 4, 2.0, 2.0),
        (math.pi / 4, 4.0, 3.0),  # the rim of 5 m
        (math.pi / 4, 5.0, 0.0),
        (math.pi / 4, 5.1, 0.0),
        (math.pi / 4, -0.1, 0.0),
        (math.pi / 2, 3.0, 4.0),
        (math.pi, 0.0, 5.0),
        (1.0, 0.0, 0.0),
    ],
)
def test_a_sector_is_as_wide_as_its_angle_or_its_rim(half_angle, ahead, width):
    assert Sector(half_angle, 5.0).half_width(ahead) == pytest.approx(width, abs=1e-12)


@pytest.mark.parametrize(
    ("ahead", "width"), [(0.9, 0.0), (1.0, 2.0), (2.0, 3.0), (3.0, 4.0), (5.0, 2.5), (7.0, 1.0), (7.1, 0.0)]
)
def test_an_outline_is_as_wide_as_between_its_knots(ahead, width):
    assert Outline(((1.0, 2.0), (3.0, 4.0), (7.0, 1.0))).half_width(ahead) == pytest.approx(width)


def test_shapes_by_other_names():
    assert Outline.box(3.0, 8.0).knots == ((0.0, 1.5), (8.0, 1.5))
    assert Outline.coffin(0.5, 10.0, 4.0, 20.0, 1.0).knots == ((0.0, 0.5), (10.0, 4.0), (20.0, 1.0))
    assert Outline(((0.0, 5.0), (4.0, 3.0), (4.5, 1.0))).far == 5.0
    assert Outline(((0.0, 1.0), (4.0, 3.0))).far == 5.0


@pytest.mark.parametrize(("metres", "angle"), [(0.0, 1.2), (1.0, 1.2), (2.0, 0.75), (6.0, 0.25), (10.0, 0.2)])
def test_a_narrowing_view_narrows_between_its_limits(metres, angle):
    assert Narrowing(1.5, 0.2, 1.2, 24.0).half_angle(metres) == pytest.approx(angle)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Sector(3.2, 5.0),
        lambda: Sector(-0.1, 5.0),
        lambda: Sector(1.0, 0.0),
        lambda: Sector(1.0, 5.0, near=5.1),
        lambda: Outline(((0.0, 1.0),)),
        lambda: Outline(((2.0, 1.0), (1.0, 1.0))),
        lambda: Outline(((0.0, -1.0), (1.0, 1.0))),
        lambda: Narrowing(least=1.3, most=1.2),
        lambda: Narrowing(constant=0.0),
    ],
)
def test_shapes_that_are_none_are_refused(make):
    with pytest.raises(InputError):
        make()


def test_limits_themselves_are_allowed():
    assert Sector(math.pi, 5.0, near=5.0).near == 5.0
    assert Outline(((1.0, 0.0), (1.0, 2.0))).far == pytest.approx(math.sqrt(5.0))
    assert Narrowing(least=1.2, most=1.2).half_angle(100.0) == 1.2


@pytest.mark.parametrize(("within", "spotted"), [(5.0, True), (4.99, False)])
def test_one_exactly_as_far_as_asked_is_spotted(within, spotted):
    crowd = bodies([(13.0, 16.0), (16.0, 20.0)])
    found = np.zeros((1, 1), bool)
    one, other = np.array([0], np.int32), np.array([1], np.int32)
    find_spotted(crowd, Sight.from_level(hall()).arrays, one, other, np.array([1.6, 0.95, 0.95, 0.25]), within, found)
    assert bool(found[0, 0]) is spotted
