"""All of places × time: by hand in a corridor, against plain Python on random maps."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.kernels.space_time_reach import PlaceArrays, reach_places, trace_places
from lastseen.level.sight.sight import Sight
from lastseen.reasoning.placement.detection import GuardViews, view_arrays
from lastseen.reasoning.placement.routes import GuardRoute
from oracles_space_time import earliest_arrival, seen, tile_level, wall_shape
from specimens_space_time import CORRIDOR, guards, pacer, rooms


def arrays_of(xyz, ways):
    pairs = sorted([(a, b, n) for a, b, n in ways] + [(b, a, n) for a, b, n in ways])
    begin = np.array([a for a, _, _ in pairs])
    start = np.searchsorted(begin, np.arange(len(xyz) + 1)).astype(np.uint32)
    lifted = np.asarray(xyz, np.float64) + np.array([0.0, 0.0, 1.0])
    return PlaceArrays(
        lifted, start, np.array([b for _, b, _ in pairs], np.uint32), np.array([n for _, _, n in pairs], np.uint32)
    )


def search(level, routes, xyz, ways, start, goal, steps, substeps=1):
    places = arrays_of(xyz, ways)
    views = view_arrays(routes, np.arange(steps * substeps + 1) / substeps)
    sight = Sight.from_level(level).arrays
    reached, spotted = (np.zeros((steps + 1, (len(xyz) + 7) // 8), np.uint8) for _ in range(2))
    arrival = reach_places(sight, views, places, start, goal, substeps, reached, spotted)
    rows = np.zeros((steps + 1, 2), np.int32)
    count = trace_places(sight, views, places, goal, arrival, substeps, reached, rows) if arrival >= 0 else 0
    return arrival, rows[:count][::-1], reached


def corridor_of_places():
    xyz = np.array([(x + 0.5, 0.5, 0.0) for x in range(13)])
    return xyz, [(x, x + 1, 1) for x in range(12)]


def test_the_pacing_guard_costs_one_step():
    # At one place a second from x = 0.5, x = 8.5 is reached at 8 s: just when the guard looks down from y = 3.5.
    # It has turned at 9 s, so 9 s there and 13 s at x = 12.5 is the earliest; without a guard it would be 12 s.
    xyz, ways = corridor_of_places()
    assert search(tile_level(CORRIDOR), [], xyz, ways, 0, 12, 30)[0] == 12
    arrival, rows, _ = search(tile_level(CORRIDOR), [pacer()], xyz, ways, 0, 12, 30)
    assert arrival == 13
    assert rows[0].tolist() == [0, 0]
    assert rows[-1].tolist() == [12, 13]
    assert dict(rows.tolist())[8] == 9  # the last moment it is there, by the order of rows


def test_looking_closer_finds_what_was_passed_over():
    # Looked at every tenth of a second, the guard sees what is within 0.6 m of x = 8.5 from 7.0 to 8.0 s, and again
    # from 15.0 to 16.0 s: x = 7.9 must not be passed before 8.0 s, nor x = 9.1 be left undone then.
    xyz, ways = corridor_of_places()
    arrival, rows, _ = search(tile_level(CORRIDOR), [pacer()], xyz, ways, 0, 12, 30, substeps=10)
    assert arrival == 13
    times = {int(place): int(step) for place, step in rows}
    assert times[7] <= 8
    assert times[9] == 10


def test_nobody_gets_past_one_who_always_looks():
    guard = GuardRoute(replace(pacer().kind, speed=0.0), [(8.5, 3.5)], heading=-np.pi / 2)
    xyz, ways = corridor_of_places()
    arrival, _, reached = search(tile_level(CORRIDOR), [guard], xyz, ways, 0, 12, 30)
    assert arrival == -1
    ever = np.unpackbits(np.bitwise_or.reduce(reached, axis=0), bitorder="little")[:13]
    assert ever.tolist() == [1] * 8 + [0] * 5


@settings(max_examples=60)
@given(st.data())
def test_it_equals_plain_python(data):
    rows = data.draw(rooms())
    routes = data.draw(guards(rows))
    walls, level = wall_shape(rows), tile_level(rows)
    tall = len(rows)
    xyz = np.array([(c + 0.5, tall - 1 - r + 0.5, 0.0) for r in range(tall) for c, m in enumerate(rows[r]) if m != "#"])
    taken = data.draw(st.integers(1, 2))
    ways = [(a, b, taken) for a in range(len(xyz)) for b in range(a) if abs(np.abs(xyz[a] - xyz[b]).sum() - 1.0) < 1e-9]
    steps = 12
    goal = len(xyz) - 1
    if seen(walls, routes, xyz[0], 0.0):
        return
    expected = earliest_arrival(xyz, ways, lambda at, when: seen(walls, routes, at, when), 0, goal, steps)
    arrival, way, _ = search(level, routes, xyz, ways, 0, goal, steps)
    assert arrival == expected
    if arrival >= 0:
        timed = np.column_stack([xyz[way[:, 0]], way[:, 1]])
        assert GuardViews(Sight.from_level(level), routes, seconds=steps, step=1.0).first_seen(timed) is None
        assert (np.linalg.norm(np.diff(timed[:, :3], axis=0), axis=1) <= np.diff(timed[:, 3]) / taken + 1e-9).all()
