"""Check whether players can still sneak through, as the options of `lastseen guards verify` request."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

from ....checks import finite_number
from ....conventions import Floats
from ....errors import InputError
from ....files import atomic_write
from ....level.features import IntendedPath
from ....reasoning.placement.detection import guard_label
from ....reasoning.placement.files.level_guards import known_place, patrol_placement
from ....reasoning.placement.files.route_files import read_guards, read_paths
from ....reasoning.placement.guard_ground import settled_guards, xyz_text
from ....reasoning.placement.guard_routes import Placement
from ....reasoning.placement.placement_settings import VerifySettings
from ....reasoning.placement.verify.items import ItemFinding
from ....reasoning.placement.verify.rates import Rate
from ....reasoning.placement.verify.sneak_ground import SneakGround
from ....reasoning.placement.verify.verify import Solution, Verification
from ....reasoning.placement.verify.verify import verify as verify_guards
from ...figures.charts import draw_danger
from ...figures.drawing.gif import Progress
from ...figures.level.verification_figure import VerificationScene, draw_verification, draw_verification_gif
from ...prose.verdicts import check_text, exact_text, limit_text
from ..app.console import Stages
from ..app.inputs import parse_numbers, read_source, refuse_cell_file, source_name
from ..app.main import INTERRUPTED
from ..app.outputs import check_folder, check_picture, echo_json, echo_report, require_picture
from ..app.tables import markdown_table, write_files

_SETTINGS = (
    *(
        "runs",
        "seed",
        "seconds",
        "speed",
        "step",
        "substeps",
        "contact",
        "solver",
        "trees",
        "nodes",
        "smooth",
        "close",
        "takedowns",
    ),
)


@dataclass(frozen=True, eq=False)
class VerifyRequest:
    """Everything needed to verify a level."""

    ground: SneakGround
    placement: Placement
    paths: tuple[IntendedPath, ...]
    start: Floats | None
    goal: Floats | None
    within: float
    settings: VerifySettings
    title: str


def _read_request(level: str, given: dict[str, Any]) -> VerifyRequest:
    """Check all options, then read the level, the guards and the path."""
    settings = VerifySettings(**{name: given[name] for name in _SETTINGS if given[name] is not None})
    within = finite_number(given["within"], "--within", unit="m", low=0.0, high=1e3)
    places = {name: _place(given[name], f"--{name}") for name in ("start", "goal") if given[name] is not None}
    refuse_cell_file(level)
    drawn = read_source(level, kind=given["level_kind"], up=given["up"])
    ground = SneakGround(drawn, radius=given["radius"], **({} if given["cell"] is None else {"cell": given["cell"]}))
    if given["guards"] is not None:
        placement = settled_guards(ground.bare, read_guards(given["guards"]), given["guards"])
    else:
        placement = patrol_placement(drawn, pivots=given["pivots"], near=given["near"])
        if not placement.routes:
            raise InputError(f"{level} has no guards; give some with --guards FILE (see lastseen guards place)")
    # The level's own paths do not apply to another start or goal.
    paths = read_paths(given["path"]) if given["path"] is not None else () if places else drawn.paths
    start, goal = places.get("start"), places.get("goal")
    if not paths:
        advice = "give --{0} X,Y, or the intended path with --path"
        start, goal = (
            known_place(drawn, name, level, advice) if place is None else place
            for name, place in (("start", start), ("goal", goal))
        )
    return VerifyRequest(ground, placement, paths, start, goal, within, settings, drawn.name or source_name(level))


def _place(given: str, option: str) -> Floats:
    numbers = parse_numbers(given, option, "position", "in metres, such as 4.5,3")
    return np.array([*numbers, *([0.0] * (3 - len(numbers)))])


def verify(level: str, given: dict[str, Any]) -> None:
    """Run `lastseen guards verify`."""
    inputs = [level, *(given[name] for name in ("guards", "path") if given[name] is not None)]
    wanted = {name: given[name] for name in ("png", "gif") if given[name] is not None}
    files = {name: check_picture(file, *inputs, kind=name) for name, file in wanted.items()}
    report = given["report"]
    folder = None if report is None else check_folder(report, "a report")
    require_picture(given, "--png, --gif or --report", is_drawn=bool(wanted or report))
    written: tuple[Path, ...] = ()
    with Stages(quiet=given["as_json"]) as stages:
        request: VerifyRequest = stages.run("read", _read_request, level, given)
        stages.prepare("placement")
        found: Verification = stages.run("verify", _verify, request, stages.progress)
        scene = VerificationScene(found, request.placement.routes, request.title)
        size = {"scale": given["scale"], "storey": given["storey"]}
        drawn = {}
        if "png" in files:
            drawn[files["png"]] = stages.run("picture", draw_verification, scene, **size)
        if "gif" in files:
            drawn[files["gif"]] = stages.run("picture", draw_verification_gif, scene, **size, progress=stages.progress)
        if folder is not None:
            written = stages.run("report", _write_report, folder, request, scene, size)
        for path, data in drawn.items():
            stages.run("write", atomic_write, path, data)
    if given["as_json"]:
        echo_json(_as_object(request, found))
    else:
        click.echo("\n".join(_lines(request, found)))
        for name in wanted.values():
            click.echo(f"wrote {name}")
        echo_report(written, report)
    if found.stopped:
        click.get_current_context().exit(INTERRUPTED)


def _verify(request: VerifyRequest, progress: Progress) -> Verification:
    return verify_guards(
        request.ground,
        request.placement,
        request.start,
        request.goal,
        path=request.paths or None,
        width=request.within,
        settings=request.settings,
        partial=True,
        progress=progress,
    )


def _lines(request: VerifyRequest, found: Verification) -> list[str]:
    """Return the findings, one fact per line."""
    count = len(request.placement.routes)
    ends = f"from {xyz_text(found.start)} to {xyz_text(found.goal)}"
    limit = limit_text(found)
    lines = [f"{request.title}: {count} guard{'' if count == 1 else 's'}, {ends}, within {limit}"]
    if found.check is not None:
        lines.append(f"the intended path {check_text(found)}")
    if exact := exact_text(found):
        lines.append(f"exact over cells x time: {exact}{'' if found.exact is not None else ' (--solver both)'}")
    if found.success.of:
        lines.append(f"runs that got through within {limit}: {_rate(found.success)}{_of_solvable(found)}")
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
    lines += [_item_text(item, found) for item in found.items]
    if found.collected is not None:
        way = f"yes, arriving after {found.collected[-1, 3]:.4g} s" if len(found.collected) else "no way was found"
        lines.append(f"all items on one unseen way: {way}")
    lines += _takedown_lines(request, found)
    lines += _caught(request, found)
    share = found.danger.share
    lines.append(f"floor in view: {share.mean():.1%} on average, at most {share.max():.1%}")
    lines += [f"note: {note}" for note in (*request.placement.notes, *found.notes)]
    return lines


def _item_text(item: ItemFinding, found: Verification) -> str:
    passing = f"passed by {item.taken.hits} of {item.taken.of} solutions"
    words = f"item {item.name!r} at {xyz_text(np.array(item.xyz))}: {passing}"
    if math.isnan(item.seconds):
        return words
    if math.isinf(item.seconds):
        return f"{words}; it cannot be reached unseen within {limit_text(found)}"
    return f"{words}; it can be reached unseen after {item.seconds:.4g} s"


def _takedown_lines(request: VerifyRequest, found: Verification) -> list[str]:
    """Return which guards a player takes out to get through, if that was asked for and needed."""
    plan, most = found.takedowns, found.settings.takedowns
    if plan is None:
        return [f"no way was found by taking out up to {most} guards"] if most and found.solvable is False else []
    routes = request.placement.routes
    acts = [
        f"{guard_label(routes, one.guard)} after {one.seconds:.4g} s at {xyz_text(np.array(one.xyz))}"
        for one in plan.takedowns
    ]
    return [f"with takedowns: arrival after {plan.path[-1, 3]:.4g} s, taking out {', then '.join(acts)}"]


def _of_solvable(found: Verification) -> str:
    """Return how the rate relates to what is possible within the time limit."""
    if found.solvable is False:
        return "; none can, no path exists"
    if found.guided:
        return f"; {found.guided} of them guided by a path known to exist"
    return "" if found.success.hits else "; a path exists" if found.solvable else "; whether a path exists is unknown"


def settings_text(settings: VerifySettings) -> str:
    """Return all settings as text, with short numbers."""
    values = settings.as_object().items()
    return ", ".join(f"{name} {value:.4g}" if isinstance(value, float) else f"{name} {value}" for name, value in values)


def _rate(rate: Rate) -> str:
    return f"{rate.hits} of {rate.of}, {rate.share:.1%} (95 %: {rate.low:.1%} to {rate.high:.1%})"


def _caught(request: VerifyRequest, found: Verification) -> list[str]:
    if not found.caught:
        return []
    seen = [one for one in found.caught if one is not None]
    if not seen:
        return [f"runs that failed: {len(found.caught)}, none seen by a guard (blocked by walls or out of time)"]
    times = [one.seconds for one in seen]
    guards = Counter(one.guard for one in seen).most_common(3)
    names = ", ".join(f"{guard_label(request.placement.routes, guard)} {sightings}x" for guard, sightings in guards)
    return [
        f"runs that failed: {len(found.caught)}, first seen after {min(times):.3g} to {max(times):.3g} s "
        f"(median {np.median(times):.3g}) by {names}"
    ]


def _as_object(request: VerifyRequest, found: Verification) -> dict[str, Any]:
    """Return everything for JSON."""
    return {"level": request.title, "guards": len(request.placement.routes), **found.as_object()}


_MOST_ROWS = 50


def _write_report(
    folder: Path, request: VerifyRequest, scene: VerificationScene, size: dict[str, Any]
) -> tuple[Path, ...]:
    """Write `report.md`, `results.json`, `solutions.geojson`, `map.png` and `danger.png`; return the files.

    Solutions close to the intended path, if any, are also in `close.geojson`.
    """
    found = scene.verification
    close = [each for each in found.solutions if each.apart <= found.settings.close]
    files: dict[str, bytes | str] = {
        "results.json": json.dumps(_as_object(request, found), indent=2, allow_nan=False) + "\n",
        "solutions.geojson": _solutions(found, found.solutions, exact=True),
        **({"close.geojson": _solutions(found, close, exact=False)} if close else {}),
        "map.png": draw_verification(scene, **size),
        "danger.png": draw_danger(found, title=f"{request.title}: danger over time"),
        "report.md": _markdown(request, found),
    }
    return write_files(folder, files)


def _solutions(found: Verification, solutions: Sequence[Solution], *, exact: bool) -> str:
    """Return solutions as LineStrings in metres; `seconds` holds the time at each point, `apart` is in metres.

    `exact`: with that of the exact search.
    """
    apart = "apart" if found.paths else None
    paths: list[tuple[Floats, dict[str, Any]]] = [
        (each.path, {"run": each.run, "group": each.group} | ({apart: round(each.apart, 6)} if apart else {}))
        for each in solutions
    ]
    if exact and found.exact is not None and found.exact.found:
        paths.append((found.exact.path, {"run": "exact", "group": -1}))
    features = [
        {
            "type": "Feature",
            "properties": {**about, "seconds": path[:, 3].round(6).tolist()},
            "geometry": {"type": "LineString", "coordinates": path[:, :3].round(6).tolist()},
        }
        for path, about in paths
    ]
    lines = ",\n".join(json.dumps(feature, allow_nan=False) for feature in features)
    return f'{{"type": "FeatureCollection", "features": [\n{lines}\n]}}\n'


def _markdown(request: VerifyRequest, found: Verification) -> str:
    head, *facts = _lines(request, found)
    parts = [
        f"# {request.title} verified",
        head,
        "\n".join(f"- {fact}" for fact in facts),
        "![guards and solutions](map.png)",
        "![danger over time](danger.png)",
        *(_table(found) if found.solutions else []),
        f"Settings: {settings_text(found.settings)}.",
        "Time is discrete: guards look `substeps` times per step. A solution is unseen if no player on it "
        "is in a view (a sector, cut off by walls), or with `contact` close to a guard, at any of these moments. "
        "Intervals are Wilson's, 95 %; distances "
        "from the intended path are Fréchet distances.",
    ]
    return "\n\n".join(parts) + "\n"


def _table(found: Verification) -> list[str]:
    rows = [["run", "seconds", "metres", "from the path", "group"]]
    for each in found.solutions[:_MOST_ROWS]:
        apart = f"{each.apart:.3g} m" if found.intended is not None else "-"
        rows.append([str(each.run), f"{each.seconds:.4g}", f"{each.length:.4g}", apart, str(each.group)])
    rest = len(found.solutions) - _MOST_ROWS
    more = [f"… and {rest} more in `results.json`."] if rest > 0 else []
    return ["## Solutions", markdown_table(rows), *more]
