"""Experiments, the tasks of their sweeps, and what runs a task."""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ....cells.layout import CellLayout
from ....errors import LastSeenError
from ....extensions import code_place
from ....level.level import Level
from ....navmesh.body import Body
from ....textfile import digest_of
from .parameters import Measure, Parameter, Row, Values
from .trials import Trials

Thing = TypeVar("Thing")

_MOST_KEPT = 8


class Kept:
    """Cache of data derived from levels, shared by tasks on the same level; the oldest entry is dropped first."""

    def __init__(self) -> None:
        self._things: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], Thing]) -> Thing:
        """Return the cached object for a key, creating it if it is missing."""
        if key not in self._things:
            while len(self._things) >= _MOST_KEPT:
                del self._things[next(iter(self._things))]
            self._things[key] = make()
        thing: Thing = self._things[key]
        return thing


@dataclass(frozen=True, eq=False)
class Job:
    """One evaluation to run.

    Attributes
    ----------
    name, level : of the level; the name enters the random streams.
    values : of every parameter of the experiment.
    files : contents of the files named by parameters.
    kept : cache shared with earlier jobs.
    """

    name: str
    level: Level
    seed: int
    values: Values
    files: Mapping[str, Any]
    kept: Kept


def any_level(_level: Level, _values: Values) -> None:
    """Accept every level."""


@dataclass(frozen=True, eq=False)
class Experiment:
    """An evaluation that can be swept.

    Attributes
    ----------
    subject : column that distinguishes the rows of a task ("predictor"); empty: one row per task.
    check : raises InputError for invalid values, before anything is run.
    run : runs one job.
    fits : raises InputError for a level that lacks what these values require, before anything is run.
    trials : its episodes, if it has any: `lastseen evaluate` then compares their variants in pairs.
    """

    name: str
    about: str
    parameters: dict[str, Parameter]
    measures: tuple[Measure, ...]
    check: Callable[[Values], None]
    run: Callable[[Job], list[Row]]
    subject: str = ""
    fits: Callable[[Level, Values], None] = any_level
    trials: Trials | None = None

    @property
    def columns(self) -> dict[str, str]:
        """Names and SQL types of the columns of results, besides the task and its parameters."""
        found = {self.subject: "VARCHAR"} if self.subject else {}
        for measure in self.measures:
            found |= dict.fromkeys(measure.columns, "DOUBLE")
        return found


def baked(job: Job, cell: float | None, radius: float | None) -> CellLayout:
    """Return the cells of a job's level; None stands for the defaults of `CellLayout.from_level`."""
    agent = Body() if radius is None else Body(radius=radius)
    return job.kept.once(("cells", job.name, agent, cell), lambda: CellLayout.from_level(job.level, agent, cell=cell))


class Task(NamedTuple):
    """One evaluation: its level, seed and values; `key` is the digest of all of them."""

    key: str
    level: str
    seed: int
    values: Values


class Answer(NamedTuple):
    """Result of a task: rows, or an error message; `seconds` is the time it took."""

    key: str
    rows: list[Row]
    error: str
    seconds: float


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything a process needs to run any task: levels by name, and the contents of files named by parameters.

    The experiment's functions must be module-level, so that other processes can import them.
    """

    experiment: Experiment
    levels: Mapping[str, Level]
    files: Mapping[str, Any]


def task_key(evaluate: str, level: str, level_digest: str, seed: int, values: Values, files: Mapping[str, str]) -> str:
    """Return the digest of a task, 32 hexadecimal digits; `files`: digests of files by name."""
    used = {value: files[value] for value in values.values() if isinstance(value, str) and value in files}
    told = [evaluate, level, level_digest, seed, sorted(values.items()), sorted(used.items())]
    return digest_of(json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode())[:32]


class Runner:
    """Run tasks of a plan in this process."""

    def __init__(self, plan: Plan):
        self._plan = plan
        self._experiment = plan.experiment
        self._kept = Kept()

    def __call__(self, task: Task) -> Answer:
        """Run one task; an error is an answer too."""
        began = time.perf_counter()
        rows: list[Row] = []
        error = ""
        try:
            level = self._plan.levels[task.level]
            rows = self._experiment.run(Job(task.level, level, task.seed, task.values, self._plan.files, self._kept))
        except LastSeenError as fault:
            error = str(fault)
        except (Exception, SystemExit) as fault:  # an experiment of the user may raise anything
            where = traceback.extract_tb(fault.__traceback__)[-1]
            place = code_place(fault) or f" ({Path(where.filename).name}, line {where.lineno})"
            error = f"{type(fault).__name__}: {fault}{place}"
        return Answer(task.key, rows, error, time.perf_counter() - began)
