import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import InputError
from lastseen.layers.layer import DTYPES, Layer
from lastseen.layers.selection import Limit, cells_where, next_cell
from specimens.layers import grid_layout

WIDE = grid_layout("." * 1000, disabled=[500, 998])


def test_runs_along_a_layer_until_a_value_fits():
    layer = Layer(WIDE, "heat", "int8")
    layer.set([300, 600, 999], [20, 19, 20])
    assert next_cell(layer, at_least=20) == 300
    assert next_cell(layer, at_least=20, start=301) == 999
    assert next_cell(layer, equal=19) == 600
    assert next_cell(layer, at_most=-1) == -1
    assert next_cell(layer, at_least=20, start=1000) == -1
    assert next_cell(layer, at_least=1, at_most=19) == 600


def test_passes_over_disabled_cells_unless_told():
    layer = Layer(WIDE, "heat", "int8")
    layer.set([500, 998], 5)
    assert next_cell(layer, equal=5) == -1
    assert next_cell(layer, equal=5, include_disabled=True) == 500
    assert cells_where(layer, equal=5).tolist() == []
    assert cells_where(layer, equal=5, include_disabled=True).tolist() == [500, 998]


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_can_be_run_along(dtype):
    layer = Layer(WIDE, "flag", dtype)
    layer.set([777], 1)
    assert next_cell(layer, equal=1) == 777
    assert next_cell(layer, at_least=0.5) == 777
    assert cells_where(layer, at_least=0.5).tolist() == [777]


@given(
    values=st.lists(st.integers(-128, 127), min_size=1000, max_size=1000) | st.just([0] * 999 + [7]),
    limits=st.tuples(st.none() | st.floats(-140, 140), st.none() | st.floats(-140, 140)),
    start=st.integers(0, 1001),
)
def test_next_cell_and_cells_where_equal_a_plain_loop(values, limits, start):
    if limits == (None, None):
        limits = (0.0, None)
    low, high = (-np.inf if limits[0] is None else limits[0]), (np.inf if limits[1] is None else limits[1])
    layer = Layer.of(WIDE, "heat", np.array(values, np.int8))
    fitting = [cell for cell in range(1000) if low <= values[cell] <= high and cell not in (500, 998)]
    assert cells_where(layer, at_least=limits[0], at_most=limits[1]).tolist() == fitting
    expected = next((cell for cell in fitting if cell >= start), -1)
    assert next_cell(layer, at_least=limits[0], at_most=limits[1], start=start) == expected


def test_float_limits_are_taken_in_the_layer_s_precision():
    layer = Layer(WIDE, "share", "float32")
    layer.values[:] = np.nan
    layer.set([10, 20], 0.1)
    layer.set(30, 0.2)
    assert cells_where(layer, at_most=0.1).tolist() == [10, 20]
    assert cells_where(layer, at_least=0.1).tolist() == [10, 20, 30]
    assert next_cell(layer, equal=0.1, start=11) == 20
    assert next_cell(layer, at_most=np.inf) == 10
    assert next_cell(layer, at_least=1e300) == -1


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({}, "give at_least, at_most or both, or equal alone"),
        ({"equal": 1, "at_most": 3}, "or equal alone"),
        ({"at_least": float("nan")}, "not a number"),
        ({"equal": 1, "start": -1}, "start is -1"),
    ],
)
def test_limits_must_make_sense(limits, words):
    with pytest.raises(InputError, match=words):
        next_cell(Layer(WIDE, "heat"), **limits)


def test_limit_beyond_the_dtype_is_simply_never_met():
    layer = Layer(WIDE, "heat", "int8")
    assert next_cell(layer, at_least=1000) == -1
    assert next_cell(layer, at_least=0.2, at_most=0.8) == -1
    assert Limit(layer, at_most=1000).fits().all()
    assert not Limit(layer, equal=0.5).fits().any()


def test_found_cells_are_read_only():
    assert not cells_where(Layer(grid_layout("..."), "a"), equal=0).flags.writeable


def test_a_start_beyond_the_last_cell_finds_nothing():
    layer = Layer(grid_layout("..."), "a")
    assert next_cell(layer, equal=0, start=10**30) == -1
    with pytest.raises(InputError, match=r"start is 1\.5; give a whole number"):
        next_cell(layer, equal=0, start=1.5)
