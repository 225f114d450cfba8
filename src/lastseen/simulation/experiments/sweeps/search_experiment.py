"""Sweeps of searches: how soon each search method finds a lost target."""

from __future__ import annotations

from typing import Any

from ....checks import finite_number, whole_number
from ..search.beginnings import MODELS
from ..search.contenders import DEFAULT, contenders
from ..search.evaluation import SEARCHERS, evader_numbers, evaluate_search, searcher_counts
from ..search.settings import TrialSettings
from ..search.summary import summarise_search
from .chase_experiment import names_in
from .experiment import Experiment, Job, Measure, Row, baked, interval
from .parameters import Parameter, Values, named, parameters_of

__all__ = ["SEARCH"]

_SETTINGS = parameters_of(TrialSettings)
_MEASURES = {
    "found": ("share", "a searcher saw the evader or opened its hiding place"),
    "seconds_needed": ("s", "until then; the whole time if it was not found"),
    "off": ("m", "mean distance of all influence from the evader"),
    "truth": ("share", "influence where the evader is"),
    "searched": ("share", "of the floor that a searcher looked at"),
    "opened": ("", "hiding places opened"),
    "metres": ("m", "walked per searcher"),
}


def _settings(values: Values) -> TrialSettings:
    return TrialSettings(**named(values, _SETTINGS))


def _check(values: Values) -> None:
    given: dict[str, Any] = dict(values)
    _settings(values)
    contenders(names_in(given["contenders"]))
    evader_numbers(names_in(given["evaders"]))
    searcher_counts(given["searchers"])
    finite_number(whole_number(given["episodes"], "episodes", low=1), "episodes", high=1e6)


def _run(job: Job) -> list[Row]:
    values: dict[str, Any] = dict(job.values)
    settings = _settings(job.values)
    evaluation = evaluate_search(
        {job.name: (job.level, baked(job, settings.cell, settings.radius))},
        contenders=names_in(values["contenders"]),
        evaders=names_in(values["evaders"]),
        searchers=values["searchers"],
        episodes=values["episodes"],
        seed=job.seed,
        settings=settings,
    )
    table = summarise_search(evaluation)[-1]
    left_out = len({failure.episode for failure in evaluation.failures})
    rows = []
    for one in table.rows:
        row: Row = {
            "contender": one.contender,
            "episodes_counted": float(table.searches),
            "episodes_failed": float(left_out),
        }
        for name, found in one.estimates.items():
            row |= interval("seconds_needed" if name == "seconds" else name, found.value, found.low, found.high)
        rows.append(row)
    return rows


SEARCH = Experiment(
    name="search",
    about="searches: how soon each search method finds a lost target",
    parameters={
        "episodes": Parameter("whole", 60, "searches per task and contender"),
        "contenders": Parameter("texts", DEFAULT, "search methods; presets can be modified: influence:speed=2"),
        "evaders": Parameter("texts", MODELS, "kinds of evaders, in turn"),
        "searchers": Parameter("wholes", SEARCHERS, "numbers of searchers, in turn"),
        **_SETTINGS,
    },
    measures=(
        *(Measure(name, unit, about, interval=True) for name, (unit, about) in _MEASURES.items()),
        Measure("episodes_counted", "", "number of searches", reported=False),
        Measure("episodes_failed", "", "searches left out because a brain failed", reported=False),
    ),
    check=_check,
    run=_run,
    subject="contender",
)
