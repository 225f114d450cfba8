"""Search for guards that meet targets, as the options of `lastseen guards improve` request."""

from __future__ import annotations

import json
import math
from collections.abc import Container
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import click
import numpy as np

from ....checks import job_count, whole_number
from ....errors import InputError
from ....reasoning.placement.files.route_files import guards_text, read_guards, write_guards
from ....reasoning.placement.guard_ground import settled_guards, unlocked_mesh
from ....reasoning.placement.guard_routes import Placement
from ....reasoning.placement.improve.improve import Improvement, ImproveRound, apart_of_runs, improve_guards
from ....reasoning.placement.improve.targets import Misses, Targets, middle
from ....reasoning.placement.placement_settings import VerifySettings
from ....reasoning.placement.verify.verify import Verification
from ...figures.charts import draw_curves, steps
from ...figures.drawing.gif import Progress
from ...figures.level.verification_figure import VerificationScene, draw_verification
from ..app.console import Stages, TimeLeft
from ..app.inputs import source_name
from ..app.main import INTERRUPTED
from ..app.outputs import check_folder, check_output, echo_json, echo_report, require_picture
from ..app.tables import markdown_table, text_table, write_files
from .guard_placement import GuardRequest, read_request
from .guard_verification import settings_text

_SOLVER = ("runs", "trees", "nodes", "seconds", "close")


@dataclass(frozen=True, eq=False)
class ImproveRequest:
    """Everything needed to improve guards; `begin`: the guards to start from, or how many to place first."""

    placing: GuardRequest
    begin: int | Placement
    targets: Targets
    settings: VerifySettings
    rounds: int
    jobs: int
    title: str


def _read_request(level: str, given: dict[str, Any]) -> ImproveRequest:
    """Check all options, then read the level, the path and the guards to start from."""
    targets = Targets(_success_range(given["success"]), given["closeness"], given["coverage"])
    rounds, jobs = whole_number(given["rounds"], "--rounds", low=1), job_count(given["jobs"], "--jobs")
    VerifySettings(**_solver_options(given))
    begin: int | Placement
    if (given["guards"] is None) == (given["begin"] is None):
        raise InputError("give either --guards N (how many to place) or --from FILE (guards to start from)")
    if given["begin"] is None:
        begin = whole_number(given["guards"], "--guards", low=1)
        placing = read_request(level, {**given, "checked": True})
    else:
        begin = read_guards(given["begin"])
        asked = {**given, "checked": True, "guards": len(begin.routes)}
        kinds = tuple(dict.fromkeys(route.kind for route in begin.routes))
        placing = replace(read_request(level, asked), kinds=kinds)
        begin = settled_guards(unlocked_mesh(placing.level, 0.0), begin, given["begin"])
    settings = solver_settings(placing, {**given, "close": targets.closeness})
    title = placing.level.name or source_name(level)
    return ImproveRequest(placing, begin, targets, settings, rounds, jobs, title)


def solver_settings(placing: GuardRequest, given: dict[str, Any]) -> VerifySettings:
    """Return the solver settings: the player of the path, changed by the options."""
    return replace(VerifySettings() if placing.player is None else placing.player, **_solver_options(given))


def _solver_options(given: dict[str, Any]) -> dict[str, Any]:
    return {name: given[name] for name in _SOLVER if given.get(name) is not None}


def _success_range(given: str | None) -> tuple[float, float] | None:
    if given is None:
        return None
    low, dots, high = given.partition("..")
    try:
        return float(low), float(high if dots else low)
    except ValueError:
        raise InputError(f"--success is {given!r}; give a range of shares, such as 0.2..0.6") from None


def improve(level: str, given: dict[str, Any]) -> None:
    """Run `lastseen guards improve`."""
    inputs = [level, *(given[name] for name in ("path", "begin") if given[name] is not None)]
    output, report = given["output"], given["report"]
    target = check_output(output, *inputs)
    folder = None if report is None else check_folder(report, "a report")
    require_picture(given, "--report DIR", is_drawn=report is not None)
    written: tuple[Path, ...] = ()
    with Stages(quiet=given["as_json"]) as stages:
        request: ImproveRequest = stages.run("read", _read_request, level, given)
        stages.prepare("placement")
        found: Improvement = stages.run("improve", _improve, request, TimeLeft(stages.progress))
        stages.run("write", write_guards, found.after, target)
        if folder is not None:
            written = stages.run("report", _write_report, folder, request, found, given)
    if given["as_json"]:
        echo_json(_as_object(request, found))
    else:
        click.echo(_as_text(request, found))
        click.echo(f"wrote {output}")
        echo_report(written, report)
    if found.stopped:
        click.get_current_context().exit(INTERRUPTED)


def _improve(request: ImproveRequest, progress: Progress) -> Improvement:
    placing = request.placing
    return improve_guards(
        placing.level,
        placing.path,
        request.begin,
        request.targets,
        kinds=placing.kinds,
        placing=placing.settings,
        settings=request.settings,
        width=placing.within,
        rounds=request.rounds,
        seed=placing.seed,
        jobs=request.jobs,
        progress=progress,
    )


