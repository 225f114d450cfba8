"""Write the report of an evaluation: text, numbers, a chart and pictures of episodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ....cells.layout import CellLayout
from ....estimates import Estimate
from ....level.level import Level
from ....simulation.experiments.harness.parameters import Measure
from ....simulation.experiments.harness.summary import (
    Pick,
    Row,
    Table,
    as_object,
    best_and_worst,
    champion,
    summarise,
)
from ....simulation.experiments.harness.trials import Evaluation
from ...figures.charts import Bar, draw_bars
from ...figures.research.episode_figures import draw_crews, draw_encounter, draw_pursuit, draw_search
from ..app.tables import estimate_text, json_text, markdown_table, text_table, write_files

_PICTURES: dict[str, Callable[..., bytes]] = {
    "chase": draw_pursuit,
    "search": draw_search,
    "crews": draw_crews,
    "believability": draw_encounter,
}
"""Pictures of an episode, by experiment; others have none."""
_UNITS = {"share": " %", "": ""}
_DIFFERENCES = {"share": "percentage points", "m": "metres", "s": "seconds"}
Baked = Mapping[str, tuple[CellLayout, Level | None]]


def as_text(evaluation: Evaluation) -> str:
    """Return the table of all cases, with each variant's difference from the base."""
    trials, (pooled, *rest) = evaluation.trials, summarise(evaluation)
    if trials.reports_changes:
        shown = [pooled, *rest] if len(evaluation.outcomes) > 1 else [pooled]
        parts = ["\n".join([_heading(table), *text_table(_changes(table), numbers=True)]) for table in shown]
        parts.append("change: paired difference with its 95 % interval, on minus off")
        return "\n\n".join([*parts, *_failures(evaluation)])
    names = ", ".join(f"{table.case} ({table.count})" for table in rest)
    headline = _headline(pooled)
    return "\n".join(
        [
            f"{pooled.count} {trials.units}: {names}",
            "",
            *text_table(_overview(pooled, headline), numbers=True),
            "",
            f"* knows more than a guard could; vs {trials.base}: paired difference in "
            f"{_DIFFERENCES.get(headline.unit, headline.title)} with its 95 % interval",
            *(line for name in pooled.rows[0].effects for line in ("", *text_table(_effects(pooled, name)))),
            *(line for note in _notes(evaluation) for line in ("", note)),
            *_failures(evaluation),
        ]
    )


def _effects(table: Table, name: str) -> list[list[str]]:
    """Return what each part of a breakdown changes, by variant."""
    words = name.removeprefix("by_")
    titles = {one.metric: one.title for one in table.trials.measures}
    changed = table.rows[0].effects[name]
    columns = [(label, metric) for label, metrics in changed.items() for metric in metrics]
    lines = [[f"effect of {words}", *(f"{label}: {titles[metric]}" for label, metric in columns)]]
    for row in table.rows:
        cells = (row.effects[name][label][metric] for label, metric in columns)
        lines.append([_name(row), *(estimate_text(one, share=True, signed=True) for one in cells)])
    return lines


