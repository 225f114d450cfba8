"""Tables of an evaluation with 95 % intervals and paired differences, and its most telling episodes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ....checks import instance_of
from ....estimates import Estimate, mean_of, paired, share_of, shares_apart
from ....extensions.notebooks import Columns, Tabular
from .parameters import Measure
from .trials import Breakdown, Evaluation, Trials

FEWEST = 5
"""Minimum number of pairs for a verdict: two that happen to agree have an interval of almost no width."""


@dataclass(frozen=True, eq=False)
class Row:
    """One variant on one case, or on all.

    Attributes
    ----------
    estimates : by metric, over the episodes in which all variants could be measured; shares as 0 … 1.
    gains : paired differences from the base.
    counts : how often each reason or ending occurred.
    groups : by breakdown, then by label, the means of its metrics.
    effects : by breakdown that compares its parts, then by label, the differences of its metrics from the first part.
    part_gains : by breakdown with pairs, then by label, the paired differences from the base.
    """

    variant: str
    told: bool
    estimates: dict[str, Estimate]
    gains: dict[str, Estimate]
    counts: Mapping[str, int]
    groups: dict[str, dict[str, tuple[float, ...]]]
    effects: dict[str, dict[str, dict[str, Estimate]]]
    part_gains: dict[str, dict[str, dict[str, Estimate]]]


@dataclass(frozen=True)
class Change:
    """One metric of the base and of the only other variant.

    `verdict` is "better" or "worse" if the interval of the difference excludes 0, else "open"; with fewer than `FEWEST`
    pairs it is always "open".
    """

    measure: Measure
    off: Estimate
    on: Estimate
    change: Estimate

    @property
    def pairs(self) -> int:
        """Number of episodes in which both could be measured."""
        return self.change.of

    @property
    def verdict(self) -> str:
        """Whether the other variant is better than the base."""
        low, high = self.change.low, self.change.high
        if self.pairs < FEWEST or low <= 0.0 <= high:
            return "open"
        return "better" if (high < 0.0) == self.measure.less_is_better else "worse"


@dataclass(frozen=True, eq=False)
class Table(Tabular):
    """All variants on one case, on all, or on a part of the episodes; `count` is the number of episodes.

    As a table for pandas or polars, it has one row per variant and metric.
    """

    trials: Trials
    case: str
    count: int
    rows: tuple[Row, ...]
    facts: dict[str, Any]

    def row(self, variant: str) -> Row:
        """Return the row of one variant."""
        return next(row for row in self.rows if row.variant == variant)

    def to_columns(self) -> Columns:
        """Return each variant, metric and estimate with its interval, and the difference from the base."""
        names = ("value", "low", "high")
        found: dict[str, list[Any]] = {self.trials.variant: [], "metric": []}
        found |= {f"{kind}{name}": [] for kind in ("", "gain_") for name in names}
        for row in self.rows:
            for metric, estimate in row.estimates.items():
                found[self.trials.variant].append(row.variant)
                found["metric"].append(metric)
                for kind, one in (("", estimate), ("gain_", row.gains[metric])):
                    for name in names:
                        found[f"{kind}{name}"].append(getattr(one, name))
        return dict(found)

    def changes(self) -> tuple[Change, ...]:
        """Return what changes from the base to the other of two variants, metric by metric."""
        base, other = self.row(self.trials.base), self.rows[-1]
        return tuple(
            Change(one, base.estimates[one.metric], other.estimates[one.metric], other.gains[one.metric])
            for one in self.trials.measures
            if one.metric in other.estimates
        )

    def as_object(self) -> dict[str, Any]:
        """Return the table for JSON: by metric if it has changes to report, else by variant."""
        trials = self.trials
        if trials.reports_changes:
            rows = [
                {
                    "metric": one.measure.metric,
                    "pairs": one.pairs,
                    **{name: getattr(one, name).as_object() for name in ("off", "on", "change")},
                    "verdict": one.verdict,
                }
                for one in self.changes()
            ]
            return {"name": self.case, trials.count: self.count, **self.facts, "metrics": rows}
        return {
            trials.case: self.case,
            trials.count: self.count,
            **self.facts,
            f"{trials.variant}s": [self._row(row) for row in self.rows],
        }

    def _row(self, row: Row) -> dict[str, Any]:
        trials = self.trials
        counts = {trials.counts_name: dict(row.counts)} if trials.counts is not None else {}
        return {
            trials.variant: row.variant,
            trials.told: row.told,
            **{name: estimate.as_object() for name, estimate in row.estimates.items()},
            f"above_{trials.base}": {name: gain.as_object() for name, gain in row.gains.items()},
            **counts,
            **{one.name: _group(one, found) for one in trials.breakdowns if (found := row.groups[one.name])},
            **{f"{name}_effect": _effect(found) for name, found in row.effects.items()},
            **{f"{name}_above_{trials.base}": _effect(found) for name, found in row.part_gains.items()},
        }


def _effect(found: dict[str, dict[str, Estimate]]) -> dict[str, Any]:
    return {label: {name: one.as_object() for name, one in metrics.items()} for label, metrics in found.items()}


def _group(breakdown: Breakdown, found: dict[str, tuple[float, ...]]) -> dict[str, Any]:
    rounded = {label: [round(mean, 6) for mean in means] for label, means in found.items()}
    if len(breakdown.metrics) == 1:
        return {label: means[0] for label, means in rounded.items()}
    return {label: dict(zip(breakdown.metrics, means)) for label, means in rounded.items()}


def summarise(evaluation: Evaluation) -> tuple[Table, ...]:
    """Return the table of everything, then those of parts of the episodes, then one for each case."""
    instance_of(evaluation, Evaluation, "evaluation", "give the result of evaluate_chase, evaluate_search or the like")
    trials, outcomes = evaluation.trials, evaluation.outcomes
    together = type(next(iter(outcomes.values()))).joined(list(outcomes.values()))
    parts = trials.parts(together) if trials.parts is not None else {}
    named = {trials.pooled: together, **{name: together.only(rows) for name, rows in parts.items()}}
    return tuple(_table(name, one, evaluation) for name, one in (*named.items(), *outcomes.items()))


def _table(case: str, outcome: Any, evaluation: Evaluation) -> Table:
    trials = evaluation.trials
    base = evaluation.names.index(trials.base)
    counted = outcome if trials.counted is None else outcome.only(trials.counted(outcome))
    measured = {}
    for measure in trials.measures:
        values = getattr(counted, measure.metric)
        known = values if values.dtype == np.bool_ else values[np.isfinite(values).all(axis=1)]
        if len(known):
            measured[measure.metric] = known
    found = []
    for column, variant in enumerate(evaluation.variants):
        estimates = {
            name: (share_of if values.dtype == np.bool_ else mean_of)(values[:, column])
            for name, values in measured.items()
        }
        gains = {name: paired(values[:, column], values[:, base]) for name, values in measured.items()}
        counts = trials.counts(outcome, column) if trials.counts is not None else {}
        groups = {one.name: dict(_means(one, outcome, column)) for one in trials.breakdowns}
        effects = {one.name: dict(_effects(one, outcome, column)) for one in trials.breakdowns if one.is_effect}
        effects = {name: found for name, found in effects.items() if found}
        pairs = {one.name: _part_gains(one, outcome, column, base) for one in trials.breakdowns if one.is_paired}
        found.append(Row(variant.name, variant.told, estimates, gains, counts, groups, effects, pairs))
    facts = trials.facts(outcome) if trials.facts is not None else {}
    return Table(trials, case, len(outcome), tuple(found), facts)


def _means(breakdown: Breakdown, outcome: Any, column: int) -> list[tuple[str, tuple[float, ...]]]:
    return [
        (label, tuple(float(getattr(outcome, name)[rows, column].mean()) for name in breakdown.metrics))
        for label, rows in breakdown.parts(outcome).items()
        if rows.any()
    ]


def _part_gains(breakdown: Breakdown, outcome: Any, column: int, base: int) -> dict[str, dict[str, Estimate]]:
    """Return the paired differences of the metrics from the base, by part."""
    values = {name: getattr(outcome, name) for name in breakdown.metrics}
    return {
        label: {name: paired(one[rows, column], one[rows, base]) for name, one in values.items()}
        for label, rows in breakdown.parts(outcome).items()
        if rows.any()
    }


def _effects(breakdown: Breakdown, outcome: Any, column: int) -> Iterator[tuple[str, dict[str, Estimate]]]:
    """Yield the differences of the shares of each later part from those of the first; nothing if that has none."""
    _, first = next(iter(breakdown.parts(outcome).items()), ("", np.zeros(0, bool)))
    parts = [(label, rows) for label, rows in breakdown.parts(outcome).items() if rows.any()] if first.any() else []
    for label, rows in parts[1:]:
        values = {name: getattr(outcome, name)[:, column] for name in breakdown.metrics}
        yield label, {name: shares_apart(each[rows], each[first]) for name, each in values.items()}


def as_object(evaluation: Evaluation) -> dict[str, Any]:
    """Return an evaluation for JSON."""
    trials = evaluation.trials
    compared = {f"{trials.variant}s": list(evaluation.names), "compared_with": trials.base}
    failures = [
        {trials.case: one.case, "episode": one.episode, trials.variant: one.variant, "text": one.text}
        for one in evaluation.failures
    ]
    return {
        "seed": evaluation.seed,
        "episodes": evaluation.episodes,
        **({f"{trials.case}s": list(evaluation.outcomes)} if trials.reports_changes else compared),
        "settings": asdict(evaluation.settings),
        **evaluation.facts,
        **({"failures": failures} if trials.can_fail else {}),
        "tables": [table.as_object() for table in summarise(evaluation)],
        **({"runs": _runs(evaluation)} if trials.lists_runs else {}),
    }


def _runs(evaluation: Evaluation) -> dict[str, list[Any]]:
    """Return the metrics of every episode for JSON, by column; None: nothing to measure."""
    found: dict[str, list[Any]] = {name: np.asarray(one).tolist() for name, one in evaluation.to_columns().items()}
    for metric in (one.metric for one in evaluation.trials.measures):
        found[metric] = [round(value, 6) if math.isfinite(value) else None for value in found[metric]]
    return found


def champion(pooled: Table) -> str:
    """Return the fair variant with the best headline, the first of equals; the base only if there is no other."""
    trials = pooled.trials
    headline = next(one for one in trials.measures if one.metric == trials.headline)
    sign = 1.0 if headline.less_is_better else -1.0
    fair = [row for row in pooled.rows if not row.told and row.variant != trials.base]

    def rank(row: Row) -> float:
        found = row.estimates.get(trials.headline)  # few episodes may have nothing to estimate it from
        return math.inf if found is None else sign * found.value

    return min(fair, key=rank).variant if fair else trials.base


@dataclass(frozen=True)
class Pick:
    """One episode worth looking at: its case, its row in the outcome of the case, the variant, and why."""

    case: str
    row: int
    variant: str
    why: str


def best_and_worst(evaluation: Evaluation, variant: str, count: int = 3) -> list[Pick]:
    """Return the episodes in which a variant did best compared with the base, then worst; cases take turns."""
    trials, names = evaluation.trials, evaluation.names
    own, base = names.index(variant), names.index(trials.base)
    each = -(-count // len(evaluation.outcomes))
    picks = []
    for why, sign in (("best", 1.0), ("worst", -1.0)):
        found = []
        for case, outcome in evaluation.outcomes.items():
            worth = sign * trials.worth(outcome, own, base)
            rows = np.argsort(-worth, kind="stable")[:each]
            found += [(-float(worth[row]), case, int(row)) for row in rows if worth[row] > 0.0]
        picks += [Pick(case, row, variant, why) for _, case, row in sorted(found)[:count]]
    return picks
