"""Format an evaluation of crews as text, JSON and Markdown tables."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from ...simulation.experiments.chase.summary import Estimate
from ...simulation.experiments.crews.evaluation import CrewEvaluation
from ...simulation.experiments.crews.summary import CrewRow, CrewTable, summarise_crews

__all__ = ["COLUMNS", "as_markdown", "as_object", "as_words", "failures_in_words"]

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
