import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import InputError
from lastseen.views.figures.drawing.viewport import LARGEST_SIDE, Viewport, choose_view

sides = st.floats(0.01, 1e5)


def test_y_runs_up_or_down_the_picture():
    up = Viewport((0.0, 0.0), (10.0, 4.0), 10.0)
    down = Viewport((0.0, 0.0), (10.0, 4.0), 10.0, y_down=True)
    assert up.size == down.size == (100, 40)
    assert up.pixels(np.array([[1.0, 1.0]])).tolist() == [[10.0, 30.0]]
    assert down.pixels(np.array([[1.0, 1.0, 7.0]])).tolist() == [[10.0, 10.0]]


@given(wide=sides, tall=sides, panels=st.integers(1, 12))
def test_the_chosen_scale_fits_any_level_within_the_bounds(wide, tall, panels):
    view, across = choose_view(np.zeros(2), np.array([wide, tall]), panels=panels, scale=None, y_down=False)
    assert 1 <= across <= panels
    columns, rows = view.size
    assert columns * across <= LARGEST_SIDE
    assert rows * -(-panels // across) <= LARGEST_SIDE


@pytest.mark.parametrize("scale", [0.0, -1.0, float("nan"), float("inf"), 1e6])
def test_a_scale_out_of_bounds_names_the_largest_allowed(scale):
    with pytest.raises(InputError, match="at most"):
        choose_view(np.zeros(2), np.array([100.0, 50.0]), panels=1, scale=scale, y_down=False)


def test_the_largest_scale_named_is_allowed():
    with pytest.raises(InputError) as caught:
        choose_view(np.zeros(2), np.array([100.0, 50.0]), panels=2, scale=1e6, y_down=False)
    most = float(str(caught.value).rsplit(" ", 1)[1])
    view, _ = choose_view(np.zeros(2), np.array([100.0, 50.0]), panels=2, scale=most, y_down=False)
    assert view.scale == most


def test_two_wide_storeys_stand_above_one_another():
    _, across = choose_view(np.zeros(2), np.array([100.0, 10.0]), panels=2, scale=None, y_down=False)
    assert across == 1
