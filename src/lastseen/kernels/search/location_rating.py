"""Scores from measured values: curves, and the combination of terms."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..jit import jit

POINTS, SMOOTH, INVERSE, AT_LEAST, AT_MOST = 0, 1, 2, 3, 4


class CurveArrays(NamedTuple):
    """A curve: its kind, knots and output range."""

    shape: int
    x: Array  # float64 (k,)  ascending
    y: Array  # float64 (k,)  0 … 1
    low: float
    high: float


@jit
def _share(value: float, curve: CurveArrays) -> float:
    """Return the curve's share, 0 … 1, for a measured value."""
    x, y = curve.x, curve.y
    last = len(x) - 1
    if curve.shape == AT_LEAST:
        return 1.0 if value >= x[0] else 0.0
    if curve.shape == AT_MOST:
        return 1.0 if value <= x[0] else 0.0
    if curve.shape == INVERSE:
        return x[0] / (x[0] + value) if value > 0.0 else 1.0
    if value <= x[0]:
        return y[0]
    if value >= x[last]:
        return y[last]
    knot = 1
    while value >= x[knot]:
        knot += 1
    part = (value - x[knot - 1]) / (x[knot] - x[knot - 1])
    if curve.shape == SMOOTH:
        part = part * part * (3.0 - 2.0 * part)
    return y[knot - 1] + part * (y[knot] - y[knot - 1])


@jit
def rate_rows(values: Array, curve: CurveArrays, weight: float, is_product: bool, rated: Array, score: Array) -> None:
    """Fill `rated` with the curve's ratings and combine them into `score`, as factors or as weighted summands.

    For factors, the weight is the exponent. NaN is rated 0.
    """
    for row in range(np.uint64(len(values))):
        value = values[row]
        if np.isnan(value):
            share = 0.0
        else:
            share = curve.low + (curve.high - curve.low) * _share(value, curve)
        rated[row] = share
        if not is_product:
            score[row] += weight * share
        elif weight == 1.0:
            score[row] *= share
        else:
            score[row] *= share**weight
