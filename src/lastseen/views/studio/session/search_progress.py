"""Track the search step by step: which guard cleared which cell, and the state of search spots."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

import numpy as np

from ....conventions import Array, Bools, Floats
from ....kernels.arrays.agent_arrays import ACTIVE
from ....kernels.search.search_wave import VALUE
from ....kernels.walk.raycast import REACHED
from ....navmesh.navmesh import AnyMesh
from ....navmesh.query import raycasts
from ....reasoning.search.search_spec import search_spec
from ....reasoning.search.sight import boxes, triangles
from ....simulation.recording.recording import Recording
from ....simulation.world.world import World
from ....vocabulary.words import AgentState
from ..protocol.news import Spots
from .stage import Stage

_SEARCHES = (AgentState.SEARCH.number, AgentState.CHASE.number)
_MOST = 127
"""Number of guards that fit in a layer; further ones start again at 1."""
_RIM = 1e-3
"""Metres by which a recorded place may be off: it is rounded to single precision."""


def searchers(state: Array, mode: Array) -> Array:
    """Return the agents that clear cells by their presence and view: numbers, ascending, in the order of the search."""
    return np.flatnonzero(np.isin(state, _SEARCHES) & (mode == ACTIVE))


class SearchProgress:
    """The actions of guards in the search of a run, noted as its steps are made or read.

    `cleaned` is a layer (cells,) int8: 0 for none, else one more than the number of the guard that cleared the cell
    last.
    """

    def __init__(self, stage: Stage):
        scenario = stage.setting.scenario
        self._settings = search_spec(scenario.search).settings
        self._keeps = self._settings.returns != "bleed"
        """Whether a cleared cell keeps the mark that a wave has been there."""
        self._places = stage.layout.arrays.cell_xyz.astype(np.float64)
        self._ticks: list[int] = []
        self._changes: list[tuple[Array, Array]] = []
        self._spot_ticks: list[int] = []
        self._spots: list[Spots] = []
        self._shown, self._owners = 0, np.zeros(len(self._places), np.int8)

    def note(
        self, tick: int, before: Array, after: Array, agents: Array, feet: Floats, gaze: Floats, mesh: AnyMesh
    ) -> None:
        """Note one step.

        Parameters
        ----------
        before, after : (cells,) the search layer before and after the step, as recorded.
        agents, feet, gaze : numbers (n,), places (n, 3) and gazes (n,) of searchers before the step.
        """
        if not before.any():
            return
        had, has = before & VALUE != 0, after & VALUE != 0
        # Where the wave mark is gone, the search has ended or restarted: earlier owners no longer count.
        forgotten = np.flatnonzero((before != 0) & (after == 0) & (self._keeps | ~after.any()))
        if len(forgotten):
            self._add(tick, forgotten, np.zeros(len(forgotten), np.int8))
        cells = np.flatnonzero(had & ~has & ((after != 0) | ~self._keeps) & after.any())
        if len(cells):
            self._add(tick, cells, self._cleaners(cells, agents, feet, gaze, mesh))

    def note_spots(self, tick: int, world: World) -> None:
        """Note the spots of a coordinator, if there is one, when any has changed."""
        if world.hunt.coordinator is None:
            return
        pool = world.hunt.coordinator.spots
        rows = zip(np.round(pool.xyz, 2).tolist(), pool.state.tolist(), pool.owner.tolist())
        now: Spots = tuple((x, y, z, state, owner) for (x, y, z), state, owner in rows)
        if now != (self._spots[-1] if self._spots else ()):
            self._spot_ticks.append(tick)
            self._spots.append(now)

    def read(self, recording: Recording, mesh: AnyMesh) -> None:
        """Note all steps of a recording; it does not contain spots."""
        state, mode = recording.column("state"), recording.column("mode")
        busy = np.asarray(np.isin(state, _SEARCHES).any(axis=1))
        xyz, gaze = recording.column("xyz"), recording.column("gaze")
        for tick in np.flatnonzero(busy[1:] | busy[:-1]).tolist():
            before, after = (recording.frame(one).layers["search"] for one in (tick, tick + 1))
            agents = searchers(state[tick + 1], mode[tick])
            feet, looks = xyz[tick][agents].astype(np.float64), gaze[tick][agents].astype(np.float64)
            self.note(tick + 1, before, after, agents, feet, looks, mesh)

    def cleaned(self, tick: int) -> Array:
        """Return the agent that cleared each cell last, as of a step."""
        first = bisect_right(self._ticks, self._shown)
        if tick < self._shown:
            first, self._owners = 0, np.zeros_like(self._owners)
        last = bisect_right(self._ticks, tick)
        if first < last:
            self._owners = self._owners.copy()  # arrays already returned are never modified
        for cells, owners in self._changes[first:last]:
            self._owners[cells] = owners
        self._shown = tick
        return self._owners

    def spots(self, tick: int) -> Spots:
        """Return the spots as of a step; none without a coordinator or for an opened recording."""
        at = bisect_right(self._spot_ticks, tick)
        return self._spots[at - 1] if at else ()

    def _add(self, tick: int, cells: Array, owners: Array) -> None:
        self._ticks.append(tick)
        self._changes.append((cells, owners))

    def _cleaners(self, cells: Array, agents: Array, feet: Floats, gaze: Floats, mesh: AnyMesh) -> Array:
        """Return the agent that cleared each cell in one step, in the order of the search: presence, then view."""
        settings, places = self._settings, self._places[cells]
        owners = np.zeros(len(cells), np.int8)
        near = boxes(feet, settings.cube + _RIM)
        ahead = triangles(feet, gaze, settings.angle, settings.distance)
        passes: list[tuple[Any, float, bool]] = [
            (near, settings.cube, settings.cube_needs_line),
            (ahead, settings.reach_z, True),
        ]
        for shapes, reach_z, needs_line in passes:
            for row, number in enumerate(agents.tolist()):
                free = np.flatnonzero(owners == 0)
                inside = _inside(shapes[row], places[free]) & (abs(places[free, 2] - feet[row, 2]) <= reach_z + _RIM)
                free = free[inside]
                if needs_line and len(free):
                    starts = np.broadcast_to(feet[row], (len(free), 3))
                    free = free[raycasts(mesh, starts, places[free]).outcome == REACHED]
                owners[free] = number % _MOST + 1
        return owners


def _inside(shape: Floats, places: Floats) -> Bools:
    """Return which places lie in a convex shape (corners, 2), counter-clockwise, or nearly on its edge."""
    edge = np.roll(shape, -1, axis=0) - shape
    away = places[:, None, :2] - shape[None]
    across = edge[:, 0] * away[..., 1] - edge[:, 1] * away[..., 0]
    return np.asarray((across >= -_RIM * np.maximum(1.0, np.linalg.norm(edge, axis=1))).all(axis=1))
