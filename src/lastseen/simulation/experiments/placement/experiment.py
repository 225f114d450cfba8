"""Sweeps of placements: what guards see, whether the path stays passable, and whether players get through."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from ....checks import finite_number, whole_number
from ....errors import InputError
from ....level.level import Level
from ....reasoning.placement.guard_ground import body_radius
from ....reasoning.placement.guard_routes import GuardKind, guard_kind
from ....reasoning.placement.place.place import place_guards
from ....reasoning.placement.placement_settings import GUARD_TERMS, PACKINGS, ROUTES, PlacementSettings
from ....reasoning.placement.verify.path_check import PathCheck
from ..harness.experiment import Experiment, Job
from ..harness.parameters import Measure, Parameter, Row, Values, named, parameters_of
from ..harness.trials_experiment import check_baking
from ..verification.experiment import PLAYER, VERIFIED, only_path, path_of, player_settings, sneak_ground, verified

_SETTINGS = parameters_of(PlacementSettings, leave_out=("body",))
_ABILITIES = {
    "view_distance": ("m", 10_000.0),
    "view_angle": ("degrees", 360.0),
    "guard_speed": ("m/s", 50.0),
    "turn_speed": ("degrees/s", 50_000.0),
    "passive": ("m", 10_000.0),
}
_IN_DEGREES = ("view_angle", "turn_speed")


def _kinds(values: Values) -> tuple[GuardKind, ...]:
    """Return the kinds of guards with the given abilities; a speed applies to walking guards only."""
    names: Any = values["kinds"]
    return tuple(_kind(name, values) for name in names)


def _kind(name: str, values: Values) -> GuardKind:
    kind, said = guard_kind(name), dict[str, Any]()
    for ability, (unit, most) in _ABILITIES.items():
        if values[ability] is None or (ability == "guard_speed" and not kind.walks):
            continue
        given = finite_number(values[ability], ability, unit=unit, low=0.0, high=most, open_low=True)
        said[ability.removeprefix("guard_")] = math.radians(given) if ability in _IN_DEGREES else given
    return replace(kind, **said)


def _abilities(values: Values) -> Row:
    """Return the abilities that all kinds of guards share, in which defaults have become numbers."""
    found: Row = {}
    for ability in _ABILITIES:
        shared = {getattr(kind, ability.removeprefix("guard_")) for kind in _kinds(values)}
        if len(shared) == 1:
            given = shared.pop()
            found[ability] = math.degrees(given) if ability in _IN_DEGREES else given
    return found


def _settings(values: Values, body: float) -> PlacementSettings:
    return PlacementSettings(**named(values, _SETTINGS), body=body)


def _check(values: Values) -> None:
    _kinds(values)
    _settings(values, 0.3)
    player_settings(values, 0)
    check_baking(values)
    guards = whole_number(values["guards"], "guards", low=1)
    if guards > 500:
        raise InputError(f"guards is {guards}; give 1 to 500")
    finite_number(values["within"], "within", unit="m", low=0.0, high=1e3)


def _fits(level: Level, values: Values) -> None:
    if values["path"] is None and not level.paths:
        raise InputError("no intended path; give one as path (--path): a GeoJSON file or a list of points")
    only_path(level, values)


def _run(job: Job) -> list[Row]:
    values: dict[str, Any] = dict(job.values)
    _fits(job.level, job.values)
    path = path_of(job)
    body = body_radius(job.level) if values["radius"] is None else values["radius"]
    check = PathCheck(sneak_ground(job), path, width=values["within"], settings=player_settings(job.values, job.seed))
    placement = place_guards(
        job.level,
        path,
        values["guards"],
        kinds=_kinds(job.values),
        settings=_settings(job.values, body),
        seed=job.seed,
        check=check if values["checked"] else None,
    )
    passes = bool(placement.passed) if values["checked"] else bool(check(placement))
    seen = placement.coverage
    row: Row = {"passable": float(passes), "radius": body, **_abilities(job.values)}
    if seen is not None:
        row |= {"seen_ever": seen.ever, "seen_mean": seen.mean, "path_seen": seen.path}
    if values["runs"]:
        row |= verified(job, placement, path)
    return [row]


PLACEMENT = Experiment(
    name="placement",
    about="placements: what guards see, whether the path stays passable, and whether players get through",
    parameters={
        "guards": Parameter("whole", 3, "number of guards, 1 to 500"),
        "kinds": Parameter("texts", ("walking",), "kinds of guards, in turn: walking, standing, turning, camera"),
        **{
            name: Parameter("number", None, f"{name.replace('_', ' ')} of guards, {unit}; default: that of their kind")
            for name, (unit, _) in _ABILITIES.items()
        },
        **_SETTINGS,
        "packing": replace(_SETTINGS["packing"], choices=PACKINGS),
        "guard_term": replace(_SETTINGS["guard_term"], choices=GUARD_TERMS),
        "routes": replace(_SETTINGS["routes"], choices=ROUTES),
        "checked": Parameter("yes", False, "redraw until the intended path is passable"),
        "within": Parameter("number", 1.0, "metres from the path within which it counts as passable"),
        **PLAYER,
        "runs": Parameter("whole", 20, "attempts to sneak through the placement; 0: none"),
    },
    measures=(
        Measure("passable", "share", "placements whose path can be walked unseen, in space and time", yes_or_no=True),
        Measure("seen_ever", "share", "of the floor that guards see at some time"),
        Measure("seen_mean", "share", "of the floor that guards see at any moment"),
        Measure("path_seen", "share", "of the intended path that guards see at any moment"),
        *VERIFIED,
    ),
    check=_check,
    run=_run,
    fits=_fits,
)
