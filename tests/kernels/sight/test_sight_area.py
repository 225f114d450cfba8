"""What an eye sees from before a wall, worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.kernels.sight.sight_area import view_outline
from specimens.perception import block, hall, sight_of


def test_a_view_ends_at_the_wall_before_it():
    sight = sight_of(hall(obstacles=[block(14, 0, 15, 40)]))
    seen = np.zeros(len(sight.wall) + len(sight.triangle), np.uint32)
    eye, none = (10.0, 20.0, 1.6), np.zeros((0, 4))
    outline = view_outline(sight, none, seen, 1, eye, 0.0, math.radians(90.0), 10.0, math.radians(3.0))
    assert outline[0].tolist() == [10.0, 20.0]
    x, y = outline[:, 0], outline[:, 1]
    assert x.max() == pytest.approx(14.0)
    area = 0.5 * abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))
    assert area == pytest.approx(16.0), "half of four metres by eight"
