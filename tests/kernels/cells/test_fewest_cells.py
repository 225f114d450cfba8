"""The fewest cells that part two sides, against trying all sets; parts and openings by hand."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.cells.minimum_cut import TOO_MANY, TOUCHING, cluster_links, fewest_cells, label_parts
from oracles import tactical as oracle
from specimens.layers import grid_layout


def links_of(text):
    layout = grid_layout(text)
    return layout, layout.arrays.link_start.astype(np.int64), layout.arrays.link_cell.astype(np.int32)


def flags(layout, places):
    found = np.zeros(len(layout), np.bool_)
    found[[layout.cell_of[place] for place in places]] = True
    return found


def test_a_door_is_one_cell_and_two_doors_are_two():
    layout, start, other = links_of("...#...\n.......\n...#...")
    source, sink = flags(layout, [(0, y) for y in range(3)]), flags(layout, [(6, y) for y in range(3)])
    cut = np.zeros(len(layout), np.bool_)
    assert fewest_cells(start, other, source, sink, 9, cut) == 1
    assert cut.sum() == 1
    assert cut[layout.cell_of[2, 1]], "nearest to the sources: nobody cuts the corner of the door"
    layout, start, other = links_of("...#...\n.......\n...#...\n...#...\n.......\n...#...")
    source, sink = flags(layout, [(0, y) for y in range(6)]), flags(layout, [(6, y) for y in range(6)])
    cut = np.zeros(len(layout), np.bool_)
    assert fewest_cells(start, other, source, sink, 9, cut) == 2
    assert fewest_cells(start, other, source, sink, 1, cut) == TOO_MANY


def test_touching_sides_have_nothing_between_and_parted_ones_need_nothing():
    layout, start, other = links_of("...")
    cut = np.zeros(3, np.bool_)
    assert fewest_cells(start, other, flags(layout, [(0, 0)]), flags(layout, [(1, 0)]), 9, cut) == TOUCHING
    assert fewest_cells(start, other, flags(layout, [(0, 0)]), flags(layout, [(2, 0)]), 9, cut) == 1
    layout, start, other = links_of(".#.")
    assert fewest_cells(start, other, flags(layout, [(0, 0)]), flags(layout, [(2, 0)]), 9, np.zeros(2, np.bool_)) == 0


def test_ways_already_laid_give_way():
    # The first way found takes the middle; two ways fit only if it moves aside.
    start = np.array([0, 2, 4, 5, 6, 7, 7])
    other = np.array([1, 2, 3, 4, 3, 5, 5], np.int32)
    source, sink = np.array([1, 0, 0, 0, 0, 0], np.bool_), np.array([0, 0, 0, 0, 0, 1], np.bool_)
    cut = np.zeros(6, np.bool_)
    assert fewest_cells(start, other, source, sink, 9, cut) == 2
    assert oracle.fewest_cells(start, other, source, sink) == 2
    assert cut.sum() == 2


@given(st.data())
def test_the_number_is_that_of_trying_all_sets_and_the_cells_do_part_them(data):
    count = data.draw(st.integers(4, 9))
    pairs = data.draw(st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), max_size=24))
    pairs = sorted({pair for pair in pairs if pair[0] != pair[1]})
    start = np.searchsorted([one for one, _ in pairs], np.arange(count + 1))
    other = np.array([two for _, two in pairs], np.int32)
    source, sink = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    source[0], sink[-1] = True, True
    source[1] = data.draw(st.booleans())
    cut = np.zeros(count, np.bool_)
    found = fewest_cells(start, other, source, sink, count, cut)
    true = oracle.fewest_cells(start, other, source, sink)
    if true is None:
        assert found == TOUCHING
    else:
        assert found == true == cut.sum()
        assert not (cut & (source | sink)).any()
        assert not oracle._joined(start, other, source, sink, set(np.flatnonzero(cut).tolist()))


def test_parts_are_numbered_by_their_lowest_cell():
    layout, start, other = links_of("..#..\n..#..")
    label = np.empty(len(layout), np.int32)
    assert label_parts(start, other, label) == 2
    assert label.tolist() == [0, 0, 1, 1, 0, 0, 1, 1]


def test_links_through_one_door_are_one_opening():
    layout, start, other = links_of("....\n....\n.#..\n....")
    grid = layout.arrays.cell_grid
    at = layout.cell_of
    inner = np.array([at[0, 0], at[0, 1], at[0, 3]])
    outer = np.array([at[1, 0], at[1, 1], at[1, 3]])
    label = np.empty(3, np.int64)
    pair = np.argsort(grid[inner, 0], kind="stable")
    assert cluster_links(pair, grid, start, other, inner, outer, label) == 2
    assert label.tolist() == [0, 0, 1]
