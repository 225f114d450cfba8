"""Paths of agents: those followed now, and those searched again for past steps."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from ...cells.layout import CellLayout
from ...cells.live import LiveLayout
from ...conventions import Array, Floats
from ...kernels.arrays.agent_arrays import ACTIVE
from ...level.level import Level
from ...navmesh.navmesh import AnyMesh
from ...navmesh.query import find_paths
from ...simulation.world.world import World


class Paths:
    """Finds paths over the floor of a level; locked doors block them. The agent `player` needs none."""

    def __init__(self, layout: CellLayout, level: Level, player: int | None = None):
        self._layout, self._level, self._player = layout, level, player

    def of(self, columns: Mapping[str, Array], world: World | None = None) -> dict[int, Floats]:
        """Return paths (k, 3) in metres by number of the agent, from its position to its goal.

        Give `world` for its present moment: its bodies follow exactly these paths. Otherwise the shortest paths are
        searched again.
        """
        going = (columns["going"] == 1) & (columns["mode"] == ACTIVE)
        if self._player is not None:
            going[self._player] = False
        agents = np.flatnonzero(going)
        starts = np.asarray(columns["xyz"], np.float64)[agents]
        goals = np.asarray(columns["goal"], np.float64)[agents]
        if not len(agents):
            return {}
        if world is not None:
            return _followed(agents, starts, goals, world)
        if "platforms" in columns:
            self.cells.set_platforms(columns["platforms"])
        # Agents with a key may have opened locked doors.
        with self.cells.mesh_without(np.flatnonzero(np.asarray(columns["doors"]) == 0).tolist()) as mesh:
            return dict(zip(agents.tolist(), _found(starts, goals, mesh)))

    @property
    def mesh(self) -> AnyMesh:
        """The mesh with its locked doors shut."""
        return self.cells.mesh

    @cached_property
    def cells(self) -> LiveLayout:
        """The cells with their locked doors shut, as every world starts."""
        return LiveLayout.at_start(self._layout, self._level)


def _followed(agents: Array, starts: Floats, goals: Floats, world: World) -> dict[int, Floats]:
    routes = world.crowd.routes
    paths = {}
    for agent, start, goal in zip(agents.tolist(), starts, goals):
        ahead = routes.points_xyz[agent, routes.at[agent] : routes.count[agent]]
        path = np.concatenate([start[None], ahead])
        if not routes.whole[agent]:  # a body keeps only the next bends
            path = np.concatenate([path, _found(path[-1:], goal[None], world.crowd.mesh)[0][1:]])
        paths[agent] = path
    return paths


def _found(starts: Floats, goals: Floats, mesh: AnyMesh) -> list[Floats]:
    paths = find_paths(mesh, starts, goals)
    return np.split(paths.points_xyz, paths.point_start[1:-1])
