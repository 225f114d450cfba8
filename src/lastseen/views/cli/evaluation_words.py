"""Format an evaluation as text, JSON and Markdown tables."""

from __future__ import annotations

from typing import Any

from ...simulation.experiments.chase.evaluation import Evaluation
from ...simulation.experiments.chase.predictors import FAITHFUL
from ...simulation.experiments.chase.summary import Estimate, Row, Table, summarise

__all__ = ["COLUMNS", "as_markdown", "as_object", "as_words", "cell"]

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
