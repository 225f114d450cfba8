"""Cells in a box of slots, and bits written for cells."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.cells.layout import CellLayout
from lastseen.kernels.cells.blocked_cells import cells_in_slots, write_bits
from specimens.cells import two_storeys


@cache
def layout() -> CellLayout:
    return build_layout(two_storeys())


@pytest.mark.parametrize("seed", range(12))
def test_cells_in_slots_are_those_whose_slot_is_inside(seed):
    arrays, random = layout().arrays, np.random.default_rng(seed)
    ends = np.sort(random.integers(0, arrays.shape, (2, 3)), axis=0).astype(np.int64)
    if seed == 0:
        ends = np.array([[0, 0, 0], arrays.shape - 1], np.int64)
    found = np.full(len(layout()), -1, np.int64)
    count = cells_in_slots(arrays, ends[0], ends[1], found)
    inside = ((arrays.cell_grid >= ends[0]) & (arrays.cell_grid <= ends[1])).all(axis=1)
    assert sorted(found[:count].tolist()) == np.flatnonzero(inside).tolist()
    assert (found[count:] == -1).all()


def test_both_ways_of_listing_are_taken():
    assert np.prod(layout().arrays.shape) > len(layout()), "a box of all slots has more slots than there are cells"


def test_bits_are_set_and_cleared_by_their_values():
    field = np.array([0b10000001, 0b1], np.uint8)
    write_bits(field, np.array([1, 7, 8, 9]), np.array([True, False, False, True]))
    assert field.tolist() == [0b11, 0b10]
