import numpy as np
import pytest

from lastseen.views.figures.drawing.canvas import Canvas, packed
from lastseen.views.figures.drawing.palette import PAGE, WALL
from lastseen.views.figures.drawing.viewport import Viewport

SQUARE = np.array([[2.0, 2.0], [6.0, 2.0], [6.0, 4.0], [2.0, 4.0]])


@pytest.fixture
def canvas():
    return Canvas(Viewport((0.0, 0.0), (10.0, 8.0), 10.0))


def test_a_polygon_is_where_it_was_drawn(canvas):
    canvas.polygon(SQUARE, WALL)
    pixels = np.asarray(canvas.finished())
    assert pixels.shape == (80, 100, 3)
    assert pixels[50, 40].tolist() == list(WALL)  # world (4, 3), y up
    assert pixels[30, 40].tolist() == list(PAGE)
    assert pixels[50, 10].tolist() == list(PAGE)


def test_numbers_say_which_polygon_a_pixel_lies_in(canvas):
    numbers = canvas.numbered([(0, SQUARE), (70_000, SQUARE + np.array([3.0, 3.0]))])
    x, y = canvas.columns_rows()
    here = int(np.argmin(np.abs(x - 3.0))), int(np.argmin(np.abs(y - 3.0)))
    assert numbers[here[1], here[0]] == 0
    there = int(np.argmin(np.abs(x - 8.0))), int(np.argmin(np.abs(y - 6.0)))
    assert numbers[there[1], there[0]] == 70_000
    assert set(np.unique(numbers)) == {-1, 0, 70_000}


def test_dashes_leave_gaps_of_the_stated_length(canvas):
    canvas.dashes(np.array([[0.0, 4.0], [10.0, 4.0]]), WALL, 2.0, dash=10.0, gap=10.0)
    row = np.asarray(canvas.finished())[40, :, 0]
    assert (row[2:8] < 100).all()
    assert (row[12:18] > 200).all()
    assert (row[22:28] < 100).all()


def test_a_large_panel_is_drawn_at_its_own_size():
    canvas = Canvas(Viewport((0.0, 0.0), (400.0, 300.0), 10.0))
    assert canvas.factor == 1
    assert canvas.finished().size == (4000, 3000)


def test_hatching_is_diagonal_and_sparse(canvas):
    mask = canvas.hatch(6.0, 1.0)
    assert 0.1 < mask.mean() < 0.25
    assert (mask[1:, :-1] == mask[:-1, 1:]).all()


def test_a_wash_tints_only_what_lies_in_both_outlines(canvas):
    canvas.wash([SQUARE], SQUARE + np.array([2.0, 0.0]), WALL, 0.5, 0.0)
    pixels = np.asarray(canvas.finished()).astype(int)
    tinted = (pixels != PAGE).any(axis=2)
    assert pixels[50, 50].tolist() == pytest.approx((np.array(PAGE) + WALL) / 2, abs=1.5)  # world (5, 3)
    assert not tinted[:, :39].any()  # x below 4
    assert not tinted[:, 62:].any()  # x above 6


def test_a_wash_beyond_the_picture_changes_nothing(canvas):
    far = SQUARE + np.array([100.0, 0.0])
    canvas.wash([far], far, WALL, 1.0, 3.0)
    assert (np.asarray(canvas.finished()) == PAGE).all()


def test_laid_colours_leave_nothing_but_what_they_cover(canvas):
    colours = np.zeros((240, 300), np.uint32)
    colours[:, :150] = packed(np.array([[10, 20, 30]], np.uint8))[0]
    canvas.lay(colours)
    pixels = np.asarray(canvas.finished())
    assert (pixels[:, :50] == (10, 20, 30)).all()
    assert (pixels[:, 50:] == PAGE).all()


def test_hatching_is_the_same_on_a_copy_and_finer_canvases_are_larger(canvas):
    assert (canvas.copy().hatch(5.0) == canvas.hatch(5.0)).all()
    assert (canvas.hatch(5.0, falling=True) != canvas.hatch(5.0)).any()
    assert [Canvas(canvas.view, finest=finest).pixels().shape[0] for finest in (1, 2, 3)] == [80, 160, 240]
