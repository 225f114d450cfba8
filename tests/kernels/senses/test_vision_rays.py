"""Lines, clouds of smoke, and looks at bodies against one pair after another."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.senses.vision.shapes import Sector, pack
from lastseen.kernels.arrays.agent_arrays import ACTIVE, BODY, GONE, HIDDEN
from lastseen.kernels.senses.vision_rays import PointArrays, in_smoke, look_at_bodies
from lastseen.kernels.senses.vision_shapes import (
    ABSENT,
    DEFERRED,
    FRIEND,
    OCCLUDED,
    OUT_OF_SIGHT,
    OUTSIDE,
    SEEN,
    SMOKE,
    TOO_FAR,
)
from lastseen.kernels.sight.sight_line import is_clear
from lastseen.level.features import Obstacle
from specimens.perception import hall, sight_of

SLANTED = np.array([(6.0, 5.0), (14.0, 9.0), (13.8, 9.4), (5.8, 5.4)])
SIGHT = sight_of(
    hall(
        obstacles=[Obstacle(SLANTED, height=1.3), Obstacle(SLANTED[:, ::-1] + (1.0, 3.0), height=3.0)],
        width=20,
        depth=20,
    )
)
EYE = np.array([1.6, 1.0, 0.9, 0.3])
HALF, REACH = 1.2, 11.0
_RNG = np.random.default_rng(1)
POINTS = PointArrays(
    eye=EYE,
    point=np.concatenate([_RNG.uniform(-1.0, 1.0, (4, 5, 2)), _RNG.uniform(0.1, 1.8, (4, 5, 1))], axis=2),
    needed=np.array([1, 2, 3, 4], np.uint8),
    first=np.array([0, 1, 0], np.uint8),
    last=np.array([2, 4, 5], np.uint8),
)
"""Five points of each stance; which of them are looked for depends on the alert."""

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


def _eye(table, row):
    return table.xyz[row] + (0.0, 0.0, EYE[table.stance[row]])


def _expected(table, sight, clouds, one, other, alert):
    """Return what a look finds out, slowly: the reason, whether it is visible, and how many rays it takes."""
    away = np.linalg.norm(table.xyz[other] - table.xyz[one])
    if table.mode[one] != ACTIVE or one == other or table.mode[other] == GONE:
        return ABSENT, False, 0
    if table.team[one] == table.team[other] and table.mode[other] != BODY:
        return FRIEND, False, 0
    if table.mode[other] == HIDDEN:
        return OUT_OF_SIGHT, False, 0
    if away > REACH:
        return TOO_FAR, False, 0
    aside = table.xyz[other, :2] - table.xyz[one, :2]
    turn = math.atan2(aside[1], aside[0]) - table.gaze[one]
    if abs(math.remainder(turn, math.tau)) > HALF:
        return OUTSIDE, False, 0
    heading, radius, stance = table.heading[other], table.radius[other], table.stance[other]
    ahead = np.array([math.cos(heading), math.sin(heading)])
    needed = min(POINTS.needed[stance], POINTS.last[alert] - POINTS.first[alert])
    rays, passed, smoke = 0, 0, False
    for p in range(POINTS.first[alert], POINTS.last[alert]):
        if passed >= needed or passed + POINTS.last[alert] - p < needed:
            break
        forward, left, up = POINTS.point[stance, p]
        xy = table.xyz[other, :2] + radius * (forward * ahead + left * np.array([-ahead[1], ahead[0]]))
        line = (*_eye(table, one), *xy, table.xyz[other, 2] + up)
        if len(clouds) and in_smoke(clouds, *line):
            smoke = True
            continue
        rays += 1
        passed += is_clear(sight, *line)
    return (SEEN if passed >= needed else SMOKE if smoke else OCCLUDED), passed >= needed, rays


@pytest.mark.parametrize("seed", range(12))
def test_looks_at_bodies_are_those_of_one_pair_after_another(seed):
    """Bodies of all stances and modes on two storeys among oblique walls, low cover and smoke."""
    rng = np.random.default_rng(seed)
    table = _crowd(rng)
    smoke = [(*rng.uniform(4.0, 16.0, 2), 1.0, rng.uniform(0.5, 1.5)) for _ in range(seed % 3)]
    clouds = np.array(smoke).reshape(-1, 4)
    observers, targets = rng.permutation(8).astype(np.int32)[:5], rng.permutation(8).astype(np.int32)[:7]
    alert = rng.integers(0, 3, 5)
    found = _Look(5, 7)
    cast = found.look(table, clouds, observers, targets, alert, -1)
    expected = [[_expected(table, SIGHT, clouds, i, j, alert[k]) for j in targets] for k, i in enumerate(observers)]
    assert found.reason.tolist() == [[reason for reason, _, _ in row] for row in expected]
    assert found.visible.tolist() == [[seen for _, seen, _ in row] for row in expected]
    assert cast == sum(rays for row in expected for _, _, rays in row)
    assert found.cursor[0] == 0


def test_pairs_over_budget_take_turns_and_keep_what_was_seen():
    rng = np.random.default_rng(3)
    table, clouds = _crowd(rng), np.zeros((0, 4))
    table.mode[:] = ACTIVE
    table.team[:] = np.arange(8) % 2
    observers, targets, alert = np.arange(8, dtype=np.int32), np.arange(8, dtype=np.int32), np.full(8, 2)
    whole, found, most = _Look(8, 8), _Look(8, 8), 10
    whole.look(table, clouds, observers, targets, alert, -1)
    asked = np.isin(whole.reason, (SEEN, OCCLUDED))
    found.visible[:] = True
    waiting = asked.copy()
    for _ in range(100):
        before, came = found.visible.copy(), waiting.copy()
        assert found.look(table, clouds, observers, targets, alert, most) <= most
        deferred = found.reason == DEFERRED
        assert (found.visible == np.where(deferred, before, whole.visible)).all()
        assert (found.reason[~deferred] == whole.reason[~deferred]).all()
        waiting &= deferred
        if not waiting.any():
            break
        assert waiting.sum() < came.sum()
        first = found.cursor[0]
        assert deferred.ravel()[first]
        assert not deferred.ravel()[first - 1] or not asked.ravel()[first - 1]
    assert not waiting.any(), "each pair had its turn"


class _Look:
    """Arrays for looks at `points` through a sector."""

    def __init__(self, observers, targets):
        shape = observers, targets
        self.cursor, self.visible = np.zeros(1, np.int64), np.zeros(shape, np.uint8)
        self.shape, self.metres, self.reason = np.empty(shape, np.int8), np.empty(shape), np.empty(shape, np.uint8)

    def look(self, table, clouds, observers, targets, alert, budget):
        return look_at_bodies(
            table, SIGHT, clouds, observers, targets, alert, pack((Sector(HALF, REACH),)), REACH, POINTS, budget,
            self.cursor, self.visible, self.shape, self.metres, self.reason,
        )  # fmt: skip


def _crowd(rng):
    xyz = np.column_stack([rng.uniform(2.0, 18.0, (8, 2)), rng.choice([0.0, 1.0], 8)])
    turns = rng.uniform(-3.0, 3.0, (2, 8))
    stance, team = rng.integers(0, 4, 8), rng.integers(0, 2, 8)
    table = bodies(xyz, turns[0], gaze=turns[1], stance=stance, radius=rng.uniform(0.2, 0.9, 8), team=team)
    table.mode[:] = rng.choice([ACTIVE, HIDDEN, BODY, GONE], 8, p=[0.7, 0.1, 0.1, 0.1])
    return table
