"""Bad values for every argument of verification give a result or an error of `lastseen.errors`."""

from __future__ import annotations

import pytest

from lastseen.level.sight.sight import Sight
from lastseen.reasoning.placement.detection import GuardViews
from lastseen.reasoning.placement.files.level_guards import PatrolRoute, patrol_placement
from lastseen.reasoning.placement.placement_settings import VerifySettings
from lastseen.reasoning.placement.verify.path_check import PathCheck, passable
from lastseen.reasoning.placement.verify.sneak_ground import SneakGround
from lastseen.reasoning.placement.verify.verify import verify
from oracles.space_time import tile_level
from specimens.nasty_values import NASTY, check_argument
from specimens.space_time import pacer

VALUES = {**NASTY, "far place": (1e300, -1e300)}
LEVEL, PATH = tile_level(["....", "...."]), [(0.5, 0.5), (3.5, 0.5)]
GROUND, SIGHT, ROUTE = SneakGround(LEVEL), Sight.from_level(LEVEL), pacer()
QUICK = VerifySettings(seconds=4.0, runs=1, trees=1, nodes=5)
VIEWS = GuardViews(SIGHT, [ROUTE], seconds=2.0)
WAY = [(0.5, 0.5, 0.0, 0.0), (1.5, 0.5, 0.0, 1.0)]

CALLS = {
    "verify": (
        verify,
        {"level": GROUND, "guards": [ROUTE], "start": (0.5, 0.5), "goal": (3.5, 0.5), "path": PATH, "settings": QUICK},
    ),
    "passable": (passable, {"level": GROUND, "path": PATH, "routes": [ROUTE], "width": 1.0, "settings": QUICK}),
    "PathCheck.ask": (PathCheck(GROUND, PATH, settings=QUICK).ask, {"routes": [ROUTE]}),
    "SneakGround": (SneakGround, {"level": LEVEL, "radius": 0.0, "cell": 1.0}),
    "GuardViews": (
        GuardViews,
        {"sight": SIGHT, "guards": [ROUTE], "seconds": 1.0, "step": 0.5, "substeps": 1, "seen_at": 1.0},
    ),
    "GuardViews.seen": (VIEWS.seen, {"xyz": [(0.5, 0.5, 0.0)], "seconds": 0.0}),
    "GuardViews.first_seen": (VIEWS.first_seen, {"path": WAY, "substeps": 2}),
    "GuardViews.danger": (VIEWS.danger, {"xyz": [(0.5, 0.5, 0.0)]}),
    "patrol_placement": (patrol_placement, {"level": LEVEL, "near": 0.0, "usual": None}),
    "PatrolRoute": (
        PatrolRoute,
        {"kind": ROUTE.kind, "points": [(0, 0)], "stops": (), "loop_to": 0, "near": 0.0, "begin": (0.0, 0.0, 0.0)},
    ),
    "VerifySettings": (VerifySettings, QUICK.as_object()),
}


@pytest.mark.parametrize("name", CALLS)
def test_nasty_values_stay_in_the_error_tree(name):
    call, right = CALLS[name]
    call(**right)
    for argument in right:
        check_argument(
            f"{name}.{argument}", lambda value, argument=argument: call(**{**right, argument: value}), VALUES
        )
