"""Write the report of a chase evaluation: text, numbers, a chart and pictures of episodes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from ...cells.layout import CellLayout
from ...files import atomic_write
from ...level.level import Level
from ...simulation.experiments.chase.evaluation import Evaluation
from ...simulation.experiments.chase.predictors import FAITHFUL
from ...simulation.experiments.chase.summary import Pick, Table, best_and_worst, summarise
from ..figures.bars import Bar, draw_bars
from ..figures.level_figure import rows_run_down
from ..figures.pursuit_figure import draw_pursuit
from .evaluation_words import COLUMNS, as_markdown, as_object, cell

__all__ = ["write_report"]

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
