"""Paths and routes must be on the floor, by one rule; guards of another level are refused."""

import json
import re

import numpy as np
import pytest

from lastseen.errors import InputError
from lastseen.level.level import Level
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.query import find_path
from lastseen.reasoning.placement.guard_ground import GuardGround, settled_guards
from lastseen.reasoning.placement.guard_routes import Coverage, GuardRoute, Placement, guard_kind
from lastseen.reasoning.placement.place.place import place_guards
from lastseen.reasoning.placement.placement_settings import PACKINGS, PlacementSettings
from lastseen.reasoning.placement.verify.path_check import settled_path
from lastseen.reasoning.placement.verify.sneak_ground import SneakGround
from oracles.space_time import tile_level

WALLED = tile_level(["......", "..##..", "......"])


@pytest.fixture(scope="module")
def thin(tmp_path_factory):
    """Return a room of 12 m x 8 m with a wall of 0.1 m that ends 4 m from the upper side."""
    outline = [[0, 0], [12, 0], [12, 8], [0, 8], [0, 0]]
    wall = [[6, 0.01], [6, 4], [6.1, 4], [6.1, 0.01], [6, 0.01]]
    feature = {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [outline, wall]}}
    path = tmp_path_factory.mktemp("thin") / "thin.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))
    return Level.read(path)


def test_a_path_through_the_end_of_a_wall_is_refused_by_all_alike(thin):
    path = [(1.0, 3.3), (11.0, 3.3)]
    said = re.escape(
        "the intended path crosses a wall or locked door at (6, 3.3), between its points 1, (1, 3.3), and 2, (11, 3.3)"
    )
    with pytest.raises(InputError, match=said):
        GuardGround(thin, path)
    with pytest.raises(InputError, match=said):
        settled_path(SneakGround(thin), path)


def test_a_path_along_a_wall_is_led_round_it_by_the_players_width(thin):
    line = settled_path(SneakGround(thin), [(1.0, 4.1), (11.0, 4.1), (11.99, 4.1)])
    np.testing.assert_allclose(line[[0, 1]], [(1.0, 4.1, 0.0), (11.0, 4.1, 0.0)], atol=1e-9)
    assert line[2, 0] == pytest.approx(11.7, abs=0.01), "moved to where the body can be"


def test_links_round_a_corner_are_as_long_as_the_shortest_path():
    ground = SneakGround(sample("house"))
    count, graph = len(ground.layout), ground.ways
    bends = range(count, len(graph.xyz))
    ends = {bend: [] for bend in bends}
    for begin, end in zip(graph.begin.tolist(), graph.end.tolist()):
        for one, other in ((begin, end), (end, begin)):
            if one >= count:
                ends[one].append(other)
    assert len(bends) > 20
    assert all(len(found) == 2 for found in ends.values()), "a bend joins what is before it and what is after it"
    for bend, (one, other) in ends.items():
        if max(one, other) < count:
            places = graph.xyz[[one, bend, other]]
            metres = np.linalg.norm(np.diff(places, axis=0), axis=1).sum()
            assert metres == pytest.approx(find_path(ground.mesh, places[0], places[2]).length, abs=1e-5)


GAP = [
    "...............",
    "...............",
    "...............",
    "...######.#####",
    "...............",
    "...............",
    "...............",
]


def test_where_the_player_does_not_fit_is_told_as_that():
    path = [(9.5, 1.5), (9.5, 5.5)]
    assert len(settled_path(SneakGround(tile_level(GAP), radius=0.4), path)) == 2
    with pytest.raises(InputError, match=r"the player \(radius 0\.6 m\) does not fit between points 1, \(9\.5"):
        settled_path(SneakGround(tile_level(GAP), radius=0.6), path)


def guards(*routes, **more):
    return Placement(tuple(routes), **more)


def mesh_of(level):
    return build_navmesh(level, Body(radius=0.0))


@pytest.mark.parametrize(
    ("route", "words"),
    [
        (
            GuardRoute(guard_kind("standing"), [(500.0, 500.0)]),
            "far.geojson: guard 2 (standing), at (500, 500), is off the floor, outside the level or inside an obstacle"
            "; the nearest floor is 701 m away at (6, 3); move it there, or give guards placed for this level",
        ),
        (GuardRoute(guard_kind("camera"), [(3.0, 1.5)]), "guard 2 (camera), at (3, 1.5), is off the floor"),
        (
            GuardRoute(guard_kind("walking"), [(0.5, 1.5), (0.5, 2.5), (5.5, 1.5)], name="Bo"),
            "far.geojson: guard 2 'Bo' (walking) walks through a wall or locked door at (3, 2), between",
        ),
        (
            GuardRoute(guard_kind("walking"), [(0.5, 0.5), (2.5, 1.5)]),
            "guard 2 (walking), at point 2 of its route, (2.5, 1.5), is off the floor",
        ),
    ],
)
def test_guards_off_the_floor_or_in_walls_are_refused(route, words):
    fine = GuardRoute(guard_kind("walking"), [(0.5, 0.5), (5.5, 0.5)])
    with pytest.raises(InputError, match=re.escape(words)):
        settled_guards(mesh_of(WALLED), guards(fine, route), "far.geojson")


def test_what_a_file_says_of_its_level_is_left_behind():
    fine = GuardRoute(guard_kind("walking"), [(0.5, 0.5), (5.5, 0.5)])
    told = guards(fine, notes=("50 % of the floor cannot be reached",), coverage=Coverage(1.0, 1.0, 1.0), passed=True)
    settled = settled_guards(mesh_of(WALLED), told, "it")
    assert (settled.notes, settled.coverage, settled.passed) == ((), None, None)
    assert settled.routes == told.routes, "the same guards, to the last bit"


def test_guards_drawn_flat_stand_on_the_floor_wherever_it_is():
    flat = guards(GuardRoute(guard_kind("standing"), [(5.0, -4.5)]))
    settled = settled_guards(mesh_of(sample("house")), flat, "it")
    np.testing.assert_allclose(settled.routes[0].points, [(5.0, -4.5, -0.6)], atol=1e-6)


@pytest.mark.parametrize("packing", PACKINGS)
def test_guards_that_were_placed_are_never_refused(packing):
    level = sample("house")
    for body in (0.0, 0.3):
        settings = PlacementSettings(packing=packing, body=body, together=False, path_cost=0.0, least=0.1)
        placed = place_guards(level, level.paths[0], 2, kinds=("walking", "camera"), settings=settings, seed=3)
        assert len(settled_guards(mesh_of(level), placed, "it").routes) == 2