def _as_text(request: ImproveRequest, found: Improvement) -> str:
    """Return the targets with the values before and after."""
    lines = [_summary(request, found), *(f"  {line}" for line in text_table(_table(found)))]
    return "\n".join([*lines, _verdict(found), *(f"note: {note}" for note in found.after.notes)])


def _summary(request: ImproveRequest, found: Improvement) -> str:
    """Return how much was searched."""
    count, runs = len(found.after.routes), sum(one.runs for one in found.rounds)
    took = sum(bool(one.words) for one in found.rounds)
    done = f"{len(found.rounds)} of {request.rounds} rounds"
    return (
        f"{count} guard{'' if count == 1 else 's'} for {request.title}: {done}, "
        f"{took} with an improvement, {runs:,} solver runs"
    )


def _table(found: Improvement) -> list[tuple[str, str, str, str]]:
    """Return rows of measure, target, before and after; the first is the header."""
    targets, (one, other) = found.targets, (found.before, found.after)
    sides = (None, None) if found.checked is None else found.checked
    rows = [("", "target", "before", "after")]
    rows.append(("runs that get through", _success_text(targets), _success(sides[0]), _success(sides[1])))
    near = "any" if targets.closeness is None else f"at most {targets.closeness:g} m"
    rows.append(("their median distance from the path", near, _distance(sides[0]), _distance(sides[1])))
    seen = "any" if targets.coverage is None else f"at least {targets.coverage:.1%}"
    rows.append(("floor seen at some time", seen, _coverage(one), _coverage(other)))
    return rows


def _success_text(targets: Targets) -> str:
    return "any" if targets.success is None else f"{targets.success[0]:.0%} to {targets.success[1]:.0%}"


def _success(found: Verification | None) -> str:
    return "-" if found is None else f"{found.success.share:.1%} ({found.success.low:.1%} to {found.success.high:.1%})"


def _distance(found: Verification | None) -> str:
    metres = _median(found)
    return "-" if metres is None else f"{metres:.3g} m"


def _median(found: Verification | None) -> float | None:
    if found is None:
        return None
    metres = float(middle(apart_of_runs(found)[None])[0])
    return metres if math.isfinite(metres) else None


def _coverage(placement: Placement) -> str:
    return "-" if placement.coverage is None else f"{placement.coverage.ever:.1%}"


def _verdict(found: Improvement) -> str:
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
    faults = []
    if misses.success > 0.0:
        faults.append(f"success misses its range by {misses.success:.1%}")
    if misses.closeness > 0.0 and found.checked is not None and found.targets.closeness is not None:
        metres = _median(found.checked[1])
        far = "no solution was found" if metres is None else f"{metres - found.targets.closeness:.3g} m too far"
        faults.append(f"closeness: {far}")
    if misses.coverage > 0.0:
        faults.append(f"coverage is {misses.coverage:.1%} short")
    return ", ".join(faults)


def _as_object(request: ImproveRequest, found: Improvement) -> dict[str, Any]:
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
        "start": None if found.begun is None else _round_object(found.begun),
        "rounds": [_round_object(one) for one in found.rounds],
        "settings": {**request.settings.as_object(), "seed": request.placing.seed},
        "notes": list(found.after.notes),
    }


def _round_object(one: ImproveRound) -> dict[str, Any]:
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


def _write_report(folder: Path, request: ImproveRequest, found: Improvement, given: dict[str, Any]) -> tuple[Path, ...]:
    """Write text, numbers, guards, pictures before and after and a chart of the search; return the files."""
    files: dict[str, bytes | str] = {
        "results.json": json.dumps(_as_object(request, found), indent=2, allow_nan=False) + "\n",
        "guards.geojson": guards_text(found.after),
    }
    if found.checked is not None:
        sides = (("before", found.before, found.checked[0]), ("after", found.after, found.checked[1]))
        for name, placement, checked in sides:
            scene = VerificationScene(checked, placement.routes, f"{request.title}, {name}")
            files[f"{name}.png"] = draw_verification(scene, scale=given["scale"], storey=given["storey"])
    if found.rounds:
        files["search.png"] = _search_chart(request, found)
    files["report.md"] = _markdown(request, found, files)
    return write_files(folder, files)


def _search_chart(request: ImproveRequest, found: Improvement) -> bytes:
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


def _markdown(request: ImproveRequest, found: Improvement, files: Container[str]) -> str:
    pictures = {"before.png": "guards before", "after.png": "guards after", "search.png": "miss by round"}
    changes = [
        f"{number + 1}. {one.words}; miss now {one.misses.total:.3f}"
        for number, one in enumerate(found.rounds)
        if one.words
    ]
    settings = settings_text(replace(request.settings, seed=request.placing.seed))
    parts = [
        f"# {request.title}: guards improved",
        f"{_summary(request, found)}. {_verdict(found).capitalize()}.",
        markdown_table(_table(found)),
        *(f"![{words}]({name})" for name, words in pictures.items() if name in files),
        *(["## Changes by round", "\n".join(changes)] if changes else []),
        f"Solver settings: {settings}.",
        "The numbers before and after come from runs the search never used; intervals are Wilson's, 95 %. A target is "
        "missed by a share of runs, of the floor, or of the distance (1 - target / actual).",
    ]
    return "\n\n".join(parts) + "\n"
