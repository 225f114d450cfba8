"""Measure predictors, searches and crews; run sweeps over parameters, levels and seeds; add experiments of your own."""

from __future__ import annotations

from .simulation.experiments.believability.encounters import EncounterSettings
from .simulation.experiments.believability.experiment import evaluate_believability
from .simulation.experiments.chase.experiment import evaluate_chase
from .simulation.experiments.crews.beginnings import CrewTrialSettings
from .simulation.experiments.crews.experiment import evaluate_crews
from .simulation.experiments.harness.experiment import Experiment, Job
from .simulation.experiments.harness.parameters import Measure, Parameter, interval
from .simulation.experiments.harness.summary import summarise
from .simulation.experiments.harness.sweep import read_sweep
from .simulation.experiments.harness.sweep_run import run_sweep
from .simulation.experiments.harness.sweep_summary import summarise_sweep
from .simulation.experiments.opponents.experiment import OpponentSettings, evaluate_opponents
from .simulation.experiments.registry import register_experiment
from .simulation.experiments.search.beginnings import TrialSettings
from .simulation.experiments.search.experiment import evaluate_search

__all__ = [
    "CrewTrialSettings",
    "EncounterSettings",
    "Experiment",
    "Job",
    "Measure",
    "OpponentSettings",
    "Parameter",
    "TrialSettings",
    "evaluate_believability",
    "evaluate_chase",
    "evaluate_crews",
    "evaluate_opponents",
    "evaluate_search",
    "interval",
    "read_sweep",
    "register_experiment",
    "run_sweep",
    "summarise",
    "summarise_sweep",
]
