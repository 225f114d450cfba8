"""Whether the intended path can be walked unseen."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import shapely

from lastseen.errors import InputError
from lastseen.level.level import Level
from lastseen.reasoning.placement.guard_routes import GuardRoute
from lastseen.reasoning.placement.placement_settings import VerifySettings
from lastseen.reasoning.placement.verify.path_check import PathCheck, passable
from lastseen.reasoning.placement.verify.sneak_ground import SneakGround, leash_to
from oracles.space_time import tile_level
from specimens.space_time import CORRIDOR, pacer

WALK = VerifySettings(seconds=40.0, step=0.5, speed=1.0)
PATH = [(0.5, 0.5), (12.5, 0.5)]


def stare(x=8.5, y=3.5, heading=-math.pi / 2, **change):
    return GuardRoute(replace(pacer().kind, speed=0.0, **change), [(x, y)], heading=heading)


@pytest.fixture(scope="module")
def corridor():
    return SneakGround(tile_level(CORRIDOR), cell=0.5)


def test_a_path_one_can_wait_on_is_passable(corridor):
    free = passable(corridor, PATH, [], settings=WALK)
    assert free
    assert free.strict
    assert free.path[-1].tolist() == [12.5, 0.5, 0.0, 12.0]
    # At 8 s the guard still sees from x = 7.9 to 9.1; a player at x = 7.5 then has 5 m to go.
    waits = passable(corridor, PATH, [pacer()], settings=WALK)
    assert waits.passes
    assert waits.why == "on the path itself, in 13 s"
    assert waits.path[-1, 3] == 13.0


def test_a_path_somebody_always_watches_is_not(corridor):
    watched = passable(corridor, PATH, [stare()], settings=WALK)
    assert not watched
    assert len(watched.path) == 0
    assert "guard 1 (walking) sees a player that sets out at once after 7.4 s" in watched.why
    seen = passable(corridor, PATH, [stare(2.5, 0.5, math.pi)], settings=WALK)
    assert not seen
    assert seen.why == "the start (0.5, 0.5) is in the view of guard 1 (walking) at time 0"
    close = passable(corridor, PATH, [stare(1.2, 0.5, 0.0)], settings=WALK)
    assert close.why == "the start (0.5, 0.5) is within 1 m of guard 1 (walking) at time 0"
    slow = passable(corridor, PATH, [], settings=replace(WALK, seconds=5.0))
    assert not slow
    assert "the path takes 12 s at 1 m/s" in slow.why


def test_leaving_the_path_a_little_may_help():
    # A hall with a pillar, which hides the path from a guard above it; a guard below looks up at the pillar.
    finer = replace(WALK, substeps=5)
    hall = SneakGround(tile_level([".........", ".........", "....#....", ".........", "........."]), cell=0.5)
    path = [(0.5, 1.6), (8.5, 1.6)]
    guard = stare(4.5, 4.5, view_distance=20.0, view_angle=math.radians(30.0))
    strict = passable(hall, path, [guard], width=0.0, settings=finer)
    assert strict  # the pillar hides the path from a narrow view
    wide = [stare(4.5, 0.3, math.pi / 2, view_distance=1.8, view_angle=math.radians(20.0))]
    assert not passable(hall, path, wide, width=0.0, settings=finer)
    assert not passable(hall, path, wide, width=0.4, settings=finer)
    round_it = passable(hall, path, wide, width=2.5, settings=finer)
    assert round_it
    assert not round_it.strict
    assert round_it.why.startswith("within 2.5 m of the path")
    assert np.abs(round_it.path[:, 1] - 1.6).max() <= 2.5 + 1e-9


def test_what_lies_above_the_path_is_not_near_it():
    # Along the ground floor of the house, below rooms: no place upstairs is used, whatever the width.
    house = SneakGround(Level.sample("house"), cell=1.0)
    check = PathCheck(house, house.level.paths[0].points_xyz[2:5], width=6.0)
    leash = leash_to(check.path, 6.0, house.mesh.body.height)
    ways, _, _ = house.joined(check.path[0], check.path[-1], leash)
    used = ways.xyz[np.unique([ways.begin, ways.end])]
    assert len(used) > 20
    assert used[:, 2].max() < 1.8
    assert (house.ways.xyz[:, 2] > 2.9).any()
    assert check(())


def test_a_way_near_a_path_with_a_bend_keeps_near_it():
    # Straight across the bend would be shorter, but 2 m off.
    hall = SneakGround(tile_level(["........"] * 8), cell=0.5)
    path = [(0.5, 0.5), (7.5, 0.5), (7.5, 7.5)]
    guard = stare(7.5, 2.2, -math.pi / 2, view_distance=1.8, view_angle=math.radians(20.0))
    way = passable(hall, path, [guard], width=1.0, settings=replace(WALK, substeps=5, contact=False))
    assert way
    assert not way.strict
    on_way = shapely.points(np.concatenate([np.linspace(a, b, 50) for a, b in pairwise(way.path[:, :2])]))
    assert shapely.distance(shapely.LineString(path), on_way).max() <= 1.0 + 0.02


def test_a_check_is_asked_for_many_placements(corridor):
    check = PathCheck(corridor, PATH, settings=WALK)
    assert [check((guard,)) for guard in (pacer(), stare(), pacer().with_phase(3.0))] == [True, False, True]
    with pytest.raises(InputError, match="give a Placement, or GuardRoutes"):
        check([None])


def test_it_is_walked_round_corners_it_was_drawn_close_to():
    ground = SneakGround(Level.sample("house"), radius=0.3)
    way = passable(ground, [(3.0, 3.0), (9.0, 3.0)], [], settings=WALK)
    assert way
    assert way.path[-1, 3] >= 6.0
