"""Write the report of a verification: text, numbers, solutions and pictures."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from ....conventions import Floats
from ....files import atomic_write
from ....reasoning.placement.detection import guard_words
from ....reasoning.placement.floor_checks import at_words
from ....reasoning.placement.placement_settings import VerifySettings
from ....reasoning.placement.verify.solver import ExactAnswer
from ....reasoning.placement.verify.verify import Rate, Verification
from ...figures.charts.danger_chart import draw_danger
from ...figures.level.verification_figure import VerificationScene, draw_verification
from .verify_request import VerifyRequest


def as_words(request: VerifyRequest, found: Verification) -> str:
    """Return a few lines of text."""
    return "\n".join(as_lines(request, found))


def as_lines(request: VerifyRequest, found: Verification) -> list[str]:
    """Return the findings, one fact per line."""
    count = len(request.placement.routes)
    way = f"from {at_words(found.start)} to {at_words(found.goal)}"
    lines = [f"{request.title}: {count} guard{'' if count == 1 else 's'}, {way}, {found.settings.seconds:g} s"]
    if found.success.of:
        lines.append(f"runs that got through: {_rate(found.success)}")
    if found.exact is not None:
        lines.append(f"exact over cells x time: {_exact(found, found.exact)}")
    if found.solutions:
        arrival, length = ([getattr(each, name) for each in found.solutions] for name in ("seconds", "length"))
        lines.append(
            f"solutions: arrive after {min(arrival):.4g} to {max(arrival):.4g} s (median {np.median(arrival):.4g}), "
            f"{np.median(length):.4g} m long (median)"
        )
        shown = ", ".join(map(str, found.groups[:8])) + (" …" if len(found.groups) > 8 else "")
        lines.append(f"groups of similar solutions: {len(found.groups)} ({shown})")
    if found.close.of:
        apart = [each.apart for each in found.solutions]
        lines.append(
            f"close to the intended path (within {found.settings.close:g} m): {_rate(found.close)}; "
            f"apart {min(apart):.3g} to {max(apart):.3g} m (median {np.median(apart):.3g})"
        )
    lines += _caught(request, found)
    share = found.danger.share
    lines.append(f"floor in view: {share.mean():.1%} on average, at most {share.max():.1%}")
    lines += [f"note: {note}" for note in (*request.placement.notes, *found.notes)]
    return lines


def settings_words(settings: VerifySettings) -> str:
    """Return all settings as text, with short numbers."""
    values = settings.as_object().items()
    return ", ".join(f"{name} {value:.4g}" if isinstance(value, float) else f"{name} {value}" for name, value in values)


def _exact(found: Verification, exact: ExactAnswer) -> str:
    if exact.found:
        return f"earliest arrival {exact.seconds:.4g} s"
    cells = f"cells of {found.ground.cell:g} m"
    if found.solutions:
        return f"no path over {cells}, although finer paths exist"
    return f"no path over {cells} exists"


def _rate(rate: Rate) -> str:
    return f"{rate.hits} of {rate.of}, {rate.share:.1%} (95 %: {rate.low:.1%} to {rate.high:.1%})"


def _caught(request: VerifyRequest, found: Verification) -> list[str]:
    if not found.caught:
        return []
    seen = [one for one in found.caught if one is not None]
    if not seen:
        return [f"runs that failed: {len(found.caught)}, none seen by a guard (blocked by walls or out of time)"]
    times = [one.seconds for one in seen]
    who = Counter(one.guard for one in seen).most_common(3)
    names = ", ".join(f"{guard_words(request.placement.routes, guard)} {times}x" for guard, times in who)
    return [
        f"runs that failed: {len(found.caught)}, first seen after {min(times):.3g} to {max(times):.3g} s "
        f"(median {np.median(times):.3g}) by {names}"
    ]


def as_object(request: VerifyRequest, found: Verification) -> dict[str, Any]:
    """Return everything for JSON."""
    return {"level": request.title, "guards": len(request.placement.routes), **found.as_object()}


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
