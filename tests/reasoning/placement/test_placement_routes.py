"""Guards on their routes: poses by hand, by a slow walker, and for any route; Xu's segments."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import InputError
from lastseen.reasoning.placement.guard_routes import KINDS, GuardKind, GuardRoute, Placement, guard_kind
from lastseen.reasoning.placement.place.place import GuardPlanner
from lastseen.reasoning.placement.placement_settings import PlacementSettings
from oracles.placement import hall

SQUARE = [(0, 0), (4, 0), (4, 4), (0, 4)]
SEGMENTS = PlacementSettings(routes="segments")
WALKER = GuardKind(speed=2.0, turn_speed=math.pi / 2.0)


def test_a_square_round_by_hand():
    """Check a square: 2 s along each side, 1 s for each corner."""
    route = GuardRoute(WALKER, SQUARE)
    assert route.period == pytest.approx(12.0)
    assert route.length == 16.0
    east, north = 0.0, math.pi / 2
    expected = {
        0.0: (0, 0, 0, east),
        1.0: (2, 0, 0, east),
        2.5: (4, 0, 0, math.pi / 4),
        4.0: (4, 2, 0, north),
        11.5: (0, 0, 0, -math.pi / 4),
        13.0: (2, 0, 0, east),
    }
    np.testing.assert_allclose(route.pose_at(list(expected)), list(expected.values()), atol=1e-12)


def test_going_back_and_forth_turns_round_on_the_spot():
    route = GuardRoute(WALKER, [(0, 0), (4, 0)])
    assert route.period == pytest.approx(2 * (2.0 + 2.0))
    np.testing.assert_allclose(route.pose_at(3.0), (4, 0, 0, math.pi / 2), atol=1e-12)
    np.testing.assert_allclose(route.pose_at(5.0)[:3], (2, 0, 0), atol=1e-12)
    assert abs(route.pose_at(5.0)[3]) == pytest.approx(math.pi)


def test_a_repeated_first_point_and_doubled_points_change_nothing():
    twice = GuardRoute(WALKER, [(0, 0), (0, 0), (4, 0), (4, 4), (4, 4), (0, 4), (0, 0)])
    assert sorted(twice.points.tolist()) == sorted(GuardRoute(WALKER, SQUARE).points.tolist())
    assert twice.period == pytest.approx(12.0)


def test_those_that_stay_look_about():
    standing = GuardRoute(KINDS["standing"], [(1, 2, 3)], heading=1.0)
    assert standing.period == 0.0
    np.testing.assert_allclose(standing.pose_at([0.0, 99.0]), [(1, 2, 3, 1.0)] * 2)
    turning = GuardRoute(replace(KINDS["turning"], turn_speed=math.pi), [(0, 0)], heading=0.5)
    assert turning.period == pytest.approx(2.0)
    np.testing.assert_allclose(turning.pose_at([0.5, 1.5])[:, 3], [0.5 + math.pi / 2, 0.5 - math.pi / 2])
    camera = GuardRoute(replace(KINDS["camera"], sweep=1.0, turn_speed=0.5, pause=3.0), [(0, 0)])
    assert camera.period == pytest.approx(10.0)
    np.testing.assert_allclose(camera.pose_at([0, 1, 2, 4, 5, 6, 7, 9])[:, 3], [-0.5, 0, 0.5, 0.5, 0.5, 0, -0.5, -0.5])


def test_a_walker_without_a_way_stands():
    assert GuardRoute(WALKER, [(1, 1), (1, 1)], heading=2.0).pose_at(7.0).tolist() == [1.0, 1.0, 0.0, 2.0]


def test_stairs_are_walked_at_the_speed_along_them_and_a_ladder_keeps_the_heading():
    stairs = GuardRoute(WALKER, [(0, 0, 0), (3, 0, 4)])
    np.testing.assert_allclose(stairs.pose_at(1.25), (1.5, 0, 2, 0), atol=1e-12)
    ladder = GuardRoute(WALKER, [(0, 0, 0), (4, 0, 0), (4, 0, 4)])
    assert ladder.pose_at(3.0)[3] == pytest.approx(0.0)


def stepped(route: GuardRoute, seconds: float) -> tuple[np.ndarray, float]:
    """Walk and turn in steps of a millisecond."""
    points, place, heading, target = route.points, route.points[0].copy(), None, 1
    left = seconds
    heading = math.atan2(*(points[1] - points[0])[1::-1])
    while left > 1e-12:
        way = points[target % len(points)] - place
        wanted = math.atan2(way[1], way[0])
        off = (wanted - heading + math.pi) % (2 * math.pi) - math.pi
        if off == -math.pi:
            off = math.pi
        step = min(1e-3, left)
        left -= step
        if abs(off) > 1e-9:
            heading += math.copysign(min(route.kind.turn_speed * step, abs(off)), off)
            continue
        far = float(np.linalg.norm(way))
        place = place + way * min(1.0, route.kind.speed * step / far)
        if route.kind.speed * step >= far:
            place, target = points[target % len(points)].copy(), target + 1
    return place, heading


@pytest.mark.parametrize("seconds", [0.3, 2.9, 6.01, 9.7, 14.2])
def test_poses_are_those_of_one_who_walks_step_by_step(seconds):
    route = GuardRoute(GuardKind(speed=1.7, turn_speed=2.0), [(0, 0), (3, 1), (2, 4), (-1, 2), (0.5, 1)])
    place, heading = stepped(route, seconds)
    pose = route.pose_at(seconds)
    np.testing.assert_allclose(pose[:3], place, atol=0.03)
    assert math.cos(pose[3] - heading) > 0.999


corners = st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5), st.integers(0, 1)), min_size=1, max_size=7)


@given(corners, st.floats(0.1, 5.0), st.floats(0.2, 20.0), st.floats(-50.0, 50.0))
def test_any_round_is_closed_and_never_too_fast(points, speed, turn_speed, phase):
    route = GuardRoute(GuardKind(speed=speed, turn_speed=turn_speed), points, phase=phase)
    seconds = np.linspace(0.0, max(route.period, 1.0), 200)
    poses = route.pose_at(seconds)
    step = seconds[1] + 1e-9
    assert (np.linalg.norm(np.diff(poses[:, :3], axis=0), axis=1) <= speed * step + 1e-9).all()
    turned = np.abs((np.diff(poses[:, 3]) + math.pi) % (2 * math.pi) - math.pi)
    assert (turned <= turn_speed * step + 1e-6).all()
    assert (np.abs(poses[:, 3]) <= math.pi).all()
    np.testing.assert_allclose(route.pose_at(route.period)[:3], poses[0, :3], atol=1e-6)
    np.testing.assert_allclose(route.with_phase(phase + 1.5).pose_at(2.0)[:3], route.pose_at(3.5)[:3], atol=1e-6)


def test_poses_of_all_at_once():
    placement = Placement((GuardRoute(WALKER, SQUARE), GuardRoute(KINDS["camera"], [(1, 1)])))
    assert placement.poses_at(np.zeros((2, 3))).shape == (2, 2, 3, 4)
    assert Placement(()).poses_at([1.0]).shape == (0, 1, 4)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: GuardKind(speed=-1), "speed is -1 m/s; it must be at least 0"),
        (lambda: GuardKind(view_angle=7), "view_angle is 7 rad"),
        (lambda: GuardKind(name=3), "name is 3; give text"),
        (lambda: guard_kind("camra"), "did you mean 'camera'"),
        (lambda: GuardRoute(WALKER, []), "points is empty"),
        (lambda: GuardRoute("walking", SQUARE), "give a GuardKind"),
        (lambda: GuardRoute(KINDS["camera"], SQUARE), "speed 0 but 4 points"),
        (lambda: GuardRoute(WALKER, SQUARE, phase=math.nan), "phase is nan"),
        (lambda: GuardRoute(WALKER, SQUARE).pose_at(math.inf), "not finite"),
        (lambda: GuardRoute(WALKER, SQUARE).pose_at("now"), "moments in seconds"),
        (lambda: Placement([SQUARE]), r"routes\[0\]"),
        (lambda: PlacementSettings(packing="voronoy"), "did you mean 'voronoi'"),
        (lambda: PlacementSettings(least=3.0), "swap them"),
        (lambda: PlacementSettings(drop_off=0.0), "more than 0"),
        (lambda: PlacementSettings(together=1), "True or False"),
    ],
)
def test_what_cannot_be_is_said_in_words(make, words):
    with pytest.raises(InputError, match=words):
        make()


@pytest.fixture(scope="module")
def planner() -> GuardPlanner:
    kinds = ["walking", "walking", "camera"]
    return GuardPlanner(hall(12, 10, (5, 4, 7, 6)), [(0.5, 0.5), (11.5, 0.5)], kinds=kinds, settings=SEGMENTS)


@pytest.mark.parametrize("seed", range(5))
def test_each_guard_keeps_to_a_region_of_its_own(planner, seed):
    placement = planner.place(6, seed=seed)
    routes = placement.routes
    assert [len(route.points) for route in routes if route.kind.walks] == pytest.approx([2] * 4, abs=1)
    pairs = {frozenset(map(tuple, planner.graph.places[pair].tolist())) for pair in planner.graph.pairs}
    for route in routes:
        if len(route.points) == 2:
            assert frozenset(map(tuple, route.points.tolist())) in pairs
    # Regions are disjoint, so no place belongs to two routes.
    places = [tuple(point) for route in routes for point in route.points.tolist()]
    assert len(places) == len(set(places))
    assert np.array_equal(routes[0].points, planner.place(6, seed=seed).routes[0].points)


def test_more_regions_than_places_are_refused():
    walking = GuardPlanner(hall(12, 10), [(0.5, 0.5), (11.5, 0.5)], settings=SEGMENTS)
    with pytest.raises(InputError, match=r"400 regions need as many places"):
        walking.place(400)


def test_unknown_routes_are_refused():
    with pytest.raises(InputError, match="did you mean 'segments'"):
        PlacementSettings(routes="segment")
