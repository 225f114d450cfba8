"""One evaluation of an experiment on some levels and seeds, without a folder of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .... import __version__
from ....checks import finite_number, whole_number
from ....conventions import Progress
from ....errors import InputError
from ....level.level import Level
from .experiment import Experiment
from .parameters import Values
from .processes import run_tasks
from .results import FORM, Manifest, rows_of
from .sweep import READERS
from .sweep_run import given_up
from .sweep_summary import SweepSummary, summarise_rows
from .task import Plan, Runner, Task


def evaluate_rows(
    experiment: Experiment,
    levels: Mapping[str, Level],
    values: Values | None = None,
    *,
    seeds: Sequence[int] = (0,),
    jobs: int = 1,
    progress: Progress = None,
) -> tuple[SweepSummary, list[dict[str, Any]]]:
    """Run an experiment on every level with every seed; return the summary and the rows, as those of a sweep.

    Parameters
    ----------
    values : of parameters; those left out have their defaults.
    jobs : number of processes; the result does not depend on it.
    """
    if not levels or not seeds:
        raise InputError("no level or seed given; give at least one of each")
    finite_number(whole_number(jobs, "jobs", low=1), "jobs", high=1024)
    every = {name: one.usual for name, one in experiment.parameters.items()} | (values or {})
    experiment.check(every)
    for level in levels.values():
        experiment.fits(level, every)
    files = {
        given: READERS[one.kind](Path(given))
        for name, one in experiment.parameters.items()
        if one.kind in READERS and isinstance(given := every[name], str)
    }
    tasks = [Task(f"{number:03} {name}", name, seed, every) for name in levels for number, seed in enumerate(seeds)]
    rows: list[dict[str, Any]] = []
    done = 0
    for answers in run_tasks(Runner, Plan(experiment, levels, files), tasks, jobs=jobs, given_up=given_up):
        for task, answer in answers:
            rows += rows_of(experiment, task, answer)
            done += 1
            if progress is not None:
                progress(task.level, done / len(tasks))
    rows.sort(key=lambda row: [list(levels).index(row["level"]), row["task"]])
    manifest = Manifest(FORM, __version__, experiment.name, experiment.name, experiment.about, len(tasks), [])
    return summarise_rows(rows, manifest, experiment), rows
