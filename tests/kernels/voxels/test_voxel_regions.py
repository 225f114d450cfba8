from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lastseen.kernels.voxels.voxel_regions import component_sizes, grow_regions
from oracles.voxels import flat_links


def test_islands_are_counted():
    field = np.array([[1, 1, 0], [0, 0, 0], [1, 1, 1]], bool)
    assert component_sizes(flat_links(field)).tolist() == [2, 2, 3, 3, 3]


def test_a_flat_floor_is_one_region():
    field = np.ones((5, 6), bool)
    region, count = grow_regions(
        flat_links(field), np.arange(30, dtype=np.uint32), np.zeros(30, np.float32), 6, 5, 0.25, 0.4, 1
    )
    assert count == 1
    assert not region.any()


@given(hnp.arrays(bool, (2, 5, 6), elements=st.sampled_from([True, True, False])), st.integers(0, 5), st.integers(0, 4))
def test_no_region_lies_above_itself_and_neighbours_in_it_are_connected(fields, stairs_x, stairs_y):
    """Two storeys; where `stairs` is set, east of it one changes storey."""
    rows, columns = fields.shape[1:]
    ids = np.full(fields.shape, -1)
    order = [(y, x, level) for y in range(rows) for x in range(columns) for level in range(2) if fields[level, y, x]]
    for number, (y, x, level) in enumerate(order):
        ids[level, y, x] = number
    link = np.full((len(order), 4), -1, np.int32)
    for number, (y, x, level) in enumerate(order):
        for k, (dx, dy) in enumerate(((1, 0), (0, 1), (-1, 0), (0, -1))):
            if not (0 <= x + dx < columns and 0 <= y + dy < rows):
                continue
            crosses = dy == 0 and y == stairs_y and min(x, x + dx) == stairs_x
            link[number, k] = ids[1 - level if crosses else level, y + dy, x + dx]
    column_of = np.array([y * columns + x for y, x, _ in order], np.uint32)
    floor = np.array([3.0 * level for _, _, level in order], np.float32)
    region, count = grow_regions(link, column_of, floor, columns, rows, 0.25, 4.0, 1)
    assert set(region) == set(range(count))
    for own in range(count):
        members = np.flatnonzero(region == own)
        assert len(set(column_of[members])) == len(members)
        at = {int(column_of[s]): s for s in members}
        for s in members:
            y, x, _ = order[s]
            for k, (dx, dy) in enumerate(((1, 0), (0, 1), (-1, 0), (0, -1))):
                beside = at.get((y + dy) * columns + x + dx) if 0 <= x + dx < columns else None
                assert beside is None or link[s, k] == beside


def test_two_parts_of_a_spiral_that_come_near_at_other_heights_are_two_regions():
    """A row of floor rises by one step a column, turns and comes back one free row further on."""
    width, depth = 8, 4
    row = [(x, 0) for x in range(width)] + [(width - 1, 1)] + [(x, 2) for x in range(width - 1, -1, -1)]
    order = np.lexsort(([x for x, _ in row], [y for _, y in row]))
    number = {row[k]: place for place, k in enumerate(order)}
    link = np.full((len(row), 4), -1, np.int32)
    for one, other in itertools.pairwise(row):
        dx, dy = other[0] - one[0], other[1] - one[1]
        direction = ((1, 0), (0, 1), (-1, 0), (0, -1)).index((dx, dy))
        link[number[one], direction] = number[other]
        link[number[other], (direction + 2) % 4] = number[one]
    column_of = np.array([row[k][1] * width + row[k][0] for k in order], np.uint32)
    floor = np.array([0.4 * k for k in order], np.float32)
    region, _ = grow_regions(link, column_of, floor, width, depth, 0.25, 0.41, 2)
    for one, place in number.items():
        for other, beyond in number.items():
            steps = abs(one[0] - other[0]) + abs(one[1] - other[1])
            near = max(abs(one[0] - other[0]), abs(one[1] - other[1])) <= 2
            if near and region[place] == region[beyond]:
                assert abs(floor[place] - floor[beyond]) <= 0.41 * steps
    assert region[number[0, 0]] != region[number[0, 2]]
    assert region[number[7, 0]] == region[number[7, 2]]
