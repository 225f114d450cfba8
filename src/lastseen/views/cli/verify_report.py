"""Write the report of a verification: text, numbers, solutions and pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ...conventions import Floats
from ...files import atomic_write
from ...reasoning.placement.verify.verification import Verification
from ..figures.danger_figure import draw_danger
from ..figures.verification_figure import VerificationScene, draw_verification
from .verify_request import VerifyRequest
from .verify_words import as_lines, as_object, settings_words

__all__ = ["write_report"]

_MOST_ROWS = 50


def write_report(folder: Path, request: VerifyRequest, found: Verification, given: dict[str, Any]) -> tuple[Path, ...]:
    """Write `report.md`, `results.json`, `solutions.geojson`, `map.png` and `danger.png`; return the files."""
    folder.mkdir(exist_ok=True)
    scene = VerificationScene(found, request.placement.routes, request.title)
    files = {
        "results.json": json.dumps(as_object(request, found), indent=2, allow_nan=False).encode() + b"\n",
        "solutions.geojson": _solutions(found).encode(),
        "map.png": draw_verification(scene, scale=given["scale"], storey=given["storey"]),
        "danger.png": draw_danger(found, title=f"{request.title}: danger over time"),
        "report.md": _words(request, found).encode(),
    }
    for name, data in files.items():
        atomic_write(folder / name, data)
    return tuple(folder / name for name in files)


def _solutions(found: Verification) -> str:
    """Return all solutions as LineStrings in metres; `seconds` holds the time at each point."""
    ways: list[tuple[Floats, dict[str, int | str]]] = [
        (each.path, {"run": each.run, "group": each.group}) for each in found.solutions
    ]
    if found.exact is not None and found.exact.found:
        ways.append((found.exact.path, {"run": "exact", "group": -1}))
    features = [
        {
            "type": "Feature",
            "properties": {**about, "seconds": path[:, 3].round(6).tolist()},
            "geometry": {"type": "LineString", "coordinates": path[:, :3].round(6).tolist()},
        }
        for path, about in ways
    ]
    lines = ",\n".join(json.dumps(feature, allow_nan=False) for feature in features)
    return f'{{"type": "FeatureCollection", "features": [\n{lines}\n]}}\n'


def _words(request: VerifyRequest, found: Verification) -> str:
    head, *facts = as_lines(request, found)
    parts = [
        f"# {request.title} verified",
        head,
        "\n".join(f"- {fact}" for fact in facts),
        "![guards and solutions](map.png)",
        "![danger over time](danger.png)",
        *(_table(found) if found.solutions else []),
        f"Settings: {settings_words(found.settings)}.",
        "Time is discrete: guards look `substeps` times per step. A solution is unseen if no player on it "
        "is in a view (a sector, cut off by walls) at any of these moments. Intervals are Wilson's, 95 %; distances "
        "from the intended path are Fréchet distances.",
    ]
    return "\n\n".join(parts) + "\n"


def _table(found: Verification) -> list[str]:
    rows = ["| run | seconds | metres | from the path | group |", "|---|---|---|---|---|"]
    for each in found.solutions[:_MOST_ROWS]:
        apart = f"{each.apart:.3g} m" if found.intended is not None else "-"
        rows.append(f"| {each.run} | {each.seconds:.4g} | {each.length:.4g} | {apart} | {each.group} |")
    rest = len(found.solutions) - _MOST_ROWS
    more = [f"… and {rest} more in `results.json`."] if rest > 0 else []
    return ["## Solutions", "\n".join(rows), *more]
