"""Settings and beginnings of fights, hunts and sweeps, which are run with crews off and on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
import numpy as np

from ....agents.bodies.bodies import set_mode
from ....agents.brains.shipped_brains import BRAINS
from ....agents.crews.combat.attack_turns import TURNS
from ....agents.crews.combat.tokens import TokenSettings
from ....agents.crews.crews import THINKS_EVERY
from ....cells.layout import CellLayout
from ....checks import finite_number, whole_number
from ....compilation.preparation import kernels_on_demand
from ....conventions import Floats
from ....errors import InputError, did_you_mean
from ....kernels.arrays.agent_arrays import GONE
from ....layers.spread import Spread
from ....level.level import Level
from ....level.sight.query import sees_any
from ....level.sight.sight import Sight
from ....navmesh.query import nearest_many
from ....rng import generator
from ...scenario.reader import Setting, setting_of
from ...scenario.scenario import AgentSpec, Scenario
from ...world.setup import make_world
from ...world.world import World
from ..chase.episodes import PursuitGround

_MOST = 10


@dataclass(frozen=True, kw_only=True)
class CrewTrialSettings:
    """Settings of trials, in metres and seconds.

    Attributes
    ----------
    seconds : maximum duration of a trial; a scenario may end earlier by its own time.
    step : of the simulation.
    sizes : numbers of guards in trials drawn on a level, in turn.
    ranged : 0 … 1, probability of a gun per guard in a fight.
    away : minimum and maximum path length from the first guard to the target at the beginning.
    spread : distance from the first guard within which the others start.
    jitter : maximum displacement of the agents of a scenario at its beginning.
    evaders : brains of the targets of hunts and sweeps drawn on a level: shipped ones of intruders.
    """

    seconds: float = 40.0
    step: float = 0.1
    sizes: tuple[int, ...] = (1, 3, 5, 8)
    ranged: float = 0.4
    away: tuple[float, float] = (7.0, 16.0)
    spread: float = 5.0
    jitter: float = 1.0
    evaders: tuple[str, ...] = ("roamer", "sight_breaker", "hider")

    def __post_init__(self) -> None:
        finite_number(self.seconds, "seconds", unit="s", low=1.0, high=3600.0)
        finite_number(self.step, "step", unit="s", low=0.0, high=1.0, open_low=True)
        finite_number(self.ranged, "ranged", low=0.0, high=1.0)
        for name in ("spread", "jitter"):
            finite_number(getattr(self, name), name, unit="m", low=0.0, high=1000.0)
        low, high = (finite_number(one, "away", unit="m", low=0.0, high=1e4) for one in self.away)
        if low > high:
            raise InputError(f"away is {self.away}; give the minimum first")
        known = [name for name, team in BRAINS.items() if team == "intruders"]
        for name in self.evaders:
            if name not in known:
                raise InputError(
                    f"no brain of an intruder {name!r}{did_you_mean(name, known)}; give {', '.join(known)}"
                )
        if not self.evaders:
            raise InputError(f"evaders is empty; give some of {', '.join(known)}")
        if not self.sizes:
            raise InputError(f"sizes is empty; give numbers of guards from 1 to {_MOST}")
        for size in self.sizes:
            finite_number(whole_number(size, "sizes", low=1), "sizes", high=_MOST)


KINDS = ("fight", "hunt", "sweep", "scenario")
"""Kinds of trials: a fight or a hunt drawn on a level; a sweep, which is a hunt for a target that has already left and
so lasts its full time; or a scenario with its agents displaced a little."""
_DRAWN = KINDS[:3]
_GONE = (8.0, 22.0)
"""Minimum and maximum distance in metres of a hunted target from where it was last seen."""
_HEALTH = 120.0
"""Health of the target of a fight, per guard."""
_EYE = (0.0, 0.0, 1.6)
_TRIES = 60
_NAMES = ("Ames", "Bell", "Cole", "Dane", "Evan", "Ford", "Gray", "Hale", "Ives", "Jost")


@dataclass(frozen=True, eq=False)
class Drawn:
    """A level on which fights, hunts and sweeps are drawn."""

    level: Level
    layout: CellLayout


@dataclass(frozen=True, eq=False)
class Given:
    """A scenario, with its own crews, or the shipped ones if it has none."""

    scenario: Scenario
    folder: str
    layout: CellLayout


Source = Drawn | Given


class Field:
    """Create the worlds of one source: the same beginning for a number, with crews on or off.

    Crews think `every` so many seconds and take `turns` by these tokens.
    """

    def __init__(
        self,
        name: str,
        source: Source,
        settings: CrewTrialSettings,
        seed: int,
        *,
        every: float = THINKS_EVERY,
        turns: Mapping[str, TokenSettings] = TURNS,
    ):
        self.name, self.source, self.settings, self.seed = name, source, settings, seed
        self.every, self.turns = every, turns
        self._ground = PursuitGround(source.layout) if isinstance(source, Drawn) else None
        self._sight = Sight.from_level(source.level) if isinstance(source, Drawn) else None
        self._walk = Spread(source.layout)

    def kind(self, number: int) -> str:
        """Return the kind of a trial, an entry of `KINDS`."""
        return "scenario" if isinstance(self.source, Given) else _DRAWN[number % len(_DRAWN)]

    def world(self, number: int, *, crews: bool) -> World:
        """Return the initial world of a trial."""
        world = self._world(number, crews)
        if world.teamwork.crews is not None:
            world.teamwork.crews.every, world.teamwork.crews.turns = self.every, self.turns
        return world

    @kernels_on_demand()
    def _world(self, number: int, crews: bool) -> World:
        draw = generator(self.seed, f"crew evaluation {self.name} {number}")
        seed = int(draw.integers(2**31))
        if isinstance(self.source, Given):
            world = make_world(self._given(self.source, crews), cells=self.source.layout, seed=seed)
            self._jitter(world, draw)
            return world
        setting, lost = self._drawn(self.source, number, draw, crews)
        world = make_world(setting, cells=self.source.layout, seed=seed)
        if self.kind(number) != "fight":
            self._begin(world, number, lost)
        return world

    def _begin(self, world: World, number: int, lost: Floats) -> None:
        """Let all guards search where the target was last seen."""
        guards = list(range(len(world.names) - 1))
        feet, target = world.bodies.xyz[guards], len(guards)
        for guard in guards:
            world.hunt.alert(guard)
        world.hunt.perceive(lost, 0.0, sure=True, agents=guards, places=feet, target=target)
        if self.kind(number) == "sweep":
            set_mode(world.bodies, -1, GONE)

    def _size(self, number: int) -> int:
        return self.settings.sizes[(number // len(_DRAWN)) % len(self.settings.sizes)]

    def _given(self, source: Given, crews: bool) -> Setting:
        on = source.scenario.crews or True
        step, seconds = self.settings.step, min(source.scenario.seconds, self.settings.seconds)
        scenario = msgspec.structs.replace(
            source.scenario, crews=on if crews else False, step=step, seconds=seconds, rules="none"
        )
        if not crews:
            script = tuple(one for one in scenario.script if one.do not in ("request", "end request"))
            scenario = msgspec.structs.replace(scenario, script=script)
        return setting_of(scenario, folder=source.folder)

    def _jitter(self, world: World, draw: np.random.Generator) -> None:
        """Displace all agents a little, to walkable places."""
        jitter = self.settings.jitter
        moved = world.bodies.xyz + draw.uniform(-jitter, jitter, world.bodies.xyz.shape) * (1.0, 1.0, 0.0)
        found = nearest_many(world.cells.mesh, moved, 2.0)
        world.bodies.xyz[:] = np.where(found.found[:, None], found.xyz, world.bodies.xyz)
        world.cast.home[:] = world.bodies.xyz

    def _drawn(self, source: Drawn, number: int, draw: np.random.Generator, crews: bool) -> tuple[Setting, Floats]:
        """Return a fight, a hunt or a sweep, and where its target was last seen."""
        assert self._ground is not None
        assert self._sight is not None
        fights = self.kind(number) == "fight"
        size = self._size(number)
        target, guards = self._places(draw, size)
        agents: list[AgentSpec] = []
        for name, place in zip(_NAMES, guards.tolist()):
            ranged = fights and draw.random() < self.settings.ranged
            heading = math.atan2(target[1] - place[1], target[0] - place[0])
            agents.append(
                AgentSpec(
                    name,
                    at=tuple(place),
                    heading=heading,
                    patrol="",
                    attack="ranged" if ranged else "melee",
                    view_distance=20.0,
                )
            )
        brain = "brawler" if fights else self.settings.evaders[int(draw.integers(len(self.settings.evaders)))]
        at = target if fights else self._gone(draw, target, guards)
        agents.append(AgentSpec("intruder", brain, at=tuple(at.tolist()), health=_HEALTH * size))
        scenario = Scenario(
            level=self.name,
            agents=tuple(agents),
            seconds=self.settings.seconds,
            step=self.settings.step,
            search_seconds=2.0 * self.settings.seconds,
            combat=fights,
            crews=crews,
            sharing="broadcast",
            rules="none",
            ends=("caught", "beaten"),
            name=f"{self.name} {number}",
        )
        return setting_of(scenario, level=source.level), target

    def _gone(self, draw: np.random.Generator, lost: Floats, guards: Floats) -> Floats:
        """Return the present place of a target last seen at `lost`: out of sight of all guards, if possible."""
        assert self._ground is not None
        assert self._sight is not None
        floor, cells = self._ground.floor_xyz, self._ground.cells
        at = int(np.linalg.norm(floor - lost, axis=1).argmin())
        metres = self._metres(int(cells[at]), _GONE[1])[cells]
        near = np.flatnonzero((metres >= _GONE[0]) & (metres <= _GONE[1]))
        hidden = near[~np.asarray(sees_any(self._sight, guards + _EYE, floor[near] + _EYE), np.bool_)]
        chosen = hidden if len(hidden) else near if len(near) else np.array([at])
        return floor[chosen[int(draw.integers(len(chosen)))]]

    def _places(self, draw: np.random.Generator, size: int) -> tuple[Floats, Floats]:
        """Return the places of the target and of the guards, which come from one side and see it if possible."""
        assert self._ground is not None
        assert self._sight is not None
        floor, cells = self._ground.floor_xyz, self._ground.cells
        low, high = self.settings.away
        for _ in range(_TRIES):
            at = int(draw.integers(len(cells)))
            metres = self._metres(int(cells[at]), high)[cells]
            near = np.flatnonzero((metres >= low) & (metres <= high))
            if not len(near):
                continue
            first = int(near[draw.integers(len(near))])
            group = np.flatnonzero(self._metres(int(cells[first]), self.settings.spread)[cells] <= self.settings.spread)
            if len(group) < size:
                continue
            chosen = group[draw.permutation(len(group))[:size]]
            eyes = floor[[first]] + _EYE
            if bool(sees_any(self._sight, eyes, floor[[at]] + _EYE).any()):
                return floor[at], floor[chosen]
        return floor[at], floor[draw.permutation(len(cells))[:size]]

    def _metres(self, cell: int, reach: float) -> Floats:
        metres = np.full(len(self.source.layout), np.inf)
        reached = self._walk.distances(np.array([cell]), reach=reach)
        metres[reached.cells] = reached.metres
        return metres
