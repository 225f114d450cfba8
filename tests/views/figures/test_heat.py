import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import InputError
from lastseen.views.figures.drawing.heat import Heat, draw_legend, heat_colours, nice_ticks
from lastseen.views.figures.drawing.palette import WALKABLE, scale_colours


def test_ends_of_the_scale_are_the_ends_of_the_values():
    colours = heat_colours(Heat(np.array([0.0, 5.0, 10.0, np.nan]), "heat"))
    scale = scale_colours("heat")
    assert colours[0].tolist() == scale[0].tolist()
    assert colours[2].tolist() == scale[-1].tolist()
    assert colours[1].tolist() == scale[128].tolist()
    assert colours[3].tolist() == list(WALKABLE)


def test_a_constant_layer_and_negative_values_have_colours():
    assert heat_colours(Heat(np.array([3.0, 3.0]), "x")).tolist()[0] == scale_colours("heat")[-1].tolist()
    assert Heat(np.array([-4.0, -2.0]), "x").span == (-4.0, -2.0)
    assert heat_colours(Heat(np.zeros(2), "x")).tolist()[0] == scale_colours("heat")[0].tolist()


def test_a_layer_without_values_is_an_error():
    with pytest.raises(InputError, match="no finite value"):
        Heat(np.array([np.nan, np.inf]), "empty")


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.integers(2, 12))
def test_ticks_are_few_rising_and_within(low, span, most):
    high = low + span
    ticks = nice_ticks(low, high, most)
    assert len(ticks) <= most
    assert all(a < b for a, b in itertools.pairwise(ticks))
    slack = 1e-6 * max(abs(low), abs(high), 1.0)
    assert all(low - slack <= tick <= high + slack for tick in ticks)


def test_ticks_by_hand():
    assert nice_ticks(0.0, 57.3) == [0.0, 20.0, 40.0]
    assert nice_ticks(0.0, 10.0) == [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    assert nice_ticks(2.0, 2.0) == [2.0]


def test_the_legend_shows_the_scale_from_low_to_high():
    legend = np.asarray(draw_legend(Heat(np.array([0.0, 9.0]), "danger", "%"), width=256))
    bar = legend[25, 8 : 8 + 256]
    assert bar.tolist() == scale_colours("heat").tolist()


def test_hatching_is_explained_only_where_cells_have_no_value():
    full = draw_legend(Heat(np.array([0.0, 9.0]), "danger"))
    part = draw_legend(Heat(np.array([0.0, np.nan]), "danger", none="cannot be reached"))
    assert part.width > full.width
