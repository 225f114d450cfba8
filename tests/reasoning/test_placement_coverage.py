"""Looks at a round: close enough that nothing passed or swept over is missed, however long it takes."""

import math

import numpy as np
import pytest

from lastseen.kernels.watch_share import watch_share
from lastseen.reasoning.placement.coverage import Watch, looks_of
from lastseen.reasoning.placement.ground import GuardGround
from lastseen.reasoning.placement.routes import GuardKind, GuardRoute, guard_kind
from oracles_placement import hall


def long_round():
    """Round a pillar and off into corners, slowly, with a narrow view: minutes."""
    kind = GuardKind("slow", speed=0.2, view_distance=5.0, view_angle=0.6, turn_speed=2.0)
    return GuardRoute(kind, [(3, 3), (11, 2.5), (13, 9), (7, 7), (2, 9), (5, 8)])


def test_no_guard_goes_or_turns_far_between_looks():
    route = long_round()
    assert route.period > 150.0
    looks = looks_of(route)
    assert looks[:, 4].sum() == pytest.approx(1.0)
    assert (looks[:, 4] > 0.0).all()
    ring = np.concatenate([looks, looks[:1]])
    assert np.linalg.norm(np.diff(ring[:, :2], axis=0), axis=1).max() <= 0.25 + 1e-9
    turned = np.diff(ring[:, 3])
    assert np.abs((turned + math.pi) % (2 * math.pi) - math.pi).max() <= 0.125 * 0.6 + 1e-9


def test_what_is_seen_at_some_time_does_not_depend_on_how_long_a_round_is():
    route, watch = long_round(), Watch(GuardGround(hall(14, 10, (5, 4, 7, 6)), [(1, 1), (13, 1)]))
    moments = np.arange(0.0, route.period, 0.1)
    dense = np.column_stack([route.pose_at(moments), np.full(len(moments), 1.0 / len(moments))])
    asked = np.concatenate([watch.places, watch.path]) + np.array([0.0, 0.0, 1.0])
    out, kind = np.empty(len(asked)), route.kind
    watch_share(watch._ground.sight.arrays, dense, 1.6, kind.view_angle, kind.view_distance, asked, out)
    share, floor = watch.share(route), len(watch.places)
    assert (share[:floor] > 0.0).mean() == pytest.approx((out[:floor] > 0.0).mean(), abs=0.01)
    assert np.abs(share - out).max() < 0.03


def test_one_who_never_moves_looks_once():
    looks = looks_of(GuardRoute(guard_kind("standing"), [(1.0, 2.0)], heading=0.5))
    assert looks.tolist() == [[1.0, 2.0, 0.0, 0.5, 1.0]]
