"""Routes by cost: exposure, the line of combat, excluded ground."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.cells.layout import CellLayout
from lastseen.cells.live import LiveLayout
from lastseen.cells.query import cell_at
from lastseen.errors import InputError, QueryError
from lastseen.layers.layer import Layer
from lastseen.level.level import Floor, Floors, Level
from lastseen.navmesh.body import Body
from lastseen.navmesh.navmesh import NavMesh
from lastseen.navmesh.query import raycasts
from lastseen.reasoning.tactical.cheapest_paths import CheapestPaths
from lastseen.reasoning.tactical.cost_field import NO_COST, CostField
from lastseen.reasoning.tactical.flank import Avenue, CombatLine, avenue, combat_line, flank_paths
from specimens.cells import passable, rooms_with_thin_wall, tile_layout, two_storeys

FIELD = tile_layout(np.ones((41, 41), bool))
PATHS = CheapestPaths(FIELD)
WALLED = tile_layout(
    passable("""
    ............
    ............
    .....#......
    .....#......
    .....#......
    ............
    ............
    """)
)


def all_walkable(layout, points):
    return raycasts(layout.mesh, points[:-1], points[1:]).reached.all()


def test_without_costs_a_route_is_straight():
    path = PATHS.find([(3.2, 4.1)], [(30.7, 22.9)])[0]
    assert path.points_xyz[:, :2] == pytest.approx(np.array([(3.2, 4.1), (30.7, 22.9)]))
    assert path.length == pytest.approx(math.hypot(27.5, 18.8))
    assert path.length <= path.cost <= path.length * 1.09 + 2.0


def test_34_5_7_a_large_scale_takes_the_hidden_detour():
    exposed = Layer(WALLED, "exposed", "bool")
    near = [cell_at(WALLED, (5.5, y + 0.5)) for y in (0, 1)]
    exposed.set(near, 1)
    paths = CheapestPaths(WALLED)
    start, goal = (3.5, 1.5), (8.5, 1.5)
    short = paths.find([start], [goal], CostField.of_layer(exposed, 0.0))[0]
    assert short.length == pytest.approx(5.0)
    hidden = paths.find([start], [goal], CostField.of_layer(exposed, 50.0))[0]
    assert not set(hidden.cells.tolist()) & set(near)
    assert hidden.points_xyz[:, 1].max() >= 5.0
    assert hidden.cost < 50.0
    barred = paths.find([start], [goal], CostField.barred([(5.5, 0.0)], [(5.5, 2.5)]))[0]
    assert barred.points_xyz[:, 1].max() >= 5.0
    assert all_walkable(WALLED, hidden.points_xyz)
    assert all_walkable(WALLED, barred.points_xyz)


def test_34_5_12_a_flank_leaves_the_centre_line_sideways_and_comes_from_behind():
    line = combat_line((20.5, 20.5), [(32.5, 20.5), (34.5, 20.5)])
    assert line.direction == pytest.approx((1.0, 0.0))
    flanks = flank_paths(PATHS, line, [(30.5, 20.5)])
    path = flanks.paths[0]
    assert abs(flanks.aside[0]) >= 5.5
    assert all_walkable(FIELD, path.points_xyz)
    last = path.points_xyz[-2] - path.points_xyz[-1]
    assert last[0] < 0.0, "it comes in from behind"
    straight = PATHS.find([(30.5, 20.5)], [(20.5, 20.5)])[0]
    assert straight.length == pytest.approx(10.0)
    assert path.length > 15.0
    assert path.cost < float(line.costs(straight.points_xyz).mean()) * 10.0 + 10.0


def test_34_5_12_turning_the_scene_by_quarters_turns_the_route():
    middle = np.array([20.5, 20.5])
    fighters, flanker = np.array([(13.0, 2.0)]), np.array([(10.0, 3.0)])
    plain = flank_paths(PATHS, combat_line(middle, fighters + middle), flanker + middle)
    assert abs(plain.aside[0]) >= 5.0
    for turn in ([[0, -1], [1, 0]], [[-1, 0], [0, -1]], [[0, 1], [-1, 0]]):
        turned = np.array(turn)
        line = combat_line(middle, fighters @ turned.T + middle)
        flanks = flank_paths(PATHS, line, flanker @ turned.T + middle)
        assert flanks.paths.cost == pytest.approx(plain.paths.cost, rel=1e-9)
        assert flanks.aside == pytest.approx(plain.aside, abs=1.0)
        assert flanks.paths.length == pytest.approx(plain.paths.length, rel=0.05)


def test_34_5_12_turning_a_whole_level_by_any_angle_turns_the_route():
    def scene(angle):
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        corners = np.array([(-22.0, -14.0), (22.0, -14.0), (22.0, 14.0), (-22.0, 14.0)]) @ turn.T
        floor = Floor(np.column_stack([corners, np.zeros(4)]))
        layout = CellLayout.from_navmesh(NavMesh.from_level(Level(Floors((floor,))), Body(radius=0.0)))
        fighters, flanker = np.array([(14.0, 0.0)]) @ turn.T, np.array([(12.0, 1.5)]) @ turn.T
        flanks = flank_paths(CheapestPaths(layout), combat_line((0.0, 0.0), fighters), flanker)
        return flanks.aside[0], flanks.paths.length[0], flanks.paths.cost[0]

    plain = scene(0.0)
    for angle in (0.4, 1.3, 2.6):
        aside, length, cost = scene(angle)
        assert aside == pytest.approx(plain[0], abs=1.5)
        assert length == pytest.approx(plain[1], rel=0.08)
        assert cost == pytest.approx(plain[2], rel=0.08)


def test_shots_turn_the_line_and_none_count_alike():
    target, fighters = (0.0, 0.0), [(10.0, 0.0), (0.0, 10.0)]
    assert combat_line(target, fighters, [1, 0]).direction == pytest.approx((1.0, 0.0))
    assert combat_line(target, fighters, [0, 0]).direction == pytest.approx((math.sqrt(0.5), math.sqrt(0.5)))
    assert combat_line(target, fighters, [3, 1]).direction == pytest.approx(np.array([3, 1]) / math.sqrt(10))
    nobody = combat_line(target, [])
    assert not nobody.has_direction
    assert nobody.field() is NO_COST
    assert not combat_line(target, [(5.0, 0.0), (-5.0, 0.0)]).has_direction


@given(st.floats(0.0, 6.28), st.floats(-12.0, 12.0), st.floats(-12.0, 12.0))
def test_turning_the_plan_changes_no_cost(angle, x, y):
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    plain = combat_line((0, 0), [(9.0, 2.0)]).costs([(x, y)])
    turned = combat_line((0, 0), np.array([(9.0, 2.0)]) @ turn.T).costs(np.array([(x, y)]) @ turn.T)
    assert turned == pytest.approx(plain, abs=1e-9)


def test_31_5_12_a_flank_keeps_out_of_the_double_trapezoid_where_there_is_another_way():
    one, other = (10.5, 20.5), (30.5, 20.5)
    ground = avenue(FIELD.mesh, one, other, narrow=1.0, wide=6.0)
    assert ground.kind == "trapezoid"
    line = CombatLine(one, (1.0, 0.0), strength=0.0)
    flanks = flank_paths(PATHS, line, [(31.5, 23.5), (30.5, 20.5)], excluded=ground)
    assert flanks.inside[0] <= 1.5, "all but the last step, at the target itself"
    assert abs(flanks.aside[0]) >= 5.5
    assert abs(flanks.aside[1]) >= 5.5
    assert flanks.best == 0
    corridor = tile_layout(np.ones((2, 30), bool))
    only = flank_paths(
        CheapestPaths(corridor),
        CombatLine((2.5, 1.0), (1.0, 0.0), strength=0.0),
        [(25.5, 1.0)],
        excluded=avenue(corridor.mesh, (2.5, 1.0), (25.5, 1.0)),
    )
    assert only.inside[0] > 20.0, "the only way is taken"


def test_31_5_12_where_the_shortest_way_bends_out_of_the_trapezoids_it_is_the_ground():
    layout = tile_layout(passable(".......\n.#####.\n.#####.\n.#####.\n.#####.\n.#####.\n.......".replace("\n", "\n")))
    ground = avenue(layout.mesh, (0.5, 3.5), (6.5, 3.5), narrow=0.5, wide=1.0)
    assert ground.kind == "corridor"
    assert ground.contains(ground.path_xyz).all()
    wide = avenue(layout.mesh, (0.5, 3.5), (6.5, 3.5), narrow=4.0, wide=6.0)
    assert wide.kind == "trapezoid"


def test_doors_are_respected_when_asked_and_arrays_rest():
    live = LiveLayout(WALLED)
    paths = CheapestPaths(live)
    layer = Layer(live, "danger", "uint8")
    layer.set([3, 4], [2, 9])
    before = paths.find([(3.5, 0.5)], [(8.5, 0.5)], CostField.of_layer(layer))[0]
    cut = live.cut([(5.2, -1.0), (5.8, -1.0), (5.8, 2.0), (5.2, 2.0)], 0.0, 2.0)
    shut = paths.find([(3.5, 0.5)], [(8.5, 0.5)], CostField.of_layer(layer))[0]
    assert shut.points_xyz[:, 1].max() >= 5.0
    assert all_walkable(live, shut.points_xyz)
    live.lift(cut)
    again = paths.find([(3.5, 0.5)], [(8.5, 0.5)], CostField.of_layer(layer))[0]
    assert np.array_equal(again.points_xyz, before.points_xyz)
    assert again.cost == before.cost
    assert not paths._base.any()
    assert np.isinf(paths._work.cost).all()


def test_routes_pass_thin_doors_climb_and_tell_why_they_end():
    thin = rooms_with_thin_wall()
    paths = CheapestPaths(thin)
    path = paths.find([(3.0, 5.0)], [(9.0, 5.0)])[0]
    assert path.reached
    assert all_walkable(thin, path.points_xyz)
    from lastseen.cells.build import build_layout

    storeys = build_layout(two_storeys())
    up = CheapestPaths(storeys).find([(10.0, 2.0, 0.0)], [(10.0, 2.0, 4.0)], on_floor=True)[0]
    assert up.reached
    assert up.points_xyz[0, 2] == 0.0
    assert up.points_xyz[-1, 2] == 4.0
    island = CheapestPaths(tile_layout(passable("..#..")))
    found = island.find(
        [(0.5, 0.5), (-9.0, 0.5), (0.5, 0.5), (0.5, 0.5)], [(4.5, 0.5), (0.5, 0.5), (99, 9), (1.5, 0.5)]
    )
    assert [path.reason for path in found] == ["no_path", "start_off_mesh", "goal_off_mesh", "reached"]
    dear = PATHS.find([(1.5, 1.5)], [(30.5, 30.5)], most=10.0)
    assert dear[0].reason == "too_costly"
    assert dear.touched[0] < 5
    assert len(dear[0].points_xyz) == 0


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: PATHS.find([(1, 1)], []), InputError, "one goal per start"),
        (lambda: PATHS.find([(1, 1)], [(2, 2)], "field"), InputError, "CostField"),
        (lambda: PATHS.find([(1, 1)], [(2, 2)], most=math.nan), InputError, "most"),
        (lambda: CostField.of_cells(FIELD, [0], [-1.0]), InputError, "costs"),
        (lambda: CostField.of_layer(Layer(FIELD, "a"), math.inf), InputError, "scale"),
        (lambda: CostField.barred([(1, 1)], []), InputError, "second ends"),
        (lambda: CheapestPaths(None), InputError, "CellLayout"),
        (lambda: combat_line((0, 0), [(1, 1)], [-1]), InputError, "shots"),
        (lambda: combat_line((0, 0), [(1, 1)], half_width=0), InputError, "half_width"),
        (lambda: CombatLine((0, 0), (math.inf, 0)), InputError, "direction"),
        (lambda: Avenue("square", [(0, 0), (1, 1)], 1, 2), InputError, "trapezoid"),
        (lambda: Avenue("trapezoid", [(0, 0)], 1, 2), InputError, "a trapezoid needs two"),
        (lambda: Avenue("trapezoid", [(0, 0), (1, 1)], 3, 2), InputError, "wide"),
        (lambda: flank_paths(None, combat_line((0, 0), []), []), InputError, "CheapestPaths"),
        (lambda: flank_paths(PATHS, None, []), InputError, "combat_line"),
        (
            lambda: CheapestPaths(tile_layout(passable(".."))).find([], [], CostField.of_cells(FIELD, [900], 1.0)),
            QueryError,
            "same layout",
        ),
    ],
)
def test_bad_arguments_of_routes_are_told(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_two_threads_do_not_share_work_arrays():
    with PATHS._busy, pytest.raises(QueryError, match="another thread"):
        PATHS.find([(1, 1)], [(2, 2)])
