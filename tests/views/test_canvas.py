import numpy as np
import pytest

from lastseen.views.figures.canvas import Canvas
from lastseen.views.figures.palette import PAGE, WALL
from lastseen.views.figures.view import View

SQUARE = np.array([[2.0, 2.0], [6.0, 2.0], [6.0, 4.0], [2.0, 4.0]])


@pytest.fixture
def canvas():
    return Canvas(View((0.0, 0.0), (10.0, 8.0), 10.0))


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
    canvas = Canvas(View((0.0, 0.0), (400.0, 300.0), 10.0))
    assert canvas.factor == 1
    assert canvas.finished().size == (4000, 3000)


def test_hatching_is_diagonal_and_sparse(canvas):
    mask = canvas.hatch(6.0, 1.0)
    assert 0.1 < mask.mean() < 0.25
    assert (mask[1:, :-1] == mask[:-1, 1:]).all()
