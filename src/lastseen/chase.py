"""Guess where a target ran after it was lost: the chase, its baselines and what they are given."""

from __future__ import annotations

from .layers.tactical_worth import tactical_points, tactical_worth
from .reasoning.chase.baselines import Breadcrumbs, DeadReckoning, LastPosition, ParticleFilter
from .reasoning.chase.flood.chase import Chase
from .reasoning.chase.flood.chase_settings import PRESETS, ChaseSettings, preset
from .reasoning.chase.flood.flood_run import paint
from .reasoning.chase.loss import Loss, Losses, View
from .reasoning.chase.prediction import Flood, Prediction, Predictor
from .reasoning.chase.predictors import PREDICTORS, PredictorKind, predictor_kind, register_predictor
from .reasoning.chase.pursuit import Conduct, Pursuit, Stimulus

__all__ = [
    "PREDICTORS",
    "PRESETS",
    "Breadcrumbs",
    "Chase",
    "ChaseSettings",
    "Conduct",
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
    "paint",
    "predictor_kind",
    "preset",
    "register_predictor",
    "tactical_points",
    "tactical_worth",
]
