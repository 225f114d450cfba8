"""Bad values for every argument of placement give a result or an error of `lastseen.errors`."""

from __future__ import annotations

from functools import partial

import pytest

from lastseen.reasoning.placement.coverage import Watch
from lastseen.reasoning.placement.files.route_files import read_guards, read_path, write_guards, write_path
from lastseen.reasoning.placement.guard_ground import GuardGround
from lastseen.reasoning.placement.guard_routes import GuardKind, GuardRoute, Placement, guard_kind
from lastseen.reasoning.placement.improve.improve import improve_guards
from lastseen.reasoning.placement.improve.targets import Targets
from lastseen.reasoning.placement.place.partition import partition, radius_range
from lastseen.reasoning.placement.place.place import GuardPlanner, place_guards
from lastseen.reasoning.placement.place.sight_graph import sight_graph
from lastseen.reasoning.placement.placement_settings import PlacementSettings, VerifySettings
from oracles.placement import hall
from specimens.nasty_values import check_argument

LEVEL, PATH, KIND = hall(6, 5), [(0.5, 0.5), (5.5, 0.5)], GuardKind(view_distance=3.0, passive=0.5)
QUICK = PlacementSettings(candidates=1, attempts=3)
GROUND = GuardGround(LEVEL, PATH)
CIRCLES = partition(GROUND, 0.5, 1.0)
ROUTE = GuardRoute(KIND, [(1, 1), (2, 2)])
SOLVER = VerifySettings(seconds=10.0, runs=1, trees=1, nodes=9)
IMPROVE = partial(improve_guards, LEVEL, PATH, 1, kinds=KIND, placing=QUICK)
"""With what `place_guards` is given too, and probed for."""
PLANNER = GuardPlanner(LEVEL, PATH, kinds=KIND, settings=QUICK)

CALLS = {
    "place_guards": (place_guards, {"level": LEVEL, "path": PATH, "guards": 1, "kinds": KIND, "settings": QUICK,
                                    "seed": 0, "check": lambda routes: True}),
    "improve_guards": (IMPROVE, {"targets": Targets(coverage=0.01), "settings": SOLVER, "width": 1.0, "rounds": 1,
                                 "jobs": 1}),
    "GuardPlanner.place": (PLANNER.place, {"guards": 1, "seed": 0, "check": None}),
    "GuardGround": (GuardGround, {"level": LEVEL, "path": PATH, "body": 0.3}),
    "partition": (partition, {"ground": GROUND, "smallest": 0.5, "largest": 1.0, "method": "skeleton", "seed": 0}),
    "radius_range": (radius_range, {"kinds": KIND, "notice": 0.5, "coarseness": 1.0}),
    "sight_graph": (sight_graph, {"ground": GROUND, "partition": CIRCLES, "eye_height": 1.6}),
    "Watch": (Watch, {"ground": GROUND, "samples": 20}),
    "GuardKind": (GuardKind, {"name": "x", "speed": 1.0, "view_distance": 1.0, "view_angle": 1.0, "turn_speed": 1.0,
                              "sweep": 0.0, "pause": 0.0, "passive": 1.0, "eye_height": 1.6}),
    "guard_kind": (guard_kind, {"name": "walking"}),
    "GuardRoute": (GuardRoute, {"kind": KIND, "points": [(0, 0), (1, 1)], "phase": 0.0, "heading": 0.0, "name": ""}),
    "GuardRoute.pose_at": (ROUTE.pose_at, {"seconds": 1.0}),
    "GuardRoute.with_phase": (ROUTE.with_phase, {"phase": 1.0}),
    "Placement": (Placement, {"routes": [ROUTE], "seed": 0, "notes": ()}),
    "Placement.poses_at": (Placement((ROUTE,)).poses_at, {"seconds": 1.0}),
    "PlacementSettings": (PlacementSettings, QUICK.as_object()),
    "read_guards": (read_guards, {"path": "none.geojson"}),
    "read_path": (read_path, {"path": "none.geojson"}),
    "write_guards": (write_guards, {"placement": Placement((ROUTE,)), "path": "no/folder.geojson"}),
    "write_path": (write_path, {"points": PATH, "path": "no/folder.geojson"}),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_nasty_arguments_stay_in_the_error_tree(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call, right = CALLS[name]
    for argument in right:
        check_argument(f"{name}.{argument}", lambda value, argument=argument: call(**{**right, argument: value}))
