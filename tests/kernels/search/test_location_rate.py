"""Curves and scores, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.kernels.search.location_rating import AT_LEAST, AT_MOST, INVERSE, POINTS, SMOOTH, CurveArrays, rate_rows

VALUES = np.array([-1.0, 2.0, 3.0, 4.0, 9.0, np.nan])


@pytest.mark.parametrize(
    ("shape", "x", "y", "rated"),
    [
        (POINTS, [2.0, 4.0], [0.0, 1.0], [0.0, 0.0, 0.5, 1.0, 1.0, 0.0]),
        (POINTS, [2.0, 3.0, 5.0], [1.0, 0.5, 0.1], [1.0, 1.0, 0.5, 0.3, 0.1, 0.0]),
        (SMOOTH, [2.0, 6.0], [0.0, 1.0], [0.0, 0.0, 0.15625, 0.5, 1.0, 0.0]),
        (INVERSE, [3.0], [0.0], [1.0, 0.6, 0.5, 3.0 / 7.0, 0.25, 0.0]),
        (AT_LEAST, [3.0], [0.0], [0.0, 0.0, 1.0, 1.0, 1.0, 0.0]),
        (AT_MOST, [3.0], [0.0], [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]),
    ],
)
def test_shapes(shape, x, y, rated):
    found, score = np.empty(6), np.ones(6)
    rate_rows(VALUES, CurveArrays(shape, np.array(x), np.array(y), 0.0, 1.0), 1.0, True, found, score)
    assert found.tolist() == pytest.approx(rated)
    assert score.tolist() == pytest.approx(rated)


def test_ends_weights_products_and_sums():
    curve = CurveArrays(POINTS, np.array([0.0, 4.0]), np.array([0.0, 1.0]), 0.2, 0.6)
    values, rated = np.array([0.0, 2.0, 4.0]), np.empty(3)
    product, total = np.full(3, 0.5), np.full(3, 0.5)
    rate_rows(values, curve, 2.0, True, rated, product)
    rate_rows(values, curve, 2.0, False, rated, total)
    assert rated.tolist() == pytest.approx([0.2, 0.4, 0.6])
    assert product.tolist() == pytest.approx([0.02, 0.08, 0.18])
    assert total.tolist() == pytest.approx([0.9, 1.3, 1.7])
