"""The world: the surroundings of all minds, and what only the simulation knows."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...agents.behaviour.tree import Tree
from ...agents.bodies.orders import Act
from ...agents.brains.mind import Mind
from ...agents.brains.surroundings import Surroundings
from ...agents.brains.voices import Voices
from ...agents.crews.crews import Crews
from ...agents.knowledge.sharing import Sharing
from ...agents.rules.speech.speech import Speech
from ...agents.senses.attention.anomalies import ChangedObjects, MissingColleague
from ...agents.senses.hearing.hearing import HearingModel
from ...agents.senses.hearing.hearing_case import FAIR, Ears, Fairness, Heard
from ...agents.senses.hearing.sounds import MovementNoise, Sound
from ...agents.senses.vision.look import RayBudget
from ...agents.senses.vision.sightings import VisionMemory
from ...agents.senses.vision.vision import VisionModel
from ...cells.live import DoorCells
from ...conventions import Bools, Floats, Ids
from ...kernels.arrays.agent_arrays import BodyArrays
from ..scenario.scenario import Incident, Scenario
from .contacts import Contacts
from .hearing_areas import Areas
from .lighting import Lighting
from .reactions import Reacting
from .tree_statuses import TreeWords

__all__ = ["Ending", "Looking", "World"]


@dataclass(frozen=True)
class Ending:
    """Why an episode ended: a named reason, whom it concerns, and one sentence."""

    reason: str
    agent: int = -1
    text: str = ""


@dataclass(frozen=True, eq=False)
class Looking:
    """Watchers that see by the same model: their rows, what the model remembers of them, and their share of rays."""

    model: VisionModel
    rows: Ids
    observers: Ids
    memory: VisionMemory
    rays: RayBudget | None = None


@dataclass(kw_only=True)
class World(Surroundings):
    """Everything that changes in time. Systems write it, one after another; nothing else does.

    Attributes
    ----------
    following : the next generation of bodies, swapped with `bodies` at the end of a step.
    minds, trees : one each per agent; None for those moved from outside.
    looking, hearing, ears, noise : senses.
    reacting : how long each takes to notice; `heard` is what reaches the ears, `noted` what came to mind.
    air : the cells sound passes: those of bodies, less the shut doors.
    door_middles, exits : (d, 3) and (e, 3) metres.
    lighting, smoke : how lit places are; clouds (x, y, z, radius in metres, seconds when they are gone).
    areas, fairness : where hearing goes by areas; how sounds reach those the player does not see.
    heard_by, called_by : by stimulus who heard it; by sound that lasts the stimulus it was posted as, and when.
    alarmed : has anybody been seen or searched for yet?
    outside_acts : what puppets want done in this step.
    contacts : who of the guards runs into whom; None: nobody counts that.
    speech, voices : the lines of all who speak, and what these know; None where the scenario has no rules.
    crews : who does what together; None: everybody acts alone.
    texts, tree_words : why nodes of trees changed in this step, and which may say something else; where it is recorded.
    ending : None while the episode goes on.
    """

    scenario: Scenario
    following: BodyArrays
    trees: list[Tree | None]
    minds: list[Mind] = field(default_factory=list)
    looking: list[Looking]
    hearing: HearingModel
    ears: Ears
    noise: MovementNoise
    air: DoorCells
    sharing: Sharing
    reacting: Reacting
    changed: ChangedObjects
    missing: MissingColleague
    incidents: list[Incident]
    door_middles: Floats
    exits: Floats
    lighting: Lighting
    areas: Areas | None = None
    fairness: Fairness = FAIR
    smoke: list[tuple[float, float, float, float, float]] = field(default_factory=list)
    alarmed: bool = False
    earshot: Bools | None = None
    heard: Heard | None = None
    noted: Heard | None = None
    heard_by: dict[int, Bools] = field(default_factory=dict)
    called_by: dict[Sound, tuple[int, float]] = field(default_factory=dict)
    lasting: list[Any] = field(default_factory=list)
    outside_acts: list[tuple[int, Act]] = field(default_factory=list)
    door_opened_by: dict[int, int] = field(default_factory=dict)
    door_free_since: dict[int, float] = field(default_factory=dict)
    contacts: Contacts | None = None
    speech: Speech | None = None
    voices: Voices | None = None
    crews: Crews | None = None
    ending: Ending | None = None
    timings: dict[str, float] = field(default_factory=dict)
    texts: list[tuple[int, int, str]] = field(default_factory=list)
    tree_words: TreeWords | None = None
    digest: Any = field(default_factory=lambda: hashlib.blake2b(digest_size=16))

    def end(self, reason: str, agent: int = -1, text: str = "", **more: Any) -> None:
        """End the episode; the first reason holds. `more` is kept with the event."""
        if self.ending is None:
            self.ending = Ending(reason, agent, text)
            self.happened("end", agent, text or reason, data={"reason": reason, **more})

    @property
    def clouds(self) -> Floats:
        """Smoke as senses take it, (k, 4)."""
        return np.array([cloud[:4] for cloud in self.smoke], np.float64).reshape(-1, 4)

    @property
    def seconds_left(self) -> float:
        """Seconds until time is over."""
        return self.scenario.seconds - self.time

    def is_door_open(self, number: int) -> bool:
        """Does a door let sight and sound through?"""
        return not bool(self.door_shut[number])
