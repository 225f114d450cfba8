"""Looks along a route: close enough that nothing passed or swept over is missed, however long it takes."""

import math

import numpy as np
import pytest

from lastseen.kernels.spacetime.space_time_views import watch_share
from lastseen.reasoning.placement import coverage
from lastseen.reasoning.placement.coverage import _STRIDE, _SWEEP, Watch, _looks, looks_of
from lastseen.reasoning.placement.guard_ground import GuardGround
from lastseen.reasoning.placement.guard_routes import GuardKind, GuardRoute, guard_kind
from oracles.placement import hall


def long_round():
    """Return a route around a pillar and into corners, walked slowly with a narrow view, which takes minutes."""
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


def test_a_leg_that_was_looked_from_is_not_looked_from_again(monkeypatch):
    ground = GuardGround(hall(14, 10, (5, 4, 7, 6)), [(1, 1), (13, 1)])
    kind = GuardKind("guard", view_distance=5.0, view_angle=1.0)
    rounds = [
        GuardRoute(kind, [(3, 3), (11, 2.5), (13, 9)]),
        GuardRoute(kind, [(11, 2.5), (13, 9), (3, 3)], phase=4.0),
        GuardRoute(kind, [(3, 3), (11, 2.5), (13, 9), (7, 7)]),
        GuardRoute(guard_kind("camera"), [(3, 3)], heading=1.0),
    ]
    alone = [Watch(ground).share(route) for route in rounds]
    asked = []
    monkeypatch.setattr(coverage, "watch_share", lambda *given: asked.append(given) or watch_share(*given))
    watch, counts = Watch(ground), []
    for route, share in zip(rounds, alone):
        before = len(asked)
        found = watch.share(route)
        counts.append(len(asked) - before)
        if route is rounds[1]:
            # The same route started elsewhere: its legs are summed in another order.
            assert np.abs(found - share).max() < 1e-12
            assert np.abs(found - alone[0]).max() < 1e-12
        else:
            # Earlier calls do not change a result.
            assert found.tobytes() == share.tobytes()
    # Three legs and three turns; nothing; two legs and three turns that are new; a sweep back and forth, and its ends.
    assert counts == [6, 0, 5, 4]


def test_little_is_kept_of_many_rounds(monkeypatch):
    monkeypatch.setattr(coverage, "_KEPT_BYTES", 20_000)
    ground = GuardGround(hall(14, 10), [(1, 1), (13, 1)])
    watch, kind = Watch(ground, samples=100), GuardKind("guard", view_distance=5.0, view_angle=1.0)
    for y in np.linspace(2.0, 8.0, 20):
        route = GuardRoute(kind, [(3, y), (11, y), (12, 9)])
        assert watch.share(route).tobytes() == Watch(ground, samples=100).share(route).tobytes()
        assert sum(row.nbytes for row in watch._seen.values()) <= 20_000


def test_looks_lie_a_stride_or_a_part_of_the_view_apart_and_count_by_their_seconds():
    kind = GuardKind(view_distance=3.0, view_angle=1.0)
    seconds = np.array([0.0, 2.0, 2.0, 6.0])
    poses = np.array([(0, 0, 0, 0), (2 * _STRIDE, 0, 0, 0), (9, 9, 0, 0), (9, 9, 0, 3 * _SWEEP)], float)
    looks = _looks(seconds, poses, kind)
    walked, turned = looks[:3], looks[3:]
    assert walked[:, 0] == pytest.approx([0.0, _STRIDE, 2 * _STRIDE]), "two strides, both ends included"
    assert walked[:, 4] == pytest.approx([1 / 12, 1 / 6, 1 / 12]), "two of six seconds"
    assert turned[:, 3] == pytest.approx([0.0, _SWEEP, 2 * _SWEEP, 3 * _SWEEP])
    assert turned[:, 4] == pytest.approx([1 / 9, 2 / 9, 2 / 9, 1 / 9]), "four of six seconds"
