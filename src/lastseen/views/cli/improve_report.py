"""Write the report of an improvement: text, numbers, guards, and pictures before and after."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...files import atomic_write
from ...reasoning.placement.files.route_files import guards_text
from ...reasoning.placement.improve.improve import Improvement
from ..figures.curve_chart import draw_curves, steps
from ..figures.verification_figure import VerificationScene, draw_verification
from .improve_request import ImproveRequest
from .improve_words import as_object, summary, table, verdict
from .verify_words import settings_words

__all__ = ["write_improve_report"]


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
