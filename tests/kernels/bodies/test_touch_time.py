"""Seconds until two bodies touch: at the exact boundaries, and against small steps of time."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.kernels.bodies.steering import _seconds_to_touch


@pytest.mark.parametrize(
    ("away", "closing", "reach", "seconds"),
    [
        ((5.0, 0.0), (2.0, 0.0), 1.0, 2.0),
        ((3.0, 4.0), (1.0, 0.0), 4.0, 3.0),  # it only grazes
        ((3.0, 4.0), (1.0, 0.0), 3.9, math.inf),
        ((3.0, 4.0), (-1.0, 0.0), 4.0, math.inf),
        ((1.0, 0.0), (1.0, 0.0), 1.0, 0.0),  # they touch
        ((1.0, 0.0), (-1.0, 0.0), 1.0, math.inf),
        ((0.5, 0.0), (1.0, 0.5), 1.0, 0.0),
        ((0.5, 0.0), (0.0, 1.0), 1.0, math.inf),
    ],
)
def test_worked_by_hand(away, closing, reach, seconds):
    assert _seconds_to_touch(*away, *closing, reach) == pytest.approx(seconds, abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_it_is_when_small_steps_of_time_first_bring_them_together(seed):
    random = np.random.default_rng(seed)
    for _ in range(20):
        away, closing = random.uniform(-3.0, 3.0, (2, 2))
        reach, when = float(random.uniform(0.2, 1.5)), np.arange(0.0, 20.0, 1e-3)
        if math.hypot(*away) <= reach:
            continue
        apart = np.linalg.norm(away - when[:, None] * closing, axis=1)
        hits = np.flatnonzero(apart <= reach)
        found = _seconds_to_touch(*away.tolist(), *closing.tolist(), reach)
        if len(hits):
            assert found == pytest.approx(when[hits[0]], abs=2e-3)
        else:
            assert found > 19.9 or apart.min() < reach + 1e-3
