"""Experiments: evaluations of a level, with parameters that can be swept and the resulting measures."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ....cells.layout import CellLayout
from ....level.level import Level
from ....navmesh.body import Body
from .measures import Measure, Row
from .parameters import Parameter, Values
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
