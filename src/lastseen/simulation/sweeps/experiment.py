"""An experiment: one evaluation of a level, with parameters that can be swept and measures that come of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ...cells.build import build_layout
from ...cells.layout import CellLayout
from ...level.level import ConvexFaces, Level, Tiles
from ...navmesh.agent import Agent
from ...navmesh.build import build_navmesh
from .parameters import Parameter, Values

__all__ = ["Experiment", "Job", "Kept", "Measure", "Row", "baked", "interval", "number"]

Thing = TypeVar("Thing")

Row = dict[str, bool | int | float | str | None]
"""What a task leaves, by column; a task that compares several subjects leaves one row for each."""
_MOST_KEPT = 8


@dataclass(frozen=True)
class Measure:
    """Something measured.

    Attributes
    ----------
    unit : "share" (0 … 1), "m", "s" or nothing.
    yes_or_no : it is 1 or 0 for each task, and its unit "share".
    interval : rows hold its 95 % interval too, as `name_low` and `name_high`.
    reported : it says something about what was asked, not only what that rests on.
    """

    name: str
    unit: str = ""
    about: str = ""
    interval: bool = False
    reported: bool = True
    yes_or_no: bool = False


class Kept:
    """What levels were made into, so that tasks on the same level share it; the oldest goes first."""

    def __init__(self) -> None:
        self._things: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], Thing]) -> Thing:
        """Return the thing of this key, made now if it is not there."""
        if key not in self._things:
            while len(self._things) >= _MOST_KEPT:
                del self._things[next(iter(self._things))]
            self._things[key] = make()
        thing: Thing = self._things[key]
        return thing


@dataclass(frozen=True, eq=False)
class Job:
    """One evaluation to be done.

    Attributes
    ----------
    name, level : of the level; the name is part of what is drawn from the seed.
    values : of every parameter of the experiment.
    files : what the files named by parameters hold.
    kept : what earlier jobs made of levels.
    """

    name: str
    level: Level
    seed: int
    values: Values
    files: Mapping[str, Any]
    kept: Kept


def any_level(_level: Level, _values: Values) -> None:
    """Take every level."""


@dataclass(frozen=True, eq=False)
class Experiment:
    """What can be swept, by name.

    Attributes
    ----------
    subject : column that tells the rows of a task apart ("predictor"); empty: one row a task.
    check : raises InputError for values that cannot be, before anything is run.
    run : does one job.
    fits : raises InputError for a level that lacks what these values ask of it, before anything is run.
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
        """Name and type (of SQL) of what a row of results holds besides its task and parameters."""
        found = {self.subject: "VARCHAR"} if self.subject else {}
        for measure in self.measures:
            found |= dict.fromkeys(_names(measure), "DOUBLE")
        return found


def _names(measure: Measure) -> tuple[str, ...]:
    ends = (f"{measure.name}_low", f"{measure.name}_high") if measure.interval else ()
    return (measure.name, *ends)


def number(value: float) -> float | None:
    """Return a number as a row holds it: None where it is not known."""
    return float(value) if math.isfinite(value) else None


def interval(name: str, value: float, low: float, high: float) -> Row:
    """Return a measure with its interval as columns."""
    return {name: number(value), f"{name}_low": number(low), f"{name}_high": number(high)}


def baked(job: Job, cell: float | None, radius: float | None) -> CellLayout:
    """Return the level of a job in cells; None: as it is drawn, tile maps by their tiles, ready meshes as they are."""
    surface = job.level.surface
    tile = surface.floors[0].tile if isinstance(surface, Tiles) and surface.floors else 1.0
    slim = 0.0 if isinstance(surface, Tiles | ConvexFaces) else Agent().radius
    chosen = (tile if cell is None else cell, slim if radius is None else radius)
    return job.kept.once(
        ("cells", job.name, *chosen),
        lambda: build_layout(build_navmesh(job.level, Agent(radius=chosen[1])), cell=chosen[0]),
    )
