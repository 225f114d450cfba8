import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import InputError, QueryError
from lastseen.layers.layer import Layer
from lastseen.layers.stack import LayerStack
from specimens.layers import grid_layout, open_floor, with_disabled

FLOOR = open_floor(4, 3)


@pytest.fixture
def stack():
    made = LayerStack(FLOOR)
    made.add("danger", "int8", "how likely one is shot here").values[:] = np.arange(12)
    made.add("seen", "bool", "has been looked at").values[3] = True
    made.add("distance", "float32", "metres to the exit", unit="m").values[:] = 0.5
    return made


def test_column_is_one_cell_through_all_layers(stack):
    assert stack.column(3) == {"danger": 3, "seen": True, "distance": 0.5}
    assert stack.column(4) == {"danger": 4, "seen": False, "distance": 0.5}


def test_columns_keep_each_layer_s_dtype(stack):
    columns = stack.columns([3, 0])
    assert {name: values.dtype.name for name, values in columns.items()} == {
        "danger": "int8",
        "seen": "bool",
        "distance": "float32",
    }
    assert columns["danger"].tolist() == [3, 0]
    assert list(stack.columns([1], names=["seen"])) == ["seen"]


@given(st.lists(st.integers(0, 11), max_size=20), st.integers(1, 5))
def test_vertical_traversal_equals_the_columns_of_the_arrays(cells, count):
    stack = LayerStack(FLOOR)
    for number in range(count):
        stack.add(f"layer {number}", "int16").values[:] = np.arange(12) * (number - 2)
    arrays = np.stack([layer.values for layer in stack])
    assert np.array_equal(np.stack(list(stack.columns(cells).values())), arrays[:, cells])
    for cell in cells:
        assert list(stack.column(cell).values()) == arrays[:, cell].tolist()


def test_block_of_layers_shares_one_allocation():
    stack = LayerStack(FLOOR)
    layers = stack.add_block({"heat": "a", "danger": "b", "cover": "c"}, "int8", fill=3)
    blocks = {id(layer.values.base) for layer in layers}
    assert len(blocks) == 1
    assert all(layer.values.flags.c_contiguous and layer.values.tolist() == [3] * 12 for layer in layers)
    layers[1].set(0, 9)
    assert stack.column(0) == {"heat": 3, "danger": 9, "cover": 3}
    assert stack.add_block({}) == ()


def test_a_dozen_byte_layers_cost_a_dozen_bytes_a_cell():
    stack = LayerStack(FLOOR)
    stack.add_block({f"layer {number}": "" for number in range(12)})
    assert sum(stack.memory().values()) == 12 * len(FLOOR)


def test_stack_is_kept_in_order_and_layers_come_off(stack):
    assert stack.names == ("danger", "seen", "distance")
    removed = stack.remove("seen")
    assert removed.name == "seen"
    assert "seen" not in stack
    assert len(stack) == 2
    assert [layer.name for layer in stack] == ["danger", "distance"]


def test_clear_puts_every_layer_back(stack):
    stack.clear()
    assert stack.column(3) == {"danger": 0, "seen": False, "distance": 0.0}


def test_put_takes_layers_of_the_same_cells_only(stack):
    live = with_disabled(FLOOR, [2])
    layer = stack.put(Layer(live, "score", "float32"))
    assert stack["score"] is layer
    with pytest.raises(QueryError, match=r"another layout \(5 cells"):
        stack.put(Layer(grid_layout("....."), "foreign"))


def test_unknown_name_suggests_a_close_one(stack):
    with pytest.raises(QueryError, match=r"no layer 'dagner' \(did you mean 'danger'\?\); layers: 'danger', 'seen'"):
        stack["dagner"]
    with pytest.raises(QueryError, match="none yet"):
        LayerStack(FLOOR).remove("x")
    with pytest.raises(QueryError, match="no layer 'x'"):
        stack.columns([0], names=["x"])


def test_names_are_given_and_not_taken_twice(stack):
    with pytest.raises(InputError, match="'seen' already"):
        stack.add("seen")
    with pytest.raises(InputError, match="'seen' already"):
        stack.add_block({"new": "", "seen": ""})
    assert "new" not in stack
    with pytest.raises(InputError, match="needs a name"):
        stack.add("")


def test_column_of_a_cell_that_is_not_there(stack):
    with pytest.raises(InputError, match="no cell 12"):
        stack.column(12)


def test_a_word_that_declares_nothing_is_refused(stack):
    with pytest.raises(InputError, match=r"unknown declaration 'hgih' \(did you mean 'high'\?\); allowed: dtype, fill"):
        stack.add("other", hgih=3)
    with pytest.raises(InputError, match="unknown declaration 'foo'"):
        stack.add_block({"other": ""}, foo=3)
    assert "other" not in stack
