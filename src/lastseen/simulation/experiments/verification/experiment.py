"""Sweeps of verifications: whether a player can still sneak through a level with guards."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....checks import finite_number
from ....errors import InputError
from ....level.features import IntendedPath
from ....level.level import Level
from ....reasoning.placement.files.level_guards import known_place, patrol_placement
from ....reasoning.placement.guard_ground import settled_guards
from ....reasoning.placement.guard_routes import Placement
from ....reasoning.placement.placement_settings import SOLVERS, VerifySettings
from ....reasoning.placement.verify.path_check import settled_path
from ....reasoning.placement.verify.rates import rate
from ....reasoning.placement.verify.sneak_ground import SneakGround
from ....reasoning.placement.verify.solver import Question
from ....reasoning.placement.verify.verify import Verification, verify
from ..harness.experiment import Experiment, Job
from ..harness.parameters import Measure, Parameter, Row, Values, interval, number, parameters_of
from ..harness.trials_experiment import check_baking

_OWN = parameters_of(VerifySettings, leave_out=("seed", "speed", "runs", "solver"))
PLAYER: dict[str, Parameter] = {
    "runs": Parameter("whole", 100, "independent attempts to sneak through, each with many random trees"),
    "player_speed": Parameter("number", VerifySettings().speed, "the player's top speed, m/s"),
    "solver": Parameter("text", "rrt", "random trees, all of cells x time, or both", SOLVERS),
    **_OWN,
    "cell": Parameter("number", 0.5, "edge of the cells of exact searches, metres"),
    "radius": Parameter("number", None, "radius of bodies, metres; default: 0.3, but 0 on tile maps and navmeshes"),
    "path": Parameter("path", None, "the intended path; default: that of the level"),
}
"""Parameters of the sneaking player."""

VERIFIED = (
    Measure("solvable", "share", "a path exists: it was found, or ruled out by an exact search", yes_or_no=True),
    Measure("success", "share", "runs that found a path", interval=True),
    Measure("close_ways", "share", "paths close to the intended path", interval=True),
    Measure("apart", "m", "mean Fréchet distance of paths from the intended path"),
    Measure("arrival", "s", "mean duration of paths"),
    Measure("earliest", "s", "earliest arrival of the exact search"),
    Measure("groups", "", "groups of similar paths"),
    Measure("danger", "share", "of the floor in view at any moment"),
    Measure("start_seen", "share", "a guard sees the start at once, so no run sets out", yes_or_no=True),
)
_ADVICE = "give {0} = [x, y], or path"


def player_settings(values: Values, seed: int) -> VerifySettings:
    """Return the settings of a verification; 0 `runs` are checked as 1."""
    given: dict[str, Any] = {name: values[name] for name in (*_OWN, "solver")}
    runs = values["runs"]
    return VerifySettings(**given, speed=values["player_speed"], runs=runs or 1, seed=seed)  # type: ignore[arg-type]


def sneak_ground(job: Job) -> SneakGround:
    """Return a job's level as a player encounters it."""
    radius, cell = (job.values[name] for name in ("radius", "cell"))
    return job.kept.once(
        ("sneaking", job.name, radius, cell),
        lambda: SneakGround(job.level, radius=radius, cell=cell),  # type: ignore[arg-type]
    )


def path_of(job: Job) -> IntendedPath | None:
    """Return the intended path of a job: the given one, or the only one of the level."""
    given = job.values["path"]
    if isinstance(given, str):
        path: IntendedPath = job.files[given]
        return path
    if given is not None:
        points: Any = given
        return IntendedPath(np.array([[*point, *([0.0] * (3 - len(point)))] for point in points]))
    return only_path(job.level, job.values)


def only_path(level: Level, values: Values) -> IntendedPath | None:
    """Return the only intended path of a level, or None; several are allowed only if a path is given."""
    if len(level.paths) > 1 and values["path"] is None:
        raise InputError(f"{len(level.paths)} intended paths; choose one with path (--path)")
    return level.paths[0] if level.paths else None


def verified(job: Job, guards: Placement, path: IntendedPath | None, start: Any = None, goal: Any = None) -> Row:
    """Run a verification and return its measures; if a guard sees the start at once, no run succeeds."""
    ground, settings = sneak_ground(job), player_settings(job.values, job.seed)
    intended = None if path is None else settled_path(ground, path)
    if intended is not None:
        start = intended[0] if start is None else start
        goal = intended[-1] if goal is None else goal
    question = Question.make(ground, guards, start, goal, settings)
    if question.start_seen():
        failed = rate(0, settings.runs)
        danger = question.views.danger(ground.layout.arrays.cell_xyz.astype(np.float64))
        return {
            "solvable": 0.0,
            **interval("success", failed.share, failed.low, failed.high),
            "groups": 0.0,
            "danger": float(danger.share.mean()),
            "start_seen": 1.0,
            "radius": ground.radius,
        }
    return _row(verify(ground, guards, start, goal, path=path, settings=settings)) | {"radius": ground.radius}


def _row(found: Verification) -> Row:
    ways, exact = found.solutions, found.exact
    return {
        "solvable": None if found.solvable is None else float(found.solvable),
        **interval("success", found.success.share, found.success.low, found.success.high),
        **interval("close_ways", found.close.share, found.close.low, found.close.high),
        "apart": number(float(np.mean([way.apart for way in ways])) if ways else math.nan),
        "arrival": number(float(np.mean([way.seconds for way in ways])) if ways else math.nan),
        "earliest": None if exact is None else number(exact.seconds),
        "groups": float(len(found.groups)),
        "danger": float(found.danger.share.mean()),
        "start_seen": 0.0,
    }


def _check(values: Values) -> None:
    if values["runs"] == 0:
        raise InputError("runs is 0; give a whole number, at least 1")
    player_settings(values, 0)
    check_baking(values)
    finite_number(values["near"], "near", unit="m", low=0.0, high=10.0)


def _fits(level: Level, values: Values) -> None:
    if values["path"] is not None:
        return
    missing = [name for name in ("start", "goal") if not values[name]]
    if len(missing) == 2 and only_path(level, values) is not None:
        return
    for name in missing:
        known_place(level, name, "it", _ADVICE)


def _run(job: Job) -> list[Row]:
    values = job.values
    if values["guards"] is not None:
        name = str(values["guards"])
        guards: Placement = settled_guards(sneak_ground(job).bare, job.files[name], name)
    else:
        guards = patrol_placement(job.level, pivots=bool(values["pivots"]), near=values["near"])  # type: ignore[arg-type]
        if not guards.routes:
            raise InputError("the level has no guards; give some with guards = FILE.geojson")
    places: dict[str, Any] = {name: values[name] for name in ("start", "goal")}
    path = None if any(places.values()) and values["path"] is None else path_of(job)
    if path is None:
        places = {name: place or known_place(job.level, name, job.name, _ADVICE) for name, place in places.items()}
    return [verified(job, guards, path, places["start"], places["goal"])]


VERIFICATION = Experiment(
    name="verification",
    about="verifications: whether a player can still sneak through a level with given guards",
    parameters={
        **PLAYER,
        "guards": Parameter("file", None, "guards, GeoJSON; default: those of the level"),
        "start": Parameter("place", None, "where the player starts; default: the start of the path"),
        "goal": Parameter("place", None, "where the player wants to go; default: the end of the path"),
        "pivots": Parameter("yes", True, "guards of the level turn on the spot before they walk"),
        "near": Parameter("number", 0.0, "distance at which guards of the level count as at a stop, metres"),
    },
    measures=VERIFIED,
    check=_check,
    run=_run,
    fits=_fits,
)
