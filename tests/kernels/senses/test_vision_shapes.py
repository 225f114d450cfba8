"""Which shape holds whom, worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.senses.vision.shapes import Narrowing, Outline, Sector, pack
from lastseen.kernels.arrays.agent_arrays import BODY, GONE, HIDDEN
from lastseen.kernels.senses.vision_shapes import (
    ABSENT,
    FRIEND,
    OUT_OF_SIGHT,
    OUTSIDE,
    SEEN,
    TOO_FAR,
    find_shapes,
    shape_about,
)

SLICE = Sector(math.radians(45.0), 12.0)
SHAPES = pack((Outline(((0.0, 1.0), (10.0, 2.0))), SLICE))


@pytest.mark.parametrize(
    ("ahead", "width"), [(-0.1, 0.0), (0.0, 0.0), (0.5, 0.5), (8.0, 8.0), (10.0, 44.0**0.5), (12.0, 0.0), (12.1, 0.0)]
)
def test_a_slice_widens_with_its_angle_and_then_narrows_with_its_rim(ahead, width):
    assert SLICE.half_width(ahead) == pytest.approx(width)
    rim = 0.0 if not 0.0 <= ahead <= 12.0 else math.sqrt(144.0 - ahead**2)
    assert Sector(math.pi / 2, 12.0).half_width(ahead) == pytest.approx(rim)


@pytest.mark.parametrize(
    ("ahead", "aside", "number"),
    [(5.0, 1.5, 0), (5.0, 1.51, 1), (10.0, 2.0, 0), (5.0, 5.01, -1), (-1.0, 0.0, -1), (11.0, 0.0, 1), (12.1, 0.0, -1)],
)
def test_the_first_shape_that_holds_a_point_counts(ahead, aside, number):
    assert shape_about(SHAPES, ahead, aside, math.hypot(ahead, aside)) == number


def test_an_angle_narrows_with_distance():
    narrowing = pack((Narrowing(constant=2.0, least=0.1, most=1.0, far=30.0),))
    for metres, half in ((1.0, 1.0), (4.0, 0.5), (25.0, 0.1)):
        for turn, found in ((half - 0.01, 0), (half + 0.01, -1)):
            assert shape_about(narrowing, metres * math.cos(turn), metres * math.sin(turn), metres) == found


def test_pairs_get_their_shape_their_distance_and_the_reason():
    table = bodies(
        [(0, 0), (5, 0), (5, 4), (0, 5), (30, 0), (5, 0), (5, 0), (5, 0), (5, 0)], gaze=0.0, team=[0, *[1] * 5, 0, 0, 1]
    )
    table.mode[5], table.mode[7], table.mode[8] = HIDDEN, BODY, GONE
    targets = np.arange(9, dtype=np.int32)
    shape, metres = np.empty((1, 9), np.int8), np.empty((1, 9), np.float32)
    reason = np.empty((1, 9), np.uint8)
    find_shapes(table, targets[:1], targets, SHAPES, 12.0, shape, metres, reason)
    assert shape[0].tolist() == [-1, 0, 1, -1, -1, -1, -1, 0, -1]
    assert reason[0].tolist() == [ABSENT, SEEN, SEEN, OUTSIDE, TOO_FAR, OUT_OF_SIGHT, FRIEND, SEEN, ABSENT]
    assert metres[0, 2] == np.float32(math.hypot(5, 4))
    assert metres[0, [0, 8]].tolist() == [math.inf, math.inf]


def holds(shape, ahead, aside, metres):
    """Return whether one shape contains a point, from its angle or its width there."""
    if not getattr(shape, "near", 0.0) <= metres <= shape.far:
        return False
    if isinstance(shape, Outline):
        places, widths = zip(*shape.knots)
        return places[0] <= ahead <= places[-1] and aside <= np.interp(ahead, places, widths)
    half = shape.half_angle if isinstance(shape, Sector) else shape.half_angle(metres)
    return math.atan2(aside, ahead) <= half


@pytest.mark.parametrize("seed", range(8))
def test_a_point_lies_in_the_first_of_all_shapes_that_hold_it_and_in_the_last_if_it_is_steeply_above(seed):
    rng = np.random.default_rng(seed)
    shapes = [
        Outline(((0.5, 0.4), (3.0, 1.7), (3.5, 2.9), (9.0, 0.3))),
        Sector(float(rng.uniform(0.2, 1.2)), 8.0, near=1.0),
        Narrowing(constant=3.0, least=0.15, most=float(rng.uniform(0.9, 2.5)), far=14.0),
        Sector(float(rng.uniform(1.5, 3.0)), 4.0),
    ]
    shapes = [shapes[k] for k in rng.permutation(4)]
    packed, found = pack(shapes), set()
    for ahead, aside, up in rng.uniform((-6.0, 0.0, 0.0), (12.0, 6.0, 9.0), (300, 3)):
        flat, metres = math.hypot(ahead, aside), math.sqrt(ahead**2 + aside**2 + up**2)
        inside = [number for number, shape in enumerate(shapes) if holds(shape, ahead, aside, metres)]
        slope = (up - 1.5) / flat  # above or below the shoulders
        expected = -1 if slope > math.sqrt(3.0) or not inside else inside[-1 if slope > 1.0 else 0]
        if abs(slope - math.sqrt(3.0)) > 1e-4:
            assert shape_about(packed, ahead, aside, metres) == expected
            found.add((expected, slope > 1.0))
    assert len(found) > 5
