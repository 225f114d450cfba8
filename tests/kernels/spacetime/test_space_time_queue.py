"""A heap of arrivals that grows: the same order as sorting."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.kernels.spacetime.space_time_queue import pop_arrival, push_arrival, with_room


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9)), min_size=1, max_size=40))
def test_arrivals_come_in_the_order_of_time_and_place(pairs):
    heap = np.empty((1, 4))
    for size, (time, place) in enumerate(pairs):
        heap = with_room(heap, size)
        heap[size] = time, place, size, -time
        push_arrival(heap, size + 1)
    out = []
    for size in range(len(pairs), 0, -1):
        pop_arrival(heap, size)
        out.append(heap[size - 1].copy())
    assert [(row[0], row[1]) for row in out] == sorted(pairs)
    assert all(pairs[int(row[2])] == (row[0], row[1]) and row[3] == -row[0] for row in out)


def test_room_grows_only_where_there_is_none():
    rows = np.arange(8.0).reshape(2, 4)
    assert with_room(rows, 1) is rows or np.shares_memory(with_room(rows, 1), rows)
    wider = with_room(rows, 2)
    assert len(wider) > 2
    assert wider[:2].tolist() == rows.tolist()
