"""The crowd: every agent's path to its goal, one step along it, and the settings of movement."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np

from ...checks import finite_number
from ...conventions import Array, Bools
from ...errors import InputError
from ...kernels.arrays.agent_arrays import (
    ACTIVE,
    ARRIVED,
    NO_WAY,
    STANDING,
    STUCK,
    WALKING,
    BodyArrays,
    OrderArrays,
    RouteArrays,
)
from ...kernels.bodies.contact import SettleWork, settle, turn
from ...kernels.bodies.neighbours import Nearby, find_nearby
from ...kernels.bodies.steering import SteerSettings, accelerate, keep_clear, set_wishes
from ...navmesh.navmesh import AnyMesh
from ...navmesh.query import find_paths, tolerances

STATUSES = ("standing", "walking", "arrived", "no way", "stuck")
"""How one fares on the way to its goal; `routes.status` holds numbers of these."""

_ROOM = 24
"""Bends kept of a way; the rest is asked for when they are used up."""
_LEVEL = 1.2
"""Metres up or down within which bodies mind one another."""
_NEIGHBOURS = 24
_OFF_MESH = 2
"""Number of "start off the mesh" in `PATH_REASONS`."""


class Crowd:
    """Moves `count` bodies over a mesh; the one writer of their routes.

    Attributes
    ----------
    turn_speed : (n,) float64, radians per second each body turns at; at first as in the settings.
    """

    def __init__(self, mesh: AnyMesh, count: int, settings: MoveSettings | None = None):
        self.mesh = mesh
        self.settings = settings or MoveSettings()
        self.turn_speed = np.full(count, self.settings.turn_speed)
        self.routes = RouteArrays(
            points_xyz=np.zeros((count, _ROOM, 3)),
            count=np.zeros(count, np.int32),
            whole=np.zeros(count, np.uint8),
            at=np.zeros(count, np.int32),
            goal_xyz=np.full((count, 3), np.nan),
            status=np.zeros(count, np.uint8),
            left=np.zeros(count),
            slow=np.zeros(count),
            held=np.zeros(count),
            queues=np.zeros(count, np.uint8),
            yields=np.zeros(count),
            yields_to=np.full(count, -1, np.int32),
        )
        self.near = Nearby(np.zeros(count + 1, np.int32), np.zeros(_NEIGHBOURS * count, np.int32))
        slots = 1 << max(4, (2 * count).bit_length())
        self._grid = np.full(slots, -1, np.int32), np.zeros(count, np.int32)
        self._rank, self._turns = np.zeros(count, np.int64), np.zeros(len(self.near.other), np.uint8)
        self._wish, self._velocity = np.zeros((count, 2)), np.zeros((count, 2))
        self._work = SettleWork(
            wanted=np.zeros((count, 3)),
            who=np.zeros(count, np.int32),
            starts=np.zeros((count, 3)),
            ends=np.zeros((count, 3)),
            face=np.zeros(count, np.int32),
            outcome=np.zeros(count, np.uint8),
            point=np.zeros((count, 3)),
            fraction=np.zeros(count),
            normal=np.zeros((count, 2)),
            stopped=np.zeros(count, np.int32),
        )

    def __len__(self) -> int:
        return len(self.routes.status)

    def replan(self) -> None:
        """Ask for all ways anew: the mesh has changed."""
        self.routes.count[:] = 0

    def forget_path(self, agent: int) -> None:
        """Ask for the path of one agent again: it was put elsewhere."""
        self.routes.count[agent] = 0

    def plan(self, bodies: BodyArrays, orders: OrderArrays) -> int:
        """Find the ways of those whose goal is new or whose way is used up; return how many."""
        routes = self.routes
        going = (orders.going == 1) & (bodies.mode == ACTIVE)
        routes.status[~going] = STANDING
        routes.count[~going] = 0
        routes.slow[~going] = 0.0
        is_new = ~(np.abs(routes.goal_xyz - orders.goal_xyz).max(axis=1) <= 0.05)
        is_stuck = routes.status == STUCK
        routes.held[~going | is_new | is_stuck] = 0.0
        asking = going & ((routes.count == 0) | is_new) & (routes.yields <= 0.0)
        asking |= going & is_stuck
        who = np.flatnonzero(asking & ~self._waits(orders))
        if len(who):
            self._ask(who, bodies, orders)
        return len(who)

    def _waits(self, orders: OrderArrays) -> Bools:
        """Who has arrived at the same goal, or found no way to it, asks no more."""
        done = (self.routes.status == ARRIVED) | (self.routes.status == NO_WAY)
        same = np.abs(self.routes.goal_xyz - orders.goal_xyz).max(axis=1) <= 0.05
        return np.asarray(done & same & (self.routes.count > 0))

    def _ask(self, who: Array, bodies: BodyArrays, orders: OrderArrays) -> None:
        routes = self.routes
        ways = find_paths(self.mesh, bodies.xyz[who], orders.goal_xyz[who])
        length = np.diff(ways.point_start)
        for agent, first, points, reason in zip(
            who.tolist(), ways.point_start.tolist(), length.tolist(), ways.reason.tolist()
        ):
            kept = min(points, _ROOM)
            routes.points_xyz[agent, :kept] = ways.points_xyz[first : first + kept]
            routes.count[agent] = kept
            routes.whole[agent] = kept == points
            # The first point is where one stands.
            routes.at[agent] = min(1, kept - 1)
            routes.status[agent] = WALKING if reason != _OFF_MESH and kept else NO_WAY
        routes.goal_xyz[who] = orders.goal_xyz[who]
        routes.left[who] = ways.length
        routes.slow[who] = np.minimum(routes.slow[who], self.settings.patience)

    def step(self, bodies: BodyArrays, following: BodyArrays, orders: OrderArrays, seconds: float) -> None:
        """Move everybody on for so long; `following` is filled with the next generation."""
        if not seconds > 0.0:
            raise InputError(f"seconds is {seconds}; give a step longer than 0")
        settings = self.settings
        find_nearby(bodies, settings.look, _LEVEL, *self._grid, self.near)
        steer(
            bodies,
            orders,
            self.routes,
            self.near,
            settings.steering,
            seconds,
            self._rank,
            self._turns,
            self._wish,
            self._velocity,
        )
        low, high = tolerances(self.mesh, None, None)
        for name in ("light", "camouflage", "radius", "team", "mode", "heading", "gaze", "velocity_xy", "stance"):
            getattr(following, name)[:] = getattr(bodies, name)
        settle(
            self.mesh.arrays, bodies, orders, self.near, self._velocity, low, high, seconds, following.xyz, self._work
        )
        turn(
            bodies,
            following,
            orders,
            self.routes,
            self._wish,
            self.turn_speed,
            settings.head_speed,
            settings.head_reach,
            seconds,
            settings.patience,
        )


def steer(
    bodies: BodyArrays,
    orders: OrderArrays,
    routes: RouteArrays,
    near: Nearby,
    settings: SteerSettings,
    seconds: float,
    rank: Array,
    turns: Array,
    wish: Array,
    velocity_xy: Array,
) -> None:
    """Fill `wish` (n, 2), where the ways lead, and `velocity_xy` (n, 2), what is walked in this step.

    `rank` and `turns` are work arrays of `keep_clear`, which is called only where bodies may be in each other's way.
    """
    set_wishes(bodies, orders, routes, settings.arrive, wish)
    if near.start[-1] or (routes.yields > 0.0).any():
        keep_clear(bodies, orders, routes, near, settings, seconds, rank, turns, wish, velocity_xy)
    else:
        velocity_xy[:] = wish
    accelerate(bodies.mode, bodies.velocity_xy, settings.acceleration * seconds, velocity_xy)


@dataclass(frozen=True)
class MoveSettings:
    """How bodies move.

    Attributes
    ----------
    arrive : metres from a bend or the goal at which it counts as reached.
    look : metres within which others are minded.
    horizon : seconds ahead in which touching somebody is avoided.
    acceleration : metres per second per second, at most.
    patience : seconds without getting on before whoever stands in the way gives way.
    give_way : seconds one gives way for.
    turn_speed, head_speed : radians per second of the body and of the head.
    head_reach : radians the head turns from the body, at most.
    """

    arrive: float = 0.2
    look: float = 3.0
    horizon: float = 2.0
    acceleration: float = 12.0
    patience: float = 0.5
    give_way: float = 1.5
    turn_speed: float = 6.0
    head_speed: float = 8.0
    head_reach: float = math.pi / 2

    def __post_init__(self) -> None:
        for one in fields(self):
            finite_number(getattr(self, one.name), one.name, low=0.01, high=1000.0)

    @property
    def steering(self) -> SteerSettings:
        """The part that steering kernels read."""
        return SteerSettings(*(float(getattr(self, name)) for name in SteerSettings._fields))
