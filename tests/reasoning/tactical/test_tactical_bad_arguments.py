"""Bad values for every argument of tactical queries give a result or an error of `lastseen.errors`."""

from __future__ import annotations

import pytest

from lastseen.layers.layer import Layer
from lastseen.layers.spread import Spread
from lastseen.level.sight.sight import Sight
from lastseen.reasoning.tactical.area import area_of, area_reached, area_within
from lastseen.reasoning.tactical.cheapest_paths import CheapestPaths
from lastseen.reasoning.tactical.chokepoints import find_chokepoints
from lastseen.reasoning.tactical.cost_field import NO_COST, CostField
from lastseen.reasoning.tactical.exits import cells_closing, exits_of
from lastseen.reasoning.tactical.exposure import cells_seen, cover_against, cover_towards, expose, posts_watching
from lastseen.reasoning.tactical.far_targets import UnreachableAreas, detours
from lastseen.reasoning.tactical.flank import Avenue, CombatLine, avenue, combat_line, flank_paths
from lastseen.reasoning.tactical.slots import slots_around
from specimens.locations import hall, hall_level
from specimens.nasty_values import check_argument

CELLS, SIGHT = hall(), Sight.from_level(hall_level())
HERE, THERE, EYE = (1.5, 1.5, 0.0), (4.5, 2.5, 0.0), (1.5, 1.5, 1.6)
PATHS, WALK, LINE = CheapestPaths(CELLS), Spread(CELLS), combat_line(HERE, [THERE])
AREA, MARKS = area_within(CELLS, HERE, 3.0), UnreachableAreas()
GROUND = Avenue("trapezoid", [HERE, THERE], 1.0, 2.0)
SEEN = cells_seen(CELLS, SIGHT, [EYE], reach=3.0)

CALLS = {
    "slots_around": (slots_around, {"cells": CELLS, "target_xyz": [HERE], "count": 2, "radius": 1.0, "heading": 0.0,
                                    "apart": 0.5, "rings": 2, "widening": 0.5, "turn": 1.0, "avoid_xyz": [THERE]}),
    "CheapestPaths": (CheapestPaths, {"layout": CELLS}),
    "CheapestPaths.find": (PATHS.find, {"start_xyz": [HERE], "goal_xyz": [THERE], "field": NO_COST, "most": 9.0,
                                      "straight": True, "on_floor": False}),
    "CheapestPaths.between": (PATHS.between, {"start_cells": [0], "goal_cells": [3], "field": NO_COST, "most": 9.0}),
    "CostField.of_layer": (CostField.of_layer, {"layer": Layer(CELLS, "danger"), "scale": 1.0}),
    "CostField.of_cells": (CostField.of_cells, {"cells": [0, 1], "costs": 1.0, "layout": CELLS}),
    "CostField.barred": (CostField.barred, {"one_xyz": [HERE], "other_xyz": [THERE], "height": 1.0}),
    "CostField.shape_values": (LINE.field().shape_values, {"points": [HERE]}),
    "combat_line": (combat_line, {"target_xyz": HERE, "fighters_xyz": [THERE], "shots": 1.0, "half_width": 6.0}),
    "CombatLine": (CombatLine, {"origin_xyz": HERE, "direction": (1, 0), "half_width": 6.0, "ahead": 1.0, "behind": 1.0,
                                "strength": 1.0, "reach_z": 1.0}),
    "CombatLine.aside": (LINE.aside, {"points": [HERE]}),
    "Avenue": (Avenue, {"kind": "corridor", "path_xyz": [HERE, THERE], "narrow": 1.0, "wide": 2.0, "strength": 1.0,
                        "reach_z": 1.0}),
    "Avenue.contains": (GROUND.contains, {"points": [HERE]}),
    "avenue": (avenue, {"mesh": CELLS.mesh, "one_xyz": HERE, "other_xyz": THERE, "narrow": 1.0, "wide": 2.0,
                        "strength": 1.0, "reach_z": 1.0}),
    "flank_paths": (flank_paths, {"paths": PATHS, "line": LINE, "flankers_xyz": [THERE], "excluded": GROUND,
                                    "field": NO_COST, "goal_xyz": [HERE], "most": 99.0}),
    "cells_seen": (cells_seen, {"cells": CELLS, "sight": SIGHT, "eyes_xyz": [EYE], "reach": 3.0, "at": 1.0,
                                "heading": 0.0, "angle": 1.0}),
    "expose": (expose, {"layer": Layer(CELLS, "seen", "bool"), "seen": SEEN}),
    "cover_towards": (cover_towards, {"cells": CELLS, "sight": SIGHT, "which": [0], "directions": (1, 0), "reach": 3.0,
                                      "heights": (1.0,), "fan": 0.1}),
    "cover_against": (cover_against, {"cells": CELLS, "sight": SIGHT, "which": [0], "eyes_xyz": [EYE],
                                      "heights": (1.0,)}),
    "area_of": (area_of, {"cells": CELLS, "which": [0, 1]}),
    "area_within": (area_within, {"cells": CELLS, "centre_xyz": HERE, "radius": 3.0}),
    "area_reached": (area_reached, {"walk": WALK, "centre_xyz": HERE, "seconds": 1.0, "speed": 2.0}),
    "Area.holds": (AREA.holds, {"cells": [0]}),
    "exits_of": (exits_of, {"area": AREA, "widest": 3.0, "look": 3.0}),
    "cells_closing": (cells_closing, {"inner": area_of(CELLS, [0]), "outer": AREA, "near": "outside", "most": 9,
                                      "widest": 3.0}),
    "posts_watching": (posts_watching, {"cells": CELLS, "sight": SIGHT, "watched_xyz": [HERE], "candidates": [0, 1],
                                        "reach": 3.0, "least": 0.0, "eye": 1.6, "at": 1.0, "most": 2}),
    "find_chokepoints": (find_chokepoints, {"cells": CELLS, "widest": 1.5, "detour": 5.0, "apart": 2.0, "least": 4.0,
                                            "around": HERE, "radius": 3.0}),
    "detours": (detours, {"paths": PATHS, "start_xyz": [HERE], "goal_xyz": [THERE], "ratio": 2.0, "extra": 1.0}),
    "UnreachableAreas.mark": (MARKS.mark, {"xyz": HERE, "now": 1.0, "radius": 1.0, "seconds": 1.0, "height": 1.0,
                                           "below": 1.0, "reason": ""}),
    "UnreachableAreas.lift": (MARKS.lift, {"area": None}),
    "UnreachableAreas.expire": (MARKS.expire, {"now": 0.0}),
    "UnreachableAreas.active": (MARKS.active, {"now": 0.0}),
    "UnreachableAreas.numbers_at": (MARKS.numbers_at, {"points": [HERE], "now": 0.0}),
    "UnreachableAreas.holds": (MARKS.holds, {"points": [HERE], "now": 0.0}),
    "UnreachableAreas.area_at": (MARKS.area_at, {"xyz": HERE, "now": 0.0}),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_nasty_arguments_stay_in_the_error_tree(name):
    call, right = CALLS[name]
    for argument in right:
        if argument != "mesh":  # the object of the query, which type checkers see
            check_argument(f"{name}.{argument}", lambda value, argument=argument: call(**{**right, argument: value}))


@pytest.mark.parametrize("name", [name for name in CALLS if name != "UnreachableAreas.lift"])
def test_the_right_arguments_are_answered(name):
    call, right = CALLS[name]
    call(**right)
