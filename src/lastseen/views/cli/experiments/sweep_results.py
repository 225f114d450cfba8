"""Write the results of a sweep: text and tables, a standalone page, the same in Markdown, numbers and charts."""

from __future__ import annotations

import base64
import html
import math
from collections.abc import Iterator
from pathlib import Path

from ....estimates import Estimate
from ....simulation.experiments.harness.parameters import Measure
from ....simulation.experiments.harness.sweep_summary import Crossing, Curve, Effect, SweepSummary
from ...figures.charts import ChartCurve, ChartPoint, HeatMap, draw_curves, draw_heat_maps
from ..app.tables import counted, json_text, markdown_table, text_table, write_files

_MOST_COLUMNS = 4
_MOST_MAPS = 8


def progress_text(summary: SweepSummary) -> str:
    """Return how much of the sweep is done."""
    are = "is" if summary.manifest.tasks == 1 else "are"
    words = f"{summary.done} of {counted(summary.manifest.tasks, 'task')} of {summary.manifest.evaluate} {are} done"
    return words + (f"; {summary.failed} of them failed" if summary.failed else "")


def measure_title(measure: Measure) -> str:
    """Return a measure as a heading, with its unit."""
    unit = {"share": "", "": ""}.get(measure.unit, f", {measure.unit}")
    return measure.name.replace("_", " ") + unit


def cell(found: Estimate) -> str:
    """Return a value and its interval."""
    if not (math.isfinite(found.low) and math.isfinite(found.high)):
        return f"{found.value:.3g}"
    return f"{found.value:.3g} [{found.low:.3g}, {found.high:.3g}]"


def header(summary: SweepSummary, effects: list[Effect]) -> list[str]:
    """Return the headings of the table of one parameter."""
    subject = [summary.experiment.subject] if summary.experiment.subject else []
    return [effects[0].parameter, *subject, "tasks", *(measure_title(effect.measure) for effect in effects)]


def table_rows(summary: SweepSummary, effects: list[Effect]) -> Iterator[list[str]]:
    """Yield the rows of the table of one parameter: value, subject, tasks, measures."""
    found = [
        {(point.label, curve.subject): point for curve in effect.curves for point in curve.points} for effect in effects
    ]
    places = dict.fromkeys(place for each in found for place in each)
    order = {label: number for number, label in enumerate(dict.fromkeys(label for label, _ in places))}
    for label, subject in sorted(places, key=lambda place: order[place[0]]):
        points = [each.get((label, subject)) for each in found]
        tasks = max(point.tasks for point in points if point is not None)
        named = [subject] if summary.experiment.subject else []
        yield [label, *named, str(tasks), *("-" if point is None else cell(point.estimate) for point in points)]


def as_text(summary: SweepSummary) -> str:
    """Return a short table for every parameter: the first measures."""
    lines = [f"{summary.manifest.name}: {progress_text(summary)}", f"digest {summary.digest}"]
    for parameter in summary.parameters:
        effects = _effects(summary, parameter)
        rows = [header(summary, effects[:_MOST_COLUMNS]), *table_rows(summary, effects[:_MOST_COLUMNS])]
        lines += ["", *text_table(rows)]
        rest = [measure_title(effect.measure) for effect in effects[_MOST_COLUMNS:]]
        lines += [f"  also in the report: {'; '.join(rest)}"] if rest else []
    if summary.errors:
        lines += ["", *(f"{counted(count, 'task')} failed: {words}" for words, count in summary.errors.items())]
    return "\n".join(lines)


_INTERVALS = (
    "Each number is the mean over all tasks with that value, whatever else varies, with a 95 % interval: Student's "
    "over the tasks, never narrower than the intervals within them; Wilson's for yes-or-no measures."
)
_STYLE = """body{font:15px/1.5 system-ui,sans-serif;color:#262a30;background:#f7f6f3;max-width:1080px;margin:2em auto;
padding:0 1em}table{border-collapse:collapse;font-size:13px;display:block;overflow-x:auto}th,td{text-align:left;
padding:3px 10px;border-bottom:1px solid #d6d7d6;white-space:nowrap}img{max-width:100%}code{word-break:break-all}
.quiet{color:#6c7076}"""


def write_report(folder: Path, summary: SweepSummary) -> tuple[Path, ...]:
    """Write `report.html`, `report.md`, `results.json` and a chart for each parameter or pair; return the files."""
    charts = {f"over-{name}.png": _chart(summary, name) for name in summary.parameters}
    charts |= {_pair_file(pair): _heat_maps(summary, found) for pair, found in _pairs(summary).items()}
    files: dict[str, bytes | str] = {
        **charts,
        "results.json": json_text(summary.as_object()) + "\n",
        "report.md": _markdown(summary),
        "report.html": _page(summary, charts),
    }
    return write_files(folder, files)


def _effects(summary: SweepSummary, parameter: str) -> list[Effect]:
    return [effect for effect in summary.effects if effect.parameter == parameter]


def _failures(summary: SweepSummary) -> list[str]:
    return [f"{counted(count, 'task')}: {error}" for error, count in summary.errors.items()]


