"""The gauge: what guards of a trial do to one another and to their target."""

from __future__ import annotations

import math

import numpy as np

from ...agents.brains.surroundings import STATES, TEAMS
from ...agents.crews.turns import TURNS
from ...conventions import Ids
from ...kernels.body_arrays import ACTIVE, BODY
from ...reasoning.search.influence import SearchMap
from ...reasoning.search.settings import SearchSettings
from ..world import World

__all__ = ["ALL", "FLANK_APART", "FLANK_NEAR", "Gauge"]

_GUARDS = TEAMS.index("guards")
_BUSY = [STATES.index("engage"), STATES.index("chase"), STATES.index("search")]
_STILL = SearchSettings(speed=0.0, returns="never")
"""A map on which nothing spreads or comes back: what is left on it nobody has looked at."""
ALL = 0.9
"""Share of the floor with which a search has seen it all: what is left are corners that no search needs to look at."""
FLANK_NEAR, FLANK_APART = 6.0, math.radians(100.0)
"""A target is flanked when two guards are this near, in metres, on sides of it this far apart, in radians."""


class Gauge:
    """Measures one trial as it goes on; counts begin when a target is first seen, or was `lost` before the beginning.

    Attributes
    ----------
    since : seconds when that was; infinite: never.
    contacts, lines : how often guards ran into each other, and had a colleague in their line of fire.
    attacking : attacks under way, by step in which there is any.
    over : steps in which more attack than tokens allow.
    flanked : seconds from then until it was flanked; infinite: never.
    looked : square metres looked at while nobody saw the target any more, until `ALL` of the floor was; `unseen` :
        steps of that.
    resighted : seconds from each loss until it was seen again, or the trial was over; who is beaten is not lost.
    gaps : metres to the nearest colleague, of those who fight or chase, by step and guard.
    """

    def __init__(self, world: World, *, lost: bool = False):
        guards = np.flatnonzero(world.bodies.team == _GUARDS)
        self.guards, self._map = guards, SearchMap(world.cells, _STILL)
        self._map.seed(np.arange(len(world.cells), dtype=np.int32))
        self._area = float(world.scenario.cell) ** 2
        self._cells = len(self._map.active)
        self._lost = 0.0 if lost else math.inf
        self.since, self.flanked = self._lost, math.inf
        self.contacts = self.lines = self.over = self.unseen = self.steps = 0
        self.attacking: list[int] = []
        self.resighted: list[float] = []
        self.gaps: list[float] = []

    def note(self, world: World) -> None:
        """After a step: count what happened in it."""
        if self.since == math.inf:
            if max(world.seen, default=-1) < 0:
                return
            self.since = world.time
        self.steps += 1
        self.contacts += sum(event.kind == "contact" for event in world.events)
        self.lines += sum(event.kind == "line crossed" for event in world.events)
        up = self.guards[world.bodies.mode[self.guards] == ACTIVE]
        self._attacks(world, len(up))
        self._sides(world, up)
        self._sight(world, up)
        self._apart(world, up)

    def _attacks(self, world: World, characters: int) -> None:
        combat = world.combat
        if combat is None:
            return
        blows = [agent for agent in combat.blows if world.bodies.team[agent] == _GUARDS]
        if blows:
            self.attacking.append(len(blows))
        for arms, settings in TURNS.items():
            if sum(combat.attack[agent] == arms for agent in blows) > settings.size(characters):
                self.over += 1
                break

    def _sides(self, world: World, up: Ids) -> None:
        if self.flanked < math.inf:
            return
        for target in world.targets.tolist():
            offset = world.bodies.xyz[up] - world.bodies.xyz[target]
            angle = np.arctan2(offset[:, 1], offset[:, 0])[np.linalg.norm(offset, axis=1) <= FLANK_NEAR]
            apart = np.abs(np.angle(np.exp(1j * (angle[:, None] - angle[None]))))
            if len(angle) > 1 and apart.max() >= FLANK_APART:
                self.flanked = world.time - self.since

    def _sight(self, world: World, up: Ids) -> None:
        if max(world.seen, default=-1) >= 0:
            if self._lost < math.inf:
                self.resighted.append(world.time - self._lost)
                self._lost = math.inf
            return
        if self._lost == math.inf and (world.bodies.mode[world.targets] == BODY).all():
            return  # it was beaten, not lost
        self._lost = min(self._lost, world.time)
        if len(up) and self.looked < ALL * self._cells * self._area:
            self.unseen += 1
            self._map.clean_cube(world.bodies.xyz[up])
            self._map.clean_view(world.bodies.xyz[up], world.bodies.gaze[up])

    def _apart(self, world: World, up: Ids) -> None:
        busy = np.isin(world.state[up], _BUSY)
        if len(up) < 2 or not busy.any():
            return
        between = np.linalg.norm(world.bodies.xyz[up][:, None] - world.bodies.xyz[up][None], axis=2)
        np.fill_diagonal(between, np.inf)
        self.gaps += between.min(axis=1)[busy].tolist()

    def end(self, world: World) -> None:
        """The trial is over: one still lost was not seen again."""
        if self._lost < math.inf:
            self.resighted.append(world.time - self._lost)

    @property
    def looked(self) -> float:
        """Square metres."""
        return (self._cells - len(self._map.active)) * self._area
