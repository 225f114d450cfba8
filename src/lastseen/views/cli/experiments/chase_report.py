"""Write the report of a chase evaluation: text, numbers, a chart and pictures of episodes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ....cells.layout import CellLayout
from ....files import atomic_write
from ....level.level import Level
from ....simulation.experiments.chase.evaluation import Evaluation
from ....simulation.experiments.chase.predictors import FAITHFUL
from ....simulation.experiments.chase.summary import Estimate, Pick, Row, Table, best_and_worst, summarise
from ...figures.charts.bar_chart import Bar, draw_bars
from ...figures.level.level_figure import rows_run_down
from ...figures.research.pursuit_figure import draw_pursuit

__all__ = ["COLUMNS", "as_markdown", "as_object", "as_words", "cell", "write_report"]

COLUMNS = {
    "reacquired": "re-acquired",
    "alive": "alive after 40 s",
    "turned": "about-turns",
    "corner_missed": "corners missed",
    "metres": "metres run",
    "miss": "miss on arrival",
    "losses": "total losses",
}
_SHARES = ("reacquired", "alive", "turned", "corner_missed")


def as_object(evaluation: Evaluation) -> dict[str, Any]:
    """Return all measurements for JSON."""
    return {
        "seed": evaluation.seed,
        "episodes": evaluation.episodes,
        "predictors": list(evaluation.names),
        "compared_with": FAITHFUL,
        "settings": evaluation.settings.as_object(),
        "tables": [table.as_object() for table in summarise(evaluation)],
    }


def as_words(evaluation: Evaluation) -> str:
    """Return the table of all levels, with each predictor's difference from the article's flood."""
    pooled, *levels = summarise(evaluation)
    names = ", ".join(f"{table.level} ({table.losses})" for table in levels)
    head = ("", "re-acquired", "vs article", "alive 40 s", "turns", "corners", "metres", "miss")
    lines = [head, *(_cells(row) for row in pooled.rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    shown = ["  ".join(_aligned(line, widths)).rstrip() for line in lines]
    return "\n".join(
        [
            f"{pooled.losses} first losses: {names}",
            "",
            *shown,
            "",
            "* told where the target went; vs article: paired difference in percentage points with its 95 % interval",
        ]
    )


def _aligned(line: tuple[str, ...], widths: list[int]) -> list[str]:
    return [line[0].ljust(widths[0]), *(text.rjust(width) for text, width in zip(line[1:], widths[1:]))]


def _cells(row: Row) -> tuple[str, ...]:
    gain = row.gains["reacquired"]
    return (
        row.predictor + (" *" if row.omniscient else ""),
        f"{100 * row.estimates['reacquired'].value:.1f} %",
        "" if row.predictor == FAITHFUL else cell("reacquired", gain, signed=True),
        *(f"{100 * row.estimates[name].value:.1f} %" for name in _SHARES[1:]),
        f"{row.estimates['metres'].value:.1f} m",
        f"{row.estimates['miss'].value:.1f} m",
    )


def as_markdown(table: Table) -> str:
    """Return one table with every metric and its interval."""
    names = list(COLUMNS)
    lines = ["| predictor | " + " | ".join(COLUMNS.values()) + " |", "|---" * (len(names) + 1) + "|"]
    for row in table.rows:
        cells = [cell(name, row.estimates[name]) for name in names]
        lines.append(f"| {row.predictor}{' *' if row.omniscient else ''} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def cell(name: str, estimate: Estimate, *, signed: bool = False) -> str:
    """Return an estimate with its interval; shares in per cent, their differences in percentage points."""
    scale, sign = (100.0 if name in _SHARES else 1.0), "+" if signed else ""
    low, high = scale * estimate.low, scale * estimate.high
    return f"{scale * estimate.value:{sign}.1f} ({low:{sign}.1f} … {high:{sign}.1f})"


_CHARTED = ("reacquired", "alive", "turned", "corner_missed")


def write_report(
    folder: Path, evaluation: Evaluation, baked: Mapping[str, tuple[CellLayout, Level | None]]
) -> tuple[Path, ...]:
    """Write `report.md`, `results.json`, `chart.png` and pictures of episodes; return the files."""
    folder.mkdir(exist_ok=True)
    tables = summarise(evaluation)
    files = {
        "results.json": json.dumps(as_object(evaluation), indent=2, allow_nan=False).encode() + b"\n",
        "chart.png": _chart(tables[0]),
    }
    shown = []
    for number, pick in enumerate(best_and_worst(evaluation, champion(tables[0])), 1):
        name = f"{pick.why}-{number}.png"
        layout, level = baked[pick.level]
        files[name] = draw_pursuit(layout, evaluation, pick, y_down=rows_run_down(level))
        shown.append((name, pick))
    files["report.md"] = _words(evaluation, tables, shown).encode()
    for name, data in files.items():
        atomic_write(folder / name, data)
    return tuple(folder / name for name in files)


def champion(pooled: Table) -> str:
    """Return the fair predictor that re-acquires most often, the first of equals; the article's flood is excluded."""
    fair = [row for row in pooled.rows if not row.omniscient and row.predictor != FAITHFUL]
    if not fair:
        return FAITHFUL
    return max(fair, key=lambda row: row.estimates["reacquired"].value).predictor


