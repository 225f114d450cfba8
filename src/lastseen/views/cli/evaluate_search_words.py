"""Format an evaluation of searches as text, JSON and Markdown tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from ...simulation.experiments.chase.summary import Estimate
from ...simulation.experiments.search.contenders import BASE
from ...simulation.experiments.search.evaluation import SearchEvaluation
from ...simulation.experiments.search.summary import SearchRow, SearchTable, summarise_search

__all__ = [
    "COLUMNS",
    "as_markdown",
    "as_object",
    "as_words",
    "cell",
    "failures_in_words",
    "gains_markdown",
    "parts_markdown",
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
