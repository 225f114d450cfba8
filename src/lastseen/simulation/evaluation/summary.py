"""Tables of an evaluation: shares and means with 95 % intervals, and paired differences from the article's flood."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...conventions import Array
from .evaluation import Evaluation
from .outcome import Outcome
from .predictors import FAITHFUL
from .runners import MODELS

__all__ = ["MEANS", "POOLED", "SHARES", "Estimate", "Row", "Table", "mean_of", "paired", "share_of", "summarise"]

SHARES = ("reacquired", "alive", "turned", "corner_missed")
MEANS = ("metres", "miss", "losses")
POOLED = "all levels"

_Z = 1.959963984540054
"""Of the normal distribution, for 95 %."""


@dataclass(frozen=True)
class Estimate:
    """A value and its 95 % interval."""

    value: float
    low: float
    high: float

    def as_object(self) -> dict[str, float | None]:
        """Return it for JSON; bounds of a single value, which are infinite, as null."""
        values = {name: getattr(self, name) for name in ("value", "low", "high")}
        return {name: round(value, 6) if math.isfinite(value) else None for name, value in values.items()}


def share_of(hits: Array) -> Estimate:
    """Return the share of true values, with Wilson's interval: sound also near 0 and 1."""
    count, share = len(hits), float(np.mean(hits))
    scale = 1.0 + _Z**2 / count
    middle = (share + _Z**2 / (2 * count)) / scale
    half = _Z * np.sqrt(share * (1.0 - share) / count + _Z**2 / (4.0 * count**2)) / scale
    # Rounding may leave a bound of a share of 0 or 1 a hair off it, to either side.
    return Estimate(share, max(0.0, min(float(middle - half), share)), min(1.0, max(float(middle + half), share)))


def mean_of(values: Array) -> Estimate:
    """Return the mean, with the normal interval."""
    mean = float(np.mean(values))
    half = _Z * float(np.std(values, ddof=1)) / np.sqrt(len(values)) if len(values) > 1 else float("inf")
    return Estimate(mean, mean - half, mean + half)


def paired(values: Array, others: Array) -> Estimate:
    """Return the mean difference of values met under the same conditions; pairing takes their common part out.

    Differences of shares have the interval of Bonett and Price (one more loss to either side, then the normal one):
    where no pair differs, few pairs still leave doubt.
    """
    apart = values.astype(np.float64) - others.astype(np.float64)
    if values.dtype != np.bool_:
        return mean_of(apart)
    count = len(apart) + 2
    more, fewer = (np.sum(apart > 0) + 1) / count, (np.sum(apart < 0) + 1) / count
    half = _Z * math.sqrt((more + fewer - (more - fewer) ** 2) / count)
    return Estimate(float(apart.mean()), max(-1.0, more - fewer - half), min(1.0, more - fewer + half))


@dataclass(frozen=True, eq=False)
class Row:
    """One predictor on one level (or all).

    Attributes
    ----------
    estimates : by metric: `SHARES` as 0 … 1, `MEANS` as they are.
    gains : the same as differences from the article's flood, paired.
    reasons : how often each reason was given for the place named.
    by_runner : share re-acquired by model of runner.
    by_speed : share re-acquired by the runner's speed in metres a second.
    """

    predictor: str
    omniscient: bool
    estimates: dict[str, Estimate]
    gains: dict[str, Estimate]
    reasons: dict[str, int]
    by_runner: dict[str, float]
    by_speed: dict[str, float]


@dataclass(frozen=True, eq=False)
class Table:
    """All predictors on one level, or on all; `losses` says how many first losses it rests on."""

    level: str
    losses: int
    rows: tuple[Row, ...]

    def row(self, predictor: str) -> Row:
        """Return the row of one predictor."""
        return next(row for row in self.rows if row.predictor == predictor)

    def as_object(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {
            "level": self.level,
            "losses": self.losses,
            "predictors": [
                {
                    "predictor": row.predictor,
                    "omniscient": row.omniscient,
                    **{name: estimate.as_object() for name, estimate in row.estimates.items()},
                    f"above_{FAITHFUL}": {name: gain.as_object() for name, gain in row.gains.items()},
                    "reasons": row.reasons,
                    "reacquired_by_runner": {name: round(share, 6) for name, share in row.by_runner.items()},
                    "reacquired_by_speed": {name: round(share, 6) for name, share in row.by_speed.items()},
                }
                for row in self.rows
            ],
        }


def summarise(evaluation: Evaluation) -> tuple[Table, ...]:
    """Return the table of all levels together, then one for each."""
    outcomes = evaluation.outcomes
    together = Outcome.joined(list(outcomes.values()))
    return tuple(_table(name, one, evaluation) for name, one in ((POOLED, together), *outcomes.items()))


def _table(level: str, outcome: Outcome, evaluation: Evaluation) -> Table:
    base = evaluation.names.index(FAITHFUL)
    rows = []
    for column, contender in enumerate(evaluation.predictors):
        shares = {name: share_of(getattr(outcome, name)[:, column]) for name in SHARES}
        means = {name: mean_of(getattr(outcome, name)[:, column]) for name in MEANS}
        gains = {
            name: paired(getattr(outcome, name)[:, column], getattr(outcome, name)[:, base])
            for name in (*SHARES, *MEANS)
        }
        seen = outcome.reacquired[:, column]
        rows.append(
            Row(
                predictor=contender.name,
                omniscient=contender.omniscient,
                estimates=shares | means,
                gains=gains,
                reasons=dict(sorted(Counter(outcome.reason[:, column].tolist()).items())),
                by_runner={
                    name: float(seen[outcome.model == number].mean())
                    for number, name in enumerate(MODELS)
                    if (outcome.model == number).any()
                },
                by_speed={
                    f"{speed:g}": float(seen[outcome.speed == speed].mean())
                    for speed in np.unique(outcome.speed).tolist()
                },
            )
        )
    return Table(level, len(outcome), tuple(rows))
