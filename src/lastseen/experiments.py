"""Measure predictors, searches and crews; run sweeps over parameters, levels and seeds."""

from __future__ import annotations

from .simulation.experiments.chase.evaluation import evaluate_chase
from .simulation.experiments.chase.summary import summarise
from .simulation.experiments.crews.evaluation import evaluate_crews
from .simulation.experiments.crews.settings import CrewTrialSettings
from .simulation.experiments.crews.summary import summarise_crews
from .simulation.experiments.search.evaluation import evaluate_search
from .simulation.experiments.search.settings import TrialSettings
from .simulation.experiments.search.summary import summarise_search
from .simulation.experiments.sweeps.run import run_sweep
from .simulation.experiments.sweeps.summary import summarise_sweep
from .simulation.experiments.sweeps.sweep import read_sweep

__all__ = [
    "CrewTrialSettings",
    "TrialSettings",
    "evaluate_chase",
    "evaluate_crews",
    "evaluate_search",
    "read_sweep",
    "run_sweep",
    "summarise",
    "summarise_crews",
    "summarise_search",
    "summarise_sweep",
]
