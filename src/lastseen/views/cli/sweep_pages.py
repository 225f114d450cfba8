"""Write the report of a sweep: a standalone page, the same in Markdown, numbers and charts."""

from __future__ import annotations

import base64
import html
import json
from pathlib import Path

from ...files import atomic_write
from ...simulation.experiments.sweeps.summary import Curve, Effect, SweepSummary
from ..figures.curve_chart import ChartCurve, ChartPoint, draw_curves
from .sweep_words import counted, header, measure_title, state_words, table_rows

__all__ = ["chart_curve", "write_report"]

_INTERVALS = (
    "Each number is the mean over all tasks with that value, whatever else varies, with a 95 % interval: Student's "
    "over the tasks, never narrower than the intervals within them; Wilson's for yes-or-no measures."
)
_STYLE = """body{font:15px/1.5 system-ui,sans-serif;color:#262a30;background:#f7f6f3;max-width:1080px;margin:2em auto;
padding:0 1em}table{border-collapse:collapse;font-size:13px;display:block;overflow-x:auto}th,td{text-align:left;
padding:3px 10px;border-bottom:1px solid #d6d7d6;white-space:nowrap}img{max-width:100%}code{word-break:break-all}
.quiet{color:#6c7076}"""


def write_report(folder: Path, summary: SweepSummary) -> tuple[Path, ...]:
    """Write `report.html`, `report.md`, `results.json` and a chart for each parameter; return the files."""
    folder.mkdir(exist_ok=True)
    charts = {f"over-{name}.png": _chart(summary, name) for name in summary.parameters}
    files = {
        **charts,
        "results.json": json.dumps(summary.as_object(), indent=2, allow_nan=False).encode() + b"\n",
        "report.md": _markdown(summary).encode(),
        "report.html": _page(summary, charts).encode(),
    }
    for name, data in files.items():
        atomic_write(folder / name, data)
    return tuple(folder / name for name in files)


def _effects(summary: SweepSummary, parameter: str) -> list[Effect]:
    return [effect for effect in summary.effects if effect.parameter == parameter]


def _chart(summary: SweepSummary, parameter: str) -> bytes:
    panels = {
        measure_title(effect.measure): [chart_curve(curve) for curve in effect.curves]
        for effect in _effects(summary, parameter)
    }
    title = f"{summary.manifest.name}: over {parameter}"
    return draw_curves(panels, over=parameter, title=title, subtitle=f"{state_words(summary)}; 95 % intervals")


def chart_curve(curve: Curve) -> ChartCurve:
    """Return a curve of a sweep in the form that charts take."""
    points = (
        ChartPoint(one.label, one.estimate.value, one.estimate.low, one.estimate.high, one.x) for one in curve.points
    )
    return ChartCurve(curve.subject, tuple(points))


def _markdown(summary: SweepSummary) -> str:
    parts = [f"# {summary.manifest.name}", summary.manifest.about, f"{state_words(summary)}.", _INTERVALS]
    for parameter in summary.parameters:
        effects = _effects(summary, parameter)
        rows = [header(summary, effects), ["---"] * len(header(summary, effects)), *table_rows(summary, effects)]
        table = "\n".join("| " + " | ".join(word.replace("|", "\\|") for word in row) + " |" for row in rows)
        parts += [f"## Over {parameter}", f"![over {parameter}](over-{parameter}.png)", table]
    if summary.errors:
        lines = "\n".join(f"- {counted(count, 'task')}: {words}" for words, count in summary.errors.items())
        parts += ["## Failed", lines]
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
    parts += [f"<p><b>{html.escape(state_words(summary))}.</b></p>", f'<p class="quiet">{_INTERVALS}</p>']
    for parameter in summary.parameters:
        effects = _effects(summary, parameter)
        picture = base64.b64encode(charts[f"over-{parameter}.png"]).decode()
        words = html.escape(parameter)
        parts.append(f"<h2>Over {words}</h2>")
        parts.append(f'<img alt="each measure over {words}" src="data:image/png;base64,{picture}">')
        head = "".join(f"<th>{html.escape(word)}</th>" for word in header(summary, effects))
        rows = ("".join(f"<td>{html.escape(word)}</td>" for word in row) for row in table_rows(summary, effects))
        parts.append(f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>")
    if summary.errors:
        told = [f"{counted(count, 'task')}: {words}" for words, count in summary.errors.items()]
        parts += ["<h2>Failed</h2>", _listed(told)]
    parts += ["<h2>What the columns mean</h2>", _listed(_measures(summary))]
    parts += ["<h2>Fixed parameters</h2>", _listed([f"{key}: {value}" for key, value in summary.fixed.items()])]
    parts.append(f'<p class="quiet">Digest of the results: <code>{summary.digest}</code></p>')
    head = f'<meta charset="utf-8"><title>{name}</title><style>{_STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n' + "\n".join(parts) + "\n</body></html>\n"


def _listed(lines: list[str]) -> str:
    return "<ul>" + "".join(f"<li>{html.escape(line)}</li>" for line in lines) + "</ul>"
