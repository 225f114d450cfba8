"""Slots around a target: even, on the floor, with a straight walk, and a reason for each."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.cells.live import LiveLayout
from lastseen.errors import InputError
from lastseen.navmesh.query import raycasts
from lastseen.reasoning.tactical.slots import polled_slots, slots_around
from oracles import tactical as oracle
from specimens.cells import passable, tile_layout, two_storeys

OPEN = tile_layout(np.ones((12, 12), bool))
ROOMS = tile_layout(
    passable("""
    ........#.....
    ........#.....
    ........#.....
    ..............
    ........#.....
    ...##...#.....
    ...##.........
    ........#.....
    """)
)


def test_on_an_open_floor_slots_are_even_and_begin_where_they_should():
    slots = slots_around(OPEN, [(6.0, 6.0)], 4, 2.0, heading=math.pi / 2)
    expected = [(6.0, 8.0), (4.0, 6.0), (6.0, 4.0), (8.0, 6.0)]
    assert slots.xyz[0, :, :2] == pytest.approx(np.array(expected))
    assert [slots.why(0, k) for k in range(4)] == ["placed"] * 4
    assert slots.angle[0, 1] == pytest.approx(math.pi)
    assert slots.radius[0] == pytest.approx(2.0)
    assert (slots.cell >= 0).all()


def test_beside_a_wall_slots_turn_and_then_the_ring_is_widened():
    slots = slots_around(OPEN, [(6.0, 0.0)], 6, 1.5, apart=0.9)
    reasons = [slots.why(0, k) for k in range(6)]
    assert reasons == ["placed", "placed", "placed", "placed", "widened", "widened"], "1.5 m apart: no room between"
    assert slots.found.all()
    assert slots.radius[0, 4:] == pytest.approx([2.25, 2.25])
    assert (slots.xyz[0, :, 1] >= -1e-6).all(), "nobody stands in the wall"
    tighter = slots_around(OPEN, [(6.0, 0.0)], 6, 1.5, apart=0.7)
    assert [tighter.why(0, k) for k in (4, 5)] == ["turned", "turned"]


def test_a_missing_slot_says_why():
    closet = tile_layout(passable("###\n#.#\n###"))
    slots = slots_around(closet, [(1.5, 1.5)], 3, 1.0)
    assert [slots.why(0, k) for k in range(3)] == ["walled"] * 3
    assert np.isnan(slots.xyz).all()
    assert (slots.cell == -1).all()
    assert not slots.found.any()
    tight = slots_around(OPEN, [(6.0, 6.0)], 3, 1.0, apart=9.0, rings=1)
    assert [tight.why(0, k) for k in range(3)] == ["placed", "crowded", "crowded"]
    assert slots_around(OPEN, [(60.0, 6.0)], 1, 1.0).why(0, 0) == "target_off_mesh"
    narrow = slots_around(OPEN, [(0.0, 6.0)], 2, 1.0, heading=math.pi, turn=0.1)
    assert [narrow.why(0, k) for k in range(2)] == ["walled", "placed"]


def test_nobody_is_sent_behind_a_wall_or_a_door_that_was_closed():
    live = LiveLayout(ROOMS)
    target = (7.5, 3.5, 0.0)
    before = slots_around(live, [target], 4, 1.5)
    assert before.xyz[0, 0, 0] > 8.0, "through the open door"
    cut = live.cut([(8.2, 3.0), (8.8, 3.0), (8.8, 4.0), (8.2, 4.0)], 0.0, 2.0)
    after = slots_around(live, [target], 4, 1.5)
    assert (after.xyz[0, :, 0] < 8.3).all()
    live.lift(cut)
    again = slots_around(live, [target], 4, 1.5)
    assert (again.xyz == before.xyz).all()


def test_slots_follow_the_floor_up_a_ramp_and_stay_on_their_storey():
    from lastseen.cells.build import build_layout

    layout = build_layout(two_storeys())
    slots = slots_around(layout, [(3.0, 5.0, 2.0), (9.0, 2.0, 4.0), (9.0, 2.0, 0.0)], 2, 1.0, rings=1)
    assert slots.xyz[0, :, 2] == pytest.approx([2.0 + 4 / 6, 2.0 - 4 / 6], abs=1e-6)
    assert slots.xyz[1, :, 2] == pytest.approx(4.0)
    assert slots.xyz[2, :, 2] == pytest.approx(0.0)


@given(
    st.tuples(st.floats(0.05, 13.9), st.floats(0.05, 7.9)),
    st.integers(1, 7),
    st.sampled_from([0.7, 1.5, 2.6]),
    st.sampled_from([0.0, 0.4, 3.0]),
    st.sampled_from([0.0, 0.5, math.pi]),
)
def test_slots_are_those_of_the_words(place, count, radius, heading, turn):
    target = (*place, 0.0)
    if raycasts(ROOMS.mesh, [target], [target]).outcome[0]:
        return
    avoid = [(7.0, 3.5, 0.0)]
    found = slots_around(ROOMS, [target], count, radius, heading=heading, turn=turn, avoid_xyz=avoid)
    true = oracle.slots(ROOMS, target, count, radius, heading, turn=turn, avoid=avoid)
    for slot, point in enumerate(true):
        assert found.found[0, slot] == (point is not None)
        if point is not None:
            assert found.xyz[0, slot] == pytest.approx(point, abs=1e-9)
    there = found.xyz[found.found]
    assert raycasts(ROOMS.mesh, there, np.tile(target, (len(there), 1))).reached.all()
    gaps = np.linalg.norm(there[:, None] - there[None], axis=-1)[~np.eye(len(there), dtype=bool)]
    assert (gaps >= 0.8).all()


def test_many_targets_are_the_same_as_one_by_one():
    places = np.random.default_rng(2).uniform((0.1, 0.1), (13.9, 7.9), (40, 2))
    places = places[raycasts(ROOMS.mesh, places, places).reached]
    many = slots_around(ROOMS, places, 5, 1.5)
    for row, place in enumerate(places):
        one = slots_around(ROOMS, [place], 5, 1.5)
        assert np.array_equal(one.xyz[0], many.xyz[row], equal_nan=True)
        assert (one.reason[0] == many.reason[row]).all()


def test_unchecked_slots_are_the_same():
    corners = np.random.default_rng(3).uniform((-0.5, -0.5, 0.0), (14.5, 8.5, 0.0), (30, 3))  # some are off the mesh
    reasons = set()
    for place in corners:
        checked = slots_around(ROOMS, [place], 6, 1.5, apart=1.2, rings=2)
        xyz, reason = polled_slots(ROOMS, place[None], 6, 1.5, 1.2, 2)
        assert np.array_equal(xyz, checked.xyz[0], equal_nan=True)
        assert (reason == checked.reason[0]).all()
        reasons.update(checked.why(0, slot) for slot in range(6))
    assert reasons >= {"placed", "turned", "widened", "crowded"}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"count": 0}, "count"),
        ({"count": 1000}, "at most 64"),
        ({"radius": 0.0}, "radius"),
        ({"radius": math.nan}, "radius"),
        ({"heading": [1.0, 2.0]}, "heading"),
        ({"apart": -1}, "apart"),
        ({"rings": 0}, "rings"),
        ({"turn": "far"}, "turn"),
        ({"target_xyz": [[1.0]]}, "target_xyz"),
        ({"avoid_xyz": [[np.inf, 1.0]]}, "avoid_xyz"),
        ({"cells": None}, "CellLayout"),
    ],
)
def test_bad_arguments_are_told(changed, words):
    given = {"cells": OPEN, "target_xyz": [(6.0, 6.0)], "count": 3, "radius": 1.0} | changed
    with pytest.raises(InputError, match=words):
        slots_around(**given)
    assert len(slots_around(OPEN, [], 3, 1.0)) == 0
