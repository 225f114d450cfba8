"""Views at moments: by hand, against angles and wall shapes."""

import math

import numpy as np
import shapely
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.spacetime.space_time_views import first_look, look_counts, looks_at, seen_by
from lastseen.level.sight.sight import Sight
from lastseen.reasoning.placement.detection import view_arrays
from lastseen.reasoning.placement.guard_routes import GuardKind, GuardRoute
from oracles.space_time import in_view, tile_level, wall_shape
from specimens.space_time import guards, rooms

ROOM = ["....", "....", "....", "...."]
EAST = GuardRoute(GuardKind("east", speed=0.0, view_distance=2.0, view_angle=math.pi / 2), [(1.0, 2.0)])


def test_a_sector_holds_what_is_near_and_ahead():
    sight, views = Sight.from_level(tile_level(ROOM)).arrays, view_arrays([EAST], np.zeros(1))
    cases = {(2.0, 2.0): 0, (3.0, 2.0): 0, (3.1, 2.0): -1, (1.9, 2.8): 0, (1.9, 3.0): -1, (0.5, 2.0): -1, (1.0, 2.0): 0}
    for (x, y), who in cases.items():
        assert seen_by(sight, views, 0, x, y, 1.0) == who, (x, y)


def test_the_first_of_several_guards_is_named_and_one_all_around_sees_behind():
    around = GuardRoute(GuardKind("all", speed=0.0, view_distance=9.0, view_angle=2 * math.pi), [(1.0, 2.0)])
    sight, views = Sight.from_level(tile_level(ROOM)).arrays, view_arrays([EAST, around], np.zeros(1))
    assert seen_by(sight, views, 0, 2.0, 2.0, 1.0) == 0
    assert seen_by(sight, views, 0, 0.5, 2.0, 1.0) == 1


def test_one_who_walks_into_a_view_is_seen_when_it_gets_there():
    # From x = 3.8 to 1.8 in ten moments: 0.2 m each; the view ends at x = 3, which is passed at the fifth.
    sight, views = Sight.from_level(tile_level(ROOM)).arrays, view_arrays([EAST], np.zeros(20))
    assert first_look(sight, views, 4, 14, (3.81, 2.0, 1.0), (1.81, 2.0, 1.0)) == (9, 0)
    assert first_look(sight, views, 4, 14, (3.81, 2.0, 1.0), (3.2, 2.0, 1.0)) == (-1, -1)
    # Where it sets out from is not asked.
    assert first_look(sight, views, 4, 5, (2.9, 2.0, 1.0), (3.1, 2.0, 1.0)) == (-1, -1)


def test_whoever_is_close_is_noticed_all_around_but_not_through_walls():
    sight = Sight.from_level(tile_level(ROOM)).arrays
    behind = (0.3, 2.0, 1.0)
    assert seen_by(sight, view_arrays([EAST], np.zeros(1)), 0, *behind) == -1
    assert seen_by(sight, view_arrays([EAST], np.zeros(1), 0.0), 0, *behind) == 0  # its passive radius is 1 m
    assert seen_by(sight, view_arrays([EAST], np.zeros(1), 0.0), 0, 1.0, 3.1, 1.0) == -1
    assert seen_by(sight, view_arrays([EAST], np.zeros(1), 1.2), 0, 1.0, 3.1, 1.0) == 0  # its body touches
    walled = Sight.from_level(tile_level(["#...", "#...", "#...", "#..."])).arrays
    guard = GuardRoute(EAST.kind, [(1.2, 2.0)])
    assert seen_by(walled, view_arrays([guard], np.zeros(1), 0.0), 0, 0.5, 2.0, 1.0) == -1


@given(st.data())
def test_leaving_out_looks_that_cannot_see_anyone_changes_nothing(data):
    rows = data.draw(rooms())
    routes = data.draw(guards(rows))
    touch = data.draw(st.sampled_from([None, 0.0, 0.6]))
    sight = Sight.from_level(tile_level(rows)).arrays
    moments = 200
    views = view_arrays(routes, np.arange(moments + 1) * data.draw(st.sampled_from([0.01, 0.05, 0.3])), touch)
    place = st.tuples(st.floats(0, len(rows[0])), st.floats(0, len(rows)), st.just(1.0))
    start, end = data.draw(place), data.draw(st.one_of(place, st.none()))
    end = start if end is None else end
    first = data.draw(st.floats(0, moments - 1))
    last = data.draw(st.floats(first + 0.5, moments))
    expected = (-1, -1)
    for moment in range(math.floor(first + 1e-9) + 1, math.floor(last + 1e-9) + 1):
        share = min(1.0, (moment - first) / (last - first))
        at = [a + share * (b - a) for a, b in zip(start, end)]
        if (guard := seen_by(sight, views, moment, *at)) >= 0:
            expected = (moment, guard)
            break
    assert first_look(sight, views, first, last, start, end) == expected


@given(st.data())
def test_views_agree_with_angles_and_walls_in_the_way(data):
    rows = data.draw(rooms())
    routes = data.draw(guards(rows))
    walls, sight = wall_shape(rows), Sight.from_level(tile_level(rows)).arrays
    when = np.array(data.draw(st.lists(st.floats(0, 20), min_size=1, max_size=4)))
    places = np.array([(c + 0.371, r + 0.613, 1.0) for r in range(len(rows)) for c in range(len(rows[0]))])
    free = ~shapely.contains_xy(walls, places[:, :2])
    places = places[free]
    expected = np.array(
        [
            [any(in_view(walls, route.pose_at(t), route.kind, place) for route in routes) for place in places]
            for t in when
        ]
    )
    for row, moment in zip(expected, when):
        found = np.empty(len(places), np.int32)
        looks_at(sight, view_arrays(routes, np.full(len(places), moment)), places, found)
        assert ((found >= 0) == row).all()
    by_moment, by_point = np.zeros(len(when), np.int64), np.zeros(len(places), np.int64)
    look_counts(sight, view_arrays(routes, when), places, by_moment, by_point)
    assert (by_moment == expected.sum(axis=1)).all()
    assert (by_point == expected.sum(axis=0)).all()
