import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.mesh.convex_merge import merge_tiles


def _merged(rows, widest=99):
    free = np.array([[tile == "." for tile in row] for row in rows], np.uint8)
    result = np.zeros((free.sum(), 4), np.int32)
    count = merge_tiles(free, widest, result)
    assert not free.any()
    return [tuple(each) for each in result[:count].tolist()]


def test_a_full_room_is_one_rectangle():
    assert _merged(["...", "..."]) == [(0, 0, 3, 2)]


def test_an_l_is_two_rectangles():
    assert _merged([".##", ".##", "..."]) == [(0, 0, 1, 3), (1, 2, 2, 1)]


def test_the_larger_of_right_first_and_down_first_is_taken():
    assert _merged(["...", "..#", "..#", "..#"]) == [(0, 0, 2, 4), (2, 0, 1, 1)]
    assert _merged(["....", "....", ".###"]) == [(0, 0, 4, 2), (0, 2, 1, 1)]


def test_no_side_is_longer_than_asked():
    assert _merged(["...", "..."], widest=2) == [(0, 0, 2, 2), (2, 0, 1, 2)]


def test_no_tiles_no_rectangles():
    assert _merged(["##"]) == []


@given(st.lists(st.lists(st.sampled_from("..#"), min_size=7, max_size=7), min_size=1, max_size=7), st.integers(1, 8))
def test_rectangles_cover_each_tile_once_and_nothing_else(rows, widest):
    covered = np.zeros((len(rows), 7), int)
    for column, row, width, height in _merged(rows, widest):
        assert 0 < width <= widest
        assert 0 < height <= widest
        covered[row : row + height, column : column + width] += 1
    assert covered.tolist() == [[int(tile == ".") for tile in row] for row in rows]
