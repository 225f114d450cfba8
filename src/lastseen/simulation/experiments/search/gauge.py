"""The gauge of a search trial: error of the belief, floor searched, distance walked."""

from __future__ import annotations

import numpy as np

from ....conventions import Array, Floats
from ....reasoning.search.map.search_map import SearchMap
from ....reasoning.search.search_settings import SearchSettings
from ....vocabulary.events import Opened
from ....vocabulary.words import AgentState
from ...world.world import World
from .arena import Arena
from .beginnings import Beginning
from .settings import TrialSettings

MOST_SEARCHERS = 8
_SEARCH = AgentState.SEARCH.number
_STILL = SearchSettings(speed=0.0, returns="never")
"""A map without spreading or return of influence; it keeps the cells that no searcher has looked at."""


class Gauge:
    """Measure one trial while it runs.

    Attributes
    ----------
    metres : path length of all searchers together.
    tracks : (samples, 1 + searchers, 3) float32, evader first; NaN after the end of the trial.
    """

    def __init__(self, arena: Arena, world: World, beginning: Beginning, settings: TrialSettings):
        self._arena, self._count = arena, len(world.bodies.xyz) - 1
        self._every = max(1, round(settings.sample / settings.step))
        self._unseen = SearchMap(world.cells, _STILL)
        self._unseen.seed(arena.cells.astype(np.int32))
        # A coordinator without influence believes in spots; it is measured on the map that others use.
        self._belief = world.hunt.search if world.hunt.spreads else SearchMap(world.cells)
        if not world.hunt.spreads:
            self._belief.seed(beginning.lost_xyz[None])
            self._belief.advance(beginning.since)
        self._cells_xyz: Floats = arena.layout.arrays.cell_xyz.astype(np.float64)
        self._offs: list[float] = []
        self._truths: list[float] = []
        self._places: set[tuple[float, ...]] = set()
        self._before = world.bodies.xyz.copy()
        self.metres = 0.0
        self.tracks: Array = np.full((settings.samples, 1 + MOST_SEARCHERS, 3), np.nan, np.float32)

    def measure(self, world: World) -> None:
        """Sample the belief and positions before a step, if due."""
        if world.tick % self._every:
            return
        row, xyz = world.tick // self._every, world.bodies.xyz
        if row < len(self.tracks):
            self.tracks[row, 0] = xyz[self._count]
            self.tracks[row, 1 : 1 + self._count] = xyz[: self._count]
        value = self._belief.value01
        holding = np.flatnonzero(value)
        if len(holding):
            away = np.linalg.norm(self._cells_xyz[holding] - xyz[self._count], axis=1)
            self._offs.append(float(np.average(away, weights=value[holding])))
        self._truths.append(float(value[self._arena.cell_of(xyz[self._count :])[0]]))

    def note(self, world: World) -> None:
        """Record movement, and what was looked at and opened, after a step."""
        xyz, count = world.bodies.xyz, self._count
        self.metres += float(np.linalg.norm(xyz[:count] - self._before[:count], axis=1).sum())
        self._before[:] = xyz
        looking = np.flatnonzero(world.state[:count] == _SEARCH)
        maps = [self._unseen]
        if self._belief is not world.hunt.search:
            self._belief.advance(world.step)
            maps.append(self._belief)
        # Every other step suffices: a turn or stride of 0.2 s leaves no gap in the area covered.
        for one in maps if len(looking) and world.tick % 2 == 0 else ():
            one.clean_cube(xyz[looking])
            one.clean_view(xyz[looking], world.bodies.gaze[looking])
        self._places |= {event.at for event in world.events if isinstance(event, Opened) and event.at is not None}

    @property
    def off(self) -> float:
        """Mean distance in metres of the belief from the truth over time; NaN if there never was a belief."""
        return float(np.mean(self._offs)) if self._offs else float("nan")

    @property
    def truth(self) -> float:
        """Mean influence at the evader's cell over time, 0 … 1."""
        return float(np.mean(self._truths))

    @property
    def searched(self) -> float:
        """Share of the floor looked at, 0 … 1."""
        return 1.0 - len(self._unseen.active) / len(self._arena.cells)

    @property
    def opened(self) -> int:
        """Number of hiding places opened."""
        return len(self._places)
