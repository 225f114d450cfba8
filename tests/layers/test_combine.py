import math
from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import InputError, QueryError
from lastseen.layers.combination import invert, maximum, minimum, normalise, product, weighted_sum
from lastseen.layers.layer import Layer
from oracles.layers import saturate
from specimens.layers import grid_layout, open_floor, with_disabled

FIVE = grid_layout(".....")
CUT = with_disabled(FIVE, [1])

bytes_of_five = st.lists(st.integers(-128, 127), min_size=5, max_size=5)


def layer(values, layout=FIVE, name="x", **declared):
    return Layer.of(layout, name, np.array(values, np.int8), **declared)


def test_weighted_sum_worked_by_hand():
    score = weighted_sum([(layer([0, 1, 2, 3, 4]), 2.0), (layer([10, 0, 0, 0, 10]), -0.5)])
    assert score.dtype == np.float32
    assert score.values.tolist() == [-5.0, 2.0, 4.0, 6.0, 3.0]


def test_disabled_cells_get_the_fill_unless_they_are_included():
    given_layer = layer([0, 1, 2, 3, 4], CUT)
    assert weighted_sum([(given_layer, 1.0)], fill=-7).values.tolist() == [0, -7, 2, 3, 4]
    assert weighted_sum([(given_layer, 1.0)], include_disabled=True).values.tolist() == [0, 1, 2, 3, 4]


def test_a_cell_disabled_in_any_layer_s_layout_is_disabled():
    both = minimum([layer([5] * 5), layer([4] * 5, CUT)], fill=0)
    assert both.values.tolist() == [4, 0, 4, 4, 4]


def test_int8_saturates_instead_of_wrapping_round():
    high = layer([100, -100, 127, 0, 64])
    assert weighted_sum([(high, 1), (high, 1)], dtype="int8").values.tolist() == [127, -128, 127, 0, 127]
    assert product([high, high], dtype="int8").values.tolist() == [127, 127, 127, 0, 127]


def test_whole_numbers_are_rounded_half_to_even():
    assert weighted_sum([(layer([1, 2, 3, 4, 5]), 0.5)], dtype="int8").values.tolist() == [0, 1, 2, 2, 2]


@given(st.lists(bytes_of_five, min_size=1, max_size=4), st.lists(st.floats(-3, 3), min_size=4, max_size=4))
def test_combinations_equal_plain_python(columns, weights):
    layers = [layer(values) for values in columns]
    cases = {
        weighted_sum: lambda v: sum(w * x for w, x in zip(weights, v)),
        product: math.prod,
        minimum: min,
        maximum: max,
    }
    for combine, plain in cases.items():
        parts = list(zip(layers, weights)) if combine is weighted_sum else layers
        expected = [plain(values) for values in zip(*columns)]
        wide = combine(parts, dtype="float64").values.tolist()
        assert wide == pytest.approx(expected, rel=1e-12, abs=1e-12)
        narrow = combine(parts, dtype="int8").values.tolist()
        assert narrow == [saturate(value, -128, 127) for value in wide]


def test_long_layers_are_combined_chunk_by_chunk():
    floor = open_floor(300, 150)
    one = Layer.of(floor, "one", np.arange(45_000, dtype=np.int32))
    assert np.array_equal(weighted_sum([(one, 2)], dtype="int32").values, np.arange(45_000) * 2)


def test_normalise_gives_zero_to_one():
    assert normalise(layer([0, 7, 14, 0, 14])).values.tolist() == [0.0, 0.5, 1.0, 0.0, 1.0]
    assert normalise(layer([0, 7, 14, 0, 14]), 0, 100, dtype="int8").values.tolist() == [0, 50, 100, 0, 100]


def test_normalise_of_a_constant_layer_is_low_everywhere():
    assert normalise(layer([5] * 5)).values.tolist() == [0.0] * 5
    assert normalise(layer([5] * 5), -1, 1).values.tolist() == [-1.0] * 5


