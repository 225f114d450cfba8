"""The parts of a world, including those that only the simulation reads."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...agents.behaviour.tree import Tree
from ...agents.bodies.contacts import Contacts
from ...agents.brains.surroundings import AlarmCause, Attention, CellLayers, Doors, Senses, Teamwork
from ...agents.brains.voices import Voices
from ...agents.crews.crews import Crews
from ...agents.knowledge.knowledge import Sharing
from ...agents.knowledge.news import News
from ...agents.rules.language.rule import RuleCondition, Value, VariableSpec
from ...agents.rules.speech.speech import Speech
from ...agents.senses.attention.anomalies import ChangedObjects, MissingColleague
from ...agents.senses.hearing.hearing import FAIR, Ears, Fairness, Heard, HearingModel
from ...agents.senses.hearing.sounds import MovementNoise, Sound
from ...agents.senses.vision.look import RayBudget
from ...agents.senses.vision.sightings import VisionMemory
from ...agents.senses.vision.vision import VisionModel
from ...cells.live import DoorCells
from ...conventions import Bools, Floats, Ids
from ...kernels.arrays.agent_arrays import BodyArrays
from ...level.features import Trap
from ...reasoning.tactical.environment import Environment
from ...vocabulary.events import Ended
from ..scenario.scenario import Incident, LayerSpec
from .lighting import Lighting
from .reactions import Reacting
from .tree_statuses import Text, TreeWords
from .weather import Weather

if TYPE_CHECKING:
    from .survey import Survey, Work


@dataclass(frozen=True, eq=False)
class Looking:
    """Watchers that share a vision model: their rows, the memory of the model, and their ray budget."""

    model: VisionModel
    rows: Ids
    observers: Ids
    memory: VisionMemory
    rays: RayBudget | None = None


@dataclass(kw_only=True)
class Sensing(Senses):
    """Eyes and ears. Written by `sense`.

    Attributes
    ----------
    looking : watchers, grouped by vision model.
    hearing, ears, noise : hearing model, sensitivity of watchers, and sounds of movement.
    areas, fairness : areas for hearing through doors, if used; reduced hearing of agents outside the player's view.
    doors_heard : shut doors when `hearing` was created from areas.
    heard, lasting : sounds that reach watchers, and sounds that last several steps.
    """

    looking: list[Looking]
    hearing: HearingModel
    ears: Ears
    noise: MovementNoise
    areas: Environment | None = None
    fairness: Fairness = FAIR
    doors_heard: bytes = b""
    heard: Heard | None = None
    lasting: list[Sound] = field(default_factory=list)


@dataclass(kw_only=True)
class Noticing(Attention):
    """Perceptions that watchers have become aware of. Written by `remember`.

    Attributes
    ----------
    sharing : how knowledge is shared among colleagues.
    news : what colleagues tell each other, under way.
    radioed : by watcher that is told by radio of an alarm, the time in seconds at which it knows, and its cause.
    reacting : reaction times; `noted` are the sounds that watchers have reacted to.
    changed, missing : changed objects, and colleagues that have been silent.
    earshot : (guards, guards) bool, which guards would hear each other; None before it is first needed.
    heard_by, called_by : by stimulus, the watchers that heard it; by lasting sound, its stimulus and posting time.
    holds : by watcher, the seconds for which it acts on a target that it no longer sees as if it did.
    slipping : watchers and columns of targets that are out of sight, but not lost yet.
    glimpsed : (watchers, targets) bool, targets that were in sight at the previous step, identified or not.
    out : columns of targets that were caught or went down. An inbox: `act` appends, `remember` empties it.
    told : by column of such a target, the time in seconds at which each watcher that learns of it does so.
    knows_out : (watchers, targets) bool, which watchers know that which targets are out of the game.
    """

    sharing: Sharing
    news: News
    reacting: Reacting
    changed: ChangedObjects
    missing: MissingColleague
    noted: Heard | None = None
    radioed: dict[int, tuple[float, AlarmCause]] = field(default_factory=dict)
    earshot: Bools | None = None
    heard_by: dict[int, Bools] = field(default_factory=dict)
    called_by: dict[Sound, tuple[int, float]] = field(default_factory=dict)
    holds: tuple[float, ...] = ()
    slipping: dict[tuple[int, int], None] = field(default_factory=dict)
    glimpsed: Bools = field(default_factory=lambda: np.zeros((0, 0), np.bool_))
    out: list[int] = field(default_factory=list)
    told: dict[int, dict[int, float]] = field(default_factory=dict)
    knows_out: Bools = field(default_factory=lambda: np.zeros((0, 0), np.bool_))


@dataclass(kw_only=True)
class CrewWork(Teamwork):
    """The crews; None if all agents act alone. Written by `crews`."""

    crews: Crews | None = None


@dataclass(kw_only=True)
class DoorWork(Doors):
    """Doors, and what they block. Written by `act`.

    Attributes
    ----------
    middles : (d, 3) centres in metres.
    air : cells that sound passes: the walkable ones without shut doors.
    opened_by, free_since : by door that will fall shut, the agent that opened it, and the time since no agent is near.
    """

    middles: Floats
    air: DoorCells
    opened_by: dict[int, int] = field(default_factory=dict)
    free_since: dict[int, float] = field(default_factory=dict)


class Due(NamedTuple):
    """A row of the script to be carried out: the time in seconds, its number, and what triggered it.

    `agent` did it, such as entering a zone, and `target` is the other one concerned; -1: none.
    """

    at: float
    row: int
    agent: int = -1
    target: int = -1


@dataclass(kw_only=True)
class TrapWork:
    """The traps. Written by `act`.

    Attributes
    ----------
    traps, is_set : the traps, and which of them have not sprung yet.
    set_by : by trap, the agent that set it during the run; -1: it was there before.
    held : by snared agent, the time in seconds until which it cannot walk.
    """

    traps: list[Trap] = field(default_factory=list)
    is_set: list[bool] = field(default_factory=list)
    set_by: list[int] = field(default_factory=list)
    held: dict[int, float] = field(default_factory=dict)


@dataclass(kw_only=True)
class LayerWork(CellLayers):
    """The layers of a world, and the surveys under way. Written by `sense`.

    Attributes
    ----------
    survey : measures all cells; None without layers.
    specs : by name, how often and within which budget a layer is surveyed; sums after the layers they are made of.
    due : by name, the time in seconds of the next survey.
    begun : surveys that their budget has not let finish.
    """

    survey: Survey | None = None
    specs: dict[str, LayerSpec] = field(default_factory=dict)
    due: dict[str, float] = field(default_factory=dict)
    begun: dict[str, Work] = field(default_factory=dict)


@dataclass(kw_only=True)
class Script:
    """The script. Written by `script`.

    Attributes
    ----------
    due : rows that will be carried out, in order of time and row.
    lighting, weather : light of places; limits of sight and hearing outdoors.
    rows : all rows, in the order of the file.
    facts : values of global facts, by path; None: unknown.
    conditions : what rows wait for that wait for a fact, by row, with the specification of the fact.
    armed : rows whose trigger may still fire.
    smoke : clouds (x, y, z, radius in metres, time in seconds at which they clear).
    inside : by zone of a trigger, (n,) bool, agents that were in it at the previous step.
    heard_at : by row and agent, when the agent last heard the sound the row waits for.
    held : rows whose fact held at the previous step.
    """

    due: list[Due]
    lighting: Lighting
    weather: Weather
    rows: tuple[Incident, ...] = ()
    facts: dict[str, Value | None] = field(default_factory=dict)
    conditions: dict[int, tuple[RuleCondition, VariableSpec]] = field(default_factory=dict)
    armed: list[int] = field(default_factory=list)
    inside: dict[str, Bools] = field(default_factory=dict)
    heard_at: dict[tuple[int, int], float] = field(default_factory=dict)
    held: set[int] = field(default_factory=set)
    smoke: list[tuple[float, float, float, float, float]] = field(default_factory=list)

    @property
    def clouds(self) -> Floats:
        """Smoke as an array, (k, 4): x, y, z, radius."""
        return np.array([cloud[:4] for cloud in self.smoke], np.float64).reshape(-1, 4)


@dataclass
class Motion:
    """State of movement between steps. Written by `move`.

    Attributes
    ----------
    following : the next generation of bodies, swapped with `World.bodies` at the end of a step.
    contacts : detects guards that run into each other; None: not detected.
    """

    following: BodyArrays
    contacts: Contacts | None = None


@dataclass(frozen=True)
class Talk:
    """Speech of all agents, and what they know. Written by `speak`."""

    speech: Speech
    voices: Voices


@dataclass
class Episode:
    """Status of the episode. Written by `referee`; other systems end it through `World.end`.

    Attributes
    ----------
    exits : (e, 3) metres.
    alarmed : whether a target has been seen or searched for yet.
    ending : None while the episode continues.
    """

    exits: Floats
    alarmed: bool = False
    ending: Ended | None = None


@dataclass(frozen=True)
class TreeEdit:
    """A tree that replaces another in the next step: by agent the new tree, and the values its mind starts with."""

    brain: str
    trees: dict[int, Tree]
    blackboards: dict[int, dict[str, Any]]
    definition: str


@dataclass
class Trace:
    """Digest, timings and texts of steps. Written by `step` and by recordings; `think` notes the costs of agents.

    Attributes
    ----------
    digest : of all steps so far.
    timings : total seconds of each system.
    costs, agent_costs : milliseconds of each system, by name, and of each agent's tree in the last step.
    texts : reasons of nodes that changed in this step, appended by observers of trees if the run is recorded.
    tree_words : tracks nodes whose reasons may have changed; None if the run is not recorded.
    is_stepping : whether a step is under way.
    """

    digest: Any = field(default_factory=lambda: hashlib.blake2b(digest_size=16))
    timings: dict[str, float] = field(default_factory=dict)
    costs: dict[str, float] = field(default_factory=dict)
    agent_costs: list[float] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    tree_words: TreeWords | None = None
    is_stepping: bool = False
