"""The crowd: every agent's path to its goal, one step along it, and the settings of movement."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np

from ...checks import finite_number
from ...conventions import Array
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
from ...navmesh.results import Paths
from .bodies import bodies_of

STATUSES = ("standing", "walking", "arrived", "no way", "stuck")
"""Progress of an agent towards its goal; `routes.status` holds indices into this list."""

_ROOM = 24
"""Corners of a path that are kept; when they are used up, the rest is searched again."""
_LEVEL = 1.2
"""Difference in height, in metres, within which bodies avoid one another."""
_NEIGHBOURS = 24
_NO_PATH, _OFF_MESH = 1, 2
"""Indices of "no path" and "start off the mesh" in `PATH_REASONS`."""
Reroute = Callable[[int, Array, Array], Paths | None]
"""Returns another path for an agent, by its start and goal, (3,) each; None if it has none."""


class Crowd:
    """Moves `count` bodies over a mesh; the only writer of their paths.

    Attributes
    ----------
    reroute : finds another path for an agent whose goal no path leads to, such as through doors it has the key of.
    turn_speed : (n,) float64, turning speed of each body in radians per second; initially as in the settings.
    """

    def __init__(self, mesh: AnyMesh, count: int, settings: MoveSettings | None = None):
        self.mesh = mesh
        self.reroute: Reroute | None = None
        self.settings = settings or MoveSettings()
        self._steering = self.settings.steering
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
        """Search all paths again, because the mesh has changed."""
        self.routes.count[:] = 0

    def forget_path(self, agent: int) -> None:
        """Search the path of one agent again, because it was moved."""
        self.routes.count[agent] = 0

    def plan(self, bodies: BodyArrays, orders: OrderArrays) -> int:
        """Find paths for agents with a new goal or a path that is used up; return their number."""
        routes = self.routes
        going = (orders.going == 1) & (bodies.mode == ACTIVE)
        routes.status[~going] = STANDING
        routes.count[~going] = 0
        routes.slow[~going] = 0.0
        is_new = ~(np.abs(routes.goal_xyz - orders.goal_xyz).max(axis=1) <= 0.05)
        is_stuck = routes.status == STUCK
        routes.held[~going | is_new | is_stuck] = 0.0
        replans = going & ((routes.count == 0) | is_new) & (routes.yields <= 0.0)
        replans |= going & is_stuck
        # Agents that reached this goal, or found it unreachable, do not replan.
        done = (routes.status == ARRIVED) | (routes.status == NO_WAY)
        agents = np.flatnonzero(replans & ~(done & ~is_new & (routes.count > 0)))
        if len(agents):
            self._find_paths(agents, bodies, orders)
        return len(agents)

    def _find_paths(self, agents: Array, bodies: BodyArrays, orders: OrderArrays) -> None:
        routes = self.routes
        paths = find_paths(self.mesh, bodies.xyz[agents], orders.goal_xyz[agents])
        length = np.diff(paths.point_start)
        for agent, first, points, reason in zip(
            agents.tolist(), paths.point_start.tolist(), length.tolist(), paths.reason.tolist()
        ):
            self._follow(agent, paths.points_xyz[first : first + points], reason)
        routes.goal_xyz[agents] = orders.goal_xyz[agents]
        routes.left[agents] = paths.length
        other = self.reroute
        for agent in () if other is None else agents[paths.reason == _NO_PATH].tolist():
            found = None if other is None else other(agent, bodies.xyz[agent], orders.goal_xyz[agent])
            if found is not None and not found.reason[0]:
                self._follow(agent, found.points_xyz, 0)
                routes.left[agent] = found.length[0]
        routes.slow[agents] = np.minimum(routes.slow[agents], self.settings.patience)

    def _follow(self, agent: int, points: Array, reason: int) -> None:
        """Let an agent follow a path, or as much of it as there is room for."""
        routes, kept = self.routes, min(len(points), _ROOM)
        routes.points_xyz[agent, :kept] = points[:kept]
        routes.count[agent] = kept
        routes.whole[agent] = kept == len(points)
        # The first point is the agent's own position.
        routes.at[agent] = min(1, kept - 1)
        routes.status[agent] = WALKING if reason != _OFF_MESH and kept else NO_WAY

    def step(self, bodies: BodyArrays, following: BodyArrays, orders: OrderArrays, seconds: float) -> None:
        """Move all bodies for this many seconds; `following` is filled with the next generation."""
        if not seconds > 0.0:
            raise InputError(f"seconds is {seconds}; give a step longer than 0")
        bodies, settings = bodies_of(bodies), self.settings
        find_nearby(bodies, settings.look, _LEVEL, *self._grid, self.near)
        steer(
            bodies,
            orders,
            self.routes,
            self.near,
            self._steering,
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
    """Fill `wish` (n, 2), the velocities along the paths, and `velocity_xy` (n, 2), those of this step.

    `rank` and `turns` are work arrays of `keep_clear`, which is called only if bodies may be in each other's way.
    """
    set_wishes(bodies, orders, routes, settings.arrive, wish)
    if near.start[-1] or (routes.yields > 0.0).any():
        keep_clear(bodies, orders, routes, near, settings, seconds, rank, turns, wish, velocity_xy)
    else:
        velocity_xy[:] = wish
    accelerate(bodies.mode, bodies.velocity_xy, settings.acceleration * seconds, velocity_xy)


@dataclass(frozen=True)
class MoveSettings:
    """Settings of movement, each 0.01 … 1000.

    Attributes
    ----------
    arrive : distance in metres from a corner or the goal at which it counts as reached.
    look : distance in metres within which other bodies are avoided.
    horizon : seconds ahead in which contact with other bodies is avoided.
    acceleration : maximum in m/s².
    patience : seconds without progress after which a body in the way yields.
    give_way : seconds for which it yields.
    turn_speed, head_speed : radians per second of the body and the head.
    head_reach : maximum angle in radians between head and body.
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
