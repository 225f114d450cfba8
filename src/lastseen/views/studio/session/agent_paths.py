"""The paths of agents: as followed at the present moment, as found again for the past."""

from __future__ import annotations

import numpy as np

from ....cells.live import LiveLayout
from ....conventions import Array, Floats
from ....kernels.arrays.agent_arrays import ACTIVE
from ....navmesh.navmesh import AnyMesh
from ....navmesh.query import find_paths
from ....simulation.world.world import World
from .stage import Stage

__all__ = ["Routes"]


class Routes:
    """Finds paths over the floor of a stage; locked doors block them."""

    def __init__(self, stage: Stage):
        self._stage = stage
        self._cells: LiveLayout | None = None

    def of(self, columns: dict[str, Array], world: World | None) -> dict[int, Floats]:
        """Return paths (k, 3) in metres by number of the agent, from its position to its goal.

        Give `world` for its present moment: its bodies follow exactly these paths. Otherwise the shortest paths are
        searched again.
        """
        going = (columns["going"] == 1) & (columns["mode"] == ACTIVE)
        if self._stage.player is not None:
            going[self._stage.player] = False
        who = np.flatnonzero(going)
        starts = np.asarray(columns["xyz"], np.float64)[who]
        goals = np.asarray(columns["goal"], np.float64)[who]
        if not len(who):
            return {}
        if world is not None:
            return self._followed(who, starts, goals, world)
        return dict(zip(who.tolist(), self._found(starts, goals, self.mesh)))

    @property
    def mesh(self) -> AnyMesh:
        """The mesh with its locked doors shut."""
        return self.cells.mesh

    @property
    def cells(self) -> LiveLayout:
        """The cells with their locked doors shut, as every world of the stage starts."""
        if self._cells is None:
            live, level = LiveLayout(self._stage.layout), self._stage.setting.level
            for number, door in enumerate(level.doors):
                if door.locked:
                    live.close_door(level, number)
            self._cells = live
        return self._cells

    def _followed(self, who: Array, starts: Floats, goals: Floats, world: World) -> dict[int, Floats]:
        routes = world.crowd.routes
        ways = {}
        for agent, start, goal in zip(who.tolist(), starts, goals):
            ahead = routes.points_xyz[agent, routes.at[agent] : routes.count[agent]]
            way = np.concatenate([start[None], ahead])
            if not routes.whole[agent]:  # a body keeps only the next bends
                way = np.concatenate([way, self._found(way[-1:], goal[None], world.crowd.mesh)[0][1:]])
            ways[agent] = way
        return ways

    @staticmethod
    def _found(starts: Floats, goals: Floats, mesh: AnyMesh) -> list[Floats]:
        ways = find_paths(mesh, starts, goals)
        return np.split(ways.points_xyz, ways.point_start[1:-1])
