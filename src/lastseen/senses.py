"""See, hear, notice and remember: vision models, hearing, stimuli, reaction times and shared knowledge."""

from __future__ import annotations

from .agents.bodies.bodies import STANCES, bodies
from .agents.knowledge.knowledge import SOURCES, Knowledge, Sharing, share, sharing
from .agents.senses.attention.anomalies import ChangedObjects, MissingColleague
from .agents.senses.attention.reaction import ReactionQueue, ReactionTime, reaction
from .agents.senses.attention.stimuli import StimulusBoard
from .agents.senses.hearing.area_hearing import AreaGraph, AreaHearing, Choke
from .agents.senses.hearing.hearing import Ears, Heard, PathHearing, RadiusHearing
from .agents.senses.hearing.sounds import MovementNoise, Sound, sound
from .agents.senses.vision.look import RayBudget, look_at_points
from .agents.senses.vision.sightings import BANDS, Sightings, VisionMemory
from .agents.senses.vision.vision import CoffinVision, NarrowingVision, ZoneVision, vision

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
