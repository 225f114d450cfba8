"""The hash of grid coordinates: cells of one column that fall on one slot differ by their level alone."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.cells.query import cell_at, cells_in_box, cells_within, nearest_cell
from lastseen.kernels.cells.cell_access import slot_cell
from oracles.cells import cell_by_dict, distances
from specimens.cells import box, faces_mesh

SLOTS = 32


def first_slot(level):
    """Where the search for a cell of column 0 and row 0 begins."""
    return ((level << 32) * 0x9E3779B97F4A7C15 % 2**64 >> 32) % SLOTS


CLASHING = [level for level in range(1000) if first_slot(level) == first_slot(0)][:16]
TAKEN, FREE = CLASHING[1::2], CLASHING[2::2]


@pytest.fixture(scope="module")
def tower():
    """One column of floors on clashing levels of two metres; a floor far off makes the grid too wide to be dense."""
    floors = [box(0, 0, 1, 1, 2.0 * level) for level in TAKEN]
    layout = build_layout(faces_mesh(*floors, box(300, 300, 301, 301)))
    assert layout.arrays.cell_grid[:, 2].tolist() == [*TAKEN, 0]
    assert len(layout.arrays.hash_cell) == SLOTS
    return layout


def test_every_slot_holds_its_own_cell_or_none(tower):
    for number, level in enumerate(TAKEN):
        assert slot_cell(tower.arrays, 0, 0, level) == number
    for level in (0, *FREE):
        assert slot_cell(tower.arrays, 0, 0, level) == -1


@pytest.mark.parametrize("levels", [1, 2, 3])
def test_a_small_grid_of_any_number_of_levels_answers_like_a_table(levels):
    layout = build_layout(faces_mesh(*(box(0, 0, 3, 2, 2.0 * level) for level in range(levels))))
    assert len(layout.arrays.dense) > 0
    assert layout.arrays.shape[2] == levels
    for x, y, z in itertools.product((-0.4, 0.5, 2.5, 3.4), (0.5, 1.5), np.arange(-0.5, 2.0 * levels, 0.4)):
        xyz = np.array([x, y, z])
        assert cell_at(layout, xyz) == cell_by_dict(layout, xyz), xyz


@pytest.mark.parametrize("levels", [1, 2])
def test_only_disabled_cells_are_passed_over(levels):
    layout = build_layout(faces_mesh(*(box(0, 0, 5, 4, 2.0 * level) for level in range(levels))))
    disabled = np.zeros_like(layout.arrays.disabled)
    for cell in (2, 9, 15):
        disabled[cell >> 3] |= 1 << (cell & 7)
    shut = replace(layout, arrays=layout.arrays._replace(disabled=disabled))
    places = layout.arrays.cell_xyz.astype(float)
    assert [cell for cell, xyz in enumerate(places) if cell_at(shut, xyz) != cell] == [2, 9, 15]
    assert {cell_at(shut, places[cell]) for cell in (2, 9, 15)} == {-1}


def test_between_two_floors_there_is_none(tower):
    for level in CLASHING:
        for above in (0.1, 1.0, 1.9):
            xyz = np.array([0.5, 0.5, 2.0 * level + above])
            found = cell_at(tower, xyz)
            assert found == cell_by_dict(tower, xyz)
            assert (found >= 0) == (level in TAKEN)


def test_near_a_floor_are_only_the_floors_near_it(tower):
    for level in CLASHING:
        xyz = np.array([0.4, 0.4, 2.0 * level + 0.5])
        away = distances(tower, xyz)
        assert cells_within(tower, xyz, 1.5).tolist() == np.flatnonzero(away <= 1.5).tolist()
        assert nearest_cell(tower, xyz, 1.5) == (TAKEN.index(level) if level in TAKEN else -1)
        assert len(cells_in_box(tower, xyz - 0.6, xyz + 0.6)) == (level in TAKEN)
