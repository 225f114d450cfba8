import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.cells.layer_selection import next_fitting
from specimens.layers import bit_field


def _next(values, low, high, start=0, disabled=(), skip=True):
    values = np.array(values, np.int8)
    return next_fitting(values, np.int8(low), np.int8(high), bit_field(len(values), disabled), start, skip)


def test_the_first_fitting_value_from_the_start_on_is_found():
    assert _next([0, 5, 7, 5], 5, 6) == 1
    assert _next([0, 5, 7, 5], 5, 6, start=2) == 3
    assert _next([0, 5, 7, 5], 5, 6, start=4) == -1
    assert _next([0, 5, 7, 5], 8, 9) == -1
    assert _next([], 0, 9) == -1


def test_disabled_cells_are_passed_over_where_asked():
    assert _next([0, 5, 7, 5], 5, 6, disabled=[1]) == 3
    assert _next([0, 5, 7, 5], 5, 6, disabled=[1, 3]) == -1
    assert _next([0, 5, 7, 5], 5, 6, disabled=[1, 3], skip=False) == 1


@pytest.mark.parametrize("place", [0, 254, 255, 256, 257, 511, 512, 599])
@pytest.mark.parametrize("start", [0, 1, 256])
def test_blocks_of_values_have_no_seams(place, start):
    values = np.zeros(600)
    values[place] = 1
    assert _next(values, 1, 1, start) == (place if place >= start else -1)


@given(
    st.lists(st.integers(0, 40), max_size=700),
    st.sets(st.integers(0, 699)),
    st.integers(0, 700),
    st.integers(30, 40),
    st.booleans(),
)
def test_scan_agrees_with_looking_at_each(values, disabled, start, low, skip):
    disabled = {cell for cell in disabled if cell < len(values)}
    fits = (i for i in range(start, len(values)) if low <= values[i] and not (skip and i in disabled))
    assert _next(values, low, 127, start, disabled, skip) == next(fits, -1)
