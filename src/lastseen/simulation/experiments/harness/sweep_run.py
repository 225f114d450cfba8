"""Run sweeps, whose finished tasks are kept, and single evaluations without a folder of results."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .... import __version__
from ....checks import finite_number, instance_of, shown, whole_number
from ....conventions import Progress
from ....errors import InputError
from ....level.level import Level
from .experiment import Answer, Experiment, Plan, Runner, Task
from .parameters import Values
from .processes import run_tasks
from .results import FORM, Manifest, Results, digest_of_rows, open_results, rows_of
from .sweep import READERS, Sweep
from .sweep_summary import SweepSummary, summarise_rows

_KEEP_EVERY = 2.0
_SHARE = 0.01
"""Write finished tasks every 2 s, or every 1 % of the elapsed time if that is longer, to limit the number of parts."""


@dataclass(frozen=True)
class SweepOutcome:
    """Outcome of a sweep.

    Attributes
    ----------
    tasks, earlier, done : number of tasks of the sweep, of those finished before, and of those finished now.
    failed : number of all tasks that ended with an error.
    digest : of all results, independent of how the sweep was run.
    """

    tasks: int
    earlier: int
    done: int
    failed: int
    digest: str
    seconds: float
    errors: tuple[str, ...] = ()


def run_sweep(
    sweep: Sweep,
    folder: str | os.PathLike[str],
    *,
    jobs: int = 1,
    cluster: str = "",
    retry: bool = False,
    progress: Progress = None,
) -> SweepOutcome:
    """Run the tasks of a sweep whose results are not yet in the folder.

    Parameters
    ----------
    folder : where results are stored, created if missing. An interrupted run keeps its finished tasks.
    jobs : number of processes; results do not depend on it. Processes are spawned, so a script that uses more than one
        must guard its entry point by `if __name__ == "__main__":`.
    cluster : address of a scheduler of dask.distributed, or "local" for one on this machine with `jobs` workers.
    retry : run failed tasks again.
    progress : called with a description of the progress, and its fraction.

    Raises
    ------
    InputError
        The folder holds results of another sweep, or the scheduler does not answer.
    """
    instance_of(sweep, Sweep, "sweep", "read one with read_sweep(file)")
    finite_number(whole_number(jobs, "jobs", low=1), "jobs", high=1024)
    if not isinstance(cluster, str):
        raise InputError(f"cluster is {shown(cluster)}; give the address of a scheduler, 'local', or nothing")
    manifest = Manifest(
        FORM, __version__, sweep.experiment.name, sweep.name, sweep.about, len(sweep.tasks), list(sweep.swept)
    )
    began = time.monotonic()
    tasks = {task.key: task for task in sweep.tasks}
    with open_results(folder, manifest, sweep.experiment) as results:
        earlier = _earlier(results, tasks)
        if retry:
            earlier = {key: error for key, error in earlier.items() if not error}
        missing = {key: task for key, task in tasks.items() if key not in earlier}
        failed = sum(bool(error) for error in earlier.values())
        keeper = _Keeper(results, tasks, manifest, retry)
        tell = progress or (lambda _words, _share: None)
        try:
            todo = tuple(missing.values())
            stream = run_tasks(Runner, sweep.plan, todo, jobs=jobs, cluster=cluster, given_up=given_up)
            with closing(stream):
                for answers in stream:
                    keeper.begin()
                    for _, answer in answers:
                        if missing.pop(answer.key, None) is not None:
                            keeper.add(answer)
                            failed += bool(answer.error)
                    keeper.keep_if_due()
                    words = f"{len(tasks) - len(missing)} of {len(tasks)} tasks" + f", {failed} failed" * bool(failed)
                    tell(words, 1.0 - len(missing) / len(tasks))
        finally:
            keeper.keep()
        keeper.begin()
        rows = results.rows()
    errors = dict.fromkeys(str(row["error"]) for row in rows if row["error"])
    done = len(tasks) - len(earlier)
    return SweepOutcome(
        len(tasks), len(earlier), done, failed, digest_of_rows(rows), time.monotonic() - began, tuple(errors)
    )


def _earlier(results: Results, tasks: Mapping[str, Task]) -> dict[str, str]:
    """Return the error of every finished task; reject a folder with tasks of another sweep."""
    earlier = results.done()
    strange = len(earlier.keys() - tasks.keys())
    if strange:
        words = "1 task" if strange == 1 else f"{strange} tasks"
        raise InputError(
            f"{os.fspath(results.folder)!r} holds {words} of another sweep: its file or a level has changed since; "
            "name another folder"
        )
    return earlier


def given_up(task: Task, why: str) -> Answer:
    """Return the answer of a task that was lost too often."""
    return Answer(task.key, [], f"its worker process {why}", 0.0)


class _Keeper:
    """Buffer of finished tasks until there are enough for a file; the folder stays untouched until then."""

    def __init__(self, results: Results, tasks: Mapping[str, Task], manifest: Manifest, retry: bool):
        self._results, self._tasks = results, tasks
        self._manifest, self._retry, self._begun = manifest, retry, False
        self._began = self._kept = time.monotonic()
        self._waiting: list[Answer] = []

    def begin(self) -> None:
        """Prepare the folder for this sweep, once; remove tasks that are run again."""
        if not self._begun:
            self._results.begin(self._manifest)
            if self._retry:
                self._results.without_failed()
            self._begun = True

    def add(self, answer: Answer) -> None:
        """Add a finished task."""
        self._waiting.append(answer)

    def keep_if_due(self) -> None:
        """Write the buffer if it is due."""
        now = time.monotonic()
        if now - self._kept >= max(_KEEP_EVERY, _SHARE * (now - self._began)):
            self.keep()

    def keep(self) -> None:
        """Write the buffer."""
        if self._waiting:
            self._results.add(self._tasks, self._waiting)
            self._waiting = []
        self._kept = time.monotonic()


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
    if not levels:
        raise InputError("no levels given; give at least one")
    if not seeds:
        raise InputError("the number of seeds is 0; give at least 1")
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
