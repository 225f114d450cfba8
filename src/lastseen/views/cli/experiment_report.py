"""Write the report of one of the source's experiments: text, numbers and a chart."""

from __future__ import annotations

import json
from pathlib import Path

from ...files import atomic_write
from ...simulation.experiments.placement.experiments import MEASURES, ExperimentTable
from ...simulation.experiments.placement.findings import Finding
from ..figures.curve_chart import draw_curves, steps
from .experiment_words import UNITS, as_object, cells, estimates
from .verify_words import settings_words

__all__ = ["write_experiment_report"]


def write_experiment_report(
    folder: Path, table: ExperimentTable, findings: tuple[Finding, ...], title: str, figure: str
) -> tuple[Path, ...]:
    """Write `report.md`, `results.json` and `chart.png`; return the files."""
    folder.mkdir(exist_ok=True)
    files = {
        "results.json": json.dumps(as_object(table, findings, title), indent=2, allow_nan=False).encode() + b"\n",
        "chart.png": _chart(table, f"{title}: {figure}"),
        "report.md": _words(table, findings, f"{title}: {figure}").encode(),
    }
    for name, data in files.items():
        atomic_write(folder / name, data)
    return tuple(folder / name for name in files)


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
    head, *rows = cells(table)
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|", *(f"| {' | '.join(row)} |" for row in rows)]
    verdicts = [f"- **{one.verdict}**: {one.claim}. {one.numbers}." for one in findings]
    parts = [
        f"# {title}",
        "\n".join(verdicts),
        "![all measures](chart.png)",
        "\n".join(lines),
        f"{table.values.shape[1]} placements under each condition, all on the same packings, {table.settings.runs} "
        "runs of the solver in each. Means with 95 % intervals: Wilson's for yes-or-no measures, otherwise "
        "a bootstrap over placements; differences are paired by placement. Path costs are in units of the level's "
        "size unless raw.",
        f"Solver settings: {settings_words(table.settings)}.",
        *(["The experiment was stopped early; unfinished placements are left out."] if table.stopped else []),
    ]
    return "\n\n".join(parts) + "\n"