def as_rows(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Return the tables as flat rows: case, variant, number of episodes, and every metric with its interval."""
    trials, rows = evaluation.trials, []
    for table in summarise(evaluation):
        for row in table.rows:
            flat: dict[str, Any] = {trials.case: table.case, trials.variant: row.variant, trials.count: table.count}
            for name, found in row.estimates.items():
                flat |= {f"{name}{end}": value for end, value in zip(("", "_low", "_high"), found.as_object().values())}
            rows.append(flat)
    return rows


def _headline(table: Table) -> Measure:
    return next(one for one in table.trials.measures if one.metric == table.trials.headline)


def _overview(table: Table, headline: Measure) -> list[list[str]]:
    """Return the values of the measures with a short heading; after the headline, the difference from the base."""
    base, measures = table.trials.base, [one for one in table.trials.measures if one.short]
    at = measures.index(headline) + 2
    lines = [["", *(one.short for one in measures)], *([_name(row), *_values(row, measures)] for row in table.rows)]
    lines[0].insert(at, f"vs {base}")
    for line, row in zip(lines[1:], table.rows):
        line.insert(at, "" if row.variant == base else _cell(headline, row.gains, signed=True))
    return lines


def _name(row: Row) -> str:
    return row.variant + " *" * row.told


def _values(row: Row, measures: Sequence[Measure]) -> list[str]:
    found = []
    for one in measures:
        value = row.estimates[one.metric].value if one.metric in row.estimates else np.nan
        scale, digits = (100.0 if one.unit == "share" else 1.0), 1 if one.unit else 2
        found.append(f"{scale * value:.{digits}f}{_UNITS.get(one.unit, f' {one.unit}')}")
    return found


def _cell(measure: Measure, found: Mapping[str, Estimate], *, signed: bool = False) -> str:
    if measure.metric not in found:
        return "-"
    return estimate_text(found[measure.metric], share=measure.unit == "share", signed=signed)


def _heading(table: Table) -> str:
    facts = f"; {table.trials.facts_about.format(**table.facts)}" if any(table.facts.values()) else ""
    return f"{table.case}: {table.count} {table.trials.units}{facts}"


def _title(measure: Measure) -> str:
    title = measure.title or measure.name.replace("_", " ")
    return f"{title}, %" if measure.unit == "share" else title


def _changes(table: Table, *, intervals: bool = False) -> list[list[str]]:
    """Return what changes from the base to the other variant, metric by metric."""
    head = ["", "starts", "off", "on", "change", "with crews"] if intervals else ["", "off", "on", "change", ""]
    lines = [head]
    for one in table.changes():
        share = one.measure.unit == "share"
        if intervals:
            values = [str(one.pairs), *(estimate_text(found, share=share) for found in (one.off, one.on))]
        else:
            values = [f"{(100.0 if share else 1.0) * found.value:.1f}" for found in (one.off, one.on)]
        change = estimate_text(one.change, share=share, signed=True)
        lines.append([_title(one.measure), *values, change, one.verdict])
    return lines


def _notes(evaluation: Evaluation) -> list[str]:
    """Return sentences about what an evaluation cannot tell."""
    notes = evaluation.trials.notes
    return [] if notes is None else notes(evaluation)


def _failures(evaluation: Evaluation) -> list[str]:
    """Return one paragraph about the episodes in which a brain failed, or nothing if none did."""
    if not evaluation.failures:
        return []
    trials, found = evaluation.trials, evaluation.failures
    episodes = len({(failure.case, failure.episode) for failure in found})
    lines = (f"- {one.case}, episode {one.episode}, {trials.variant} {one.variant}: {one.text}" for one in found)
    return ["\n".join([f"{len(found)} {trials.count} failed; their {episodes} episodes are left out:", *lines])]


def as_markdown(table: Table, *, gains: bool = False) -> str:
    """Return one table with every metric and its interval, or with the differences from the base."""
    trials = table.trials
    if trials.reports_changes:
        return markdown_table(_changes(table, intervals=True))
    rows = [row for row in table.rows if not gains or row.variant != trials.base]
    lines = [[trials.variant, *(_title(one) for one in trials.measures)]]
    for row in rows:
        found = row.gains if gains else row.estimates
        lines.append([_name(row), *(_cell(one, found, signed=gains) for one in trials.measures)])
    return markdown_table(lines)


def write_report(folder: Path, evaluation: Evaluation, baked: Baked) -> tuple[Path, ...]:
    """Write `report.md`, `results.json`, `chart.png` and pictures of episodes; return the files."""
    tables = summarise(evaluation)
    files: dict[str, bytes | str] = {
        "results.json": json_text(as_object(evaluation)) + "\n",
        "chart.png": _chart(tables[0]),
    }
    draw, shown = _PICTURES.get(evaluation.trials.name), []
    for number, pick in enumerate(best_and_worst(evaluation, champion(tables[0])) if draw is not None else [], 1):
        assert draw is not None
        name, (layout, level) = f"{pick.why}-{number}.png", baked[pick.case]
        files[name] = draw(layout, level, evaluation, pick, y_down=level is not None and level.is_drawn_down)
        shown.append((name, pick))
    files["report.md"] = _report(evaluation, tables, shown)
    return write_files(folder, files)


def _chart(pooled: Table) -> bytes:
    """Draw every measure; those that are not shares as shares of their greatest value."""
    groups = {}
    for one in pooled.trials.measures:
        rows = [row for row in pooled.rows if one.metric in row.estimates]
        ends = [end for row in rows for end in (row.estimates[one.metric].value, row.estimates[one.metric].high)]
        most = 1.0 if one.unit == "share" else max([end for end in ends if np.isfinite(end)] + [1e-9])
        title = one.title if one.unit == "share" else f"{one.title} (100 % is {most:.1f})"
        groups[title] = [_bar(row, row.estimates[one.metric], most) for row in rows]
    return draw_bars(
        groups, title=pooled.trials.title, subtitle=f"{pooled.count} {pooled.trials.units}, 95 % intervals"
    )


def _bar(row: Row, found: Estimate, most: float) -> Bar:
    low, high = (min(max(value / most, 0.0), 1.0) for value in (found.low, found.high))
    return Bar(row.variant, found.value / most, low, high, quiet=row.told)


def _report(evaluation: Evaluation, tables: tuple[Table, ...], shown: list[tuple[str, Pick]]) -> str:
    trials, (pooled, *rest) = evaluation.trials, tables
    cases = [table for table in rest if table.case in evaluation.outcomes]
    parts = [
        f"# {trials.title}",
        f"{pooled.count} {trials.units} on {', '.join(evaluation.outcomes)}, seed {evaluation.seed}. {trials.about} "
        "Shares in per cent, 95 % intervals in brackets (shares: Wilson; their paired differences: Bonett and Price; "
        "means: Student).",
        *([f"{trials.facts_about.format(**pooled.facts).capitalize()}."] if trials.facts_about else []),
        "![chart](chart.png)",
        f"## {trials.pooled.capitalize()}\n\n{as_markdown(pooled)}",
        *([] if trials.reports_changes else _comparisons(pooled, cases)),
        *_notes(evaluation),
        *(f"## {table.case} ({table.count} {trials.units})\n\n{as_markdown(table)}" for table in rest),
        *(["## Failures", *_failures(evaluation)] if evaluation.failures else []),
        "## Episodes to look at",
        *(
            f"### {pick.why}: {pick.variant} in {pick.case}, episode "
            f"{int(evaluation.outcomes[pick.case].episode[pick.row])}\n\n![{pick.why}]({name})"
            for name, pick in shown
        ),
        "## What the columns mean",
        "\n".join(f"- {one.title}: {one.about}." for one in trials.measures),
        "## Settings",
        "\n".join(f"- {name}: {value}" for name, value in asdict(evaluation.settings).items()),
    ]
    return "\n\n".join(parts) + "\n"


def _comparisons(pooled: Table, cases: list[Table]) -> list[str]:
    """Return the differences from the base, the breakdowns, the counts, and the headline by case."""
    trials, headline = pooled.trials, _headline(pooled)
    parts = [
        f"## Compared with {trials.base} (paired; shares in percentage points)\n\n{as_markdown(pooled, gains=True)}"
    ]
    for one in (one for one in trials.breakdowns if pooled.rows[0].groups[one.name]):
        lines = [[trials.variant, *pooled.rows[0].groups[one.name]]]
        lines += [
            [row.variant, *(_means(pooled, one.metrics, m) for m in row.groups[one.name].values())]
            for row in pooled.rows
        ]
        parts.append(
            f"## {one.name.replace('_', ' ').capitalize()}: {', '.join(one.metrics)}\n\n{markdown_table(lines)}"
        )
    for name, labels in pooled.rows[0].part_gains.items():
        lines = [[trials.variant, *labels]]
        lines += [
            [row.variant, *(_cell(headline, one, signed=True) for one in row.part_gains[name].values())]
            for row in pooled.rows
            if row.variant != trials.base
        ]
        about = f"{_title(headline)} compared with {trials.base}, {name.replace('_', ' ')}"
        parts.append(f"## {about[0].upper()}{about[1:]}\n\n{markdown_table(lines)}")
    for name in pooled.rows[0].effects:
        about = "differences from the first in percentage points"
        parts.append(f"## Effect {name.replace('_', ' ')}: {about}\n\n{markdown_table(_effects(pooled, name))}")
    if trials.counts is not None:
        counts = [f"- {row.variant}: " + ", ".join(f"{k} {v}" for k, v in row.counts.items()) for row in pooled.rows]
        parts.append(f"## {trials.counts_name.capitalize()}\n\n" + "\n".join(counts))
    names = [row.variant for row in pooled.rows if row.variant != trials.base]
    by_case = [[trials.case, *names]]
    by_case += [[one.case, *(_cell(headline, one.row(name).gains, signed=True) for name in names)] for one in cases]
    parts.append(f"## {_title(headline)} compared with {trials.base}, by {trials.case}\n\n{markdown_table(by_case)}")
    return parts


def _means(table: Table, metrics: Sequence[str], means: Sequence[float]) -> str:
    units = {one.metric: one.unit for one in table.trials.measures}
    return ", ".join(
        f"{100.0 * mean:.0f} %" if units[name] == "share" else f"{mean:.1f} {units[name]}"
        for name, mean in zip(metrics, means)
    )
