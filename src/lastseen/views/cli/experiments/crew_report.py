"""Write the report of a crew evaluation: text, numbers, a chart and pictures of trials."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ....cells.layout import CellLayout
from ....files import atomic_write
from ....level.level import Level
from ....simulation.experiments.chase.summary import Estimate
from ....simulation.experiments.crews.evaluation import CrewEvaluation, Pair
from ....simulation.experiments.crews.gauge import ALL, FLANK_APART, FLANK_NEAR
from ....simulation.experiments.crews.summary import CrewRow, CrewTable, summarise_crews
from ...figures.charts.bar_chart import Bar, draw_bars
from ...figures.level.level_figure import rows_run_down
from ...figures.research.crew_figure import draw_pair

__all__ = ["COLUMNS", "as_markdown", "as_object", "as_words", "failures_in_words", "write_crew_report"]

COLUMNS = {
    "contacts": "guards running into each other, per minute",
    "lines": "colleague in the line of fire, per minute",
    "at_once": "attackers at once",
    "over": "time with more attackers than tokens, %",
    "flank": "seconds until flanked",
    "searched": "m² looked at per minute while lost",
    "resighted": "seconds until seen again",
    "apart": "metres to the nearest colleague",
}
"""Name of each metric."""


def as_object(evaluation: CrewEvaluation) -> dict[str, Any]:
    """Return all measurements for JSON."""
    return {
        "seed": evaluation.seed,
        "episodes": evaluation.episodes,
        "sources": list(evaluation.sources),
        "settings": evaluation.settings.as_object(),
        "failures": [asdict(failure) for failure in evaluation.failures],
        "tables": [table.as_object() for table in summarise_crews(evaluation)],
    }


def as_words(evaluation: CrewEvaluation) -> str:
    """Return the tables: pooled, by kind and by source."""
    tables = summarise_crews(evaluation)
    shown = tables if len(evaluation.sources) > 1 else tables[:1]
    parts = [_table(table) for table in shown]
    parts.append("change: paired difference with its 95 % interval, on minus off")
    return "\n\n".join([*parts, *failures_in_words(evaluation)])


def _table(table: CrewTable) -> str:
    lines = [("", "off", "on", "change", ""), *(_cells(row) for row in table.rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(5)]
    rows = [
        "  ".join(
            [line[0].ljust(widths[0]), *(text.rjust(width) for text, width in zip(line[1:], widths[1:]))]
        ).rstrip()
        for line in lines
    ]
    return "\n".join([_heading(table), *rows])


def _heading(table: CrewTable) -> str:
    alone = f"; {table.same} of {table.alone} with one guard identical to the bit" if table.alone else ""
    return f"{table.name}: {table.trials} starting positions{alone}"


def _cells(row: CrewRow) -> tuple[str, ...]:
    scale = _scale(row.metric)
    values = [f"{scale * one.value:.1f}" for one in (row.off, row.on)]
    return COLUMNS[row.metric], *values, _interval(row.change, scale, "+"), row.verdict


def _scale(metric: str) -> float:
    return 100.0 if metric == "over" else 1.0


def _interval(found: Estimate, scale: float, sign: str = "") -> str:
    """Return a value with its interval; too few samples give none."""
    ends = [scale * found.low, scale * found.high]
    within = f"{ends[0]:{sign}.1f} … {ends[1]:{sign}.1f}" if all(map(math.isfinite, ends)) else "too few samples"
    return f"{scale * found.value:{sign}.1f} ({within})"


def as_markdown(table: CrewTable) -> str:
    """Return one table with all its intervals."""
    lines = ["| | starts | off | on | change | with crews |", "|---|---|---|---|---|---|"]
    for row in table.rows:
        scale = _scale(row.metric)
        off, on = (_interval(one, scale) for one in (row.off, row.on))
        change = _interval(row.change, scale, "+")
        lines.append(f"| {COLUMNS[row.metric]} | {row.pairs} | {off} | {on} | {change} | {row.verdict} |")
    return "\n".join(lines)


def failures_in_words(evaluation: CrewEvaluation) -> list[str]:
    """Return a paragraph about trials in which a brain failed, or nothing if none did."""
    if not evaluation.failures:
        return []
    lines = [
        f"- {one.source}, episode {one.episode}, crews {'on' if one.crews else 'off'}: {one.text}"
        for one in evaluation.failures
    ]
    return ["\n".join([f"{len(lines)} trials failed; their episodes are left out:", *lines])]


_MOST_PICTURES = 3


def write_crew_report(
    folder: Path, evaluation: CrewEvaluation, levels: Mapping[str, tuple[CellLayout, Level | None]]
) -> tuple[Path, ...]:
    """Write `report.md`, `results.json`, `chart.png` and pictures of trials; return the files."""
    folder.mkdir(exist_ok=True)
    tables = summarise_crews(evaluation)
    files = {
        "results.json": json.dumps(as_object(evaluation), indent=2, allow_nan=False).encode() + b"\n",
        "chart.png": _chart(tables[0]),
    }
    shown = []
    for number, (why, pair) in enumerate(_picks(evaluation), 1):
        name = f"{why}-{number}.png"
        layout, level = levels[pair.source]
        files[name] = draw_pair(layout, pair, why, y_down=rows_run_down(level))
        shown.append((name, why, pair))
    files["report.md"] = _words(evaluation, tables, shown).encode()
    for name, data in files.items():
        atomic_write(folder / name, data)
    return tuple(folder / name for name in files)


def _picks(evaluation: CrewEvaluation) -> list[tuple[str, Pair]]:
    """Return the trials with the largest drop in contacts and crossed lines, and the one with the smallest."""

    def spared(pair: Pair) -> float:
        off, on = ([trial.contacts, trial.lines] for trial in (pair.off, pair.on))
        return float(np.nansum(off) - np.nansum(on))

    pairs = sorted((pair for pair in evaluation.pairs if pair.guards > 1), key=spared, reverse=True)
    best = [("best", pair) for pair in pairs[:_MOST_PICTURES]]
    return best + ([("worst", pairs[-1])] if len(pairs) > _MOST_PICTURES else [])


def _chart(table: CrewTable) -> bytes:
    groups = {}
    for row in table.rows:
        ends = [row.off.value, row.on.value, row.off.high, row.on.high]
        most = max([end for end in ends if np.isfinite(end)] + [1e-9])
        scale = 100.0 if row.metric == "over" else 1.0
        groups[f"{COLUMNS[row.metric]} (100 % is {scale * most:.1f})"] = [
            _bar("off", row.off, most, quiet=True),
            _bar("on", row.on, most, quiet=False),
        ]
    return draw_bars(groups, title="Crews off and on", subtitle=f"{table.trials} starting positions, 95 % intervals")


def _bar(name: str, found: Estimate, most: float, *, quiet: bool) -> Bar:
    low, high = (min(max(value / most, 0.0), 1.0) for value in (found.low, found.high))
    return Bar(name, found.value / most, low, high, quiet=quiet)


def _words(evaluation: CrewEvaluation, tables: tuple[CrewTable, ...], shown: list[tuple[str, str, Pair]]) -> str:
    parts = [
        "# Crews off and on",
        f"{tables[0].trials} starting positions on {', '.join(evaluation.sources)}, seed {evaluation.seed}; each ran "
        "without crews, then with them. 95 % intervals in brackets; `change` is the paired difference, on minus off.",
        f"With one guard there is no crew: {tables[0].same} of {tables[0].alone} such trials were identical to the "
        "bit.",
        "![chart](chart.png)",
        *(f"## {table.name} ({table.trials} starting positions)\n\n{as_markdown(table)}" for table in tables),
        *failures_in_words(evaluation),
        "## Trials to look at",
        *(f"### {why}: {pair.source}, episode {pair.episode}\n\n![{why}]({name})" for name, why, pair in shown),
        "## What the rows mean",
        _explanations(evaluation),
    ]
    return "\n\n".join(parts) + "\n"


def _explanations(evaluation: CrewEvaluation) -> str:
    return "\n".join(
        [
            "- Rows cover the starting positions with several guards in which both runs gave something to measure.",
            "- attackers at once: mean over the time in which any agent attacks.",
            f"- flanked: two guards within {FLANK_NEAR:g} m of the target, {np.degrees(FLANK_APART):.0f}° apart around "
            f"it; never flanked counts as the rest of the trial, at most {evaluation.settings.seconds:g} s.",
            "- looked at: floor that came into a guard's inner view or within its reach while no guard saw the target; "
            f"time counts until that was {ALL:.0%} of the floor.",
            "- sweeps: hunts for a target that has escaped, so they last their full time.",
            "- seen again: from each loss to the next sighting or the end of the trial; a hunt begins with a loss.",
            "- nearest colleague: for guards that fight, chase or search.",
        ]
    )
