"""Format the results of a sweep as text and tables."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...simulation.experiments.chase.summary import Estimate
from ...simulation.experiments.sweeps.experiment import Measure
from ...simulation.experiments.sweeps.summary import Effect, SweepSummary

__all__ = ["as_words", "cell", "counted", "header", "measure_title", "state_words", "table_rows"]

_MOST_COLUMNS = 4


def counted(count: int, what: str) -> str:
    """Return a count with its noun, in the plural unless it is 1."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def state_words(summary: SweepSummary) -> str:
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


def as_words(summary: SweepSummary) -> str:
    """Return a short table for every parameter: the first measures."""
    lines = [f"{summary.manifest.name}: {state_words(summary)}", f"digest {summary.digest}"]
    for parameter in summary.parameters:
        effects = [effect for effect in summary.effects if effect.parameter == parameter]
        rows = [header(summary, effects[:_MOST_COLUMNS]), *table_rows(summary, effects[:_MOST_COLUMNS])]
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines.append("")
        lines += ["  ".join(word.ljust(width) for word, width in zip(row, widths)).rstrip() for row in rows]
        rest = [measure_title(effect.measure) for effect in effects[_MOST_COLUMNS:]]
        lines += [f"  also in the report: {'; '.join(rest)}"] if rest else []
    if summary.errors:
        lines += ["", *(f"{counted(count, 'task')} failed: {words}" for words, count in summary.errors.items())]
    return "\n".join(lines)
