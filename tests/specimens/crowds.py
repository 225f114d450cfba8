"""Crowds for tests of moving: walked to their goals, or steered once along ways of their own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lastseen.agents.bodies.bodies import bodies, copy_of
from lastseen.agents.bodies.crowd import STATUSES, Crowd, MoveSettings, steer
from lastseen.agents.bodies.orders import Orders
from lastseen.kernels.arrays.agent_arrays import ARRIVED, STUCK, WALKING
from lastseen.kernels.bodies.neighbours import find_nearby
from lastseen.level.level import Level
from lastseen.level.read import read_level
from lastseen.navmesh.navmesh import NavMesh
from lastseen.navmesh.query import faces_at
from specimens.cells import passable, tile_mesh

FLOOR = tile_mesh(passable("\n".join(["........"] * 6)))
USUAL = MoveSettings()
STEP = 1.0 / 30.0


def level_of(text: str, folder: Path) -> Level:
    path = folder / "level.txt"
    path.write_text(text.strip("\n") + "\n")
    return read_level(path)


class Walk:
    """A crowd walking to its goals, with what was seen on the way."""

    def __init__(
        self, mesh: NavMesh, starts: Sequence[Sequence[float]], goals: Sequence[Sequence[float]], speed: float
    ):
        self.mesh, self.bodies = mesh, bodies(starts)
        self.orders, self.crowd = Orders.none(len(starts)), Crowd(mesh, len(starts))
        self.orders.arrays.goal_xyz[:] = goals
        self.orders.arrays.going[:] = 1
        self.orders.arrays.speed[:] = speed
        self.closest, self.fastest = np.inf, 0.0
        self.arrived_at, self.was_stuck = np.full(len(starts), np.inf), np.zeros(len(starts), bool)
        self.time = 0.0

    def run(self, seconds: float) -> Walk:
        following = copy_of(self.bodies)
        for _ in range(round(seconds / STEP)):
            before = self.bodies.xyz.copy()
            self.crowd.plan(self.bodies, self.orders.arrays)
            self.crowd.step(self.bodies, following, self.orders.arrays, STEP)
            self.bodies, following = following, self.bodies
            self._look(before)
        return self

    def _look(self, before: np.ndarray) -> None:
        self.time += STEP
        status = self.crowd.routes.status
        self.was_stuck |= status == STUCK
        self.arrived_at[(status == ARRIVED) & np.isinf(self.arrived_at)] = self.time
        assert (faces_at(self.mesh, self.bodies.xyz) >= 0).all(), "somebody left the floor"
        apart = np.linalg.norm(self.bodies.xyz[:, None] - self.bodies.xyz[None], axis=2)
        np.fill_diagonal(apart, np.inf)
        self.closest = min(self.closest, float(apart.min()))
        self.fastest = max(self.fastest, float(np.linalg.norm((self.bodies.xyz - before)[:, :2], axis=1).max() / STEP))

    @property
    def statuses(self) -> list[str]:
        return [STATUSES[number] for number in self.crowd.routes.status]


class Crossing:
    """Bodies with ways of their own, steered once."""

    def __init__(
        self, places: Sequence[Sequence[float]], ways: Sequence[Sequence[Sequence[float]]], speed: float = 2.0
    ):
        count = len(places)
        self.bodies, self.orders = bodies(places, radius=0.3), Orders.none(count).arrays
        self.crowd = Crowd(FLOOR, count)
        self.routes = self.crowd.routes
        self.orders.speed[:] = speed
        for agent, way in enumerate(ways):
            self.orders.going[agent] = bool(len(way))
            self.routes.points_xyz[agent, : len(way), :2] = np.array(way).reshape(-1, 2)
            self.routes.count[agent], self.routes.whole[agent], self.routes.status[agent] = len(way), 1, WALKING
        self.wish, self.velocity = np.zeros((count, 2)), np.zeros((count, 2))

    def steer(self, settings: MoveSettings = USUAL) -> Crossing:
        find_nearby(self.bodies, settings.look, 1.2, *self.crowd._grid, self.crowd.near)
        rank = np.zeros(len(self.wish), np.int64)
        steer(
            self.bodies,
            self.orders,
            self.routes,
            self.crowd.near,
            settings.steering,
            0.1,
            rank,
            self.crowd._turns,
            self.wish,
            self.velocity,
        )
        return self
