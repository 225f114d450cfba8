"""Write the report of a crew evaluation: text, numbers, a chart and pictures of trials."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ...cells.layout import CellLayout
from ...files import atomic_write
from ...level.level import Level
from ...simulation.experiments.chase.summary import Estimate
from ...simulation.experiments.crews.evaluation import CrewEvaluation, Pair
from ...simulation.experiments.crews.gauge import ALL, FLANK_APART, FLANK_NEAR
from ...simulation.experiments.crews.summary import CrewTable, summarise_crews
from ..figures.bars import Bar, draw_bars
from ..figures.crew_figure import draw_pair
from ..figures.level_figure import rows_run_down
from .evaluate_crews_words import COLUMNS, as_markdown, as_object, failures_in_words

__all__ = ["write_crew_report"]

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