def test_normalise_leaves_disabled_cells_out_of_the_ends():
    given_layer = layer([0, 100, 5, 10, 0], CUT)
    assert normalise(given_layer).values.tolist() == [0.0, 0.0, 0.5, 1.0, 0.0]
    assert normalise(given_layer, fill=-1).values.tolist() == [0.0, -1.0, 0.5, 1.0, 0.0]
    assert normalise(given_layer, include_disabled=True).values.max() == 1.0


def test_normalise_where_every_cell_is_disabled_gives_the_fill():
    assert normalise(layer([1, 2, 3, 4, 5], with_disabled(FIVE, range(5)))).values.tolist() == [0.0] * 5


def test_normalise_holds_what_is_not_finite():
    floats = Layer.of(FIVE, "distance", np.array([0.0, np.inf, 2.0, 4.0, -np.inf], np.float32))
    floats.values[2] = np.nan
    assert normalise(floats).values.tolist() == [0.0, 1.0, 0.0, 1.0, 0.0]


@given(bytes_of_five, st.floats(-50, 50), st.floats(0.5, 50))
def test_normalise_keeps_the_order_and_meets_its_ends(values, low, width):
    result = normalise(layer(values), low, low + width, dtype="float64")
    assert result.values.min() == low
    assert result.values.max() == (low + width if len(set(values)) > 1 else low)
    order = np.argsort(values, kind="stable")
    assert (np.diff(result.values[order]) >= 0).all()


def test_invert_turns_the_declared_range_round():
    assert invert(layer([0, 100, 30, 50, 70], low=0, high=100)).values.tolist() == [100, 0, 70, 50, 30]
    assert invert(layer([-128, 127, 0, 1, -1])).values.tolist() == [127, -128, -1, -2, 0]
    normal = normalise(layer([0, 7, 14, 0, 14]))
    assert invert(normal).values.tolist() == [1.0, 0.5, 0.0, 1.0, 0.0]


@given(bytes_of_five)
def test_invert_twice_is_the_layer_itself(values):
    assert invert(invert(layer(values))).values.tolist() == values


def test_invert_needs_ends():
    with pytest.raises(InputError, match="declare low and high, or normalise it first"):
        invert(Layer(FIVE, "distance", "float32"))


def test_out_is_written_in_place_and_decides_the_dtype():
    out = Layer(FIVE, "score", "uint8", low=0, high=100, fill=9)
    result = weighted_sum([(layer([-5, 50, 60, 70, 120], CUT), 1.0)], out=out)
    assert result is out
    assert out.values.tolist() == [0, 9, 60, 70, 100]


def test_recipes_nest():
    danger, cover = layer([0, 10, 20, 30, 40], name="danger"), layer([4, 4, 0, 4, 0], name="cover")
    safe = product([invert(normalise(danger)), normalise(cover)])
    assert safe.values.tolist() == [1.0, 0.75, 0.0, 0.25, 0.0]
    assert safe.meaning == "product of inverted normalised danger, normalised cover"


def test_combination_says_what_is_wrong():
    with pytest.raises(InputError, match="give at least one layer"):
        product([])
    with pytest.raises(InputError, match="weight of 'x' is nan"):
        weighted_sum([(layer([0] * 5), math.nan)])
    with pytest.raises(QueryError, match="combine only layers of one layout"):
        minimum([layer([0] * 5), Layer(open_floor(2, 2), "foreign")])
    with pytest.raises(QueryError, match="only layers of one layout"):
        product([layer([0] * 5)], out=Layer(open_floor(2, 2), "foreign"))
    with pytest.raises(InputError, match="low must be less than high"):
        normalise(layer([0] * 5), 1, 1)


def test_infinite_scores_make_no_noise():
    far = Layer.of(FIVE, "distance", np.array([1.0, np.inf, 2.0, 3.0, np.inf], np.float32))
    score = weighted_sum([(far, 1.0), (far, -1.0)], fill=-1)
    assert score.values.tolist() == [0.0, -1.0, 0.0, 0.0, -1.0]
    assert reduce(max, product([far, far], dtype="int8").values.tolist()) == 127
