"""Guess where a target ran after it was lost: the chase, its baselines and what they are given."""

from __future__ import annotations

from .reasoning.chase.breadcrumbs import Breadcrumbs
from .reasoning.chase.chase import Chase
from .reasoning.chase.dead_reckoning import DeadReckoning
from .reasoning.chase.loss import Loss, View
from .reasoning.chase.losses import Losses
from .reasoning.chase.particles import ParticleFilter
from .reasoning.chase.places import LastPosition
from .reasoning.chase.prediction import Flood, Prediction, Predictor
from .reasoning.chase.predictors import PREDICTORS, PredictorKind, predictor_kind
from .reasoning.chase.pursuit import Pursuit, Stimulus
from .reasoning.chase.settings import PRESETS, ChaseSettings, preset
from .reasoning.chase.tactical import tactical_points, tactical_worth

__all__ = [
    "PREDICTORS",
    "PRESETS",
    "Breadcrumbs",
    "Chase",
    "ChaseSettings",
    "DeadReckoning",
    "Flood",
    "LastPosition",
    "Loss",
    "Losses",
    "ParticleFilter",
    "Prediction",
    "Predictor",
    "PredictorKind",
    "Pursuit",
    "Stimulus",
    "View",
    "predictor_kind",
    "preset",
    "tactical_points",
    "tactical_worth",
]
