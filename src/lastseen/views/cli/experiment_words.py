"""Format the result of `lastseen guards experiment` as a table, findings and JSON."""

from __future__ import annotations

import math
from typing import Any

from ...estimates import Estimate
from ...simulation.experiments.placement.experiments import MEASURES, ExperimentTable
from ...simulation.experiments.placement.findings import Finding, estimate

__all__ = ["UNITS", "as_object", "as_words", "cells", "estimates"]

UNITS = {
    "success": ("runs that get through", "%"),
    "close": ("solutions close to the path", "%"),
    "apart": ("median distance from the path, metres", "m"),
    "ever": ("floor seen at some time", "%"),
    "mean": ("floor seen at any moment", "%"),
    "path": ("path seen at any moment", "%"),
    "passable": ("placements with a passable path", "%"),
    "touched": ("placements with a route on the path", "%"),
    "pacing": ("placements with a guard pacing on it", "%"),
}
"""Name and unit of each measure."""


def estimates(table: ExperimentTable) -> list[tuple[str, str, dict[str, Estimate]]]:
    """Return series, label and the estimate of each measure for every condition."""
    return [
        (one.series, one.label, {name: estimate(row[:, at], name) for at, name in enumerate(MEASURES)})
        for one, row in zip(table.conditions, table.values)
    ]


def cells(table: ExperimentTable) -> list[list[str]]:
    """Return the table as text cells, header first."""
    rows = [[table.variable, "method", *(UNITS[name][0] for name in MEASURES)]]
    rows += [
        [label, series, *(found[name].words(UNITS[name][1]) for name in MEASURES)]
        for series, label, found in estimates(table)
    ]
    return rows


def as_words(table: ExperimentTable, findings: tuple[Finding, ...], title: str) -> str:
    """Return the main measures by condition, and the verdict on each of the source's findings."""
    count = table.values.shape[1]
    stopped = ", stopped early" if table.stopped else ""
    lines = [f"{title}: {table.variable}, {count} placements each, {table.settings.runs} runs in each{stopped}"]
    head = f"  {table.variable:>12} {'method':10} {'success':>8} {'close':>7} {'apart':>8} {'seen':>6} {'passable':>9}"
    lines.append(f"{head} {'on path':>8} {'pacing':>7}")
    for series, label, found in estimates(table):
        share = {name: _percent(found[name].value) for name in MEASURES}
        apart = "-" if math.isnan(found["apart"].value) else f"{found['apart'].value:.2f} m"
        lines.append(
            f"  {label:>12} {series:10} {share['success']:>8} {share['close']:>7} {apart:>8} {share['ever']:>6} "
            f"{share['passable']:>9} {share['touched']:>8} {share['pacing']:>7}"
        )
    lines += [f"{one.verdict}: {one.claim}\n  {one.numbers}" for one in findings]
    return "\n".join(lines)


def _percent(share: float) -> str:
    return "-" if math.isnan(share) else f"{share:.0%}"


def as_object(table: ExperimentTable, findings: tuple[Finding, ...], title: str) -> dict[str, Any]:
    """Return everything for JSON."""
    return {
        "level": title,
        "variable": table.variable,
        "placements": table.values.shape[1],
        "stopped": table.stopped,
        "seed": table.seed,
        "conditions": [
            {
                "label": one.label,
                "way": one.series,
                "guards": one.guards,
                "settings": one.settings.as_object(),
                **{name: _estimate(got) for name, got in found.items()},
            }
            for one, (_, _, found) in zip(table.conditions, estimates(table))
        ],
        "findings": [{"claim": one.claim, "verdict": one.verdict, "numbers": one.numbers} for one in findings],
        "settings": table.settings.as_object(),
    }


def _estimate(got: Estimate) -> dict[str, float | None]:
    return {"value": _number(got.value), "low": _number(got.low), "high": _number(got.high), "of": got.of}


def _number(value: float) -> float | None:
    return round(value, 6) if math.isfinite(value) else None
