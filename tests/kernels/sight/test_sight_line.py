"""Lines past one wall, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.kernels.sight.sight_line import BOTH, LEFT, RIGHT, clear_any, clear_lines, clear_pairs, clip, wall_sides
from specimens.perception import block, hall, sight_of

WALL = np.array([[5.0, 0.0, 5.0, 10.0, 0.0, 3.0, 0.0, 3.0]])


@pytest.mark.parametrize(
    ("start", "step", "sides", "share"),
    [
        ((0.0, 5.0, 1.0), (10.0, 0.0, 0.0), BOTH, 0.5),
        ((0.0, 5.0, 3.0), (10.0, 0.0, 0.0), 0, 2.0),  # at its very top one looks over it
        ((0.0, 0.0, 1.0), (10.0, 0.0, 0.0), LEFT, 0.5),  # its first end is grazed
        ((0.0, 10.0, 1.0), (10.0, 0.0, 0.0), RIGHT, 0.5),
        ((0.0, 5.0, 1.0), (4.0, 0.0, 0.0), 0, 2.0),  # ends before it
        ((5.0, -5.0, 1.0), (0.0, 20.0, 0.0), RIGHT, 0.25),  # runs along it: beyond it is matter
    ],
)
def test_which_neighbours_of_a_line_a_wall_blocks(start, step, sides, share):
    assert wall_sides(WALL, 0, *start, *step) == (sides, share)


def test_a_line_enters_and_leaves_the_grid():
    grid = np.array([0.0, 0.0, 1.0, 4.0, 4.0])
    assert clip(grid, -2.0, 1.0, 8.0, 0.0) == (0.25, 0.75)
    assert clip(grid, 1.0, 1.0, 1.0, 1.0) == (0.0, 1.0)
    first, last = clip(grid, 5.0, 1.0, 0.0, 2.0)
    assert first > last


def test_lines_pairs_and_any():
    sight = sight_of(hall(obstacles=[block(10, 10, 11, 20)]))
    eyes = np.array([(5.0, 15.0, 1.6), (5.0, 5.0, 1.6)])
    points = np.array([(15.0, 15.0, 1.0), (15.0, 6.0, 1.0), (7.0, 15.0, 1.0)])
    each, table, any_of = np.zeros(2, np.bool_), np.zeros((2, 3), np.bool_), np.zeros(3, np.bool_)
    clear_lines(sight, eyes, points[:2], each)
    clear_pairs(sight, eyes, points, table)
    clear_any(sight, eyes[:1], points, any_of)
    assert each.tolist() == [False, True]
    assert table.tolist() == [[False, False, True], [False, True, True]]
    assert any_of.tolist() == table[0].tolist()
