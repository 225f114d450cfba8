"""Doors that are switched bar what doors that are cut into the mesh bar."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.cells.build import build_layout
from lastseen.cells.live import DoorCells, LiveLayout
from lastseen.layers.spread import Spread
from lastseen.level.features import Door
from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh

HOUSE = sample("house")
CELLS = build_layout(build_navmesh(HOUSE, Body(radius=0.3)))
SIDE = 4
"""Cells along the corridor below."""


def corridor(*doors: Door) -> tuple[Level, DoorCells]:
    """Four cells in a row, 1 m each."""
    floor = TileFloor(np.ones((1, SIDE), bool))
    level = Level(Tiles((floor,)), doors=doors)
    return level, DoorCells(build_layout(build_navmesh(level, Body(radius=0.0))), level)


def door_at(x: float, *, is_open: bool = True, locked: bool = False) -> Door:
    outline = np.array([(x - 0.1, 0.0), (x + 0.1, 0.0), (x + 0.1, 1.0), (x - 0.1, 1.0)])
    return Door(outline, open=is_open, locked=locked)


def test_a_shut_door_parts_a_corridor():
    _, cells = corridor(door_at(2.0))
    assert len(Spread(cells).distances([0])) == 4
    cells.set_door(0, True)
    assert sorted(Spread(cells).distances([0]).cells.tolist()) == [0, 1]
    cells.set_door(0, False)
    assert len(Spread(cells).distances([0])) == 4


def test_two_doors_in_one_place_bar_it_until_both_are_open():
    _, cells = corridor(door_at(2.0), door_at(2.0))
    cells.set_door(0, True)
    cells.set_door(1, True)
    cells.set_door(1, True)
    cells.set_door(0, False)
    assert len(Spread(cells).distances([0])) == 2
    cells.set_door(1, False)
    assert len(Spread(cells).distances([0])) == 4


@given(st.lists(st.tuples(st.integers(0, len(HOUSE.doors) - 1), st.booleans()), max_size=8))
def test_bits_are_those_of_a_live_layout_under_the_same_doors(moves):
    live, switched = LiveLayout(CELLS), DoorCells(CELLS, HOUSE)
    for door, shut in moves:
        switched.set_door(door, shut)
        if shut:
            live.close_door(HOUSE, door)
        else:
            live.open_door(HOUSE, door)
    assert np.array_equal(live.arrays.disabled, switched.arrays.disabled)
    assert np.array_equal(live.arrays.blocked, switched.arrays.blocked)


def test_at_the_start_only_locked_doors_bar_the_way():
    level, _ = corridor(door_at(1.0, is_open=False), door_at(3.0, locked=True))
    live = LiveLayout.at_start(build_layout(build_navmesh(level, Body(radius=0.0))), level)
    assert live.shut_doors == (1,)
    assert sorted(Spread(live).distances([0]).cells.tolist()) == [0, 1, 2]


def test_nobody_writes_the_bits_from_outside():
    _, cells = corridor(door_at(2.0))
    with pytest.raises(ValueError, match="read-only"):
        cells.arrays.blocked[0] = 1
