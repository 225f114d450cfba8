"""Lines and clouds of smoke."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.senses.vision_rays import in_smoke

number = st.floats(-5.0, 5.0)
point = st.tuples(number, number, number)


@given(point, point, point, st.floats(0.1, 3.0))
def test_a_line_is_in_smoke_where_one_of_its_points_is(one, other, middle, radius):
    cloud = np.array([[*middle, radius]])
    share = np.linspace(0.0, 1.0, 4001)[:, None]
    away = np.linalg.norm(np.array(one) + share * (np.array(other) - np.array(one)) - middle, axis=1).min()
    if abs(away - radius) > 1e-2:
        assert in_smoke(cloud, *one, *other) == (away < radius)
    assert in_smoke(cloud, *one, *other) == in_smoke(cloud, *other, *one) or abs(away - radius) < 1e-9


def test_no_smoke_hides_nothing_and_a_point_may_be_in_it():
    assert not in_smoke(np.zeros((0, 4)), 0.0, 0.0, 0.0, 9.0, 0.0, 0.0)
    assert in_smoke(np.array([[1.0, 0.0, 0.0, 1.5]]), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def test_a_cloud_before_or_behind_a_line_hides_nothing():
    for middle, hides in (((4.5, 6.0, 1.0), False), ((3.3, 4.4, 1.0), True), ((-0.9, -1.2, 1.0), False)):
        assert in_smoke(np.array([[*middle, 1.0]]), 0.0, 0.0, 1.0, 3.0, 4.0, 1.0) == hides
