"""Run a sweep: do what is missing, keep what is done."""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import dataclass

from ... import __version__
from ...checks import finite_number, shown, thing_of, whole_number
from ...conventions import Progress
from ...errors import InputError
from .cluster import run_on_cluster
from .processes import run_here, run_in_processes
from .results import FORM, Manifest, Results, digest_of_rows, open_results
from .sweep import Sweep
from .task import Answer, Task

__all__ = ["SweepOutcome", "run_sweep"]

_KEEP_EVERY = 2.0
_SHARE = 0.01
"""Finished tasks are written every 2 s, or every hundredth of the time since the start, so that parts stay few."""


@dataclass(frozen=True)
class SweepOutcome:
    """What came of a sweep.

    Attributes
    ----------
    tasks, earlier, done : tasks of the sweep, those that had been done before, and those done now.
    failed : tasks, of all, that ended with an error.
    digest : of all results; one sweep, one digest, however it was run.
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
    """Do the tasks of a sweep whose results are not in the folder yet.

    Parameters
    ----------
    folder : where results are kept, made if it is not there. What ends early keeps what was done.
    jobs : processes; results are the same for any number. They are started anew, so a script that asks for more than
        one must guard its own start by `if __name__ == "__main__":`.
    cluster : address of a scheduler of dask.distributed, or "local" for one on this machine with `jobs` workers.
    retry : do those tasks again that failed before.
    progress : called with what is done in words, and its share.

    Raises
    ------
    InputError
        The folder holds results that are not of this sweep, or the scheduler does not answer.
    """
    thing_of(sweep, Sweep, "sweep", "read one with read_sweep(file)")
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
            with closing(_answers(sweep, tuple(missing.values()), jobs, cluster)) as stream:
                for answers in stream:
                    keeper.begin()
                    for answer in answers:
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
    """Return the error of every task that is done; refuse a folder that holds others."""
    earlier = results.done()
    strange = len(earlier.keys() - tasks.keys())
    if strange:
        words = "1 task" if strange == 1 else f"{strange} tasks"
        raise InputError(
            f"{os.fspath(results.folder)!r} holds {words} of another sweep: its file, or a level, was changed since; "
            "name another folder"
        )
    return earlier


def _answers(sweep: Sweep, tasks: tuple[Task, ...], jobs: int, cluster: str) -> Generator[list[Answer], None, None]:
    if not tasks:
        return
    if cluster:
        yield from run_on_cluster(sweep.plan, tasks, cluster, jobs)
    elif jobs == 1 or len(tasks) == 1:
        yield from run_here(sweep.plan, tasks)
    else:
        yield from run_in_processes(sweep.plan, tasks, jobs)


class _Keeper:
    """Holds finished tasks until there are enough for a file; the folder stays as it was until there are any."""

    def __init__(self, results: Results, tasks: Mapping[str, Task], manifest: Manifest, retry: bool):
        self._results, self._tasks = results, tasks
        self._manifest, self._retry, self._begun = manifest, retry, False
        self._began = self._kept = time.monotonic()
        self._waiting: list[Answer] = []

    def begin(self) -> None:
        """Make the folder that of this sweep, once; tasks that are done again are taken out."""
        if not self._begun:
            self._results.begin(self._manifest)
            if self._retry:
                self._results.without_failed()
            self._begun = True

    def add(self, answer: Answer) -> None:
        """Take a finished task."""
        self._waiting.append(answer)

    def keep_if_due(self) -> None:
        """Write what waits, if the last time is long ago."""
        now = time.monotonic()
        if now - self._kept >= max(_KEEP_EVERY, _SHARE * (now - self._began)):
            self.keep()

    def keep(self) -> None:
        """Write what waits."""
        if self._waiting:
            self._results.add(self._tasks, self._waiting)
            self._waiting = []
        self._kept = time.monotonic()
