"""Repeat the experiments of the source of guard placement, as `lastseen guards experiment` requests."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ....checks import job_count
from ....errors import InputError
from ....estimates import Estimate
from ....simulation.experiments.placement.figure_experiments import (
    GUARD_COUNTS,
    MEASURES,
    PATH_COSTS,
    Condition,
    ExperimentTable,
    guard_counts,
    path_costs,
    run_experiment,
)
from ....simulation.experiments.placement.findings import Finding, estimate, figure_4_findings, figure_5_findings
from ...figures.charts import draw_curves, steps
from ..app.console import Stages, TimeLeft
from ..app.inputs import source_name
from ..app.main import INTERRUPTED
from ..app.outputs import check_folder, echo_json, echo_report
from ..app.tables import json_text, markdown_table, write_files
from .guard_improvement import solver_settings
from .guard_placement import GuardRequest, read_request
from .guard_verification import settings_text

_VARIABLES = {"figure4": "path cost", "figure5": "guards"}
_UNITS = {
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


SOURCE: dict[str, Any] = {"runs": 60, "trees": 1, "nodes": 10_000, "seed": 9481, "contact": False}
"""Options as in the source: 60 iterations of 10,000 attempts, seed 9481, and only views detect players."""
_UNITY: dict[str, Any] = {"substeps": 1, "smooth": False}
"""Its solver looks once per step and keeps paths as found."""


def experiment(figure: str, level: str, given: dict[str, Any]) -> None:
    """Run `lastseen guards experiment`."""
    given = _with_preset(given)
    report = given["report"]
    folder = None if report is None else check_folder(report, "a report")
    written: tuple[Path, ...] = ()
    with Stages(quiet=given["as_json"]) as stages:
        request: GuardRequest = stages.run("read", read_request, level, {**given, "checked": True})
        conditions = _conditions(figure, request, given["values"])
        stages.prepare("placement")
        table: ExperimentTable = stages.run(
            "experiment",
            run_experiment,
            request.level,
            request.path,
            _VARIABLES[figure],
            conditions,
            kinds=request.kinds,
            settings=replace(solver_settings(request, given), **(_UNITY if given["preset"] else {})),
            placements=given["placements"],
            width=request.within,
            seed=request.seed,
            jobs=job_count(given["jobs"], "--jobs"),
            progress=TimeLeft(stages.progress),
        )
        findings = (figure_4_findings if figure == "figure4" else figure_5_findings)(table)
        title = request.level.name or source_name(level)
        if folder is not None:
            written = stages.run("report", _write_report, folder, table, findings, title, figure)
    if given["as_json"]:
        echo_json(as_object(table, findings, title))
    else:
        click.echo(_as_text(table, findings, title))
        echo_report(written, report)
    if table.stopped:
        click.get_current_context().exit(INTERRUPTED)


def _with_preset(given: dict[str, Any]) -> dict[str, Any]:
    """Return the options, with those of the preset where the command line gives none."""
    context = click.get_current_context()
    silent = {name for name in SOURCE if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE}
    return given | {name: SOURCE[name] for name in silent} if given["preset"] == "source" else given


def _conditions(figure: str, request: GuardRequest, values: str | None) -> tuple[Condition, ...]:
    if figure == "figure4":
        costs = PATH_COSTS if values is None else tuple(_numbers(values))
        return path_costs(costs, guards=request.guards, settings=request.settings)
    counts = GUARD_COUNTS if values is None else tuple(_whole(number) for number in _numbers(values))
    return guard_counts(counts, settings=request.settings)


def _numbers(words: str) -> list[float]:
    try:
        return [float(word) for word in words.split(",") if word.strip()]
    except ValueError:
        raise InputError(f"--values is {words!r}; give comma-separated numbers, such as 0,0.5,2") from None


def _whole(number: float) -> int:
    if number != int(number):
        raise InputError(f"--values has {number:g} guards; give whole numbers")
    return int(number)


def _estimates(table: ExperimentTable) -> list[tuple[str, str, dict[str, Estimate]]]:
    """Return series, label and the estimate of each measure for every condition."""
    return [
        (one.series, one.label, {name: estimate(row[:, at], name) for at, name in enumerate(MEASURES)})
        for one, row in zip(table.conditions, table.values)
    ]


def _rows(table: ExperimentTable) -> list[list[str]]:
    """Return the table as text cells, header first."""
    rows = [[table.variable, "method", *(_UNITS[name][0] for name in MEASURES)]]
    rows += [
        [label, series, *(found[name].words(_UNITS[name][1]) for name in MEASURES)]
        for series, label, found in _estimates(table)
    ]
    return rows


def _as_text(table: ExperimentTable, findings: tuple[Finding, ...], title: str) -> str:
    """Return the main measures by condition, and the verdict on each of the source's findings."""
    count = table.values.shape[1]
    stopped = ", stopped early" if table.stopped else ""
    lines = [f"{title}: {table.variable}, {count} placements each, {table.settings.runs} runs in each{stopped}"]
    head = f"  {table.variable:>12} {'method':10} {'success':>8} {'close':>7} {'apart':>8} {'seen':>6} {'passable':>9}"
    lines.append(f"{head} {'on path':>8} {'pacing':>7}")
    for series, label, found in _estimates(table):
        share = {name: _percent(found[name].value) for name in MEASURES}
        apart = "-" if math.isnan(found["apart"].value) else f"{found['apart'].value:.2f} m"
        lines.append(
            f"  {label:>12} {series:10} {share['success']:>8} {share['close']:>7} {apart:>8} {share['ever']:>6} "
            f"{share['passable']:>9} {share['touched']:>8} {share['pacing']:>7}"
        )
    lines += _unplaced(table)
    lines += [f"{one.verdict}: {one.claim}\n  {one.numbers}" for one in findings]
    return "\n".join(lines)


