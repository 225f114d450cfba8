"""See, hear, notice and remember: vision models, hearing, stimuli, reaction times and shared knowledge."""

from __future__ import annotations

from .agents.bodies.bodies import STANCES, bodies
from .agents.knowledge.knowledge import SOURCES, Knowledge
from .agents.knowledge.sharing import Sharing, share, sharing
from .agents.senses.attention.anomalies import ChangedObjects, MissingColleague
from .agents.senses.attention.reaction import ReactionQueue, ReactionTime, reaction
from .agents.senses.attention.stimuli import StimulusBoard
from .agents.senses.hearing.area_hearing import AreaGraph, AreaHearing, Choke
from .agents.senses.hearing.hearing import PathHearing, RadiusHearing
from .agents.senses.hearing.hearing_case import Ears, Heard
from .agents.senses.hearing.sounds import MovementNoise, Sound, sound
from .agents.senses.vision.coffin_vision import CoffinVision
from .agents.senses.vision.look import RayBudget, look_at_points
from .agents.senses.vision.narrowing_vision import NarrowingVision
from .agents.senses.vision.sightings import BANDS, Sightings, VisionMemory
from .agents.senses.vision.vision import vision
from .agents.senses.vision.zone_vision import ZoneVision

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
