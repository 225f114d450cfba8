"""A trial: one contender searches from one beginning, in a simulated world, until it finds the evader or time is up."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....agents.behaviour.leaf import Condition
from ....agents.behaviour.node import Node
from ....agents.behaviour.nodes.composites import ReactiveSequence, Selector, Sequence
from ....agents.behaviour.nodes.decorators import ForceSuccess
from ....agents.behaviour.status import SUCCESS
from ....agents.behaviour.tree import Tree
from ....agents.bodies.bodies import set_mode
from ....agents.brains.leaves.conditions import search_stands
from ....agents.brains.leaves.movement import GoTo, LookRound
from ....agents.brains.leaves.registry import BLACKBOARD
from ....agents.brains.leaves.search import ChooseSearchPlace, GoSearching, OpenSpot
from ....agents.brains.leaves.speech import Be
from ....agents.brains.mind import Mind
from ....agents.brains.shipped_brains import PUPPET
from ....compilation.preparation import kernels_on_demand
from ....conventions import Array, Floats
from ....kernels.arrays.agent_arrays import HIDDEN
from ....reasoning.search.map.search_map import SearchMap
from ....reasoning.search.search_settings import SearchSettings
from ....reasoning.search.search_spec import search_spec
from ....rng import generator
from ....vocabulary.events import FoundHiding, Opened
from ....vocabulary.words import AgentState
from ...game_loop import failure_of, step
from ...scenario.reader import Setting
from ...scenario.scenario import AgentSpec, Scenario
from ...world.setup import coordinator_settings, make_hunt, make_world
from ...world.world import World
from .beginnings import Arena, Beginning, TrialSettings
from .contenders import CheatingGuide, Contender, Guide, IdealGuide, NextPlace, RandomGuide, SamePace
from .evaders import make_evader

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


ENDINGS = ("seen", "opened", "escaped", "time over")
"""Endings of a search: seen again, found in a hiding place, escaped, or not found. A failed trial has none."""
_NEVER = 600.0
"""Seconds by which the world's search outlasts the trial."""


@dataclass(frozen=True, eq=False)
class Trial:
    """Result of a trial.

    Attributes
    ----------
    ending : index into `ENDINGS`; `found` is one of the first two.
    seconds : until found; the whole time if it was not.
    off : mean distance in metres of all influence from the evader, averaged over time.
    truth : 0 … 1, influence at the evader's cell, averaged over time.
    searched : 0 … 1, share of the floor that a searcher looked at.
    opened : number of hiding places opened.
    metres : path length per searcher.
    tracks : (samples, 9, 3) float32, evader, then searchers; NaN after the end.
    failure : message of a brain that raised, which invalidates the trial; else empty.
    """

    ending: int
    seconds: float
    off: float
    truth: float
    searched: float
    opened: int
    metres: float
    tracks: Array
    failure: str = ""

    @property
    def found(self) -> bool:
        """Whether the evader was found."""
        return self.ending < 2


def run_trial(arena: Arena, beginning: Beginning, contender: Contender, settings: TrialSettings, seed: int) -> Trial:
    """Run one search by one contender; the same seed gives the same trial."""
    name = f"{arena.name} {beginning.number}"
    world = _world(arena, beginning, contender, settings, seed)
    count = len(beginning.searchers_xyz)
    guide = _guide(arena, beginning, contender, world, settings, seed)
    evader = make_evader(arena, beginning, generator(seed, f"search evaluation evader {name}"))
    for number, root in enumerate([*(_searcher(guide, settings) for _ in range(count)), evader]):
        tree = Tree(root, outside={key: type(value) for key, value in BLACKBOARD.items()})
        world.trees[number] = tree
        world.minds[number] = Mind(world, number, dict(BLACKBOARD) | tree.blackboard())
    gauge = Gauge(arena, world, beginning, settings)
    ending = ENDINGS.index("time over")
    while world.ending is None:
        gauge.measure(world)
        if guide is not None:
            guide.update(world)
        step(world)
        gauge.note(world)
        if any(isinstance(event, FoundHiding) for event in world.events):
            ending = ENDINGS.index("opened")
            break
        if max(world.attention.seen) >= 0:
            ending = ENDINGS.index("seen")
            break
        if evader.status is SUCCESS:
            ending = ENDINGS.index("escaped")
            break
    found = ending < 2
    return Trial(
        ending=ending,
        seconds=world.time if found else settings.seconds,
        off=gauge.off,
        truth=gauge.truth,
        searched=gauge.searched,
        opened=gauge.opened,
        metres=gauge.metres / count,
        tracks=gauge.tracks,
        failure=failure_of(world),
    )


