"""Write the report of a search evaluation: text, numbers, a chart and pictures of searches."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ....cells.layout import CellLayout
from ....files import atomic_write
from ....level.level import Level
from ....simulation.experiments.chase.summary import Estimate
from ....simulation.experiments.search.contenders import BASE
from ....simulation.experiments.search.evaluation import SearchEvaluation
from ....simulation.experiments.search.summary import (
    SearchPick,
    SearchRow,
    SearchTable,
    best_and_worst_searches,
    summarise_search,
)
from ...figures.charts.bar_chart import Bar, draw_bars
from ...figures.level.level_figure import rows_run_down
from ...figures.research.search_figure import draw_search

__all__ = [
    "COLUMNS",
    "as_markdown",
    "as_object",
    "as_words",
    "cell",
    "failures_in_words",
    "gains_markdown",
    "parts_markdown",
    "write_search_report",
]

COLUMNS = {
    "found": "found %",
    "seconds": "seconds",
    "off": "belief off, m",
    "truth": "influence at truth %",
    "searched": "floor searched %",
    "opened": "hiding places opened",
    "metres": "metres walked",
}
_IN_PER_CENT = ("found", "truth", "searched")


def as_object(evaluation: SearchEvaluation) -> dict[str, Any]:
    """Return all measurements for JSON."""
    return {
        "seed": evaluation.seed,
        "episodes": evaluation.episodes,
        "contenders": list(evaluation.names),
        "compared_with": BASE,
        "settings": evaluation.settings.as_object(),
        "own_hiding_places": evaluation.own_places,
        "failures": [asdict(failure) for failure in evaluation.failures],
        "tables": [table.as_object() for table in summarise_search(evaluation)],
    }


def as_words(evaluation: SearchEvaluation) -> str:
    """Return the table of all levels, with each contender's difference from chance."""
    pooled, *levels = summarise_search(evaluation)
    names = ", ".join(f"{table.level} ({table.searches})" for table in levels)
    head = ("", "found", "seconds", f"vs {BASE}", "belief off", "searched", "opened", "walked")
    lines = [head, *(_cells(row) for row in pooled.rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    shown = [
        "  ".join(
            [line[0].ljust(widths[0]), *(text.rjust(width) for text, width in zip(line[1:], widths[1:]))]
        ).rstrip()
        for line in lines
    ]
    return "\n".join(
        [
            f"{pooled.searches} searches: {names}",
            "",
            *shown,
            "",
            f"* told where the evader is, always or at first; vs {BASE}: paired difference in seconds with its "
            f"95 % interval; not found counts as {evaluation.settings.seconds:g} s",
            *failures_in_words(evaluation),
        ]
    )


def failures_in_words(evaluation: SearchEvaluation) -> list[str]:
    """Return one line per search in which a brain failed, after a line that says how failures are handled."""
    if not evaluation.failures:
        return []
    episodes = len({(failure.level, failure.episode) for failure in evaluation.failures})
    return [
        f"{len(evaluation.failures)} searches failed; their {episodes} episodes are left out for all contenders:",
        *(f"- {one.level}, episode {one.episode}, {one.contender}: {one.text}" for one in evaluation.failures),
    ]


def _cells(row: SearchRow) -> tuple[str, ...]:
    one = {name: estimate.value for name, estimate in row.estimates.items()}
    return (
        row.contender + (" *" if row.told else ""),
        f"{100 * one['found']:.1f} %",
        f"{one['seconds']:.1f} s",
        "" if row.contender == BASE else cell("seconds", row.gains["seconds"], signed=True),
        f"{one['off']:.1f} m",
        f"{100 * one['searched']:.1f} %",
        f"{one['opened']:.2f}",
        f"{one['metres']:.1f} m",
    )


def as_markdown(table: SearchTable) -> str:
    """Return one table with every metric and its interval."""
    return _markdown(table.rows, lambda name, row: cell(name, row.estimates[name]))


def gains_markdown(table: SearchTable) -> str:
    """Return one table with every metric as a difference from chance."""
    rows = tuple(row for row in table.rows if row.contender != BASE)
    return _markdown(rows, lambda name, row: cell(name, row.gains[name], signed=True))


def _markdown(rows: tuple[SearchRow, ...], words: Callable[[str, SearchRow], str]) -> str:
    lines = ["| contender | " + " | ".join(COLUMNS.values()) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    for row in rows:
        star = " *" if row.told else ""
        lines.append(f"| {row.contender}{star} | " + " | ".join(words(name, row) for name in COLUMNS) + " |")
    return "\n".join(lines)


def parts_markdown(table: SearchTable) -> str:
    """Return the share found and the mean seconds by evader and by number of searchers."""
    first = table.rows[0]
    names = [*first.by_evader, *(f"{count} searching" for count in first.by_searchers)]
    lines = ["| contender | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for row in table.rows:
        parts = [*row.by_evader.values(), *row.by_searchers.values()]
        lines.append(
            f"| {row.contender} | " + " | ".join(f"{100 * share:.0f} %, {s:.1f} s" for share, s in parts) + " |"
        )
    return "\n".join(lines)


def cell(name: str, estimate: Estimate, *, signed: bool = False) -> str:
    """Return an estimate with its interval; shares in per cent, their differences in percentage points."""
    scale, sign = (100.0 if name in _IN_PER_CENT else 1.0), "+" if signed else ""
    low, high = scale * estimate.low, scale * estimate.high
    return f"{scale * estimate.value:{sign}.1f} ({low:{sign}.1f} … {high:{sign}.1f})"


def write_search_report(
    folder: Path, evaluation: SearchEvaluation, baked: Mapping[str, tuple[CellLayout, Level | None]]
) -> tuple[Path, ...]:
    """Write `report.md`, `results.json`, `chart.png` and pictures of searches; return the files."""
    folder.mkdir(exist_ok=True)
    tables = summarise_search(evaluation)
    files = {
        "results.json": json.dumps(as_object(evaluation), indent=2, allow_nan=False).encode() + b"\n",
        "chart.png": _chart(tables[0], evaluation.settings.seconds),
    }
    shown = []
    for number, pick in enumerate(best_and_worst_searches(evaluation, champion(tables[0])), 1):
        name = f"{pick.why}-{number}.png"
        layout, level = baked[pick.level]
        files[name] = draw_search(layout, level, evaluation, pick, y_down=rows_run_down(level))
        shown.append((name, pick))
    files["report.md"] = _words(evaluation, tables, shown).encode()
    for name, data in files.items():
        atomic_write(folder / name, data)
    return tuple(folder / name for name in files)


def champion(pooled: SearchTable) -> str:
    """Return the fair contender that finds the target soonest, the first of equals; chance itself is excluded."""
    fair = [row for row in pooled.rows if not row.told and row.contender != BASE]
    return min(fair, key=lambda row: row.estimates["seconds"].value).contender if fair else BASE


def _chart(pooled: SearchTable, seconds: float) -> bytes:
    def bars(name: str, scale: float = 1.0) -> list[Bar]:
        return [_bar(row.contender, row.estimates[name], scale, quiet=row.told) for row in pooled.rows]

    groups = {
        f"found within {seconds:g} s": bars("found"),
        f"time until found, of {seconds:g} s": bars("seconds", 1.0 / seconds),
        "floor searched": bars("searched"),
        "influence where the evader is": bars("truth"),
    }
    return draw_bars(groups, title="Searches compared", subtitle=f"{pooled.searches} searches, 95 % intervals")


def _bar(name: str, found: Estimate, scale: float, *, quiet: bool) -> Bar:
    low, high = (min(max(scale * value, 0.0), 1.0) for value in (found.low, found.high))
    return Bar(name, scale * found.value, low, high, quiet=quiet)


def _words(evaluation: SearchEvaluation, tables: tuple[SearchTable, ...], shown: list[tuple[str, SearchPick]]) -> str:
    pooled, *levels = tables
    parts = [
        "# Searches compared",
        f"{pooled.searches} searches on {len(levels)} levels, seed {evaluation.seed}. All contenders faced the same "
        "starting positions. 95 % intervals in brackets (shares found: Wilson; means and paired differences: normal). "
        "Contenders with * are told where the evader is, always or at first.",
        "![chart](chart.png)",
        "## All levels",
        as_markdown(pooled),
        f"## Compared with {BASE} (paired; shares in percentage points)",
        gains_markdown(pooled),
        "## Found, and seconds, by kind of evader and number of searchers",
        parts_markdown(pooled),
        "## How searches ended",
        *(f"- {row.contender}: " + ", ".join(f"{k} {v}" for k, v in row.endings.items()) for row in pooled.rows),
        *(["## Searches that failed", "\n".join(failures_in_words(evaluation))] if evaluation.failures else []),
        f"## Seconds compared with {BASE}, by level",
        _by_level(levels),
        *(
            f"## {table.level} ({table.searches} searches)\n\n{as_markdown(table)}\n\n{parts_markdown(table)}"
            for table in levels
        ),
        "## Searches to look at",
        *(
            f"### {pick.why}: {pick.contender} in {pick.level}, episode "
            f"{int(evaluation.outcomes[pick.level].episode[pick.row])}\n\n![{pick.why}]({name})"
            for name, pick in shown
        ),
        "## What the columns mean",
        _explanations(evaluation),
    ]
    return "\n\n".join(parts).replace("\n\n- ", "\n- ") + "\n"


def _by_level(tables: list[SearchTable]) -> str:
    names = [row.contender for row in tables[0].rows if row.contender != BASE]
    lines = ["| level | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for table in tables:
        cells = [cell("seconds", table.row(name).gains["seconds"], signed=True) for name in names]
        lines.append(f"| {table.level} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _explanations(evaluation: SearchEvaluation) -> str:
    given = [name for name, own in evaluation.own_places.items() if not own]
    lines = [
        f"- found: within {evaluation.settings.seconds:g} s a searcher saw and recognised the evader, or opened the "
        "hiding place it sat in.",
        "- seconds: time until then; not found or escaped counts as the full time.",
        "- belief off: mean distance of all influence from the evader, every second; for searchers without a map, of "
        "a map with preset influence that is cleared by what they look at.",
        "- influence at truth: influence at the evader's cell, every second; 0 means they rule that cell out.",
        "- floor searched: share of cells that came into a searcher's inner view by the end.",
        "- hiding places opened: distinct ones, by the end.",
        "- metres walked: per searcher, by the end.",
    ]
    if given:
        lines.append(f"- hiding places were added to levels without any: {', '.join(given)}.")
    return "\n".join(lines)