def _chart(summary: SweepSummary, parameter: str) -> bytes:
    panels = {
        measure_title(effect.measure): [chart_curve(curve) for curve in effect.curves]
        for effect in _effects(summary, parameter)
    }
    title = f"{summary.manifest.name}: over {parameter}"
    return draw_curves(panels, over=parameter, title=title, subtitle=f"{progress_text(summary)}; 95 % intervals")


def _pairs(summary: SweepSummary) -> dict[tuple[str, str], list[Crossing]]:
    """Return the crossings by pair of parameters, across and down."""
    found: dict[tuple[str, str], list[Crossing]] = {}
    for one in summary.crossings:
        found.setdefault((one.columns, one.rows), []).append(one)
    return found


def _pair_file(pair: tuple[str, str]) -> str:
    return f"{pair[1]}-by-{pair[0]}.png"


def _heat_maps(summary: SweepSummary, crossings: list[Crossing]) -> bytes:
    shown = crossings[:_MOST_MAPS]
    measures = [measure_title(one.measure) for one in shown]
    maps = [
        HeatMap(": ".join(filter(None, (one.subject, measure))), one.column_labels, one.row_labels, one.means, measure)
        for one, measure in zip(shown, measures)
    ]
    across, down = crossings[0].columns, crossings[0].rows
    more = len(crossings) - len(maps)
    subtitle = f"{progress_text(summary)}; means" + (f"; {more} more in results.json" if more else "")
    title = f"{summary.manifest.name}: {down} by {across}"
    return draw_heat_maps(maps, across=across, down=down, title=title, subtitle=subtitle)


def chart_curve(curve: Curve) -> ChartCurve:
    """Return a curve of a sweep in the form that charts take."""
    points = (
        ChartPoint(one.label, one.estimate.value, one.estimate.low, one.estimate.high, one.x) for one in curve.points
    )
    return ChartCurve(curve.subject, tuple(points))


def _markdown(summary: SweepSummary) -> str:
    parts = [f"# {summary.manifest.name}", summary.manifest.about, f"{progress_text(summary)}.", _INTERVALS]
    for parameter in summary.parameters:
        effects = _effects(summary, parameter)
        table = markdown_table([header(summary, effects), *table_rows(summary, effects)])
        parts += [f"## Over {parameter}", f"![over {parameter}](over-{parameter}.png)", table]
    for across, down in _pairs(summary):
        parts += [f"## {down} by {across}", f"![{down} by {across}]({_pair_file((across, down))})"]
    if summary.errors:
        parts += ["## Failed", "\n".join(f"- {failure}" for failure in _failures(summary))]
    parts += ["## What the columns mean", "\n".join(f"- {words}" for words in _measures(summary))]
    parts += ["## Fixed parameters", "\n".join(f"- {name}: {value}" for name, value in summary.fixed.items())]
    parts.append(f"Digest of the results: `{summary.digest}`.")
    return "\n\n".join(part for part in parts if part) + "\n"


def _measures(summary: SweepSummary) -> list[str]:
    measures = dict.fromkeys(effect.measure for effect in summary.effects)
    return [f"{measure_title(measure)}: {measure.about}" for measure in measures]


def _page(summary: SweepSummary, charts: dict[str, bytes]) -> str:
    """Return the page, with all names escaped because they come from files."""
    name = html.escape(summary.manifest.name)
    parts = [f"<h1>{name}</h1>", f"<p>{html.escape(summary.manifest.about)}</p>"]
    parts += [f"<p><b>{html.escape(progress_text(summary))}.</b></p>", f'<p class="quiet">{_INTERVALS}</p>']
    for parameter in summary.parameters:
        effects = _effects(summary, parameter)
        picture = base64.b64encode(charts[f"over-{parameter}.png"]).decode()
        named = html.escape(parameter)
        parts.append(f"<h2>Over {named}</h2>")
        parts.append(f'<img alt="each measure over {named}" src="data:image/png;base64,{picture}">')
        head = "".join(f"<th>{html.escape(word)}</th>" for word in header(summary, effects))
        rows = ("".join(f"<td>{html.escape(word)}</td>" for word in row) for row in table_rows(summary, effects))
        parts.append(f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>")
    for pair in _pairs(summary):
        named = html.escape(f"{pair[1]} by {pair[0]}")
        picture = base64.b64encode(charts[_pair_file(pair)]).decode()
        parts.append(f'<h2>{named}</h2><img alt="{named}" src="data:image/png;base64,{picture}">')
    if summary.errors:
        parts += ["<h2>Failed</h2>", _listed(_failures(summary))]
    parts += ["<h2>What the columns mean</h2>", _listed(_measures(summary))]
    parts += ["<h2>Fixed parameters</h2>", _listed([f"{key}: {value}" for key, value in summary.fixed.items()])]
    parts.append(f'<p class="quiet">Digest of the results: <code>{summary.digest}</code></p>')
    head = f'<meta charset="utf-8"><title>{name}</title><style>{_STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(parts) + "\n</body></html>\n"


def _listed(lines: list[str]) -> str:
    return "<ul>" + "".join(f"<li>{html.escape(line)}</li>" for line in lines) + "</ul>"