def _chart(pooled: Table) -> bytes:
    groups = {
        COLUMNS[name]: [
            Bar(row.predictor, row.estimates[name].value, row.estimates[name].low, row.estimates[name].high,
                quiet=row.omniscient)
            for row in pooled.rows
        ]
        for name in _CHARTED
    }  # fmt: skip
    return draw_bars(
        groups, title="Chase: predictors compared", subtitle=f"{pooled.losses} first losses, 95 % intervals"
    )


def _words(evaluation: Evaluation, tables: tuple[Table, ...], shown: list[tuple[str, Pick]]) -> str:
    pooled, *levels = tables
    parts = [
        "# Chase: predictors compared",
        f"{pooled.losses} first losses on {len(levels)} levels, seed {evaluation.seed}. All predictors faced the same "
        "losses. Shares in per cent, distances in metres, 95 % intervals in brackets (shares: Wilson; their "
        "paired differences: Bonett and Price; means: normal). Predictors with * are told where the target went.",
        "![chart](chart.png)",
        "## All levels",
        as_markdown(pooled),
        f"## Compared with {FAITHFUL} (paired; shares in percentage points)",
        _gains(pooled),
        "## Re-acquired, by kind and speed of runner",
        _by_runner(pooled),
        "## Why the place was predicted",
        *(line for table in tables for line in _reasons(table)),
        f"## Re-acquired compared with {FAITHFUL}, by level (percentage points)",
        _by_level(levels),
        *(f"## {table.level} ({table.losses} losses)\n\n{as_markdown(table)}" for table in levels),
        "## Episodes",
        *(
            f"### {pick.why}: {pick.predictor} in {pick.level}, episode "
            f"{int(evaluation.outcomes[pick.level].episode[pick.row])}\n\n![{pick.why}]({name})"
            for name, pick in shown
        ),
        "## What the columns mean",
        _explanations(evaluation),
    ]
    return "\n\n".join(parts).replace("\n\n- ", "\n- ") + "\n"


def _reasons(table: Table) -> list[str]:
    lines = (f"- {row.predictor}: " + ", ".join(f"{k} {v}" for k, v in row.reasons.items()) for row in table.rows)
    return [f"**{table.level}**", *lines]


def _gains(table: Table) -> str:
    lines = ["| predictor | " + " | ".join(COLUMNS.values()) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    for row in table.rows:
        if row.predictor != FAITHFUL:
            cells = [cell(name, row.gains[name], signed=True) for name in COLUMNS]
            lines.append(f"| {row.predictor} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _by_runner(table: Table) -> str:
    names = [*table.rows[0].by_runner, *(f"{speed} m/s" for speed in table.rows[0].by_speed)]
    lines = ["| predictor | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for row in table.rows:
        shares = [*row.by_runner.values(), *row.by_speed.values()]
        lines.append(f"| {row.predictor} | " + " | ".join(f"{100 * share:.1f}" for share in shares) + " |")
    return "\n".join(lines)


def _by_level(tables: list[Table]) -> str:
    names = [row.predictor for row in tables[0].rows if row.predictor != FAITHFUL]
    lines = ["| level | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for table in tables:
        cells = [cell("reacquired", table.row(name).gains["reacquired"], signed=True) for name in names]
        lines.append(f"| {table.level} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _explanations(evaluation: Evaluation) -> str:
    one = evaluation.settings
    return "\n".join(
        [
            f"- re-acquired: after the first loss ({one.delay:g} s unseen) the guard saw the runner again on its way "
            f"or while looking around ({one.look_seconds:g} s, {one.look_distance:g} m).",
            f"- alive after {one.alive:g} s: the chase, with all its losses, was not given up by then; a run under way "
            "at that time must still end with the runner in sight.",
            "- about-turns: the guard turned by more than 120° towards a place clearly nearer to it than to the "
            "runner's last known position: the runner would have had to pass it.",
            f"- corners missed: the guard gave up although a place within {one.corner:g} m had the runner in view.",
            "- metres run: after the first loss until the guard saw the runner or arrived.",
            "- miss on arrival: from the predicted place to the runner at the time of arrival. Not a goal: standing "
            "still scores well on it.",
        ]
    )
