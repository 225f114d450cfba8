"""Edges in fields: by hand, and every edge in every field its box touches."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.placement.free_arcs import field_along
from lastseen.reasoning.placement.place.packing import ChainedCircles, EdgeBins

GRID = np.array([0.0, 0.0, 0.5, 4.0, 3.0, 2.0])
"""Four columns and three rows of 2 m."""


def fields_of(edges) -> list[list[int]]:
    bins = EdgeBins.of(GRID, np.array(edges, float).reshape(-1, 4))
    return [sorted(bins.member[bins.start[f] : bins.start[f + 1]].tolist()) for f in range(12)]


def test_by_hand():
    found = fields_of([(1, 1, 5, 1), (7, 5, 7, 3)])
    assert [field for field in range(12) if 0 in found[field]] == [0, 1, 2]
    assert [field for field in range(12) if 1 in found[field]] == [7, 11]
    assert fields_of([]) == [[]] * 12


def test_outside_is_the_nearest_field():
    assert [field_along(GRID, 0, x) for x in (-9.0, 0.0, 1.9, 2.0, 7.9, 99.0)] == [0, 0, 0, 1, 3, 3]
    assert [field_along(GRID, 1, y) for y in (-0.1, 3.0, 6.0)] == [0, 1, 2]


number = st.integers(-2, 18).map(lambda half: half / 2)


@given(st.lists(st.tuples(number, number, number, number), max_size=8))
def test_an_edge_is_in_the_fields_its_box_touches(edges):
    found = fields_of(edges)
    for e, (x0, y0, x1, y1) in enumerate(edges):
        columns = range(field_along(GRID, 0, min(x0, x1)), field_along(GRID, 0, max(x0, x1)) + 1)
        rows = range(field_along(GRID, 1, min(y0, y1)), field_along(GRID, 1, max(y0, y1)) + 1)
        expected = {row * 4 + column for row in rows for column in columns}
        assert {field for field in range(12) if e in found[field]} == expected


@given(st.lists(st.tuples(st.floats(0, 30), st.floats(0, 20), st.floats(0.1, 2.0)), max_size=150))
def test_chains_hold_every_circle_once_in_its_field(circles):
    chained = ChainedCircles((0.0, 0.0, 30.0, 20.0), 2.0)
    for circle in circles:
        chained.add(*circle)
    plan = chained.plan(EdgeBins.of(chained.grid, np.empty((0, 4))))
    met = []
    for field, first in enumerate(plan.head.tolist()):
        number = first
        while number >= 0:
            x, y, _ = plan.circle[number]
            assert field == field_along(plan.grid, 1, y) * int(plan.grid[3]) + field_along(plan.grid, 0, x)
            met.append(number)
            number = int(plan.following[number])
    assert sorted(met) == list(range(len(circles)))
    assert chained.all.tolist() == [list(circle) for circle in circles]
