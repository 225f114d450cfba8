"""The surroundings: everything a mind may look at or ask during one step of a world.

They consist of parts, each written by one system of a simulation and read by minds and all other systems. A part stays
the same object for the whole run, so that minds may keep it; only its content changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ...cells.live import LiveLayout
from ...conventions import Array, Bools, Floats, Ids
from ...kernels.arrays.agent_arrays import BodyArrays
from ...layers.layer import Layer
from ...level.features import Zone
from ...level.level import Level
from ...level.sight.sight import Sight
from ...reasoning.chase.chase_spec import ChaseSpec
from ...reasoning.chase.prediction import Predictor
from ...reasoning.locations.picker import Picker
from ...reasoning.locations.query import Query
from ...reasoning.tactical.environment import Environment
from ...vocabulary.events import AnyEvent
from ...vocabulary.words import AgentState, SceneAct, SceneBreak, SceneResumption, Trespass
from ..bodies.combat import Combat
from ..bodies.crowd import Crowd
from ..bodies.orders import Orders
from ..directions import Direction, Notices
from ..held_roles import AskedRoles
from ..knowledge.knowledge import Knowledge
from ..knowledge.losses import Losses
from ..requests import RequestBoard
from ..senses.attention.stimuli import StimulusBoard
from ..senses.hearing.sounds import Sound
from ..senses.vision.sightings import Sightings
from .acts import Acts
from .hunt import Hunt
from .level_states import LevelStates
from .objects import Objects
from .relations import Relations
from .swarms import Swarms

STATES = AgentState.texts()
"""States of agents: set by their trees, shown in pictures."""

if TYPE_CHECKING:
    State = str
else:
    State = Literal[STATES]


@dataclass(frozen=True, eq=False)
class Cast:
    """The agents as they enter the world; nothing writes it during a run.

    Attributes
    ----------
    watchers, targets : numbers of the agents that watch, and of those they watch.
    watcher_row : (n,), an agent's row among the watchers; -1: it watches nobody.
    side : (n,) uint8, how each agent's team takes part, as an index into `TEAMS`.
    home, home_heading : (n, 3) and (n,), where each agent started.
    view_angle, view_distance : per watcher, radians and metres, for predictors.
    pace : by agent, its speed relative to `SPEEDS`; empty: all move at these.
    seed : of the numbers agents draw.
    summoned : by summoner, the agents that wait outside the world until it summons them.
    genders : by agent, "female", "male" or None, for lines about it; empty: unknown.
    """

    watchers: Ids
    targets: Ids
    watcher_row: Ids
    side: Array
    home: Floats
    home_heading: Floats
    view_angle: Floats
    view_distance: Floats
    pace: tuple[float, ...] = ()
    seed: int = 0
    summoned: dict[int, tuple[int, ...]] = field(default_factory=dict)
    genders: tuple[str | None, ...] = ()


@dataclass(frozen=True, eq=False)
class Reasoning:
    """Queries that minds may ask; nothing writes it during a run.

    Attributes
    ----------
    predictors : by spec as written, the spec and its predictor; see `chase_spec`.
    chase : by agent, the spec it uses if its tree names none.
    picker : finds places to go to, hide or appear at.
    queries : place queries in files that trees name, by name.
    environment : returns the areas and chokes of the level, which are found when first needed.
    """

    predictors: dict[str, tuple[ChaseSpec, Predictor]]
    chase: tuple[str, ...]
    picker: Picker
    queries: dict[str, Query]
    environment: Callable[[], Environment]


@dataclass(kw_only=True)
class Senses:
    """What reaches eyes and ears in this step. Written by `sense`.

    Attributes
    ----------
    sightings : what watchers see of targets; None before the first step.
    spotted : (targets, watchers) bool, which watchers each target sees now, whichever way it faces.
    passers : (watchers, targets) bool, which agents that are no enemies each watcher sees.
    light : (n,) float64, how lit each agent is, 0 … 1.
    sounds : made since the last step and heard in the next. An inbox: others append, `sense` empties it.
    """

    sightings: Sightings | None = None
    spotted: Bools = field(default_factory=lambda: np.zeros((0, 0), np.bool_))
    passers: Bools = field(default_factory=lambda: np.zeros((0, 0), np.bool_))
    light: Floats = field(default_factory=lambda: np.zeros(0))
    sounds: list[Sound] = field(default_factory=list)


GLIMPSES_SUSPECT, GLIMPSES_IDENTIFY = 2.5, 4.5
"""Glimpses of a target, which count half after 10 s, from which on an agent goes to see, and knows what it saw."""


AlarmCause = tuple[str, int]
"""What an alarm is about: "target" and its number, or the kind of a call and the number of the thing it is about."""


@dataclass(kw_only=True)
class Attention:
    """What watchers have noticed, per watcher. Written by `remember`.

    Attributes
    ----------
    seen, noticed, known, lost : the column of the target it may act on, notices, knows of, has lost; -1: none.
    acted_on : (watchers, targets) float64, seconds at which each watcher could last act on what it saw; -inf: never.
    calls : the number of the stimulus it should look into; -1: none.
    fresh : the number of the strongest sound it noticed in this step, calls for help excepted; -1: none.
    stimuli : the current stimuli; minds claim and remove them.
    glimpses : (watchers, targets) float64, how often each watcher has lately caught sight of each target.
    alarms : by cause of an alarm, (watchers,) seconds at which each watcher last knew that it was raised; -inf: never.
    """

    acted_on: Floats
    seen: list[int] = field(default_factory=list)
    noticed: list[int] = field(default_factory=list)
    known: list[int] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    fresh: list[int] = field(default_factory=list)
    stimuli: StimulusBoard = field(default_factory=StimulusBoard)
    glimpses: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    alarms: dict[AlarmCause, Floats] = field(default_factory=dict)

    def knows_alarm(self, row: int, cause: AlarmCause) -> bool:
        """Return whether a watcher knows that the alarm about a cause was raised."""
        return row >= 0 and cause in self.alarms and bool(self.alarms[cause][row] > -np.inf)

    def cause_of(self, cast: Cast, blackboard: dict[str, Any], agent: int) -> AlarmCause:
        """Return what an agent raises the alarm about: the target it sees, or else what it was called to."""
        row = int(cast.watcher_row[agent])
        if row >= 0 and self.seen[row] >= 0:
            return "target", int(cast.targets[self.seen[row]])
        return str(blackboard.get("call_kind", "")), int(blackboard.get("call_about", -1))

    def act_on(self, row: int, column: int, now: float) -> None:
        """Let a watcher act on a target as if it had just lost it from sight."""
        self.acted_on[row, column] = now

    def black_out(self, row: int) -> None:
        """Let a watcher that went down act on no target, without having lost one from sight."""
        self.seen[row] = -1


@dataclass(frozen=True)
class SceneStep:
    """One step of a scene.

    Attributes
    ----------
    who, to : places in the cast of the actor, and of the agent it is about; -1: none.
    do, say, item : what the actor does, its words, and the thing it gives or inspects.
    place : where it does so; None: anywhere.
    seconds, block : its duration, and the number of its block.
    """

    who: int
    do: SceneAct
    to: int
    say: str
    item: str
    place: tuple[float, float, float] | None
    seconds: float
    block: int


@dataclass(frozen=True)
class Scene:
    """A scene that agents play together, step by step.

    Attributes
    ----------
    cast : agents by role.
    ignores_first : whether the first minor disturbance is only remarked on.
    resume : from where it goes on after an interruption.
    breaks_off, ends : what interrupts and what ends it: words of `SceneBreak`, or conditions that are keys of `facts`.
    """

    name: str
    cast: tuple[int, ...]
    steps: tuple[SceneStep, ...]
    ignores_first: bool
    resume: SceneResumption
    breaks_off: tuple[str, ...] = (SceneBreak.NOISE.value, SceneBreak.ALARM.value)
    ends: tuple[str, ...] = (SceneBreak.INTRUDER.value,)
    facts: dict[str, Callable[[], bool]] = field(default_factory=dict)

    def start_of(self, turn: int) -> int:
        """Return how many steps precede the one from which an interrupted scene goes on; `turn` counts from 1."""
        if self.resume is SceneResumption.START:
            return 0
        block = self.steps[turn - 1].block
        return next(at for at, step in enumerate(self.steps) if step.block == block)


@dataclass(kw_only=True)
class Teamwork:
    """What agents do together. Written by `crews`.

    Attributes
    ----------
    requests : requests for common objectives; minds and scripts post, crews read.
    directions : by agent, the direction of its crew, or None. Empty without crews.
    crew_numbers : by member, the number of its crew, whether or not it has a direction.
    notices : notices of members and crews to each other, by crew and key.
    desks : by team, the roles its members request themselves.
    role_reasons : by step and agent, why the agent was given a role or a place in that step.
    scenes : scenes by the objective that requests them.
    """

    requests: RequestBoard = field(default_factory=lambda: RequestBoard(is_read=False))
    directions: list[Direction | None] = field(default_factory=list)
    crew_numbers: dict[int, int] = field(default_factory=dict)
    notices: Notices = field(default_factory=dict)
    desks: dict[int, AskedRoles] = field(default_factory=dict)
    role_reasons: dict[tuple[int, int], str] = field(default_factory=dict)
    scenes: dict[str, Scene] = field(default_factory=dict)

    def direction_of(self, agent: int) -> Direction | None:
        """Return the direction of an agent's crew, or None."""
        return self.directions[agent] if self.directions else None

    def notify(self, crew: int, key: str, value: Any, now: float) -> None:
        """Post a notice that the crew and its members can read."""
        self.notices.setdefault(crew, {})[key] = (value, now)

    def desk_of(self, team: int) -> AskedRoles:
        """Return the roles that members of a team request themselves."""
        return self.desks.setdefault(team, AskedRoles())


