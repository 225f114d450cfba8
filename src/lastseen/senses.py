"""See, hear, notice and remember: vision models, hearing, stimuli, reaction times and shared knowledge."""

from __future__ import annotations

from .agents.bodies import STANCES, bodies
from .agents.knowledge.knowledge import SOURCES, Knowledge
from .agents.knowledge.sharing import Sharing, share, sharing
from .agents.perception.area_hearing import AreaGraph, AreaHearing, Choke
from .agents.perception.changed_objects import ChangedObjects
from .agents.perception.coffin_vision import CoffinVision
from .agents.perception.hearing import PathHearing, RadiusHearing
from .agents.perception.hearing_case import Ears, Heard
from .agents.perception.look import RayBudget, look_at_points
from .agents.perception.missing_colleague import MissingColleague
from .agents.perception.narrowing_vision import NarrowingVision
from .agents.perception.reaction import ReactionQueue, ReactionTime, reaction
from .agents.perception.sightings import BANDS, Sightings, VisionMemory
from .agents.perception.sounds import MovementNoise, Sound, sound
from .agents.perception.stimuli import StimulusBoard
from .agents.perception.vision import vision
from .agents.perception.zone_vision import ZoneVision

__all__ = [
    "BANDS",
    "SOURCES",
    "STANCES",
    "AreaGraph",
    "AreaHearing",
    "ChangedObjects",
    "Choke",
    "CoffinVision",
    "Ears",
    "Heard",
    "Knowledge",
    "MissingColleague",
    "MovementNoise",
    "NarrowingVision",
    "PathHearing",
    "RadiusHearing",
    "RayBudget",
    "ReactionQueue",
    "ReactionTime",
    "Sharing",
    "Sightings",
    "Sound",
    "StimulusBoard",
    "VisionMemory",
    "ZoneVision",
    "bodies",
    "look_at_points",
    "reaction",
    "share",
    "sharing",
    "sound",
    "vision",
]
