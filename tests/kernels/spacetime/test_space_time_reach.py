"""All of places × time: by hand in a corridor, against plain Python on random maps."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.kernels.spacetime.space_time_floor import AskArrays
from lastseen.kernels.spacetime.space_time_reach import PlaceArrays, reach_places
from lastseen.level.sight.sight import Sight
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.reasoning.placement.detection import GuardViews, view_arrays
from lastseen.reasoning.placement.guard_routes import GuardRoute
from lastseen.reasoning.placement.verify.sneak_ground import ANYWHERE, ON_LINKS
from oracles.space_time import earliest_arrival, seen, tile_level, wall_shape
from specimens.space_time import CORRIDOR, guards, pacer, rooms


def arrays_of(xyz, ways, pace):
    pairs = np.array(sorted([*ways, *((b, a) for a, b in ways)])).reshape(-1, 2)
    begin, end = pairs[:, 0], pairs[:, 1]
    start = np.searchsorted(begin, np.arange(len(xyz) + 1)).astype(np.uint32)
    lifted = np.asarray(xyz, np.float64) + np.array([0.0, 0.0, 1.0])
    moments = np.linalg.norm(xyz[begin] - xyz[end], axis=1) / pace
    return PlaceArrays(lifted, np.full(len(xyz), -1, np.int32), start, end.astype(np.uint32), moments)


def search(level, routes, xyz, ways, start, goal, last, *, pace=1.0, leash=ON_LINKS):
    """Return when the goal is reached (None: never), the way there as place and time, and all places reached."""
    agent = Body(radius=0.0)
    ask = AskArrays(
        np.zeros((2, 3)),
        np.zeros(2, np.int32),
        np.array([pace, 1.0, agent.height, agent.climb]),
        np.array([1, last, 0, 0], np.int64),
        True,
    )
    views, sight = view_arrays(routes, np.arange(last + 1.0)), Sight.from_level(level).arrays
    mesh, places = build_navmesh(level, agent).arrays, arrays_of(xyz, ways, pace)
    stays, found = reach_places(sight, views, mesh, ask, places, leash, start, goal)
    way, stay, leaves = [], len(stays) - 1, None
    while found and stay >= 0:
        place, since, stay, left = stays[int(stay)].tolist()
        way += [(int(place), time) for time in (leaves, since) if time is not None and time >= since]
        leaves = left
    return (stays[-1, 1] if found else None), way[::-1], {int(place) for place in stays[:, 0]}


def corridor_of_places():
    xyz = np.array([(x + 0.5, 0.5, 0.0) for x in range(13)])
    return xyz, [(x, x + 1) for x in range(12)]


def test_the_pacing_guard_costs_one_step():
    # At one place a second from x = 0.5, x = 8.5 is reached at 8 s: just when the guard looks down from y = 3.5.
    # It has turned at 9 s, so 9 s there and 13 s at x = 12.5 is the earliest; without a guard it would be 12 s.
    xyz, ways = corridor_of_places()
    assert search(tile_level(CORRIDOR), [], xyz, ways, 0, 12, 30)[0] == 12.0
    arrival, way, _ = search(tile_level(CORRIDOR), [pacer()], xyz, ways, 0, 12, 30)
    assert arrival == 13.0
    assert way[0] == (0, 0.0)
    assert way[-1] == (12, 13.0)
    assert dict(way)[8] == 9.0


def test_what_is_left_of_a_moment_is_not_lost():
    # 0.8 m a moment over places a metre apart: 1.25 moments each, 15 in all, not 2 each.
    xyz, ways = corridor_of_places()
    for leash in (ON_LINKS, ANYWHERE):
        assert search(tile_level(CORRIDOR), [], xyz, ways, 0, 12, 15, pace=0.8, leash=leash)[0] == pytest.approx(15.0)
        assert search(tile_level(CORRIDOR), [], xyz, ways, 0, 12, 14, pace=0.8, leash=leash)[0] is None


def test_one_goes_straight_over_places_that_are_not_in_line():
    rows = ["......", "......", "......", "......"]
    xyz = np.array([(x + 0.5, y + 0.5, 0.0) for x in range(6) for y in range(4)])
    ways = [(a, b) for a in range(24) for b in range(a) if abs(np.abs(xyz[a] - xyz[b]).sum() - 1.0) < 1e-9]
    assert search(tile_level(rows), [], xyz, ways, 0, 23, 20)[0] == 8.0
    assert search(tile_level(rows), [], xyz, ways, 0, 23, 20, leash=ANYWHERE)[0] == pytest.approx(np.hypot(5, 3))


def test_nobody_gets_past_one_who_always_looks():
    guard = GuardRoute(replace(pacer().kind, speed=0.0), [(8.5, 3.5)], heading=-np.pi / 2)
    xyz, ways = corridor_of_places()
    arrival, _, reached = search(tile_level(CORRIDOR), [guard], xyz, ways, 0, 12, 30)
    assert arrival is None
    assert reached == set(range(8))


def test_a_goal_that_is_watched_is_not_reached_between_two_looks():
    guard = GuardRoute(replace(pacer().kind, speed=0.0), [(8.5, 3.5)], heading=-np.pi / 2)
    xyz, ways = corridor_of_places()
    assert search(tile_level(CORRIDOR), [guard], xyz, ways, 0, 8, 30, pace=0.7)[0] is None


@settings(max_examples=25)
@given(st.data())
def test_it_equals_plain_python(data):
    rows = data.draw(rooms())
    routes = data.draw(guards(rows))
    walls, level = wall_shape(rows), tile_level(rows)
    tall, last = len(rows), 12
    xyz = np.array([(c + 0.5, tall - 1 - r + 0.5, 0.0) for r in range(tall) for c, m in enumerate(rows[r]) if m != "#"])
    pace = data.draw(st.sampled_from([0.6, 0.83, 1.0, 1.7]))
    ways = [(a, b) for a in range(len(xyz)) for b in range(a) if abs(np.abs(xyz[a] - xyz[b]).sum() - 1.0) < 1e-9]
    goal = len(xyz) - 1
    if seen(walls, routes, xyz[0], 0.0) or not ways:
        return
    expected = earliest_arrival(xyz, ways, pace, lambda at, when: seen(walls, routes, at, when), 0, goal, last)
    arrival, way, _ = search(level, routes, xyz, ways, 0, goal, last, pace=pace)
    assert arrival == (None if expected is None else pytest.approx(expected, abs=1e-6))
    straight, further, _ = search(level, routes, xyz, ways, 0, goal, last, pace=pace, leash=ANYWHERE)
    for when, found in ((arrival, way), (straight, further)):
        if when is not None:
            timed = np.array([(*xyz[place], time) for place, time in found])
            views = GuardViews(Sight.from_level(level), routes, seconds=last, step=1.0, substeps=1, touch=None)
            assert views.first_seen(timed) is None
            assert (np.linalg.norm(np.diff(timed[:, :3], axis=0), axis=1) <= np.diff(timed[:, 3]) * pace + 1e-6).all()
