"""The parts of a world that minds do not see, and what their own parts hold for the simulation alone."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...agents.brains.surroundings import Attention, Doors, Senses, Teamwork
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
from ...vocabulary.events import Ended
from ..scenario.scenario import Incident
from .contacts import Contacts
from .hearing_areas import Areas
from .lighting import Lighting
from .reactions import Reacting
from .tree_statuses import Text, TreeWords


@dataclass(frozen=True, eq=False)
class Looking:
    """Watchers that see by the same model: their rows, what the model remembers of them, and their share of rays."""

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
    looking : watchers by the model they see by.
    hearing, ears, noise : the model of hearing, how well watchers hear, and the sounds of movement.
    areas, fairness : where hearing goes by areas; how sounds reach those the player does not see.
    doors_heard : which doors were shut when `hearing` was made from areas.
    heard, lasting : what reaches the ears, and the sounds that last.
    """

    looking: list[Looking]
    hearing: HearingModel
    ears: Ears
    noise: MovementNoise
    areas: Areas | None = None
    fairness: Fairness = FAIR
    doors_heard: bytes = b""
    heard: Heard | None = None
    lasting: list[Sound] = field(default_factory=list)


@dataclass(kw_only=True)
class Noticing(Attention):
    """What comes to mind, and when. Written by `remember`.

    Attributes
    ----------
    sharing : how knowledge spreads among colleagues.
    reacting : how long each takes to notice; `noted` is what came to mind of what was heard.
    changed, missing : things that are not as they were, and colleagues not heard from.
    earshot : (guards, guards) bool, which of them would hear each other; None before it is first needed.
    heard_by, called_by : by stimulus the watchers that heard it; by lasting sound its stimulus, and when it was posted.
    """

    sharing: Sharing
    reacting: Reacting
    changed: ChangedObjects
    missing: MissingColleague
    noted: Heard | None = None
    earshot: Bools | None = None
    heard_by: dict[int, Bools] = field(default_factory=dict)
    called_by: dict[Sound, tuple[int, float]] = field(default_factory=dict)


@dataclass(kw_only=True)
class CrewWork(Teamwork):
    """The crews behind the teamwork; None: all act alone. Written by `crews`."""

    crews: Crews | None = None


@dataclass(kw_only=True)
class DoorWork(Doors):
    """Doors and what they shut off. Written by `act`.

    Attributes
    ----------
    middles : (d, 3) metres.
    air : the cells sound passes: those of bodies, less the shut doors.
    opened_by, free_since : by door that is to fall shut, the agent that opened it, and seconds since nobody is near.
    """

    middles: Floats
    air: DoorCells
    opened_by: dict[int, int] = field(default_factory=dict)
    free_since: dict[int, float] = field(default_factory=dict)


@dataclass(kw_only=True)
class Script:
    """What the scenario makes happen by itself. Written by `script`.

    Attributes
    ----------
    incidents : still to come, in the order of time.
    lighting : how lit places are.
    smoke : clouds (x, y, z, radius in metres, seconds when they are gone).
    """

    incidents: list[Incident]
    lighting: Lighting
    smoke: list[tuple[float, float, float, float, float]] = field(default_factory=list)

    @property
    def clouds(self) -> Floats:
        """Smoke as senses take it, (k, 4)."""
        return np.array([cloud[:4] for cloud in self.smoke], np.float64).reshape(-1, 4)


@dataclass
class Motion:
    """What movement keeps between steps. Written by `move`.

    Attributes
    ----------
    following : the next generation of bodies, swapped with `World.bodies` at the end of a step.
    contacts : guards that run into each other; None: nobody counts that.
    """

    following: BodyArrays
    contacts: Contacts | None = None


@dataclass(frozen=True)
class Talk:
    """The lines of all who speak, and what these know. Written by `speak`."""

    speech: Speech
    voices: Voices


@dataclass
class Episode:
    """How the episode stands. Written by `referee`; others end it through `World.end`.

    Attributes
    ----------
    exits : (e, 3) metres.
    alarmed : whether anyone has been seen or searched for yet.
    ending : None while the episode goes on.
    """

    exits: Floats
    alarmed: bool = False
    ending: Ended | None = None


@dataclass
class Trace:
    """What the loop keeps of its steps. Written by `step` and by recordings.

    Attributes
    ----------
    digest : of all steps so far.
    timings : seconds each system took so far.
    texts : why nodes of trees changed in this step, where it is recorded; observers of trees append.
    tree_words : follows the nodes that may say something else; None: it is not recorded.
    """

    digest: Any = field(default_factory=lambda: hashlib.blake2b(digest_size=16))
    timings: dict[str, float] = field(default_factory=dict)
    texts: list[Text] = field(default_factory=list)
    tree_words: TreeWords | None = None
