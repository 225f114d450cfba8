"""Tables of an evaluation with 95 % intervals and paired differences, and its most telling episodes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....estimates import Estimate, mean_of, paired, share_of
from .evaluation import Evaluation
from .outcome import Outcome
from .predictors import FAITHFUL
from .runners import MODELS

__all__ = [
    "MEANS",
    "POOLED",
    "SHARES",
    "Estimate",
    "Pick",
    "Row",
    "Table",
    "best_and_worst",
    "mean_of",
    "paired",
    "share_of",
    "summarise",
]

SHARES = ("reacquired", "alive", "turned", "corner_missed")
MEANS = ("metres", "miss", "losses")
POOLED = "all levels"


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
                omniscient=contender.is_omniscient,
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


@dataclass(frozen=True)
class Pick:
    """One episode worth looking at: its level, its row in the level's outcome, the predictor, and why."""

    level: str
    row: int
    predictor: str
    why: str


def best_and_worst(evaluation: Evaluation, predictor: str, count: int = 3) -> list[Pick]:
    """Return episodes a predictor won and the article's flood lost, then those the other way round.

    Of each kind those where the two name places furthest apart, at most one per level; where there are none to tell
    the two apart, plain successes and failures with the greatest miss.
    """
    own, base = evaluation.names.index(predictor), evaluation.names.index(FAITHFUL)
    picks = []
    for why, wins in (("best", True), ("worst", False)):
        found = []
        for level, outcome in evaluation.outcomes.items():
            seen, other = outcome.reacquired[:, own], outcome.reacquired[:, base]
            apart = np.linalg.norm(outcome.destination[:, own] - outcome.destination[:, base], axis=1)
            unlike = (seen == wins) & (other != wins)
            alike = seen == wins
            for rank, rows, worth in ((1, unlike, apart), (0, alike, outcome.miss[:, own])):
                if rows.any():
                    row = int(np.where(rows, worth, -1.0).argmax())
                    found.append((rank, float(worth[row]), level, row))
                    break
        found.sort(key=lambda one: (-one[0], -one[1], one[2]))
        picks += [Pick(level, row, predictor, why) for _, _, level, row in found[:count]]
    return picks