def _unplaced(table: ExperimentTable) -> list[str]:
    """Return for each condition under which guards could not always be placed, how often and why."""
    missing = [sum(all(map(math.isnan, row)) for row in rows) for rows in table.values.tolist()]
    return [
        f"no guards could be placed at {table.variable} {one.label} ({one.series}) in {missed} of "
        f"{table.values.shape[1]} placements: {why}"
        for one, missed, why in zip(table.conditions, missing, table.unplaced)
        if missed
    ]


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
            for one, (_, _, found) in zip(table.conditions, _estimates(table))
        ],
        "findings": [{"claim": one.claim, "verdict": one.verdict, "numbers": one.numbers} for one in findings],
        "settings": table.settings.as_object(),
    }


def _estimate(got: Estimate) -> dict[str, float | None]:
    return {**got.as_object(), "of": got.of}


def _write_report(
    folder: Path, table: ExperimentTable, findings: tuple[Finding, ...], title: str, figure: str
) -> tuple[Path, ...]:
    """Write `report.md`, `results.json` and `chart.png`; return the files."""
    files: dict[str, bytes | str] = {
        "results.json": json_text(as_object(table, findings, title)) + "\n",
        "chart.png": _chart(table, f"{title}: {figure}"),
        "report.md": _markdown(table, findings, f"{title}: {figure}"),
    }
    return write_files(folder, files)


def _chart(table: ExperimentTable, title: str) -> bytes:
    found = _estimates(table)
    labels = [label for series, label, _ in found if series == table.series[0]]
    panels = {}
    for name in MEASURES:
        curves = []
        for series in table.series:
            row = [one[name] for own, _, one in found if own == series]
            values, low, high = ([getattr(one, end) for one in row] for end in ("value", "low", "high"))
            curves.append(steps(series, labels, values, low, high))
        panels[_UNITS[name][0]] = curves
    words = f"means of {table.values.shape[1]} placements with 95 % intervals"
    return draw_curves(panels, over=table.variable, title=title, subtitle=words)


def _markdown(table: ExperimentTable, findings: tuple[Finding, ...], title: str) -> str:
    verdicts = [f"- **{one.verdict}**: {one.claim}. {one.numbers}." for one in findings]
    parts = [
        f"# {title}",
        "\n".join(verdicts),
        "![all measures](chart.png)",
        markdown_table(_rows(table)),
        f"{table.values.shape[1]} placements under each condition, all on the same packings, {table.settings.runs} "
        "runs of the solver in each. Means with 95 % intervals: Wilson's for yes-or-no measures, otherwise "
        "a bootstrap over placements; differences are paired by placement. Path costs are in units of the level's "
        "size unless raw.",
        f"Solver settings: {settings_text(table.settings)}.",
        *(f"{line[0].upper()}{line[1:]}." for line in _unplaced(table)),
        *(["The experiment was stopped early; unfinished placements are left out."] if table.stopped else []),
    ]
    return "\n\n".join(parts) + "\n"
