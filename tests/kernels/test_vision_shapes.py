"""Which shape holds whom, worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.agents.bodies import BODY, GONE, HIDDEN, bodies
from lastseen.agents.perception.shapes import Narrowing, Outline, Sector, pack
from lastseen.kernels.vision_shapes import (
    ABSENT,
    FRIEND,
    OUT_OF_SIGHT,
    OUTSIDE,
    SEEN,
    TOO_FAR,
    find_shapes,
    shape_about,
)

SHAPES = pack((Outline(((0.0, 1.0), (10.0, 2.0))), Sector(math.radians(45.0), 12.0)))


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
        [(0, 0), (5, 0), (5, 4), (0, 5), (30, 0), (5, 0), (5, 0), (5, 0), (5, 0)], team=[0, *[1] * 5, 0, 0, 1]
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