@dataclass(kw_only=True)
class Doors:
    """The doors of the level. Written by `act`.

    Attributes
    ----------
    shut : (d,) bool, whether each door is shut.
    """

    shut: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))


@dataclass(kw_only=True)
class CellLayers:
    """Layers that agents read. Written by `sense`.

    Attributes
    ----------
    named : by name, one value for each cell; see `LAYERS` for the shipped ones.
    """

    named: dict[str, Layer] = field(default_factory=dict)


@dataclass(kw_only=True)
class Territory:
    """Restricted and safe zones, and what guards do about agents in them. Written by `act`.

    Attributes
    ----------
    restricted, safe : the zones.
    steps, since : by column of targets, what guards do about it, and since which time in seconds.
    inside, sheltered : the time at which it was last in a restricted and in a safe zone.
    keeper : the guard that warns or escorts it; -1: none.
    patience, escort, forgives : seconds from a warning to the escort, from there to the attack, and outside the zone
        until an agent is let go, or no longer sheltered.
    """

    restricted: tuple[Zone, ...]
    safe: tuple[Zone, ...]
    steps: list[Trespass]
    since: list[float]
    inside: list[float]
    keeper: list[int]
    sheltered: list[float]
    patience: float
    escort: float
    forgives: float

    def is_warned(self, column: int) -> bool:
        """Return whether guards want the target in a column to leave."""
        return self.steps[column] in (Trespass.WARNED, Trespass.ESCORTED)


