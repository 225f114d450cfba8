import numpy as np
import pytest

from lastseen.kernels.cells.layer_spread import distances_from
from lastseen.kernels.cells.tile_spread import SIDES, Links, list_neighbours
from lastseen.layers.spread import Spread
from oracles.layers import distances
from specimens.layers import grid_layout, open_floor

NONE = np.empty((0, SIDES), np.int16)


def _listed(layout, table):
    arrays = layout.arrays
    return list_neighbours(arrays.link_start, arrays.link_cell, arrays.link_length, 1.0, table)


def test_rows_hold_straight_neighbours_and_then_slanted_ones():
    floor = open_floor(3, 3)
    table = np.zeros((9, SIDES), np.int16)
    assert _listed(floor, NONE) == _listed(floor, table) == 4
    assert sorted(table[4, :4].tolist()) == [-3, -1, 1, 3]
    assert sorted(table[4, 4:].tolist()) == [-4, -2, 2, 4]
    assert sorted(table[0].tolist()) == [0, 0, 0, 0, 0, 1, 3, 4]
    assert table[0, 4:].any()


def test_more_than_four_of_a_kind_are_no_tiles():
    start, cell = np.array([0, 5, 5, 5, 5, 5, 5], np.uint32), np.arange(1, 6, dtype=np.uint16)
    for lengths in ([1, 1, 1, 1, 2], [1, 2, 2, 2, 2]):
        assert list_neighbours(start, cell, np.array(lengths, np.float32), 1.0, NONE) == 5
    for lengths in ([1, 1, 1, 1, 1], [2, 2, 2, 2, 2]):
        assert list_neighbours(start, cell, np.array(lengths, np.float32), 1.0, NONE) == -1


def test_wide_rows_answer_like_narrow_ones():
    layout = grid_layout("....\n.##.\n....", blocked=[3])
    arrays, work = layout.arrays, Spread(layout)._work
    links = Links(arrays.link_start, arrays.link_cell, arrays.link_length, arrays.disabled, arrays.blocked)
    wide = work._replace(neighbour=work.neighbour.astype(np.int32))
    for source in range(len(layout)):
        start = np.array([source], np.uint32)
        narrow_found, wide_found = (distances_from(links, start, np.inf, each) for each in (work, wide))
        assert [one.tolist() for one in narrow_found] == [one.tolist() for one in wide_found]


@pytest.mark.parametrize("tiles", [True, False])
def test_bits_that_may_be_written_are_read_at_every_call(tiles):
    layout = grid_layout("....\n....\n.#..")
    if not tiles:
        layout.arrays.link_length[0] = 1.25
    seen = layout.arrays.blocked.view()
    seen.setflags(write=False)
    for bits in (layout.arrays.blocked, seen):
        walk = Spread(type(layout)(layout.arrays._replace(blocked=bits), layout.cell_of))
        assert bool(len(walk._work.neighbour)) == tiles
        for written in (0, 0b1011, 0):
            layout.arrays.blocked[0] = written
            reached = walk.distances([0])
            assert dict(zip(reached.cells.tolist(), reached.metres.tolist())) == distances(layout, [0])


def test_bits_nobody_can_write_are_kept():
    layout = grid_layout("....\n....", blocked=[0, 1])
    assert len(Spread(layout)._links().blocked)
    layout.arrays.blocked.setflags(write=False)
    assert len(Spread(layout)._links().blocked)
    plain = grid_layout("....\n....")
    plain.arrays.blocked.setflags(write=False)
    assert len(Spread(plain)._links().blocked) == 0
    assert Spread(plain).distances([0]).metres.max() == distances(plain, [0])[7]
