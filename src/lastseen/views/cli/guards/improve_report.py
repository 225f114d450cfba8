"""Write the report of an improvement: text, numbers, guards, and pictures before and after."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from ....files import atomic_write
from ....reasoning.placement.files.route_files import guards_text
from ....reasoning.placement.guard_routes import Placement
from ....reasoning.placement.improve.improve import Improvement, ImproveRound, apart_of_runs
from ....reasoning.placement.improve.targets import Misses, Targets, middle
from ....reasoning.placement.verify.verify import Verification
from ...figures.charts.curve_chart import draw_curves, steps
from ...figures.level.verification_figure import VerificationScene, draw_verification
from .improve_request import ImproveRequest
from .verify_report import settings_words


def as_words(request: ImproveRequest, found: Improvement) -> str:
    """Return the targets with the values before and after."""
    head, *rows = table(found)
    wide = [max(len(row[column]) for row in (head, *rows)) for column in range(4)]
    lines = [summary(request, found)]
    lines += ["  " + "  ".join(cell.ljust(width) for cell, width in zip(row, wide)).rstrip() for row in (head, *rows)]
    return "\n".join([*lines, verdict(found), *(f"note: {note}" for note in found.after.notes)])


def summary(request: ImproveRequest, found: Improvement) -> str:
    """Return how much was searched."""
    count, runs = len(found.after.routes), sum(one.runs for one in found.rounds)
    took = sum(bool(one.words) for one in found.rounds)
    done = f"{len(found.rounds)} of {request.rounds} rounds"
    return (
        f"{count} guard{'' if count == 1 else 's'} for {request.title}: {done}, "
        f"{took} with an improvement, {runs:,} solver runs"
    )


def table(found: Improvement) -> list[tuple[str, str, str, str]]:
    """Return rows of measure, target, before and after; the first is the header."""
    targets, (one, other) = found.targets, (found.before, found.after)
    sides = (None, None) if found.checked is None else found.checked
    rows = [("", "target", "before", "after")]
    rows.append(("runs that get through", _span(targets), _rate(sides[0]), _rate(sides[1])))
    near = "any" if targets.closeness is None else f"at most {targets.closeness:g} m"
    rows.append(("their median distance from the path", near, _near(sides[0]), _near(sides[1])))
    seen = "any" if targets.coverage is None else f"at least {targets.coverage:.1%}"
    rows.append(("floor seen at some time", seen, _seen(one), _seen(other)))
    return rows


def _span(targets: Targets) -> str:
    return "any" if targets.success is None else f"{targets.success[0]:.0%} to {targets.success[1]:.0%}"


def _rate(found: Verification | None) -> str:
    return "-" if found is None else f"{found.success.share:.1%} ({found.success.low:.1%} to {found.success.high:.1%})"


def _near(found: Verification | None) -> str:
    metres = _median(found)
    return "-" if metres is None else f"{metres:.3g} m"


def _median(found: Verification | None) -> float | None:
    if found is None:
        return None
    metres = float(middle(apart_of_runs(found)[None])[0])
    return metres if math.isfinite(metres) else None


def _seen(placement: Placement) -> str:
    return "-" if placement.coverage is None else f"{placement.coverage.ever:.1%}"


def verdict(found: Improvement) -> str:
    """Return whether the targets are met, in how many runs, and by how much they are missed."""
    if found.checked is None or found.misses is None:
        missed = found.searched.total
        known = "nothing has been measured yet" if math.isnan(missed) else f"it misses the targets by {missed:.3f}"
        return f"stopped with the best so far; {known} (measured on the runs of the search, which favour it)"
    runs = found.checked[1].success.of
    if found.met:
        return f"targets met in {runs} runs the search never used"
    before, after = found.misses
    better = f"{before.total:.3f} before, {after.total:.3f} now"
    return f"targets not met in {runs} runs the search never used: {_missing(found, after)} (total {better})"


def _missing(found: Improvement, misses: Misses) -> str:
    words = []
    if misses.success > 0.0:
        words.append(f"success misses its range by {misses.success:.1%}")
    if misses.closeness > 0.0 and found.checked is not None and found.targets.closeness is not None:
        metres = _median(found.checked[1])
        far = "no solution was found" if metres is None else f"{metres - found.targets.closeness:.3g} m too far"
        words.append(f"closeness: {far}")
    if misses.coverage > 0.0:
        words.append(f"coverage is {misses.coverage:.1%} short")
    return ", ".join(words)


def as_object(request: ImproveRequest, found: Improvement) -> dict[str, Any]:
    """Return everything for JSON."""
    pair = (None, None) if found.checked is None else found.checked
    missed = (None, None) if found.misses is None else found.misses
    return {
        "level": request.title,
        "guards": len(found.after.routes),
        "seed": request.placing.seed,
        "targets": found.targets.as_object(),
        "met": found.met,
        "stopped": found.stopped,
        "before": _side(found.before, pair[0], missed[0]),
        "after": _side(found.after, pair[1], missed[1]),
        "searched": _misses(found.searched),
        "start": None if found.begun is None else _round(found.begun),
        "rounds": [_round(one) for one in found.rounds],
        "settings": {**request.settings.as_object(), "seed": request.placing.seed},
        "notes": list(found.after.notes),
    }


def _round(one: ImproveRound) -> dict[str, Any]:
    return {
        "misses": _misses(one.misses),
        "aim": round(one.aim, 6),
        "changed": one.words,
        "tried": one.tried,
        "runs": one.runs,
    }


def _side(placement: Placement, found: Verification | None, missed: Misses | None) -> dict[str, Any]:
    median = _median(found)
    return {
        "coverage": None if placement.coverage is None else asdict(placement.coverage),
        "success": None if found is None else found.success.as_object(),
        "median_apart_m": None if median is None else round(median, 6),
        "misses": None if missed is None else _misses(missed),
    }


def _misses(misses: Misses) -> dict[str, float | None]:
    return {name: round(value, 6) if np.isfinite(value) else None for name, value in asdict(misses).items()}


def write_improve_report(
    folder: Path, request: ImproveRequest, found: Improvement, given: dict[str, Any]
) -> tuple[Path, ...]:
    """Write text, numbers, guards, pictures before and after and a chart of the search; return the files."""
    folder.mkdir(exist_ok=True)
    files: dict[str, bytes] = {
        "results.json": json.dumps(as_object(request, found), indent=2, allow_nan=False).encode() + b"\n",
        "guards.geojson": guards_text(found.after).encode(),
    }
    if found.checked is not None:
        sides = (("before", found.before, found.checked[0]), ("after", found.after, found.checked[1]))
        for name, placement, checked in sides:
            scene = VerificationScene(checked, placement.routes, f"{request.title}, {name}")
            files[f"{name}.png"] = draw_verification(scene, scale=given["scale"], storey=given["storey"])
    if found.rounds:
        files["search.png"] = _search(request, found)
    files["report.md"] = _words(request, found, files).encode()
    for name, data in files.items():
        atomic_write(folder / name, data)
    return tuple(folder / name for name in files)


def _search(request: ImproveRequest, found: Improvement) -> bytes:
    """Return a chart of the best placement's miss at the start and after each round."""
    states = [*([] if found.begun is None else [found.begun]), *found.rounds]
    labels = ["start", *(str(number + 1) for number in range(len(found.rounds)))][-len(states) :]
    parts = {
        "objective": [one.aim for one in states],
        "success": [one.misses.success for one in states],
        "closeness": [one.misses.closeness for one in states],
        "coverage": [one.misses.coverage for one in states],
    }
    curves = [steps(name, labels, values) for name, values in parts.items() if name == "objective" or any(values)]
    return draw_curves({"miss of the best so far": curves}, over="round", title=f"{request.title}: the search")


def _words(request: ImproveRequest, found: Improvement, files: dict[str, bytes]) -> str:
    head, *rows = table(found)
    lines = [f"| {' | '.join(head)} |", "|---|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)]
    pictures = {"before.png": "guards before", "after.png": "guards after", "search.png": "miss by round"}
    changes = [
        f"{number + 1}. {one.words}; miss now {one.misses.total:.3f}"
        for number, one in enumerate(found.rounds)
        if one.words
    ]
    settings = settings_words(replace(request.settings, seed=request.placing.seed))
    parts = [
        f"# {request.title}: guards improved",
        f"{summary(request, found)}. {verdict(found).capitalize()}.",
        "\n".join(lines),
        *(f"![{words}]({name})" for name, words in pictures.items() if name in files),
        *(["## Changes by round", "\n".join(changes)] if changes else []),
        f"Solver settings: {settings}.",
        "The numbers before and after come from runs the search never used; intervals are Wilson's, 95 %. A target is "
        "missed by a share of runs, of the floor, or of the distance (1 - target / actual).",
    ]
    return "\n\n".join(parts) + "\n"
