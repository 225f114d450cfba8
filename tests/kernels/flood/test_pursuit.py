"""Guards in pursuit, against one guard after another in plain Python."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.kernels.flood.pursuit import (
    ALIVE,
    GAVE_UP,
    LOOK,
    LOST,
    NEVER_LOST,
    PURSUE,
    RUN,
    UNDER_WAY,
    Guards,
    PursuitRules,
    pursue_all,
)
from lastseen.navmesh.query import raycast, tolerances
from lastseen.simulation.experiments.chase.episodes import new_guards, new_ray
from specimens.cells import two_storeys

MESH = two_storeys()
BELOW, ABOVE = tolerances(MESH, None, None)
STEPS = 40
RULES = PursuitRules(
    stride=0.37, view_distance=5.0, view_cosine=math.cos(0.9), near=0.8, look_distance=3.0, keep=1.1, delay=4, look=5,
    patience=22, alive=6, below=BELOW, above=ABOVE,
)  # fmt: skip
BENDS = np.array(
    [(-1.0, 1.0, 0), (4.0, 1.5, 0), (9.0, 3.0, 0), (-1.0, 5.0, 0), (6.0, 5.0, 4), (7.0, 4.5, 4), (9.0, 1.0, 4)]
)


def tracks(rng, count):
    """Return runners (count, STEPS, 3) who go straight from place to place on both storeys, at their own speed."""
    found = []
    for speed in rng.uniform(0.05, 0.6, count):
        way = BENDS[rng.integers(0, len(BENDS), 12)]
        away = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(way, axis=0), axis=1) + 1e-9)])
        found.append([[np.interp(speed * step, away, way[:, axis]) for axis in range(3)] for step in range(STEPS)])
    return np.array(found)


class Guard:
    """One row of the guards, as plain numbers."""

    def __init__(self, guards, row):
        for name in Guards._fields:
            value = getattr(guards, name)[row]
            setattr(self, name, value.copy() if value.shape else value.item())

    def sees(self, target):
        aside = target[:2] - self.xyz[:2]
        away = math.hypot(*aside)
        if self.mode == LOOK and away > RULES.look_distance:
            return False
        if self.mode != LOOK and away > RULES.near:
            cosine = float(aside @ self.facing) / away
            if away > RULES.view_distance or cosine < RULES.view_cosine:
                return False
        return raycast(MESH, self.xyz, target).reached

    def toward(self, target, stride):
        """Walk up to a place; return what is left of the stride."""
        way = target - self.xyz
        length, flat = float(np.linalg.norm(way)), math.hypot(*way[:2])
        if flat > 1e-9:
            self.facing = way[:2] / flat
        self.xyz = target.copy() if length <= stride else self.xyz + way * stride / length
        return max(stride - length, 0.0)

    def act(self, points):
        if self.mode == PURSUE:
            apart = math.hypot(*(self.seen_xyz - self.xyz)[:2])
            is_seen = self.seen_step == self.step
            self.toward(self.seen_xyz, min(RULES.stride, max(apart - RULES.keep, 0.0)) if is_seen else RULES.stride)
        elif self.mode == LOOK:
            self.looked += 1
        else:
            left = RULES.stride
            while left > 0.0 and self.way_at < self.way_end:
                rest = self.toward(points[self.way_at], left)
                self.metres += left - rest if self.losses == 1 else 0.0
                left, self.way_at = rest, self.way_at + (rest > 0.0)
            if self.way_at >= self.way_end:
                self.mode, self.looked = LOOK, 0

    def run(self, track, points):
        while self.status == UNDER_WAY:
            now, target = self.step, track[self.step]
            if self.sees(target):
                if self.mode != PURSUE and self.losses == 1:
                    self.found = now
                self.mode, self.seen_step, self.seen_xyz = PURSUE, now, target.copy()
            if self.losses > 0 and self.mode == PURSUE and now >= self.first_loss + RULES.alive:
                self.status = ALIVE
            elif self.mode == PURSUE and now - self.seen_step >= RULES.delay:
                self.status, self.losses = LOST, self.losses + 1
                self.first_loss = now if self.losses == 1 else self.first_loss
            elif self.losses == 0 and now >= RULES.patience:
                self.status = NEVER_LOST
            elif (self.mode == LOOK and self.looked >= RULES.look) or now >= STEPS - 1:
                self.status = GAVE_UP
            else:
                self.act(points)
                self.step = now + 1


@pytest.mark.parametrize("seed", range(6))
def test_guards_pursue_as_one_after_another(seed):
    rng = np.random.default_rng(seed)
    runners, count, points = tracks(rng, 3), 12, BENDS[rng.integers(0, len(BENDS), 30)] + (0.01, 0.0, 0.0)
    guards = new_guards(runners[rng.integers(0, 3, count)], BENDS[rng.integers(0, len(BENDS), count)])
    guards.episode[:] = rng.integers(0, 3, count)
    turn = rng.uniform(-3.0, 3.0, count)
    guards.facing[:] = np.column_stack([np.cos(turn), np.sin(turn)])
    guards.mode[:] = rng.choice([PURSUE, RUN, LOOK], count, p=[0.6, 0.3, 0.1])
    guards.losses[:] = rng.integers(0, 3, count)
    guards.first_loss[guards.losses > 0] = 0
    guards.way_at[:] = rng.integers(0, 20, count)
    guards.way_end[:] = guards.way_at + rng.integers(0, 5, count)
    slow = [Guard(guards, row) for row in range(count)]
    pursue_all(MESH.arrays, runners, points, RULES, guards, new_ray())
    for row, one in enumerate(slow):
        one.run(runners[guards.episode[row]], points)
        for name in Guards._fields:
            assert getattr(guards, name)[row] == pytest.approx(getattr(one, name), abs=1e-9), name
