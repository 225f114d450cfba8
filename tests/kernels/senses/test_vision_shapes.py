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
