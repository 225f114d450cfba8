"""Tables of an evaluation of searches with 95 % intervals and paired differences, and its most telling searches."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....conventions import Array
from ..chase.summary import POOLED, Estimate, mean_of, paired, share_of
from .beginnings import MODELS
from .contenders import BASE
from .evaluation import SearchEvaluation
from .outcome import SearchOutcome
from .trial import ENDINGS

__all__ = [
    "MEANS",
    "METRICS",
    "SHARES",
    "SearchPick",
    "SearchRow",
    "SearchTable",
    "best_and_worst_searches",
    "summarise_search",
]

SHARES = ("found",)
MEANS = ("seconds", "off", "truth", "searched", "opened", "metres")
METRICS = (*SHARES, *MEANS)


@dataclass(frozen=True, eq=False)
class SearchRow:
    """One contender on one level (or all).

    Attributes
    ----------
    estimates : by metric: `SHARES` as 0 … 1, `MEANS` in their units.
    gains : paired differences from the random searcher.
    endings : how often each ending occurred.
    by_evader, by_searchers : share found and mean seconds, by model of evader and by number of searchers.
    """

    contender: str
    told: bool
    estimates: dict[str, Estimate]
    gains: dict[str, Estimate]
    endings: dict[str, int]
    by_evader: dict[str, tuple[float, float]]
    by_searchers: dict[str, tuple[float, float]]

    def as_object(self) -> dict[str, Any]:
        """Return the row as a JSON object."""
        return {
            "contender": self.contender,
            "told": self.told,
            **{name: estimate.as_object() for name, estimate in self.estimates.items()},
            f"above_{BASE}": {name: gain.as_object() for name, gain in self.gains.items()},
            "endings": self.endings,
            **{
                name: {
                    key: {"found": round(share, 6), "seconds": round(seconds, 6)}
                    for key, (share, seconds) in getattr(self, name).items()
                }
                for name in ("by_evader", "by_searchers")
            },
        }


@dataclass(frozen=True, eq=False)
class SearchTable:
    """All contenders on one level, or on all; `searches` is the number of beginnings."""

    level: str
    searches: int
    rows: tuple[SearchRow, ...]

    def row(self, contender: str) -> SearchRow:
        """Return the row of one contender."""
        return next(row for row in self.rows if row.contender == contender)

    def as_object(self) -> dict[str, Any]:
        """Return the table as a JSON object."""
        return {"level": self.level, "searches": self.searches, "contenders": [row.as_object() for row in self.rows]}


def summarise_search(evaluation: SearchEvaluation) -> tuple[SearchTable, ...]:
    """Return the table of all levels combined, then one for each."""
    outcomes = evaluation.outcomes
    together = SearchOutcome.joined(list(outcomes.values()))
    return tuple(_table(name, one, evaluation) for name, one in ((POOLED, together), *outcomes.items()))


def _table(level: str, outcome: SearchOutcome, evaluation: SearchEvaluation) -> SearchTable:
    base = evaluation.names.index(BASE)
    rows = []
    for column, contender in enumerate(evaluation.contenders):
        values = {name: getattr(outcome, name)[:, column] for name in METRICS}
        estimates = {name: (share_of if name in SHARES else mean_of)(values[name]) for name in METRICS}
        gains = {name: paired(values[name], getattr(outcome, name)[:, base]) for name in METRICS}
        counted = Counter(outcome.ending[:, column].tolist())
        models = {name: outcome.model == number for number, name in enumerate(MODELS)}
        counts = {str(count): outcome.searchers == count for count in np.unique(outcome.searchers).tolist()}
        rows.append(
            SearchRow(
                contender=contender.name,
                told=contender.told,
                estimates=estimates,
                gains=gains,
                endings={name: counted.get(number, 0) for number, name in enumerate(ENDINGS)},
                by_evader=_parted(outcome, column, models),
                by_searchers=_parted(outcome, column, counts),
            )
        )
    return SearchTable(level, len(outcome), tuple(rows))


def _parted(outcome: SearchOutcome, column: int, parts: dict[str, Array]) -> dict[str, tuple[float, float]]:
    return {
        name: (float(outcome.found[rows, column].mean()), float(outcome.seconds[rows, column].mean()))
        for name, rows in parts.items()
        if rows.any()
    }


@dataclass(frozen=True)
class SearchPick:
    """One search worth looking at: its level, its row in the level's outcome, the contender, and why."""

    level: str
    row: int
    contender: str
    why: str


def best_and_worst_searches(evaluation: SearchEvaluation, contender: str, count: int = 3) -> list[SearchPick]:
    """Return the searches that a contender ended soonest before the random searcher, then those latest after it.

    There is at most one of each kind per level.
    """
    own, base = evaluation.names.index(contender), evaluation.names.index(BASE)
    picks = []
    for why, sign in (("best", 1.0), ("worst", -1.0)):
        found = []
        for level, outcome in evaluation.outcomes.items():
            saved = sign * (outcome.seconds[:, base] - outcome.seconds[:, own])
            row = int(saved.argmax())
            if saved[row] > 0.0:
                found.append((-float(saved[row]), level, row))
        picks += [SearchPick(level, row, contender, why) for _, level, row in sorted(found)[:count]]
    return picks
