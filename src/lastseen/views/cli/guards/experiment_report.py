"""Write the report of one of the source's experiments: a table, findings, numbers and a chart."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from ....estimates import Estimate
from ....simulation.experiments.placement.figure_experiments import MEASURES, ExperimentTable
from ....simulation.experiments.placement.findings import Finding, estimate
from ...figures.charts.curve_chart import draw_curves, steps
from ..experiments.tables import json_text, markdown_table, write_files
from .verify_report import settings_words

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
    return {**got.as_object(), "of": got.of}


def write_experiment_report(
    folder: Path, table: ExperimentTable, findings: tuple[Finding, ...], title: str, figure: str
) -> tuple[Path, ...]:
    """Write `report.md`, `results.json` and `chart.png`; return the files."""
    files: dict[str, bytes | str] = {
        "results.json": json_text(as_object(table, findings, title)) + "\n",
        "chart.png": _chart(table, f"{title}: {figure}"),
        "report.md": _words(table, findings, f"{title}: {figure}"),
    }
    return write_files(folder, files)


def _chart(table: ExperimentTable, title: str) -> bytes:
    found = estimates(table)
    labels = [label for series, label, _ in found if series == table.series[0]]
    panels = {}
    for name in MEASURES:
        curves = []
        for series in table.series:
            row = [one[name] for own, _, one in found if own == series]
            values, low, high = ([getattr(one, end) for one in row] for end in ("value", "low", "high"))
            curves.append(steps(series, labels, values, low, high))
        panels[UNITS[name][0]] = curves
    words = f"means of {table.values.shape[1]} placements with 95 % intervals"
    return draw_curves(panels, over=table.variable, title=title, subtitle=words)


def _words(table: ExperimentTable, findings: tuple[Finding, ...], title: str) -> str:
    verdicts = [f"- **{one.verdict}**: {one.claim}. {one.numbers}." for one in findings]
    parts = [
        f"# {title}",
        "\n".join(verdicts),
        "![all measures](chart.png)",
        markdown_table(cells(table)),
        f"{table.values.shape[1]} placements under each condition, all on the same packings, {table.settings.runs} "
        "runs of the solver in each. Means with 95 % intervals: Wilson's for yes-or-no measures, otherwise "
        "a bootstrap over placements; differences are paired by placement. Path costs are in units of the level's "
        "size unless raw.",
        f"Solver settings: {settings_words(table.settings)}.",
        *(["The experiment was stopped early; unfinished placements are left out."] if table.stopped else []),
    ]
    return "\n\n".join(parts) + "\n"
