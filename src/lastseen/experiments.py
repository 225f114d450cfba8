"""Measure predictors, searches and crews; run sweeps over parameters, levels and seeds."""

from __future__ import annotations

from .simulation.evaluation.evaluation import evaluate_chase
from .simulation.evaluation.summary import summarise
from .simulation.evaluation_crews.evaluation import evaluate_crews
from .simulation.evaluation_crews.settings import CrewTrialSettings
from .simulation.evaluation_crews.summary import summarise_crews
from .simulation.evaluation_search.evaluation import evaluate_search
from .simulation.evaluation_search.settings import TrialSettings
from .simulation.evaluation_search.summary import summarise_search
from .simulation.sweeps.run import run_sweep
from .simulation.sweeps.summary import summarise_sweep
from .simulation.sweeps.sweep import read_sweep

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
