"""Summary of a sweep: each measure over each parameter, with 95 % intervals."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any

import numpy as np

from ....conventions import Array, Floats
from ....errors import InputError
from ....estimates import Estimate, student, wilson_share
from ....extensions.notebooks import Columns, Tabular
from ..registry import EXPERIMENTS, require_experiments
from .experiment import Experiment
from .parameters import Measure
from .results import Manifest, Results, digest_of_rows, read_manifest

_MOST_VALUES = 12
_BINS = 8
"""A parameter with more distinct values (drawn at random) is divided into this many groups of similar size."""
_MOST_PAIRS = 3
"""Pairs of parameters that are crossed: more would be too many to look at."""

Rows = Sequence[dict[str, Any]]


@dataclass(frozen=True)
class Point:
    """A measure at one value (or group of values) of a parameter; `x` is the number, or the mean of a group."""

    label: str
    x: float | None
    estimate: Estimate
    tasks: int


@dataclass(frozen=True)
class Curve:
    """A measure over a parameter, for one subject (predictor, contender; empty if there is only one)."""

    subject: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Effect:
    """One measure over one parameter, averaged over everything else that was swept."""

    parameter: str
    measure: Measure
    curves: tuple[Curve, ...]

    def as_object(self) -> dict[str, Any]:
        """Return the effect as a JSON object."""
        return {
            "parameter": self.parameter,
            "measure": self.measure.name,
            "unit": self.measure.unit,
            "curves": [
                {
                    "subject": curve.subject,
                    "points": [
                        {"at": point.label, "x": point.x, "tasks": point.tasks, **point.estimate.as_object()}
                        for point in curve.points
                    ],
                }
                for curve in self.curves
            ],
        }


@dataclass(frozen=True, eq=False)
class Crossing:
    """One measure over two parameters, for one subject, averaged over everything else that was swept.

    Attributes
    ----------
    columns, rows : name of the parameter across and down.
    column_labels, row_labels : their values, or groups of values.
    means : (rows, columns), NaN where there is no task.
    """

    columns: str
    rows: str
    measure: Measure
    subject: str
    column_labels: tuple[str, ...]
    row_labels: tuple[str, ...]
    means: Floats

    def as_object(self) -> dict[str, Any]:
        """Return the crossing as a JSON object."""
        means = [[None if math.isnan(mean) else round(mean, 6) for mean in row] for row in self.means.tolist()]
        return {
            "columns": {self.columns: self.column_labels},
            "rows": {self.rows: self.row_labels},
            "measure": self.measure.name,
            "subject": self.subject,
            "means": means,
        }


@dataclass(frozen=True, eq=False)
class SweepSummary(Tabular):
    """Summary of a whole sweep; as a table, one row per value of a parameter, subject and measure.

    Attributes
    ----------
    done, failed : number of finished tasks, and of those that ended with an error.
    effects : of every parameter with more than one value, on every measure with values.
    crossings : of the first pairs of such parameters, on every measure with values.
    fixed : values of the other parameters, as text.
    errors : error messages, with the number of tasks that ended with each.
    """

    manifest: Manifest
    experiment: Experiment
    done: int
    failed: int
    digest: str
    effects: tuple[Effect, ...]
    crossings: tuple[Crossing, ...]
    fixed: dict[str, str]
    errors: dict[str, int]

    @property
    def parameters(self) -> tuple[str, ...]:
        """Parameters with effects."""
        return tuple(dict.fromkeys(effect.parameter for effect in self.effects))

    def to_columns(self) -> Columns:
        """Return parameter, value, subject, measure, and the estimate with its interval."""
        points = [(one, curve, at) for one in self.effects for curve in one.curves for at in curve.points]
        return {
            "parameter": [one.parameter for one, _, _ in points],
            "at": [at.label for _, _, at in points],
            "x": [at.x for _, _, at in points],
            "subject": [curve.subject for _, curve, _ in points],
            "measure": [one.measure.name for one, _, _ in points],
            **{name: [getattr(at.estimate, name) for _, _, at in points] for name in ("value", "low", "high")},
            "tasks": [at.tasks for _, _, at in points],
        }

    def as_object(self) -> dict[str, Any]:
        """Return the summary as a JSON object."""
        return {
            "sweep": self.manifest.name,
            "about": self.manifest.about,
            "evaluate": self.manifest.evaluate,
            "tasks": self.manifest.tasks,
            "done": self.done,
            "failed": self.failed,
            "errors": self.errors,
            "digest": self.digest,
            "fixed": self.fixed,
            "effects": [effect.as_object() for effect in self.effects],
            "crossings": [crossing.as_object() for crossing in self.crossings],
        }


def summarise_sweep(
    folder: str | os.PathLike[str], *, experiments: Mapping[str, Experiment] = EXPERIMENTS
) -> SweepSummary:
    """Summarise the results in a folder, whether the sweep is finished or not.

    Raises
    ------
    InputError
        The folder holds no sweep results, or one of its files is damaged.
    """
    require_experiments(experiments)
    manifest = read_manifest(folder)
    if manifest.evaluate not in experiments:
        known = ", ".join(experiments)
        raise InputError(f"{os.fspath(folder)!r} holds results of {manifest.evaluate!r}; allowed are {known}")
    experiment = experiments[manifest.evaluate]
    return summarise_rows(Results(folder, experiment).rows(), manifest, experiment)


def summarise_rows(rows: Rows, manifest: Manifest, experiment: Experiment) -> SweepSummary:
    """Summarise rows of an experiment."""
    errors = {str(row["task"]): str(row["error"]) for row in rows if row["error"]}
    sound = [row for row in rows if not row["error"]]
    varied, fixed = [], {}
    for name in ("level", *experiment.parameters):
        values = {row[name] for row in rows}
        if len(values) > 1:
            if name in ("level", *manifest.swept):  # a default may depend on the level
                varied.append(name)
        elif values != {None}:
            fixed[name] = _label(next(iter(values), ""))
    # If nothing varies, report the results by level.
    measures = [one for one in experiment.measures if one.reported and any(row[one.name] is not None for row in sound)]
    effects = [_effect(sound, name, one, experiment) for name in varied or ["level"] for one in measures]
    swept = [name for name in varied if name != "level"]
    pairs = islice(combinations([*swept, *(["level"] if "level" in varied else [])], 2), _MOST_PAIRS)
    crossings = [each for pair in pairs for one in measures for each in _crossings(sound, pair, one, experiment)]
    counts: dict[str, int] = {}
    for words in errors.values():
        counts[words] = counts.get(words, 0) + 1
    return SweepSummary(
        manifest,
        experiment,
        len({row["task"] for row in rows}),
        len(errors),
        digest_of_rows(rows),
        tuple(effects),
        tuple(crossings),
        fixed,
        counts,
    )


def _subjects(rows: Rows, experiment: Experiment) -> list[Any]:
    return list(dict.fromkeys(row[experiment.subject] for row in rows)) if experiment.subject else [""]


def _effect(rows: Rows, parameter: str, measure: Measure, experiment: Experiment) -> Effect:
    known = [row for row in rows if row[measure.name] is not None]
    groups = _groups(known, parameter)
    curves = []
    for subject in _subjects(known, experiment):
        points = []
        for label, x, members in groups:
            some = [row for row in members if not experiment.subject or row[experiment.subject] == subject]
            if some:
                points.append(Point(label, x, estimate_of(some, measure), len(some)))
        curves.append(Curve(str(subject), tuple(points)))
    return Effect(parameter, measure, tuple(curves))


def _crossings(rows: Rows, pair: tuple[str, str], measure: Measure, experiment: Experiment) -> Iterator[Crossing]:
    """Yield a measure over two parameters for each subject."""
    known = [row for row in rows if row[measure.name] is not None]
    across, down = (_groups(known, parameter) for parameter in pair)
    for subject in _subjects(known, experiment):
        sums, counts = np.zeros((2, len(down), len(across)))
        place = {id(row): column for column, group in enumerate(across) for row in group[2]}
        for at, (_, _, members) in enumerate(down):
            for row in members:
                if not experiment.subject or row[experiment.subject] == subject:
                    sums[at, place[id(row)]] += row[measure.name]
                    counts[at, place[id(row)]] += 1
        means = np.divide(sums, counts, out=np.full_like(sums, math.nan), where=counts > 0)
        columns, rows_down = (tuple(label for label, _, _ in groups) for groups in (across, down))
        yield Crossing(*pair, measure, str(subject), columns, rows_down, means)


def _groups(rows: Rows, parameter: str) -> list[tuple[str, float | None, Rows]]:
    """Return rows grouped by value of a parameter: label, number if it has one, and rows."""
    values = sorted({row[parameter] for row in rows}, key=lambda value: (value is None, value))
    numeric = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
    if not numeric or len(values) <= _MOST_VALUES:
        return [
            (_label(value), float(value) if numeric else None, [row for row in rows if row[parameter] == value])
            for value in values
        ]
    found: list[tuple[str, float | None, Rows]] = []
    for part in np.array_split(np.array(values, np.float64), _BINS):
        low, high = float(part[0]), float(part[-1])
        members = [row for row in rows if low <= row[parameter] <= high]
        found.append((f"{low:.4g} - {high:.4g}", float(np.mean([row[parameter] for row in members])), members))
    return found


def _label(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "usual" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def estimate_of(rows: Rows, measure: Measure) -> Estimate:
    """Return the mean over tasks and its 95 % interval.

    Tasks with the same level and seed face the same episodes, so only pairs of level and seed count as independent: the
    interval is Student's over their means, but never narrower than the uncertainty within tasks; for boolean measures
    it is Wilson's.
    """
    values = np.array([row[measure.name] for row in rows], np.float64)
    pairs = {pair: number for number, pair in enumerate(dict.fromkeys(map(_pair, rows)))}
    of_row = np.array([pairs[_pair(row)] for row in rows])
    count, mean = len(pairs), float(values.mean())
    # With one task per pair, this is the standard error of the mean of tasks.
    apart = np.bincount(of_row, values - mean)
    error = math.sqrt(float(apart @ apart) * count / (count - 1)) / len(values) if count > 1 else 0.0
    if measure.yes_or_no:
        # As many independent tasks as would give the same error.
        worth = mean * (1.0 - mean) / error**2 if error else 0.0
        found = wilson_share(mean, min(max(worth, count), len(values)))
        return Estimate(mean, found.low, found.high, len(values))
    half = student(count - 1) * error if count > 1 else 0.0
    below = max(half, _within(rows, of_row, measure, "low", -1.0))
    above = max(half, _within(rows, of_row, measure, "high", 1.0))
    if count == 1 and not measure.interval:
        below = above = math.inf
    most = 1.0 if measure.unit == "share" else math.inf
    least = 0.0 if values.min() >= 0.0 else -math.inf  # what was never negative, such as a length, cannot be
    low = -math.inf if below == math.inf else max(least, mean - below)
    high = math.inf if above == math.inf else min(most, mean + above)
    return Estimate(mean, min(mean, low), max(mean, high))


def _pair(row: dict[str, Any]) -> tuple[Any, Any]:
    return row["level"], row["seed"]


def _within(rows: Rows, of_row: Array, measure: Measure, end: str, sign: float) -> float:
    """Return the uncertainty of the mean due to the intervals within tasks, which add up for one level and seed."""
    if not measure.interval:
        return 0.0
    ends = [row[f"{measure.name}_{end}"] for row in rows]
    if any(value is None for value in ends):
        return math.inf if of_row.max() == 0 else 0.0
    apart = np.bincount(of_row, [sign * (value - row[measure.name]) for value, row in zip(ends, rows)])
    return math.sqrt(float(apart @ apart)) / len(rows)
