import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import InputError
from lastseen.layers.layer import DTYPES, Layer, cell_ids, enabled_cells
from oracles.layers import saturate
from specimens.layers import grid_layout, open_floor

FLOOR = open_floor(4, 3)


@pytest.mark.parametrize("dtype", DTYPES)
def test_layer_is_one_contiguous_array_of_the_declared_type(dtype):
    layer = Layer(FLOOR, "danger", dtype, "how likely one is shot here", fill=1)
    assert layer.values.dtype == np.dtype(dtype)
    assert layer.values.flags.c_contiguous
    assert layer.values.tolist() == [1] * 12
    assert len(layer) == 12


def test_layer_sets_and_clears_cells():
    layer = Layer(FLOOR, "danger", "int8", fill=-1)
    layer.set([2, 5], [7, 9])
    layer.set(3, 100)
    assert layer.values.tolist() == [-1, -1, 7, 100, -1, 9, -1, -1, -1, -1, -1, -1]
    layer.clear([2, 3])
    assert layer.values[[2, 3, 5]].tolist() == [-1, -1, 9]
    layer.clear()
    assert set(layer.values.tolist()) == {-1}


def test_layer_sets_by_mask():
    layer = Layer(FLOOR, "seen", "bool")
    layer.set(np.arange(12) % 5 == 0, True)
    assert np.flatnonzero(layer.values).tolist() == [0, 5, 10]


def test_int8_addition_stops_at_the_ends():
    layer = Layer(FLOOR, "danger", "int8")
    layer.add([0, 1, 1, 2], [200, 60, 60, -1000])
    assert layer.values[:4].tolist() == [127, 120, -128, 0]


@given(
    st.lists(st.tuples(st.integers(0, 11), st.floats(-300, 300)), max_size=20),
    st.sampled_from(["int8", "uint8", "int16"]),
)
def test_addition_equals_the_plain_sum_held_at_the_ends(changes, dtype):
    layer = Layer(FLOOR, "danger", dtype, low=0, high=100)
    layer.add([cell for cell, _ in changes], [amount for _, amount in changes])
    for cell in range(12):
        total = 0.0
        for at, amount in changes:
            total += amount if at == cell else 0.0
        assert layer.values[cell] == saturate(total, 0, 100)


def test_set_with_saturate_holds_and_rounds():
    layer = Layer(FLOOR, "distance", "uint8", unit="m", fill=9)
    layer.set([0, 1, 2, 3, 4], [2.4, 300.0, -5.0, np.inf, np.nan], saturate=True)
    assert layer.values[:5].tolist() == [2, 255, 0, 255, 9]


def test_layer_of_copies_values():
    values = np.arange(12, dtype=np.int16)
    layer = Layer.of(FLOOR, "order", values, "number of the cell", unit="")
    values[0] = 99
    assert layer.values[0] == 0
    assert layer.dtype == np.int16
    assert Layer.of(FLOOR, "narrow", values, dtype="int8").dtype == np.int8


def test_layer_takes_a_ready_array_without_a_copy():
    values = np.zeros(12, np.uint8)
    assert Layer(FLOOR, "seen", "uint8", values=values).values is values


def test_repr_says_what_it_holds():
    layer = Layer(FLOOR, "distance", "float32", unit="m", low=0)
    assert repr(layer) == "<Layer 'distance': 12 float32, 0 … inf m>"


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: Layer(FLOOR, "x", "int64"), "int64' is not one of bool, int8"),
        (lambda: Layer(FLOOR, "x", "flaot32"), "did you mean 'float32'"),
        (lambda: Layer(FLOOR, "x", "int8", low=-200), "-200 … 127 must be ascending and within -128 … 127"),
        (lambda: Layer(FLOOR, "x", "int8", low=5, high=1), "5 … 1 must be ascending"),
        (lambda: Layer(FLOOR, "x", "float32", low=float("nan")), "must be ascending"),
        (lambda: Layer(FLOOR, "x", "int8", fill=300), "fill is 300; allowed: whole numbers from -128 to 127"),
        (lambda: Layer(FLOOR, "x", "int8", fill=0.5), "fill is 0.5"),
        (lambda: Layer(FLOOR, "x", "int8").set(0, 128), "a value is 128"),
        (lambda: Layer(FLOOR, "x", "float32").set(0, np.nan), "a value is nan"),
        (lambda: Layer(FLOOR, "x", "int8").set(0, "many"), "must be a number, got 'many'"),
        (lambda: Layer(FLOOR, "x", "int8").set([0, 1, 2], [1, 2]), "one value, or one for each cell"),
        (lambda: Layer(FLOOR, "x", "int8").add([0, 1, 2], [1, 2]), "one amount, or one for each"),
        (lambda: Layer(FLOOR, "x", "int8").set(12, 0), "no cell 12: ids run from 0 to 11"),
        (lambda: Layer(FLOOR, "x", "int8").set(-1, 0), "-1 means no cell"),
        (lambda: Layer(FLOOR, "x", "int8").set([0.5], 0), "cells must be ids"),
        (lambda: Layer(FLOOR, "x", "int8").set([True, False], 0), "a mask of 2 does not fit"),
        (lambda: Layer(FLOOR, "x", "int8", values=np.zeros(3, np.int8)), "contiguous array of 12 int8"),
    ],
)
def test_layer_says_what_is_wrong(act, words):
    with pytest.raises(InputError) as caught:
        act()
    assert words in str(caught.value)


def test_no_cells_is_a_normal_input():
    assert cell_ids(FLOOR, []).tolist() == []
    layer = Layer(FLOOR, "x")
    layer.set([], 5)
    layer.add([], 5)
    layer.clear([])
    assert not layer.values.any()


def test_enabled_cells_reads_the_bit_field():
    layout = grid_layout("..........", disabled=[1, 8, 9])
    assert np.flatnonzero(~enabled_cells(layout)).tolist() == [1, 8, 9]
