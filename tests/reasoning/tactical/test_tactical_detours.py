"""Paths compared with straight lines, and areas that were given up."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.cells.layout import CellLayout
from lastseen.cells.live import LiveLayout
from lastseen.errors import InputError, QueryError
from lastseen.level.read import read_level
from lastseen.navmesh.body import Body
from lastseen.navmesh.navmesh import NavMesh
from lastseen.navmesh.query import find_paths
from lastseen.reasoning.tactical.cheapest_paths import CheapestPaths
from lastseen.reasoning.tactical.far_targets import UnreachableAreas, detours
from specimens.cells import passable, tile_layout, two_storeys

TRENCH = tile_layout(
    passable("""
    .....#......
    .....#......
    .....#......
    .....#...#..
    .....#...#..
    .........#..
    """)
)
PATHS = CheapestPaths(TRENCH)


def test_a_way_round_a_wall_is_far_and_a_way_across_a_room_is_not():
    starts = [(4.5, 0.5), (0.5, 0.5), (4.5, 0.5), (4.5, 4.5)]
    goals = [(6.5, 0.5), (4.5, 5.5), (99.0, 0.5), (6.5, 4.5)]
    found = detours(PATHS, starts, goals, ratio=2.0, extra=5.0)
    assert [found.why(k) for k in range(4)] == ["far", "straight", "off_mesh", "near"]
    assert found.straight[0] == 2.0
    assert found.limit[0] == 9.0
    assert math.isinf(found.length[0])
    assert found.far.tolist() == [True, False, True, False]
    assert detours(PATHS, starts[:1], goals[:1], ratio=5.0, extra=2.0).why(0) == "near"


def test_other_storeys_and_closed_doors_count():
    from lastseen.cells.build import build_layout

    paths = CheapestPaths(build_layout(two_storeys()))
    found = detours(paths, [(10.0, 2.0, 0.0)], [(10.0, 2.0, 4.0)])
    assert found.why(0) == "far", "four metres up, but by the ramp"
    live = LiveLayout(TRENCH)
    shut = live.cut([(5.2, 4.5), (5.8, 4.5), (5.8, 6.5), (5.2, 6.5)], 0.0, 2.0)
    assert detours(CheapestPaths(live), [(4.5, 4.5)], [(6.5, 4.5)]).why(0) == "no_path"
    live.lift(shut)
    assert detours(CheapestPaths(live), [(4.5, 4.5)], [(6.5, 4.5)]).why(0) == "near"


@given(
    st.tuples(st.floats(0.1, 4.9), st.floats(0.1, 5.9)),
    st.tuples(st.floats(6.1, 8.9), st.floats(0.1, 5.9)),
    st.floats(1.0, 6.0),
    st.floats(0.0, 10.0),
)
def test_far_is_what_the_exact_length_says(start, goal, ratio, extra):
    found = detours(PATHS, [start], [goal], ratio=ratio, extra=extra)
    true = find_paths(TRENCH.mesh, [start], [goal]).length[0]
    assert found.far[0] == (true > found.limit[0])
    if not found.far[0]:
        assert true - 1e-9 <= found.length[0] <= found.limit[0]


def test_a_search_ends_where_every_way_must_be_too_long():
    comb = np.ones((60, 61), bool)
    comb[1:, 30] = False
    paths = CheapestPaths(tile_layout(comb))
    found = detours(paths, [(29.5, 55.5)], [(31.5, 55.5)], ratio=2.0, extra=3.0)
    assert found.why(0) == "far"
    assert found.touched[0] < 150, "of 3,600 cells"


@pytest.mark.data
def test_on_a_real_map_far_is_what_the_exact_length_says(data):
    level = read_level(data / "movingai" / "lak303d.map")
    layout = CellLayout.from_navmesh(NavMesh.from_level(level, Body(radius=0.0)))
    random = np.random.default_rng(1)
    spots = layout.arrays.cell_xyz[random.integers(0, len(layout), (2, 150))].astype(float)
    found = detours(CheapestPaths(layout), *spots, ratio=1.3, extra=2.0)
    true = find_paths(layout.mesh, *spots)
    assert (found.far == ~(true.reached & (true.length <= found.limit))).all()
    assert found.far.any()
    assert not found.far.all()


def test_marks_hold_a_volume_for_a_while():
    areas = UnreachableAreas()
    ledge = areas.mark((5.0, 5.0, 3.0), 10.0, radius=2.0, seconds=30.0, reason="flanker killed")
    inside, beside, under = (6.0, 5.0, 3.5), (8.0, 5.0, 3.0), (5.0, 5.0, 0.0)
    assert areas.holds([inside, beside, under], 10.0).tolist() == [True, False, False]
    assert areas.holds([inside], 39.9)[0]
    assert not areas.holds([inside], 40.0)[0]
    assert not areas.holds([inside], 9.0)[0], "nobody knew it before"
    assert areas.area_at(inside, 20.0) is ledge
    assert areas.area_at(beside, 20.0) is None
    again = areas.mark((5.5, 5.0, 3.0), 20.0, radius=2.0, seconds=30.0, reason="too long")
    assert (again.number, again.since, again.until, again.reason) == (0, 10.0, 50.0, "too long")
    other = areas.mark((30.0, 5.0, 3.0), 20.0)
    assert areas.numbers_at([inside, (30.0, 5.0, 3.0), under], 21.0).tolist() == [0, 1, -1]
    assert areas.active(21.0) == (again, other)
    areas.lift(again)
    assert not areas.holds([inside], 21.0)[0]
    assert areas.expire(100.0) == 1
    assert len(areas) == 0


@given(st.lists(st.tuples(st.floats(0, 50), st.floats(0.5, 20)), max_size=8), st.floats(0, 80))
def test_marks_end_when_their_time_is_over(marks, now):
    areas = UnreachableAreas()
    for number, (at, seconds) in enumerate(sorted(marks)):
        areas.mark((100.0 * number, 0.0, 0.0), at, seconds=seconds)
    spots = [(100.0 * number, 0.0, 0.0) for number in range(len(marks))]
    latest = max((at for at, _ in marks), default=0.0)
    true = [at <= now < at + seconds for at, seconds in sorted(marks)]
    if now >= latest:
        assert areas.holds(spots, now).tolist() == true


def test_bad_arguments_of_detours_and_marks_are_told():
    areas = UnreachableAreas()
    mark = areas.mark((0, 0, 0), 0.0)
    areas.clear()
    calls = [
        (lambda: detours(None, [], []), InputError, "CheapestPaths"),
        (lambda: detours(PATHS, [(1, 1)], []), InputError, "one goal per start"),
        (lambda: detours(PATHS, [], [], ratio=0.5), InputError, "ratio"),
        (lambda: areas.mark((0, 0), math.nan), InputError, "now"),
        (lambda: areas.mark((0, 0), 0.0, seconds=0), InputError, "seconds"),
        (lambda: areas.mark((0, 0), 0.0, reason=3), InputError, "reason"),
        (lambda: areas.lift(mark), QueryError, "not a current mark"),
    ]
    for call, error, words in calls:
        with pytest.raises(error, match=words):
            call()
