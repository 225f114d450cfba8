"""A trial: one beginning, with crews on or off, measured until it ends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ....agents.bodies.contacts import Contacts
from ....agents.brains.relations import TEAMS
from ....agents.crews.combat.attack_turns import TURNS
from ....agents.crews.combat.tokens import TokenSettings
from ....conventions import Array, Ids
from ....kernels.arrays.agent_arrays import ACTIVE, BODY
from ....reasoning.search.map.search_map import SearchMap
from ....reasoning.search.search_settings import SearchSettings
from ....vocabulary.events import Contact, LineCrossed
from ....vocabulary.words import AgentState
from ...game_loop import failure_of, step
from ...world.world import World
from .beginnings import Field

_GUARDS = TEAMS.index("guards")
_BUSY = [AgentState.ENGAGE.number, AgentState.CHASE.number, AgentState.SEARCH.number]
_STILL = SearchSettings(speed=0.0, returns="never")
"""A map without spreading or return of influence; it keeps the cells that no guard has looked at."""
ALL = 0.9
"""Share of the floor at which a search counts as complete; the rest are corners that no search needs to visit."""
FLANK_NEAR, FLANK_APART = 6.0, math.radians(100.0)
"""A target is flanked if two guards are within this distance, in metres, at least this angle apart, in radians."""


class Gauge:
    """Measure one trial from the first sighting of a target, or from the start if it was `lost` before.

    Attributes
    ----------
    since : time of that in seconds; infinite if never.
    contacts, lines : how often guards bumped into each other, and had a colleague in their line of fire.
    attacking : number of attacks under way, for each step with any.
    over : number of steps with more attacks than tokens allow.
    flanked : seconds from `since` until the target was flanked; infinite if never.
    looked : square metres looked at while the target was out of sight, until `ALL` of the floor was; `unseen` : number
        of such steps.
    resighted : seconds from each loss until the target was seen again or the trial ended; beaten targets are not lost.
    gaps : distances in metres to the nearest colleague, for each step and busy guard.
    """

    def __init__(self, world: World, *, lost: bool = False, turns: Mapping[str, TokenSettings] = TURNS):
        self._turns = turns
        guards = np.flatnonzero(world.cast.side == _GUARDS)
        self.guards, self._map = guards, SearchMap(world.cells, _STILL)
        self._map.seed(np.arange(len(world.cells), dtype=np.int32))
        self._area = float(world.cells.arrays.size_xyz[0]) ** 2
        self._cells = len(self._map.active)
        self._lost = 0.0 if lost else math.inf
        self.since, self.flanked = self._lost, math.inf
        self.contacts = self.lines = self.over = self.unseen = self.steps = 0
        self.attacking: list[int] = []
        self.resighted: list[float] = []
        self.gaps: list[float] = []

    def note(self, world: World) -> None:
        """Record a step after it has run."""
        if self.since == math.inf:
            if max(world.attention.seen, default=-1) < 0:
                return
            self.since = world.time
        self.steps += 1
        self.contacts += sum(isinstance(event, Contact) for event in world.events)
        self.lines += sum(isinstance(event, LineCrossed) for event in world.events)
        up = self.guards[world.bodies.mode[self.guards] == ACTIVE]
        self._attacks(world, len(up))
        self._sides(world, up)
        self._sight(world, up)
        self._apart(world, up)

    def _attacks(self, world: World, characters: int) -> None:
        combat = world.combat
        if combat is None:
            return
        blows = [agent for agent in combat.blows if world.cast.side[agent] == _GUARDS]
        if blows:
            self.attacking.append(len(blows))
        for arms, settings in self._turns.items():
            if sum(combat.attack[agent] == arms for agent in blows) > settings.size(characters):
                self.over += 1
                break

    def _sides(self, world: World, up: Ids) -> None:
        if self.flanked < math.inf:
            return
        for target in world.cast.targets.tolist():
            offset = world.bodies.xyz[up] - world.bodies.xyz[target]
            angle = np.arctan2(offset[:, 1], offset[:, 0])[np.linalg.norm(offset, axis=1) <= FLANK_NEAR]
            apart = np.abs(np.angle(np.exp(1j * (angle[:, None] - angle[None]))))
            if len(angle) > 1 and apart.max() >= FLANK_APART:
                self.flanked = world.time - self.since

    def _sight(self, world: World, up: Ids) -> None:
        if max(world.attention.seen, default=-1) >= 0:
            if self._lost < math.inf:
                self.resighted.append(world.time - self._lost)
                self._lost = math.inf
            return
        if self._lost == math.inf and (world.bodies.mode[world.cast.targets] == BODY).all():
            return  # The target was beaten, not lost.
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
        """Close the trial: a target still lost was not seen again."""
        if self._lost < math.inf:
            self.resighted.append(world.time - self._lost)

    @property
    def looked(self) -> float:
        """Area looked at, in square metres."""
        return (self._cells - len(self._map.active)) * self._area


METRICS = ("contacts", "lines", "at_once", "over", "flank", "searched", "resighted", "apart")
"""Metrics in the order of tables; see `CrewTrial`."""
_SAMPLE = 1.0


@dataclass(frozen=True, eq=False)
class CrewTrial:
    """Result of a trial. NaN means there was nothing to measure: no fight, no loss, or a single guard.

    Attributes
    ----------
    contacts : how often guards bumped into each other, per minute.
    lines : how often a guard had a colleague in its line of fire, per minute.
    at_once : mean number of simultaneous attackers, over the time with any.
    over : 0 … 1, share of the time with more attackers than tokens allow.
    flank : seconds from the first sighting until the target had guards on two sides, or else until the end.
    searched : square metres per minute looked at while the target was unseen, until 90 % of the floor was.
    resighted : mean seconds from a loss until it was seen again, or until the end. Not for sweeps.
    apart : mean distance in metres to the nearest colleague, over busy guards.
    guards : number of guards.
    seconds, ending : duration, and reason of the end.
    names : of all agents, in the order of `tracks`.
    digest : of all steps.
    tracks : (samples, agents, 3) float32, one sample per second.
    failure : message of a brain that raised; else empty.
    """

    contacts: float
    lines: float
    at_once: float
    over: float
    flank: float
    searched: float
    resighted: float
    apart: float
    guards: int
    seconds: float
    ending: str
    names: tuple[str, ...]
    digest: str
    tracks: Array
    failure: str = ""


def run_trial(field: Field, number: int, *, crews: bool) -> CrewTrial:
    """Run one trial; the same seed gives the same trial."""
    world = field.world(number, crews=crews)
    world.motion.contacts = Contacts()
    kind = field.kind(number)
    hunt, sweep = kind == "hunt", kind == "sweep"
    gauge, tracks = Gauge(world, lost=hunt or sweep, turns=field.turns), []
    every = max(1, round(_SAMPLE / world.step))
    while world.ending is None:
        if world.tick % every == 0:
            tracks.append(world.bodies.xyz.astype(np.float32))
        step(world)
        gauge.note(world)
        if hunt and max(world.attention.seen, default=-1) >= 0:
            world.end("seen")
    gauge.end(world)
    minutes = gauge.steps * world.step / 60.0
    several = len(gauge.guards) > 1
    fights = world.combat is not None and gauge.since < math.inf
    arms = () if world.combat is None else [world.combat.attack[guard] for guard in gauge.guards.tolist()]
    shoots = fights and "ranged" in arms
    unseen = gauge.unseen * world.step
    nothing = math.nan
    return CrewTrial(
        contacts=gauge.contacts / minutes if minutes and several else nothing,
        lines=gauge.lines / minutes if minutes and shoots and several else nothing,
        at_once=float(np.mean(gauge.attacking)) if fights and gauge.attacking else nothing,
        over=gauge.over / gauge.steps if fights else nothing,
        flank=min(gauge.flanked, world.time - gauge.since) if several and fights else nothing,
        searched=60.0 * gauge.looked / unseen if unseen >= 2.0 else nothing,
        resighted=float(np.mean(gauge.resighted)) if gauge.resighted and not sweep else nothing,
        apart=float(np.mean(gauge.gaps)) if gauge.gaps else nothing,
        guards=len(gauge.guards),
        seconds=world.time,
        ending=world.ending.reason,
        names=world.names,
        digest=world.trace.digest.hexdigest(),
        tracks=np.stack(tracks),
        failure=failure_of(world),
    )
