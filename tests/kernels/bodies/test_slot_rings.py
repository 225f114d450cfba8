"""Straight walks to places of a ring, worked by hand: a wall one metre east of the target."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.kernels.bodies.slot_rings import CROWDED, OFF, PLACED, TURNED, WALLED, WIDENED, poll_rings, walks_to
from lastseen.navmesh.query import tolerances
from specimens.cells import tile_layout

MESH = tile_layout(np.ones((8, 8), bool)).mesh
TARGET = np.array([[7.0, 4.0, 0.0]])
EAST_NORTH_WEST_SOUTH = np.array([[(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, -1.0, 0.0)]])


def polled(radius, *, slots=4, turns=0, rings=1, apart=0.1, on_mesh=True):
    xyz, reason = np.empty((1, slots, 3)), np.empty((1, slots), np.uint8)
    body, avoid = tolerances(MESH, None, None), np.zeros((0, 3))
    shape = radius, -1.0, rings, turns, apart
    way = EAST_NORTH_WEST_SOUTH
    poll_rings(MESH.arrays, TARGET, np.array([on_mesh]), way, *shape, avoid, *body, xyz, reason)
    return xyz[0], reason[0].tolist()


def test_walks_end_at_the_wall_or_arrive():
    ends = TARGET + 2.0 * EAST_NORTH_WEST_SOUTH[0]
    free, where = np.empty(4, np.bool_), np.empty((4, 3))
    body = tolerances(MESH, None, None)
    assert walks_to(MESH.arrays, TARGET, 0, ends, *body, free, where)
    assert free.tolist() == [False, True, True, True]
    assert where == pytest.approx(np.array([(8.0, 4.0, 0.0), (7.0, 6.0, 0.0), (5.0, 4.0, 0.0), (7.0, 2.0, 0.0)]))
    assert not walks_to(MESH.arrays, TARGET + 20.0, 0, ends, *body, free, where), "it starts nowhere"
    assert not free.any()


def test_each_slot_has_its_reason():
    xyz, reason = polled(2.0)
    assert reason == [WALLED, PLACED, PLACED, PLACED]
    assert np.isnan(xyz[0]).all()
    assert xyz[2] == pytest.approx((5.0, 4.0, 0.0))
    assert polled(2.0, slots=2, turns=1)[1] == [TURNED, PLACED]
    assert polled(1.5, rings=2)[1] == [WIDENED, PLACED, PLACED, PLACED], "the second ring is half a metre wide"
    assert polled(0.5, apart=0.9)[1] == [PLACED, CROWDED, PLACED, CROWDED]
    assert polled(0.5, on_mesh=False)[1] == [OFF] * 4
