"""Patrols by orders: worked by hand, and the research levels with their stored solutions."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.errors import InputError
from lastseen.level.check import find_faults
from lastseen.level.features import Patrol, PatrolStop, Spawn
from lastseen.level.level import Level
from lastseen.level.samples import sample
from lastseen.level.sight.sight import Sight
from lastseen.reasoning.placement.detection import GuardViews
from lastseen.reasoning.placement.files.level_guards import PatrolRoute, patrol_placement, with_guards
from lastseen.reasoning.placement.guard_routes import GuardKind, GuardRoute, guard_kind
from oracles.placement import hall
from oracles.space_time import tile_level

KIND = GuardKind("walking", speed=2.0, turn_speed=math.pi)
STOPS = (
    PatrolStop((4.0, 0.0, 0.0)),
    PatrolStop((4.0, 0.0, 0.0), "wait", seconds=3.0),
    PatrolStop((4.0, 0.0, 0.0), "turn", heading=math.pi / 2),
    PatrolStop((0.0, 0.0, 0.0)),
)


def test_orders_are_obeyed_one_after_another():
    # East 2 s, wait 3 s, turn north 0.5 s, turn west 0.5 s, back 2 s; again: turn east 1 s, 2 s, ...
    route = PatrolRoute(KIND, [(0, 0), (4, 0)], stops=STOPS)
    east, north, west = 0.0, math.pi / 2, math.pi
    expected = {
        0.0: (0, east),
        1.0: (2, east),
        4.0: (4, east),
        5.25: (4, math.pi / 4),
        5.5: (4, north),
        5.75: (4, 3 * math.pi / 4),
        7.0: (2, west),
        8.5: (0, north),
        10.0: (2, east),
        14.0: (4, east),
    }
    for seconds, (x, heading) in expected.items():
        pose = route.pose_at(seconds)
        assert pose[0] == pytest.approx(x), seconds
        assert abs(math.remainder(pose[3] - heading, 2 * math.pi)) < 1e-9, seconds
    assert route.period == pytest.approx(9.0)


def test_rounds_come_again_and_again():
    route = PatrolRoute(KIND, [(1, 1), (4, 0)], heading=2.0, stops=STOPS, loop_to=2)
    late = route.lead + np.linspace(0.0, route.period, 40)
    assert route.pose_at(late + route.period)[:, :3] == pytest.approx(route.pose_at(late)[:, :3])
    turns = route.pose_at(late + 3 * route.period)[:, 3] - route.pose_at(late)[:, 3]
    assert np.abs([math.remainder(turn, 2 * math.pi) for turn in turns]).max() < 1e-6
    assert route.with_phase(1.25).pose_at(3.0) == pytest.approx(route.pose_at(4.25))


def test_one_whose_orders_end_stays():
    route = PatrolRoute(KIND, [(0, 0), (4, 0)], stops=STOPS[:3], loop_to=None)
    assert route.pose_at([5.5, 100.0]).tolist() == [route.pose_at(5.5).tolist()] * 2


def test_one_that_does_not_pivot_faces_its_way_at_once_and_may_stop_short():
    route = PatrolRoute(KIND, [(0, 0), (4, 0)], stops=(STOPS[0], STOPS[3]), pivots=False, near=1.0)
    # 3 m to x = 3 in 1.5 s, then at once west to x = 1 in 1 s, east to 3 in 1 s.
    assert route.pose_at(1.5)[0] == pytest.approx(3.0)
    assert route.pose_at(2.0)[[0, 3]] == pytest.approx([2.0, -math.pi])
    assert route.pose_at(2.5)[0] == pytest.approx(1.0)
    assert route.period == pytest.approx(2.0)


def test_guards_of_a_level_are_taken_with_what_it_says():
    stops = (PatrolStop((1.5, 0.5, 0.0)), PatrolStop((2.5, 0.5, 0.0)))
    level = replace(
        tile_level(["....", "...."]),
        spawns=(
            Spawn((0.5, 0.5, 0.0), "player"),
            Spawn((0.5, 1.5, 0.0), name="Ann", heading=1.0, view_distance=5.0, view_angle=9.0),
            Spawn((2.5, 1.5, 0.0), name="Bob", patrol="b", speed=0.5, turn_speed=0.25),
        ),
        patrols=(Patrol(stops, "b"),),
    )
    ann, bob = patrol_placement(level).routes
    assert type(ann) is GuardRoute
    assert (ann.name, ann.heading, ann.kind.speed, ann.kind.view_distance) == ("Ann", 1.0, 0.0, 5.0)
    assert ann.kind.view_angle == pytest.approx(2 * math.pi)
    assert isinstance(bob, PatrolRoute)
    assert (bob.kind.speed, bob.kind.turn_speed, bob.stops) == (0.5, 0.25, stops)
    assert patrol_placement(tile_level(["."])).notes == ("the level has no guards",)


def test_bad_orders_are_refused():
    with pytest.raises(InputError, match="loop_to is 7; give a stop from 0 to 3, or None"):
        PatrolRoute(KIND, [(0, 0)], stops=STOPS, loop_to=7)
    with pytest.raises(InputError, match=r"stops\[0\] is 'east'"):
        PatrolRoute(KIND, [(0, 0)], stops=("east",))
    with pytest.raises(InputError, match="not finite"):
        PatrolRoute(KIND, [(0, 0), (4, 0)], stops=STOPS).pose_at(np.nan)


def stored(data, name):
    level = Level.read(data / "gram" / f"{name}.json")
    path = level.paths[0]
    return level, np.column_stack([path.points_xyz, path.seconds])


@pytest.mark.data
def test_the_stored_solution_of_the_docks_is_unseen_by_the_guards_as_the_tool_moves_them(data):
    level, path = stored(data, "Pedro_3D_visualizer")
    sight = Sight.from_level(level)
    as_there = patrol_placement(level, pivots=False, near=0.25)
    assert len(as_there.routes) == 2
    assert GuardViews(sight, as_there, seconds=63.0, substeps=1, touch=None).first_seen(path) is None
    # It depends on when guards are where: 10 s later into their routes the second sees it.
    later = [route.with_phase(10.0) for route in as_there.routes]
    assert GuardViews(sight, later, seconds=63.0, substeps=1, touch=None).first_seen(path) is not None


@pytest.mark.data
def test_the_stored_solution_of_the_designers_level_belongs_to_another_moment_of_the_round(data):
    # The guard as stored walks towards the start and sees the path's beginning; the path waits in an alcove for a
    # guard that passes later, as it does 76 to 96 s into its route.
    level, path = stored(data, "LevelDesigner1_3D_visualizer")
    sight = Sight.from_level(level)
    (guard,) = patrol_placement(level, pivots=False, near=0.25).routes
    found = GuardViews(sight, [guard], seconds=58.0, substeps=1, touch=None).first_seen(path)
    assert found is not None
    assert found.seconds == pytest.approx(3.4)
    assert GuardViews(sight, [guard.with_phase(90.0)], seconds=58.0, substeps=1, touch=None).first_seen(path) is None


@st.composite
def routes(draw) -> GuardRoute:
    number = st.floats(0.0, 12.0).map(lambda value: round(value, 2))
    phase = draw(st.floats(0.0, 100.0))
    if draw(st.booleans()):
        points = draw(st.lists(st.tuples(number, number), min_size=2, max_size=5, unique=True))
        waits = draw(st.one_of(st.just([]), st.lists(st.floats(0.0, 3.0), min_size=len(points), max_size=len(points))))
        return GuardRoute(guard_kind("walking"), points, phase, waits=waits)
    kind = guard_kind(draw(st.sampled_from(["standing", "turning", "camera"])))
    sweep = draw(st.floats(0.1, 6.2)) if kind.name == "camera" else kind.sweep
    heading = draw(st.floats(-4.0, 4.0))
    return GuardRoute(replace(kind, sweep=sweep), [draw(st.tuples(number, number))], phase, heading)


@given(routes())
@settings(max_examples=150, deadline=None)
def test_placed_guards_become_patrols_of_the_level_with_the_same_poses(route):
    level = with_guards(hall(12, 12), [route])
    assert len(level.spawns) == 1
    walked = patrol_placement(level).routes[0]
    moments = np.linspace(0.0, 2.5 * route.period + 1.0, 301)
    expected, found = route.pose_at(moments), walked.pose_at(moments)
    np.testing.assert_allclose(found[:, :3], expected[:, :3], atol=1e-6)
    turned = np.mod(found[:, 3] - expected[:, 3] + np.pi, 2.0 * np.pi) - np.pi
    np.testing.assert_allclose(turned, 0.0, atol=1e-5)
    assert (walked.kind.view_distance, walked.kind.view_angle) == (route.kind.view_distance, route.kind.view_angle)


def test_guards_of_the_level_make_room_and_everything_else_stays():
    level = sample("warehouse")
    mine = with_guards(level, [GuardRoute(guard_kind("standing"), [(5.5, 15.5)], name="closet")])
    assert [spawn.name for spawn in mine.spawns if spawn.who == "guard"] == ["closet"]
    assert [spawn for spawn in mine.spawns if spawn.who != "guard"] == [
        spawn for spawn in level.spawns if spawn.who != "guard"
    ]
    assert mine.patrols == ()
    assert (mine.surface, mine.doors, mine.paths) == (level.surface, level.doors, level.paths)
    assert not [fault for fault in find_faults(mine) if fault.severity == "error"]