@kernels_on_demand()
def _world(arena: Arena, beginning: Beginning, contender: Contender, settings: TrialSettings, seed: int) -> World:
    """Return the world of a beginning, without the searchers' trees."""
    view = 2.0 * math.pi if contender.kind == "ideal" else None
    agents = [
        AgentSpec(
            f"searcher {number + 1}",
            PUPPET,
            at=tuple(xyz.tolist()),
            heading=float(heading),
            team="guards",
            view_angle=view,
        )
        for number, (xyz, heading) in enumerate(zip(beginning.searchers_xyz, beginning.headings))
    ]
    agents.append(AgentSpec("evader", PUPPET, at=tuple(beginning.evader_xyz.tolist())))
    scenario = Scenario(
        level=arena.name,
        agents=tuple(agents),
        seconds=settings.seconds,
        step=settings.step,
        ends=(),
        radius=settings.radius,
        cell=settings.cell,
        sharing="broadcast",
        search=contender.search.kind,
        grace=None if contender.told else "frozen",
        search_seconds=settings.seconds + _NEVER,
    )
    draws = generator(seed, f"search evaluation world {arena.name} {beginning.number}")
    own = int(draws.integers(2**31))
    world = make_world(Setting(scenario, arena.level, scenario.agents, {}), cells=arena.layout, seed=own)
    if contender.search != search_spec(contender.search.kind):
        scoring = [contender.search.scoring] * len(agents)
        world.hunt = make_hunt(
            scenario,
            arena.level,
            world.cells,
            world.sight,
            own,
            len(agents),
            contender.search,
            scoring,
            world.reasoning.environment,
        )
    _lose(world, beginning)
    return world


def settings_of(contender: Contender, settings: TrialSettings) -> dict[str, Any]:
    """Return the settings of the map and of the coordinator that direct a contender, by the prefix of parameters."""
    found: dict[str, Any] = {}
    if contender.has_map:
        found["search"] = contender.search.settings
    if contender.has_coordinator:
        found["coordinator"] = coordinator_settings(contender.search, settings.seconds + _NEVER, "frozen")
        found["spot"] = found["coordinator"].weights
    return found


def _lose(world: World, beginning: Beginning) -> None:
    """Set up the loss: the searchers lost the evader as long ago as it needed to hide."""
    ids = list(range(len(beginning.searchers_xyz)))
    feet = world.bodies.xyz[: len(ids)]
    world.hunt.perceive(
        beginning.lost_xyz, -beginning.since, sure=True, agents=ids, places=feet, target=int(world.cast.targets[0])
    )
    world.hunt.search.advance(beginning.since)
    if beginning.place >= 0:
        set_mode(world.bodies, -1, HIDDEN)
        world.acts.hidden_in[-1] = beginning.place


def _guide(
    arena: Arena, beginning: Beginning, contender: Contender, world: World, settings: TrialSettings, seed: int
) -> Guide | None:
    """Return the guide of the searchers, or None for the world's own search."""
    if contender.kind == "random":
        draw = generator(seed, f"search evaluation random {arena.name} {beginning.number}")
        return RandomGuide(arena.floor_xyz, draw)
    if contender.kind == "cheating":
        return CheatingGuide(len(beginning.searchers_xyz))
    if contender.kind == "ideal":
        return IdealGuide(arena.level, world.cells, arena.refuges(beginning, settings), arena.cells)
    return Guide() if contender.kind == "standing" else None


def _searcher(guide: Guide | None, settings: TrialSettings) -> Node:
    """Return a searcher's tree, like the search of the shipped guard: choose, go, open, look around."""
    leg: list[Node]
    look = LookRound(seconds=settings.look_seconds)
    if guide is None:
        there = ReactiveSequence([Condition(search_stands), Sequence([ForceSuccess(GoSearching()), OpenSpot(), look])])
        leg = [ChooseSearchPlace(), SamePace(settings.pace), ForceSuccess(there)]
    else:
        leg = [NextPlace(guide), ForceSuccess(GoTo(gait="walk", pace=settings.pace)), OpenSpot(), look]
        if isinstance(guide, IdealGuide):
            leg.pop()  # It sees all around anyway.
    search = Sequence([Be(state="search"), *leg])
    return Selector([search, LookRound(seconds=2.0)])
