"""Tables of an evaluation of crews: means with 95 % intervals, off and on, and paired differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..chase.summary import Estimate, mean_of, paired
from .evaluation import CrewEvaluation, Pair
from .trial import METRICS

__all__ = ["FEWEST", "LESS_IS_BETTER", "POOLED", "CrewRow", "CrewTable", "summarise_crews"]

POOLED = "all"
LESS_IS_BETTER = {
    "contacts": True,
    "lines": True,
    "at_once": True,
    "over": True,
    "flank": True,
    "searched": False,
    "resighted": True,
    "apart": False,
}
"""Whether less is better, by metric."""
FEWEST = 5
"""Minimum number of pairs for a verdict: two that happen to agree have an interval of almost no width."""


@dataclass(frozen=True)
class CrewRow:
    """One metric, over the beginnings in which it could be measured both times.

    `verdict` is "better" or "worse" if the interval of the difference excludes 0, else "open"; with fewer than `FEWEST`
    pairs it is always "open".
    """

    metric: str
    pairs: int
    off: Estimate
    on: Estimate
    change: Estimate

    @property
    def verdict(self) -> str:
        """Whether the metric is better with crews."""
        low, high = self.change.low, self.change.high
        if self.pairs < FEWEST or low <= 0.0 <= high:
            return "open"
        return "better" if (high < 0.0) == LESS_IS_BETTER[self.metric] else "worse"

    def as_object(self) -> dict[str, Any]:
        """Return the row as a JSON object."""
        return {
            "metric": self.metric,
            "pairs": self.pairs,
            "off": self.off.as_object(),
            "on": self.on.as_object(),
            "change": self.change.as_object(),
            "verdict": self.verdict,
        }


@dataclass(frozen=True, eq=False)
class CrewTable:
    """All metrics over some beginnings.

    `alone` is the number of beginnings with one guard; `same`, how many of those are bit-identical with crews.
    """

    name: str
    trials: int
    alone: int
    same: int
    rows: tuple[CrewRow, ...]

    def row(self, metric: str) -> CrewRow | None:
        """Return the row of a metric, or None if there was nothing to measure."""
        return next((row for row in self.rows if row.metric == metric), None)

    def as_object(self) -> dict[str, Any]:
        """Return the table as a JSON object."""
        rows = [row.as_object() for row in self.rows]
        return {"name": self.name, "trials": self.trials, "alone": self.alone, "same": self.same, "metrics": rows}


def summarise_crews(evaluation: CrewEvaluation) -> tuple[CrewTable, ...]:
    """Return the table of everything, then one per kind of drawn trial, then one per source."""
    tables = [_table(POOLED, evaluation.pairs)]
    for kind, name in (("fight", "fights"), ("hunt", "hunts"), ("sweep", "sweeps")):
        pairs = evaluation.of(kind=kind)
        if pairs:
            tables.append(_table(name, pairs))
    tables += [_table(source, evaluation.of(source=source)) for source in evaluation.sources]
    return tuple(tables)


def _table(name: str, pairs: Sequence[Pair]) -> CrewTable:
    several = [pair for pair in pairs if pair.guards > 1]
    alone = [pair for pair in pairs if pair.guards == 1]
    rows = []
    for metric in METRICS:
        values = np.array([[getattr(pair.off, metric), getattr(pair.on, metric)] for pair in several]).reshape(-1, 2)
        values = values[np.isfinite(values).all(axis=1)]
        if len(values):
            off, on = values[:, 0], values[:, 1]
            rows.append(CrewRow(metric, len(values), mean_of(off), mean_of(on), paired(on, off)))
    same = sum(pair.off.digest == pair.on.digest for pair in alone)
    return CrewTable(name, len(pairs), len(alone), same, tuple(rows))