@dataclass(kw_only=True)
class Snapshot:
    """Bodies and paths as plain values, which trees read often. Written by `think`.

    Attributes
    ----------
    places : by agent, its position in metres.
    ways : by agent, its progress on its path, as an index into `STATUSES`.
    """

    places: list[tuple[float, float, float]] = field(default_factory=list)
    ways: list[int] = field(default_factory=list)


@dataclass
class Surroundings:
    """One step of a world as minds see it. Written by the systems of a simulation, read by minds.

    Attributes
    ----------
    level, cells, sight : the level; doors change `cells` and `sight`.
    names, cast : names of all agents by number, and the agents as they entered the world.
    relations : teams, and their attitudes to each other.
    bodies : the current generation of all bodies.
    crowd : the paths of agents.
    orders : the orders of minds; each writes its own row only.
    state : (n,) uint8, indices into `STATES`; each mind writes its own.
    snapshot : bodies and paths as plain values.
    senses, attention : what reaches eyes and ears, and what is noticed.
    knowledge, losses : what watchers know of targets, and of comrades that were hit.
    teamwork : what agents do together.
    hunt : the search shared by all guards.
    reasoning : queries that minds may ask.
    layers : values over the cells that queries and trees read.
    doors, acts : which doors are shut, and which agents hide where.
    territory : restricted and safe zones; None if the scenario does not use them.
    objects : things that agents use; None if there are none.
    level_states : the two states of the level; None if it has one only.
    swarms : swarms of small creatures; None if there are none.
    combat : weapons, health and attacks of agents; None without combat.
    step, time, tick : seconds of a step and since the start, and number of the step.
    events : events of this step.
    """

    level: Level
    cells: LiveLayout
    sight: Sight
    names: tuple[str, ...]
    cast: Cast
    relations: Relations
    bodies: BodyArrays
    crowd: Crowd
    orders: Orders
    state: Array
    senses: Senses
    attention: Attention
    knowledge: Knowledge
    teamwork: Teamwork
    hunt: Hunt
    reasoning: Reasoning
    layers: CellLayers
    doors: Doors
    acts: Acts
    step: float
    snapshot: Snapshot = field(default_factory=Snapshot)
    losses: Losses = field(default_factory=Losses)
    territory: Territory | None = None
    objects: Objects | None = None
    level_states: LevelStates | None = None
    swarms: Swarms | None = None
    combat: Combat | None = None
    time: float = 0.0
    tick: int = 0
    events: list[AnyEvent] = field(default_factory=list)

    def happened(self, event: AnyEvent) -> None:
        """Add an event of this step."""
        self.events.append(event)

    def state_of(self, agent: int) -> str:
        """Return an agent's state, one of `STATES`."""
        return STATES[self.state[agent]]

    def target_name(self, column: int) -> str:
        """Return the name of the target in a column."""
        return self.names[int(self.cast.targets[column])]
