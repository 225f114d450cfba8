"""Experiments: evaluations of a level, with parameters that can be swept and the resulting measures."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ....cells.layout import CellLayout
from ....level.level import Level
from ....navmesh.agent import Agent
from .parameters import Parameter, Values

__all__ = ["Experiment", "Job", "Kept", "Measure", "Row", "baked", "interval", "number"]

Thing = TypeVar("Thing")

Row = dict[str, bool | int | float | str | None]
"""Result of a task by column; a task that compares several subjects returns one row for each."""
_MOST_KEPT = 8


@dataclass(frozen=True)
class Measure:
    """A measured quantity.

    Attributes
    ----------
    unit : "share" (0 … 1), "m", "s" or empty.
    yes_or_no : it is 1 or 0 for each task, and its unit is "share".
    interval : rows also hold its 95 % interval, as `name_low` and `name_high`.
    reported : it answers the question of the experiment, rather than giving a sample size.
    """

    name: str
    unit: str = ""
    about: str = ""
    interval: bool = False
    reported: bool = True
    yes_or_no: bool = False


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
    """

    name: str
    about: str
    parameters: dict[str, Parameter]
    measures: tuple[Measure, ...]
    check: Callable[[Values], None]
    run: Callable[[Job], list[Row]]
    subject: str = ""
    fits: Callable[[Level, Values], None] = any_level

    @property
    def columns(self) -> dict[str, str]:
        """Names and SQL types of the columns of results, besides the task and its parameters."""
        found = {self.subject: "VARCHAR"} if self.subject else {}
        for measure in self.measures:
            found |= dict.fromkeys(_names(measure), "DOUBLE")
        return found


def _names(measure: Measure) -> tuple[str, ...]:
    ends = (f"{measure.name}_low", f"{measure.name}_high") if measure.interval else ()
    return (measure.name, *ends)


def number(value: float) -> float | None:
    """Return a number for a row: None if it is not finite."""
    return float(value) if math.isfinite(value) else None


def interval(name: str, value: float, low: float, high: float) -> Row:
    """Return a measure with its interval as columns."""
    return {name: number(value), f"{name}_low": number(low), f"{name}_high": number(high)}


def baked(job: Job, cell: float | None, radius: float | None) -> CellLayout:
    """Return the cells of a job's level; None stands for the defaults of `CellLayout.from_level`."""
    agent = Agent() if radius is None else Agent(radius=radius)
    return job.kept.once(("cells", job.name, agent, cell), lambda: CellLayout.from_level(job.level, agent, cell=cell))
