"""How often places are in view: by hand, and by angles and single looks."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.spacetime.space_time_views import watch_share
from lastseen.level.sight.query import sees
from lastseen.level.sight.sight import Sight
from oracles.placement import hall

SIGHT = Sight.from_level(hall(10, 10, (4, 4, 6, 6)))


def shares(poses, angle, distance, places):
    out = np.empty(len(places))
    looks = np.column_stack([np.array(poses, float), np.full(len(poses), 1.0 / len(poses))])
    watch_share(SIGHT.arrays, looks, 1.6, angle, distance, np.array(places, float), out)
    return out


def test_by_hand():
    """East, then north, from the lower left corner; the crate hides what is behind it."""
    poses = [(1, 1, 0, 0.0), (1, 1, 0, math.pi / 2)]
    places = [(5, 1.5, 1), (1.5, 5, 1), (3, 3, 1), (9, 9, 1), (9.9, 1, 1)]
    assert shares(poses, math.pi / 2 + 0.01, 8.0, places).tolist() == [0.5, 0.5, 1.0, 0.0, 0.0]
    assert shares(poses, 2 * math.pi, 20.0, places).tolist() == [1.0, 1.0, 1.0, 0.0, 1.0]


coordinate = st.floats(0.125, 9.875, width=32)


@given(
    st.lists(st.tuples(coordinate, coordinate, st.floats(-3.2, 3.2)), min_size=1, max_size=4),
    st.lists(st.tuples(coordinate, coordinate), min_size=1, max_size=12),
    st.floats(0.2, 6.28),
    st.floats(0.5, 12.0),
)
def test_shares_are_those_of_angles_and_single_looks(at, places, angle, distance):
    poses = np.array([(x, y, 0.0, turn) for x, y, turn in at])
    spots = np.array([(x, y, 1.0) for x, y in places])
    seen = np.zeros((len(poses), len(spots)))
    doubtful = np.zeros(len(spots), bool)
    for row, (x, y, z, turn) in enumerate(poses):
        way = spots[:, :2] - (x, y)
        off = np.abs((np.arctan2(way[:, 1], way[:, 0]) - turn + math.pi) % (2 * math.pi) - math.pi)
        far = np.hypot(*way.T)
        doubtful |= (np.abs(off - angle / 2) < 1e-6) | (np.abs(far - distance) < 1e-6) | (far < 1e-6)
        seen[row] = (off <= angle / 2) & (far <= distance) & sees(SIGHT, (x, y, z + 1.6), spots)
    found = shares(poses, angle, distance, spots)
    np.testing.assert_allclose(found[~doubtful], seen.mean(axis=0)[~doubtful], atol=1e-12)
