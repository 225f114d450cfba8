import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.arrays.bits import bit, clear_bit, set_bit


@pytest.mark.parametrize("kind", [int, np.uint16, np.uint32, np.uint64])
def test_bit_nine_is_the_second_of_the_second_byte(kind):
    field = np.zeros(2, np.uint8)
    set_bit(field, kind(9))
    assert field.tolist() == [0, 2]
    assert [bit(field, kind(i)) for i in range(16)] == [0] * 9 + [1] + [0] * 6
    clear_bit(field, kind(9))
    assert field.tolist() == [0, 0]


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 99)), max_size=60))
def test_a_bit_field_is_a_set_of_numbers(changes):
    field, members = np.zeros(13, np.uint8), set()
    for put, index in changes:
        if put:
            set_bit(field, index)
            members.add(index)
        else:
            clear_bit(field, index)
            members.discard(index)
    assert {i for i in range(100) if bit(field, i)} == members
    assert np.flatnonzero(np.unpackbits(field, bitorder="little")).tolist() == sorted(members)
